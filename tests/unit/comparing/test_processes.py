"""Searches with very many picks go to processes of their own: nobody can tell from what they answer."""

from __future__ import annotations

import json
import threading

import numpy as np
import pytest

from unit.comparisons import ROWS, compare
from visavis.comparing import posing
from visavis.comparing.options import make_options
from visavis.engines.local import LocalEngine
from visavis.kernel.rbf import RBF
from visavis.records import Compute
from visavis.report.json_ import render


def _twice(item):
    return 2 * item


@pytest.fixture
def eager(monkeypatch):
    monkeypatch.setattr(posing, "MANY_PICKS", 1)
    monkeypatch.setattr(posing, "LONG_SEARCH", 1)


def test_processes_answer_in_the_order_of_the_items():
    assert list(LocalEngine(Compute(processes=2)).each(_twice, range(5), long=True)) == [0, 2, 4, 6, 8]


@pytest.mark.usefixtures("eager")
def test_a_comparison_in_processes_is_the_same():
    alone, several = (json.loads(render(compare(jobs=jobs))) for jobs in (1, 2))
    assert alone == several
    assert alone["accuracy"] is not None
    assert alone["groups"][0]["picks"][0]["stability"] is not None


@pytest.mark.parametrize(
    ("asked", "several"),
    [
        ({"size": 400 // 3}, True),
        ({"size": 4}, False),  # few picks
        ({"size": 400 // 3, "jobs": 1}, False),
        ({"size": 400 // 3, "kernel": RBF(1.0)}, False),  # an object may not be known elsewhere
    ],
)
def test_only_long_searches_by_names_get_processes(monkeypatch, asked, several):
    monkeypatch.setattr(posing, "LONG_SEARCH", 36 * 100)
    grouping = type("Grouping", (), {"names": ("a", "b", "c"), "codes": np.zeros(len(ROWS))})
    options = make_options(**{"by": "place", "jobs": 2, **asked})
    assert (posing.count_processes(grouping, options) > 1) is several


def test_long_tasks_are_done_one_after_another_where_there_are_no_processes():
    found = list(LocalEngine(Compute(threads=4)).each(lambda _: threading.get_ident(), range(5), long=True))
    assert set(found) == {threading.get_ident()}
