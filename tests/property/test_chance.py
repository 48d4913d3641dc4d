"""The tests behind telling words, against scipy and slow references."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.stats import false_discovery_control, fisher_exact

from visavis.explain.chance import can_decide, discoveries, exceeds_by_chance, least_possible
from visavis.explain.spread import measure_spread

counts = st.integers(0, 40)
p_values = st.lists(st.floats(1e-6, 1.0), min_size=1, max_size=60).map(np.array)


@given(counts, counts, counts, counts)
def test_the_exact_test_is_fishers(a, b, c, d):
    p = float(exceeds_by_chance(np.array(a), np.array(b), np.array(a + c), np.array(b + d)))
    if a + b + c + d:
        assert p == pytest.approx(fisher_exact([[a, b], [c, d]], "greater")[1], abs=1e-9)


@given(st.lists(st.tuples(*[st.integers(0, 3)] * 4), min_size=1, max_size=40))
def test_cases_that_recur_are_told_as_each_by_itself(cases):
    a, b, c, d = np.array(cases, np.float64).T
    together = exceeds_by_chance(a[None], b[None], (a + c)[None], (b + d)[None])
    assert together.shape == (1, len(cases))
    alone = [float(exceeds_by_chance(*map(np.array, (w, x, w + y, x + z)))) for w, x, y, z in cases]
    np.testing.assert_array_equal(together[0], alone)


@given(counts, counts, st.integers(1, 40), st.integers(1, 40))
def test_no_count_has_a_smaller_p_than_the_least_possible(a, b, c, d):
    p = exceeds_by_chance(np.array(a), np.array(b), np.array(a + c), np.array(b + d))
    assert least_possible(np.array(a + b), np.array(a + c), np.array(b + d)) <= p + 1e-12


@given(p_values, st.floats(0.001, 0.2))
def test_discoveries_are_those_of_benjamini_and_hochberg(p, level):
    adjusted = false_discovery_control(p)
    sure = np.abs(adjusted - level) > 1e-12
    np.testing.assert_array_equal(discoveries(p, level)[sure], (adjusted <= level)[sure])


@given(p_values, st.floats(0.001, 0.2))
def test_what_cannot_be_decided_could_never_pass_the_correction(least, level):
    decidable = can_decide(least, level)
    ks = np.arange(1, len(least) + 1)
    k = next((k for k in ks if np.sum(least <= level / k) <= k), len(least))
    np.testing.assert_array_equal(decidable, least <= level / k)
    assert decidable.sum() <= k


@given(st.integers(0, 2**32 - 1))
def test_repetition_is_the_variance_between_sources_over_that_of_chance(seed):
    rng = np.random.default_rng(seed)
    n, codes, origins = 60, rng.integers(0, 2, 60), rng.integers(-1, 5, 60)
    codes[:2], origins[:4] = (0, 1), (0, 1, 0, 1)
    found = (rng.random((n, 4)) < 0.3).astype(float)
    spread = measure_spread(sparse.csr_matrix(found), codes, 2, origins)
    whose = np.where(origins < 0, 100 + np.arange(n), origins)
    for group in range(2):
        inside = codes == group
        for term in range(4):
            x = found[:, term]
            p, q = x[inside].mean(), x[~inside].mean()
            shift = np.where(inside, (x - p) / inside.sum(), -(x - q) / (~inside).sum())
            sums = np.array([shift[whose == who].sum() for who in np.unique(whose)])
            chance = p * (1 - p) / inside.sum() + q * (1 - q) / (~inside).sum()
            ratio = len(sums) / (len(sums) - 1) * (sums**2).sum() / chance if chance > 1e-12 else 1.0
            expected = np.clip(ratio, 1.0, max(1.0, x[inside].sum()))
            assert spread.repetition[group, term] == pytest.approx(expected, rel=1e-9)
            known = inside & (origins >= 0)
            assert spread.origins[group, term] == len(set(origins[known & (x > 0)]))
