"""The power that a design prints is that of the test the report decides by."""

from __future__ import annotations

import numpy as np
import pytest

from visavis.shared.statistics import holm
from visavis.study.analysis.statistics import sign_test
from visavis.study.design.power import BASE, EXPECTED, _holm, _right, power


def by_the_reports_own_tests(questions: int, methods: int, lead: float, runs: int) -> tuple[float, float]:
    """Question by question, with the functions of the report."""
    rng = np.random.default_rng(5)
    one = every = 0.0
    for _ in range(runs):
        shared = rng.standard_normal(questions)
        right = [_right(rng, shared, BASE + (lead if k == 0 else 0), 3) for k in range(methods)]
        tests = [(a, b) for a in range(methods) for b in range(methods) if a != b]
        p_values = [sign_test(int((right[a] > right[b]).sum()), int((right[a] < right[b]).sum())) for a, b in tests]
        shown = [p < 0.05 for p, (a, _) in zip(holm(p_values), tests, strict=True) if a == 0]
        one, every = one + np.mean(shown) / runs, every + all(shown) / runs
    return one, every


def test_power_is_that_of_holms_correction_over_all_comparisons() -> None:
    found = power(108, 3, 4, 0)
    [(one, every)] = [(one, every) for lead, one, every in found.rows if lead == EXPECTED]
    assert (one, every) == pytest.approx(by_the_reports_own_tests(108, 4, EXPECTED, 150), abs=0.1)
    assert found.is_little
    assert power(found.wanted or 0, 3, 4, 1).rows[3][1] == pytest.approx(0.8, abs=0.04)


def test_power_grows_with_the_lead_and_with_the_questions_and_shrinks_with_rivals() -> None:
    small, large = power(30, 3, 2, 0, runs=400), power(300, 3, 2, 0, runs=400)
    assert [one for _, one, _ in large.rows] == sorted(one for _, one, _ in large.rows)
    assert all(more[1] >= less[1] for less, more in zip(small.rows, large.rows, strict=True))
    assert large.rows[-1][1] > 0.99
    assert (small.is_little, large.is_little) == (True, False)
    assert (power(300, 3, 4, 0, runs=400).wanted or 0) > (large.wanted or 0)
    assert power(30, 3, 1, 0).rows == ()


def test_holms_correction_by_rows_is_the_reports() -> None:
    p_values = np.random.default_rng(0).random((20, 6)) ** 3
    assert np.allclose(_holm(p_values), [holm(list(row)) for row in p_values])
