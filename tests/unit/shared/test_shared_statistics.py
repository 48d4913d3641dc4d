from __future__ import annotations

import gc
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from visavis.shared.statistics import holm


@given(st.lists(st.integers(0, 100).map(lambda n: n / 100), min_size=1, max_size=10))
def test_holm_agrees_with_statsmodels_where_some_are_equal(p_values: list[float]) -> None:
    with patch.object(gc, "collect"):  # multipletests collects garbage each time, which takes longer than all else
        expected = multipletests(p_values, method="holm")[1]
    assert holm(p_values) == pytest.approx(list(expected))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=10))
def test_holm_never_lowers_keeps_the_order_and_is_bonferroni_for_the_smallest(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert all(0 <= p <= a <= 1 for p, a in zip(p_values, adjusted, strict=True))
    order = np.argsort(p_values, kind="stable")
    assert np.all(np.diff(np.array(adjusted)[order]) >= 0)
    assert min(adjusted) == pytest.approx(min(1.0, len(p_values) * min(p_values)))


def test_holm_of_a_known_case() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []
