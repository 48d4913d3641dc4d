"""What a verdict promises, on a sample of the scenarios of research/verdicts: minutes, so `make soak` runs it."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

from conftest import ROOT

RUNS, COVERED = 300, 60
MOST, LEAST = 0.09, 0.02  # of 300 runs, where 5 % is promised: three standard errors
ABOVE_CHANCE = 0.03  # what accuracy may be off chance on the mean of 30 runs

pytestmark = pytest.mark.skipif(os.environ.get("VISAVIS_SOAK") != "1", reason="takes minutes: make soak")


def script(name: str) -> ModuleType:
    """A script as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "research" / "verdicts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where dataclasses look for it
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def verdicts() -> ModuleType:
    return script("simulate")


@pytest.mark.parametrize(
    "name",
    [
        "independent documents, 2 groups",
        "independent documents, 4 groups",
        "stories of 2, 4 groups",
        "stories of 5, unequal groups",
        "shared copies, 2 groups",
        "outlets' days, in both groups",
        "another mix of years, held constant",
    ],
)
def test_groups_that_do_not_differ_are_seldom_said_to_and_told_apart_no_better_than_by_chance(
    name: str, verdicts: ModuleType, tmp_path: Path
) -> None:
    make = verdicts.scenarios(tmp_path)[name]
    row = verdicts.row_of([verdicts.one(make, 10, n) for n in range(RUNS)])
    assert row["differ"] <= MOST
    assert row["undecided"] == 0
    assert abs(row["accuracy"]) < ABOVE_CHANCE
    assert abs(row["ceiling"]) < ABOVE_CHANCE
    if name.startswith("independent"):
        assert row["differ"] >= LEAST
    if name.startswith(("stories", "another")):
        assert row["single documents"] > 0.9, "documents dealt one by one would be said to differ"


@pytest.mark.parametrize(
    "name", ["planted: stories of 2, shift 0.4", "planted: another mix of years, held constant, shift 0.4"]
)
def test_groups_that_differ_are_mostly_said_to(name: str, verdicts: ModuleType, tmp_path: Path) -> None:
    make = verdicts.scenarios(tmp_path)[name]
    assert verdicts.row_of([verdicts.one(make, 0, n) for n in range(RUNS // 3)])["differ"] > 0.75


@pytest.mark.parametrize("place", [0, 3, 9])
def test_intervals_hold_what_they_should(place: int) -> None:
    accuracy = script("accuracy")
    for _, held, half in accuracy.coverage(accuracy.DESIGNS[place], COVERED):
        assert held >= 0.85
        assert half < 0.25
