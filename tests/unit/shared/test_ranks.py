"""Ranks in which equals share their place."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from visavis.shared.ranks import LEAST, LEAST_COUNTS, mid_ranks, rank_beside, with_beside

VALUES = st.lists(st.integers(-3, 3), min_size=2, max_size=12)


@given(VALUES)
def test_equals_share_their_place(values):
    found = mid_ranks(np.array(values, np.float64))
    assert found == pytest.approx((rankdata(values) - 1) / (len(values) - 1))


def test_one_value_has_no_rank_to_gain():
    assert mid_ranks(np.array([7.0])).tolist() == [0.0]


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 4)), min_size=2, max_size=12, unique=True), st.randoms())
def test_who_comes_first_does_not_matter_unless_all_is_equal(pairs, rng):
    values, beside = (np.array(column, np.float64) for column in zip(*pairs, strict=True))
    order = list(range(len(pairs)))
    rng.shuffle(order)
    found = rank_beside(values, beside / 8)
    assert sorted(found) == pytest.approx(np.arange(len(pairs)) / (len(pairs) - 1)), "all ranks are different"
    assert rank_beside(values[order], beside[order] / 8) == pytest.approx(found[order])


def test_what_counts_beside_moves_who_is_near():
    values = np.array([3.0, 2.0, 1.0])
    assert rank_beside(values, None).tolist() == [1.0, 0.5, 0.0]
    assert rank_beside(values, np.array([0.0, 0.6, 0.0])).tolist() == [0.5, 1.0, 0.0]


def test_who_is_last_by_the_values_makes_up_for_it_by_little_else():
    values, none = np.arange(11.0), np.zeros(11)
    found = with_beside(values, none)
    assert found[[0, 4, 10]] == pytest.approx([0.0, LEAST + LEAST_COUNTS, 1.0 + LEAST_COUNTS])
    beside = np.where(values == 0, 0.9, 0.0)
    assert with_beside(values, beside)[0] < found[4]
    assert rank_beside(values, beside)[0] < rank_beside(values, beside)[4], "though its rank and 0.9 are more than 0.4"
