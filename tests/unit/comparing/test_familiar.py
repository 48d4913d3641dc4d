"""Who says little in words that others use, too."""

from __future__ import annotations

import random

import numpy as np
import pytest

from visavis.comparing.familiar import FEWEST, OWN, USED
from visavis.comparing.familiar import familiarity as familiarity_in
from visavis.corpus.words import Words

TOWN = "the council of the town voted on the new harbor and the old market after a long debate"


def town(rng):
    return " ".join(rng.choice(TOWN.split()) for _ in range(12))


def familiarity(words, groups=None):
    return familiarity_in(words, np.zeros(len(words.lengths), np.intp) if groups is None else np.array(groups))


@pytest.fixture
def texts():
    rng = random.Random(4)
    return [town(rng) for _ in range(60)]


@pytest.mark.parametrize(
    "stray",
    [
        "El alcalde no quiso hablar con nadie sobre los planes del puerto viejo",  # in another language
        "tbe cuuncil uf tke tuwn vuted un tne nevv barbor vwith mauy debales",  # misread
        "Abel Abbott Ackroyd Adams Addison Agnew Aiken Ainsley Albright Aldous Allen Alton",  # names
    ],
)
def test_who_writes_in_words_of_his_own_is_least_familiar(texts, stray):
    found = familiarity(Words.of([*texts, stray]))
    assert found.argmin() == 60
    assert found[60] < 0.2 < found[:60].min()


def test_it_is_the_share_of_words_that_enough_texts_use():
    found = familiarity(Words.of(["one two", "one three", "one one three four", "three"]))
    assert found == pytest.approx([1 / 2, 1.0, 3 / 4, 1.0])
    for each, expected in ((5, 0.5), (6, 1.0)):
        assert each > FEWEST
        many = Words.of([f"common rare{n // each}" for n in range(300)])
        assert familiarity(many) == pytest.approx(np.full(300, expected)), USED * 300


def test_a_copy_makes_no_word_familiar(texts):
    stray = "El alcalde no quiso hablar con nadie sobre los planes del puerto viejo"
    assert familiarity(Words.of([*texts, stray, stray]))[-2:].tolist() == [0.0, 0.0]


def test_what_a_small_group_says_is_familiar_there():
    rng = random.Random(8)
    own = [[f"{chr(97 + group)}{word}" for word in range(30)] for group in range(60)]
    common = [f"common{word}" for word in range(30)]
    share = [rng.random() for _ in range(60 * 20)]
    texts = [" ".join(rng.choice(own[n % 60] if rng.random() < share[n] else common) for _ in range(40))
             for n in range(60 * 20)]  # fmt: skip
    found = familiarity(Words.of(texts), [n % 60 for n in range(60 * 20)])
    assert found.min() == 1.0, "60 groups of 20, each with words of its own"
    german, stray = ["der rat der stadt stimmt dem plan zu"] * 14, "the council of the town votes"
    mixed = familiarity(Words.of([*(["the council of the town votes"] * 900), *german, stray]), [0] * 900 + [1] * 15)
    assert mixed.tolist() == [1.0] * 915


def test_of_its_group_twice_the_share_is_asked():
    for each, expected in ((2, 0.5), (4, 1.0)):  # 4 % of 100, though 2 % of all are 20
        assert max(FEWEST, OWN * 100) == 4
        texts = [f"common rare{n // each}" for n in range(100)] + ["common"] * 900
        assert familiarity(Words.of(texts), [0] * 100 + [1] * 900)[:100] == pytest.approx(np.full(100, expected))


def test_a_text_without_words_is_not_familiar():
    assert familiarity(Words.of(["one two", "one two", "one two", "..."])).tolist() == [1.0, 1.0, 1.0, 0.0]
    assert familiarity(Words.of([])).tolist() == []


def test_the_order_of_texts_changes_nothing(texts):
    order = np.random.default_rng(1).permutation(len(texts))
    shuffled = familiarity(Words.of([texts[n] for n in order]))
    assert shuffled == pytest.approx(familiarity(Words.of(texts))[order])
