"""Who says little in words that others use, too."""

from __future__ import annotations

import random

import numpy as np
import pytest

from visavis.comparing.familiar import FEWEST, USED, familiarity
from visavis.corpus.words import Words

TOWN = "the council of the town voted on the new harbor and the old market after a long debate"


def town(rng):
    return " ".join(rng.choice(TOWN.split()) for _ in range(12))


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


def test_a_text_without_words_is_not_familiar():
    assert familiarity(Words.of(["one two", "one two", "one two", "..."])).tolist() == [1.0, 1.0, 1.0, 0.0]
    assert familiarity(Words.of([])).tolist() == []


def test_the_order_of_texts_changes_nothing(texts):
    order = np.random.default_rng(1).permutation(len(texts))
    shuffled = familiarity(Words.of([texts[n] for n in order]))
    assert shuffled == pytest.approx(familiarity(Words.of(texts))[order])
