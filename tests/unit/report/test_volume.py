"""The chart of documents over time, as it is handed to the page."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from itertools import pairwise

import pytest

from unit.report.summaries import news, outlets
from visavis.records import Summary, Timeline
from visavis.report import render
from visavis.report.html.volume import COMPARABLE, LEAST, Volume, draw, rules


def counted(*rows: tuple[int, ...], earlier: tuple[int, ...] = (), later: tuple[int, ...] = ()) -> Summary:
    """Two outlets with these counts month by month."""
    periods = tuple(f"2024-{month:02}" for month in range(1, len(rows) + 1))
    timeline = Timeline("month", periods, rows, date(2024, 1, 1), date(2024, len(rows), 20), earlier, later)
    return replace(outlets(), timeline=timeline)


def drawn(summary: Summary) -> Volume:
    found = draw(summary)
    assert found is not None
    return found


def heights(path: str) -> list[float]:
    return [float(height) for height in re.findall(r"v-([\d.]+)", path)]


def test_groups_of_like_size_share_a_scale() -> None:
    chart = drawn(counted((30, 10), (20, 15), (0, 5)))
    assert "every group on the same scale" in chart.about
    assert [max(heights(strip.paths[0])) for strip in chart.strips] == [100, 50]
    assert [strip.peak.text for strip in chart.strips] == ["30", "15"]


def test_a_small_group_has_a_scale_of_its_own_and_says_so() -> None:
    chart = drawn(counted((3000, 2), (2000, 4), (1, 1)))
    assert "each group on a scale of its own" in chart.about
    assert [max(heights(strip.paths[0])) for strip in chart.strips] == [100, 100]
    assert [strip.peak.text for strip in chart.strips] == ["3,000", "4"]
    assert "every group" in drawn(counted((COMPARABLE, 1), (1, 1))).about


def test_a_single_document_is_seen_beside_thousands() -> None:
    chart = drawn(counted((3000, 2), (1, 4)))
    assert heights(chart.strips[0].paths[0]) == [100, LEAST]


def test_strays_are_counted_at_the_edge_they_lie_beyond() -> None:
    chart = drawn(counted((5, 5), (4, 3), earlier=(0, 1), later=(2, 0)))
    assert [(strip.earlier, strip.later, strip.total) for strip in chart.strips] == [(0, 2, 11), (1, 0, 9)]
    assert "1 document from before Jan 2024 and 2 documents from after Feb 2024 are too far off" in chart.about
    assert chart.table[-2:] == (("earlier", (0, 1)), ("later", (2, 0)))
    assert chart.counts == ((5, 5), (4, 3))
    assert [strip.told.partition(",")[0] for strip in chart.strips] == [
        "Meridian Post: 11 documents", "Tideline: 9 documents",
    ]  # fmt: skip
    page = render(counted((5, 5), (4, 3), earlier=(0, 1)), ".html")
    assert page.count('class="stray before"') == 1
    assert "1 document from before Jan 2024 is too far off" in render(counted((5, 5), (4, 3), earlier=(0, 1)), ".md")
    assert "too far off" not in drawn(counted((5, 5), (4, 3))).about


def test_groups_that_follow_each_other_share_one_strip() -> None:
    chart = drawn(news())
    assert len(chart.strips) == 1
    (strip,) = chart.strips
    assert strip.groups == (0, 1, 2, 3)
    assert len(strip.paths) == 4
    assert [x for _, x in strip.badges] == sorted(x for _, x in strip.badges)
    assert sum(len(group.picks) for group in news().groups) == len(strip.marks)


@pytest.mark.parametrize(
    ("rows", "strips"),
    [
        (((3, 0), (2, 2), (0, 4)), 1),
        (((3, 0), (2, 2), (1, 4)), 2),
        (((3, 0), (0, 4), (1, 0)), 2),
        (((3, 4),), 2),
        (((3, 0), (2, 0)), 2),
    ],
)
def test_groups_take_turns_only_if_none_comes_back(rows: tuple[tuple[int, int], ...], strips: int) -> None:
    assert len(drawn(counted(*rows)).strips) == strips


def test_stacked_bars_add_up_to_what_their_period_holds() -> None:
    (strip,) = drawn(counted((3, 0), (2, 2), (0, 4))).strips
    first, second = strip.paths
    assert heights(first) == [75, 50]
    assert heights(second) == [50, 100]
    assert "M1.06 50v-50" in second


@pytest.mark.parametrize("n_periods", range(1, 12))
def test_the_axis_names_its_first_and_last_period_at_even_distances(n_periods: int) -> None:
    ticks = drawn(counted(*[(2, 3)] * n_periods)).ticks
    assert ticks[0].text == "Jan 2024"
    assert ticks[-1].x == pytest.approx(100 * (n_periods - 0.5) / n_periods, abs=0.01)
    steps = {round(after.x - before.x) for before, after in pairwise(ticks)}
    assert len(ticks) <= 5
    assert not steps or max(steps) - min(steps) <= 100 / n_periods + 1


def test_what_is_written_along_the_axis_is_placed_by_rules() -> None:
    made = rules(drawn(counted((30, 10), (20, 15), (0, 5))))
    assert "#peak-1{left:50%;--down:0.5}" in made
    assert "#tick-1{left:50%}" in made
    assert rules(None) == ""
