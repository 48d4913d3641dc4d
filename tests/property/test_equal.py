"""What is told within strata: nothing by the strata themselves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from visavis.explain.equal import equal_accuracy, equal_mix


@st.composite
def mixes(draw):
    """Groups and strata of documents, and the generator that drew them."""
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    n_groups, n_strata = draw(st.integers(2, 4)), draw(st.integers(1, 5))
    counts = rng.integers(0, 6, (n_groups, n_strata))
    counts[:, 0] += 1
    cells = np.repeat(np.arange(counts.size), counts.ravel())
    return cells // n_strata, cells % n_strata, rng


@given(mixes())
def test_all_groups_have_one_mix_and_keep_their_weight(drawn):
    groups, strata, rng = drawn
    weights = rng.uniform(0.5, 2, len(groups))
    counted = weights * equal_mix(groups, strata, weights)
    mass = np.zeros((groups.max() + 1, strata.max() + 1))
    np.add.at(mass, (groups, strata), counted)
    assert mass.sum(axis=1) == pytest.approx(np.bincount(groups, weights))
    assert (mass / mass.sum(axis=1, keepdims=True)).std(axis=0).max() < 1e-9
    lacking = [s for s in range(strata.max() + 1) if len(set(groups[strata == s])) <= groups.max()]
    assert not counted[np.isin(strata, lacking)].any()


@given(mixes())
def test_who_knows_the_stratum_alone_tells_as_much_as_chance(drawn):
    groups, strata, rng = drawn
    guess = rng.integers(0, groups.max() + 1, strata.max() + 1)[strata]
    assert equal_accuracy(guess == groups, groups, strata) == pytest.approx(1 / (groups.max() + 1))
    assert equal_accuracy(groups == groups, groups, strata) == pytest.approx(1)


def test_nothing_is_told_where_no_stratum_has_all_groups():
    assert equal_accuracy(np.ones(2, bool), np.array([0, 1]), np.array([0, 1])) is None
