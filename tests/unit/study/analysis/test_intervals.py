"""Intervals on few pairs of groups cover what they claim."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

import numpy as np
import pytest

from conftest import ROOT
from visavis.study.analysis.intervals import Counts


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("study_intervals", ROOT / "scripts" / "study_intervals.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclass looks its module up
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("n_pairs", "accuracy", "lead"),
    [(5, 0.64, 0.10), (6, 0.64, 0.10), (5, 0.92, 0.05), (1, 0.92, 0.05), (1, 0.97, 0.02), (6, 0.97, 0.02)],
)
def test_intervals_on_few_pairs_cover_what_they_claim(
    n_pairs: int, accuracy: float, lead: float, script: ModuleType
) -> None:
    found = script.coverage(n_pairs, accuracy, lead, runs=300, draws=0)
    assert found.accuracy > 0.92
    assert found.difference > 0.92


def counts(right: list[list[float]], units: list[int]) -> Counts:
    return Counts(np.array(right), np.full((len(right), 2), 3.0), np.array(units))


def test_units_that_happen_to_be_alike_still_leave_doubt() -> None:
    found = counts([[3.0, 3.0]] * 10, list(range(10)))
    low, high = found.accuracy(0) or (0, 0)
    assert 0.5 < low < 0.97
    assert high == 1
    assert (found.difference(0, 1) or (0, 0))[0] < 0 < (found.difference(0, 1) or (0, 0))[1]


def test_pairs_that_differ_widen_the_interval_and_one_unit_gives_none() -> None:
    right = [[3.0, 0.0], [3.0, 0.0], [0.0, 3.0], [0.0, 3.0], [3.0, 0.0], [0.0, 3.0]]
    by_question, by_pair = counts(right, list(range(6))), counts(right, [0, 0, 1, 1, 0, 1])
    widths = [high - low for low, high in filter(None, (by_question.accuracy(0), by_pair.accuracy(0)))]
    assert widths[0] < widths[1]
    assert counts(right, [0] * 6).accuracy(0) is None
    assert counts(right, [0] * 6).difference(0, 1) is None


def test_nobody_is_surer_of_some_mistakes_than_of_none() -> None:
    judges = np.full((36, 1), 3.0)
    ends = []
    for wrong in range(109):
        right = judges.copy()
        for place in range(wrong):
            right[place % 36, 0] -= 1.0
        ends.append(Counts(right, judges, np.arange(36) // 6).accuracy(0))
    lows, highs = zip(*ends, strict=True)
    assert max(lows) == lows[0]
    assert min(highs) == highs[-1]
    assert (highs[0], lows[-1]) == (1.0, 0.0)
