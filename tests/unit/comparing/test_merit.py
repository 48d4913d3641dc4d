"""What counts for showing a document beside the words that tell of its group."""

from __future__ import annotations

import numpy as np
import pytest

from visavis.comparing import merit as merits
from visavis.comparing.familiar import familiarity
from visavis.comparing.merit import merit
from visavis.comparing.subject import SHORT, closeness_to_subject
from visavis.comparing.substance import substance
from visavis.corpus.words import Words
from visavis.shared.ranks import mid_ranks

GERMAN = "Der Rat der Stadt stimmt heute nach langer Debatte dem neuen Plan für den alten Hafen zu"
ABOUT = "The senators argued that the law on taxes would hurt the workers and that the court should decide on it"
WHERE = "The mayor was at the opening of the fair in the park on the day of the summer parade there"


def found_of(texts, sizes=None, groups=None):
    lengths = np.array([len(text.split()) for text in texts], np.float64) if sizes is None else np.array(sizes)
    return merit(Words.of(texts), lengths, np.zeros(len(texts), np.intp) if groups is None else np.array(groups))


def test_of_equal_texts_that_are_not_english_length_alone_counts():
    found = found_of([GERMAN] * 3, [9.0, 5.0, 5.0])
    assert found[0] - found[1] == pytest.approx(0.75 * merits.LENGTH), "equals share their place"
    assert found[1] == found[2]


def test_in_english_substance_counts_too():
    assert len(ABOUT.split()) == len(WHERE.split())
    first, second = found_of([ABOUT, WHERE])
    assert first - second >= merits.SUBSTANCE


def test_it_is_the_sum_that_the_docstring_says():
    rng = np.random.default_rng(7)
    pool = f"{ABOUT} {WHERE} immigration border visa asylum refugees opera violin".split()
    texts = [" ".join(rng.choice(pool, int(rng.integers(SHORT, 2 * SHORT)))) for _ in range(40)]
    groups, sizes, words = np.arange(40) % 2, rng.integers(1, 99, 40).astype(np.float64), Words.of(texts)
    found = merit(words, sizes, groups)
    subject = closeness_to_subject(words, groups)
    assert not np.isnan(subject).any()
    for group in (0, 1):
        own = groups == group
        c, s, size, f = (
            mid_ranks(x[own]) for x in (subject, substance(words, groups), sizes, familiarity(words, groups))
        )
        lowest = np.minimum(np.minimum(c, s), f)
        expected = 0.6 * np.minimum(c / 0.6, 1) + 0.5 * s + 0.3 * size + 0.7 * np.minimum(lowest / 0.4, 1)
        assert found[own] == pytest.approx(expected)


def test_who_is_last_in_one_way_makes_up_for_it_by_length_alone_in_none():
    texts = [GERMAN] * 20 + ["Abel Abbott Ackroyd Adams Addison Agnew Aiken Ainsley Albright Aldous Allen"]
    found = found_of(texts, [*range(1, 21), 21])
    assert found[20] < np.median(found), "the longest of all, in nobody's words"


def test_who_is_far_longer_than_his_group_counts_as_the_last_unless_texts_are_short():
    long = " ".join([GERMAN] * 5)
    assert len(long.split()) > SHORT
    sizes = [100.0] * 9 + [101.0, 700.0]
    below, far = found_of([long] * 11, sizes)[-2:]
    assert far - below == pytest.approx(merits.LENGTH / 10 - merits.LOWEST)
    below, far = found_of([GERMAN] * 11, [SHORT / 2] * 9 + [SHORT, 10.0 * SHORT])[-2:]
    assert far - below == pytest.approx(merits.LENGTH / 10)


def test_groups_are_ranked_by_themselves():
    texts, sizes = [GERMAN] * 6, [1.0, 2.0, 3.0, 10.0, 20.0, 30.0]
    found = found_of(texts, sizes, [0, 0, 0, 1, 1, 1])
    assert found[:3] == pytest.approx(found[3:])
