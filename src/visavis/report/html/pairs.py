"""Every two groups as a picture: a table whose cells are the darker, the clearer two groups differ."""

from __future__ import annotations

from dataclasses import dataclass

from visavis.records import Summary, TwoSampleTest
from visavis.report import facts
from visavis.report.periods import said
from visavis.report.verdict import ANSWERS, UNDECIDED, outcome, p_value, pair_tests
from visavis.shared.statistics import ALPHA

MOST_GROUPS = 20
WITH_NUMBERS = 8  # groups up to which there is room for numbers in the cells
LEVELS = ((0.001, "strong"), (0.01, "clear"), (0.05, "some"))  # p up to which a cell is shaded so


@dataclass(frozen=True)
class Cell:
    """Two groups: how their cell looks, what it shows, and what it says."""

    css: str
    shown: str
    said: str


@dataclass(frozen=True)
class Group:
    """A group at the edge of the table."""

    key: str
    css: str
    name: str


@dataclass(frozen=True)
class Matrix:
    """The groups along the top; those along the side, each with a cell for every group before it (None: not tested)."""

    top: list[Group]
    side: list[tuple[Group, list[Cell | None]]]
    with_numbers: bool
    some_undecided: bool


def fits(summary: Summary) -> bool:
    """Whether pairs were tested and are few enough for a picture."""
    return bool(pair_tests(summary)) and len(summary.groups) <= MOST_GROUPS


def draw(summary: Summary) -> Matrix | None:
    """The picture, if there is something to show and room for it."""
    if not fits(summary):
        return None
    groups = [
        Group(facts.group_key(index), f"g{index}", facts.group_name(group))
        for index, group in enumerate(summary.groups)
    ]
    tests = {frozenset(test.groups): test for test in pair_tests(summary)}
    names = [group.name for group in summary.groups]
    numbers = len(groups) <= WITH_NUMBERS
    side = []
    for index, group in enumerate(groups[1:], 1):
        found = [tests.get(frozenset((names[index], other))) for other in names[:index]]
        side.append((group, [None if test is None else _cell(test, numbers=numbers) for test in found]))
    undecided = any(test.adjusted is None for test in tests.values())
    return Matrix(groups[:-1], side, numbers, undecided)


def _cell(test: TwoSampleTest, *, numbers: bool) -> Cell:
    told = f"{' and '.join(map(said, test.groups))}: {ANSWERS[outcome(test)]}"
    if test.adjusted is None:
        return Cell(UNDECIDED, "?", told)
    css = next((level for most, level in LEVELS if test.adjusted <= most and test.adjusted < ALPHA), "alike")
    mark = f"{max(test.adjusted, 0.001):.3f}"[1:] if test.adjusted < 1 else "1"
    return Cell(css, mark if numbers else "", f"{told}, {p_value(test.adjusted)}")
