"""Volume over time: a strip of bars for each group on one scale, with its picks marked below."""

from __future__ import annotations

from dataclasses import dataclass

from visavis.records import Summary, Timeline
from visavis.report.facts import group_key
from visavis.report.periods import said
from visavis.report.text import heading, plural
from visavis.shared.periods import LABELS
from visavis.shared.text import line

HEIGHT = 100  # the strips are drawn in these units and stretched by the page
MOST_CELLS = 2500  # of the table behind the chart


@dataclass(frozen=True)
class Mark:
    """A pick on the time axis."""

    x: float
    label: str


@dataclass(frozen=True)
class Strip:
    """One group's bars as an SVG path, and its picks."""

    index: int
    total: int
    path: str
    marks: tuple[Mark, ...]
    told: str


@dataclass(frozen=True)
class Volume:
    """The whole chart: `width` in periods, the largest count, labels for the axis, and the numbers as a table."""

    unit: str
    width: int
    largest: int
    strips: tuple[Strip, ...]
    axis: tuple[str, ...]
    periods: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    has_table: bool


def draw(summary: Summary) -> Volume | None:
    """The chart; None where there is nothing to draw."""
    timeline = summary.timeline
    if timeline is None or not timeline.periods or not any(map(any, timeline.counts)):
        return None
    largest = max(max(counts, default=0) for counts in timeline.counts)
    strips = tuple(_strip(summary, timeline, index, largest) for index in range(len(summary.groups)))
    width = len(timeline.periods)
    return Volume(
        unit=line(timeline.unit),
        width=width,
        largest=largest,
        strips=strips,
        axis=_axis(tuple(map(said, timeline.periods))),
        periods=tuple(map(said, timeline.periods)),
        counts=timeline.counts,
        has_table=width * len(summary.groups) <= MOST_CELLS,
    )


def _axis(periods: tuple[str, ...]) -> tuple[str, ...]:
    if len(periods) < 3:
        return periods
    return (
        (periods[0], periods[(len(periods) - 1) // 2], periods[-1]) if len(periods) % 2 else (periods[0], periods[-1])
    )


def _strip(summary: Summary, timeline: Timeline, index: int, largest: int) -> Strip:
    counts = [row[index] for row in timeline.counts]
    gap = 0.12 if len(counts) <= 200 else 0.0
    path = "".join(
        f"M{position + gap / 2:g} {HEIGHT}v-{HEIGHT * count / largest:.4g}h{1 - gap:g}V{HEIGHT}z"
        for position, count in enumerate(counts)
        if count
    )
    marks = tuple(_marks(summary, timeline, index))
    busiest = max(range(len(counts)), key=lambda position: counts[position])
    told = (
        f"{line(summary.groups[index].name)}: {plural(sum(counts), 'document')}, most in "
        f"{said(timeline.periods[busiest])} ({counts[busiest]}); {plural(len(marks), 'pick')} marked"
    )
    return Strip(index, sum(counts), path, marks, told)


def _marks(summary: Summary, timeline: Timeline, index: int) -> list[Mark]:
    """The group's dated picks, side by side where they share a period."""
    name = LABELS.get(timeline.unit)
    if name is None:
        return []
    places = {period: position for position, period in enumerate(timeline.periods)}
    found: dict[int, list[str]] = {}
    for pick in summary.groups[index].picks:
        position = places.get(name(pick.document.date)) if pick.document.date else None
        if position is not None:
            found.setdefault(position, []).append(f"{group_key(index)}{pick.rank} {heading(pick.document)}")
    return [
        Mark(round(position + (place + 1) / (len(labels) + 1), 3), label)
        for position, labels in sorted(found.items())
        for place, label in enumerate(labels)
    ]
