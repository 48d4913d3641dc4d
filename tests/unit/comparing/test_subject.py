"""Who speaks of what all documents are about, and where that says nothing."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from visavis.comparing.candidates import find_candidates
from visavis.comparing.options import CompareOptions
from visavis.comparing.prepare import group_documents, prepare
from visavis.comparing.subject import COMMON, RARE, SHORT, closeness_to_subject
from visavis.corpus.words import Words
from visavis.embed.wordvectors import bundled_vectors

ABOUT = ["immigration", "asylum", "refugees", "border", "visa"]
ELSE = ["opera", "violin", "pottery", "orchard", "sailing", "bakery", "cricket", "lantern", "gallery", "harvest"]
FILLER = ["the", "of", "and", "to", "in", "that", "was", "for", "with", "his"]


def text(rng, subject, length=80):
    """A fifth of the words are of a subject, the others say nothing."""
    return " ".join(rng.choice(subject if rng.random() < 0.2 else FILLER) for _ in range(length))


def near(texts, groups=None):
    codes = np.zeros(len(texts), np.intp) if groups is None else np.array(groups)
    return closeness_to_subject(Words.of(texts), codes)


@pytest.fixture
def rng():
    return random.Random(3)


def test_a_stray_is_farthest_from_the_subject(rng):
    found = near([*(text(rng, ABOUT) for _ in range(30)), text(rng, ELSE)], [0, 1] * 15 + [0])
    assert found.argmin() == 30
    assert found[30] < 0.5 * found[:30].min()


def test_who_only_names_it_in_passing_is_between(rng):
    passing = f"{text(rng, ELSE, 75)} immigration asylum border visa refugees"
    *_, stray, named = near([*(text(rng, ABOUT) for _ in range(30)), text(rng, ELSE), passing])
    assert stray < named < near([text(rng, ABOUT) for _ in range(30)]).min()


def test_it_is_what_the_docstring_says_each_group_counting_the_same(rng):
    guns = ["gun", "rifle", "ammunition", "firearm", "shooting"]
    texts = [*(text(rng, ABOUT) for _ in range(40)), *(text(rng, guns) for _ in range(10)), text(rng, ELSE)]
    groups = [0] * 40 + [1] * 11
    found, vectors = near(texts, groups), bundled_vectors()
    own = [Counter(" ".join(t for t, g in zip(texts, groups, strict=True) if g == group).split()) for group in (0, 1)]

    def lift(word):
        share = sum(counts[word] / sum(counts.values()) for counts in own) / 2
        english = max(float(vectors.frequencies(np.array([vectors.rows[word]]))[0]), RARE)
        return share * max(np.log(share / english), 0.0) if english < COMMON else 0.0

    expected = [sum(map(lift, t.split())) / (len(t.split()) + 80) for t in texts]
    assert found == pytest.approx(expected)


def test_what_is_shorter_says_less_of_it(rng):
    whole = text(rng, ABOUT)
    found = near([whole, " ".join(whole.split()[:20]), *(text(rng, ABOUT) for _ in range(9))])
    assert found[1] < found[0]


def test_of_short_texts_and_in_other_languages_it_is_not_known(rng):
    assert np.isnan(near([text(rng, ABOUT, SHORT - 1) for _ in range(9)])).all()
    assert not np.isnan(near([text(rng, ABOUT, SHORT) for _ in range(9)])).any()
    german = "der rat der stadt stimmt heute nach langer debatte dem neuen plan zu " * 6
    assert np.isnan(near([german] * 9)).all()
    mixed = near([german, *(text(rng, ABOUT) for _ in range(9))], [0] + [1] * 9)
    assert np.isnan(mixed).tolist() == [True] + [False] * 9
    assert near([]).tolist() == []


def test_texts_in_other_languages_say_nothing_of_the_subject_of_those_in_english(rng):
    english = [text(rng, ABOUT) for _ in range(30)]
    german = ["der krieg und die stadt war man hat not nach langer debatte dem neuen plan " * count for count in (2, 9)]
    stray = german[1]
    for others in ([german[0]] * 40, [german[1]] * 40):
        found = near([*english, stray, *others], [0] * 31 + [1] * 40)
        assert found[:31] == pytest.approx(near([*english, stray], [0] * 31))
        assert found[30] == found[:31].min()
        assert np.isnan(found[31:]).all()


def test_who_comes_first_does_not_matter(rng):
    texts = [text(rng, ABOUT) for _ in range(9)]
    assert near(texts[::-1]) == pytest.approx(near(texts)[::-1])


@pytest.mark.parametrize("padding", ["http www com html", "qzv wvk zxq qqz", "didn wouldn doesn", "2019 2021 7"])
def test_addresses_numbers_and_parts_of_words_are_of_no_subject(rng, padding):
    filler = " ".join(FILLER)
    found = near([f"{filler} {padding} " * 12, *(text(rng, ABOUT) for _ in range(9))], [0] * 10)
    assert found[0] == 0.0
    assert found[1:].min() > 0.0


def test_who_is_off_the_subject_may_not_be_picked(rng):
    rows = [{"id": f"{n}", "side": "ab"[n % 2], "text": text(rng, ABOUT) + f" {ELSE[n % 5]}"} for n in range(100)]
    rows += [{"id": f"stray{n}", "side": "ab"[n % 2], "text": text(rng, ELSE)} for n in range(6)]
    chosen = CompareOptions(by="side")
    prepared = prepare(rows, chosen.reading)
    found = find_candidates(prepared, group_documents(prepared, chosen.grouping), chosen)
    shown = {d.id for d, may in zip(found.grouping.corpus.documents, found.allowed, strict=True) if may}
    assert not [name for name in shown if name.startswith("stray")]
