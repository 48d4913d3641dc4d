"""Volume over time: a strip of bars for each group, or one for all that follow each other, with the picks marked."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from visavis.records import Summary, Timeline
from visavis.report.facts import group_name, pick_key
from visavis.report.periods import said, short, strays
from visavis.report.text import heading, plural
from visavis.shared.periods import LABELS
from visavis.shared.text import line

HEIGHT = 100  # the strips are drawn in these units and stretched by the page
LEAST = 4.0  # the height of the lowest bar: a single document can be seen beside thousands
COMPARABLE = 3  # groups share a scale if the tallest bar of none is more than so many times that of another
MOST_CELLS = 2500  # of the table behind the chart
MOST_TICKS = 5
MOST_BADGES = 14  # along a strip that all groups share


@dataclass(frozen=True)
class Mark:
    """A pick on the time axis."""

    x: float
    label: str


@dataclass(frozen=True)
class Spot:
    """A text along the axis: how far its middle lies from the start, in hundredths, and its foot from the top."""

    text: str
    x: float
    y: float = 0.0


@dataclass(frozen=True)
class Strip:
    """Bars as an SVG path for each group shown, the count of the tallest, picks, and what lies outside the axis.

    `badges` are the groups' letters in the middle of their time, where they share a strip.
    """

    groups: tuple[int, ...]
    total: int
    paths: tuple[str, ...]
    peak: Spot
    marks: tuple[Mark, ...]
    told: str
    earlier: int
    later: int
    badges: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True)
class Volume:
    """The whole chart: `width` in periods, what to know of it, labels for the axis, and the numbers as a table."""

    unit: str
    width: int
    about: str
    strips: tuple[Strip, ...]
    ticks: tuple[Spot, ...]
    periods: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    table: tuple[tuple[str, tuple[int, ...]], ...]


def draw(summary: Summary) -> Volume | None:
    """The chart; None where there is nothing to draw."""
    timeline = summary.timeline
    if timeline is None or not timeline.periods or not any(map(any, timeline.counts)):
        return None
    groups = range(len(summary.groups))
    peaks = [max(row[index] for row in timeline.counts) for index in groups]
    in_turn = _follow_each_other(timeline, len(groups))
    alike = max(peaks) <= COMPARABLE * min(peak for peak in peaks if peak)
    if in_turn:
        strips = [_strip(summary, timeline, tuple(groups), max(sum(row) for row in timeline.counts))]
    else:
        strips = [
            _strip(summary, timeline, (index,), max(peaks) if alike else max(1, peaks[index])) for index in groups
        ]
    periods = tuple(map(said, timeline.periods))
    return Volume(
        unit=line(timeline.unit),
        width=len(periods),
        about=_about(timeline, in_turn=in_turn, alike=alike),
        strips=tuple(strips),
        ticks=_ticks(timeline.periods),
        periods=periods,
        counts=timeline.counts,
        table=_table(timeline, periods) if len(periods) * len(groups) <= MOST_CELLS else (),
    )


def _table(timeline: Timeline, periods: tuple[str, ...]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The counts of each period, and of what lies outside."""
    outside = [(name, counts) for name, counts in (("earlier", timeline.earlier), ("later", timeline.later)) if counts]
    return (*zip(periods, timeline.counts, strict=True), *outside)


def _follow_each_other(timeline: Timeline, n_groups: int) -> bool:
    """Whether groups take turns, at most sharing the period in which one follows another."""
    held = [[place for place, row in enumerate(timeline.counts) if row[index]] for index in range(n_groups)]
    if n_groups < 2 or not all(held):
        return False
    spans = sorted((places[0], places[-1]) for places in held)
    return all(before[1] <= after[0] and before[0] < after[1] for before, after in pairwise(spans))


def _about(timeline: Timeline, *, in_turn: bool, alike: bool) -> str:
    """What the heights mean, and what is not drawn."""
    scale = "every group on the same scale" if alike else "each group on a scale of its own"
    counted = f"the number over {'the' if in_turn else 'its'} tallest bar says how many documents that is"
    marked = " ‹ and › count them." if strays(timeline) else ""
    scale = counted if in_turn else f"{scale}: {counted}"
    return f"Documents per {line(timeline.unit)}; {scale}. Dots mark the picks. {strays(timeline)}{marked}".rstrip()


def _ticks(labels: tuple[str, ...]) -> tuple[Spot, ...]:
    """Labels at even distances, the first and the last period among them."""
    last = len(labels) - 1
    number = next((n for n in range(min(last, MOST_TICKS - 1), 1, -1) if last % n == 0), min(last, 3))
    places = sorted({round(last * step / max(1, number)) for step in range(number + 1)})
    return tuple(Spot(short(labels[place]), round(100 * (place + 0.5) / len(labels), 2)) for place in places)


def _strip(summary: Summary, timeline: Timeline, groups: tuple[int, ...], largest: int) -> Strip:
    gap = 0.12 if len(timeline.periods) <= 200 else 0.0
    stacked = [[row[index] for index in groups] for row in timeline.counts]
    paths = tuple(
        "".join(_bar(place, sum(row[:layer]), row[layer], largest, gap) for place, row in enumerate(stacked))
        for layer in range(len(groups))
    )
    tallest = max(range(len(stacked)), key=lambda place: sum(stacked[place]))
    height = sum(stacked[tallest])
    peak = Spot(f"{height:,}", round(100 * (tallest + 0.5) / len(stacked), 2), round(1 - height / largest, 3))
    earlier, later = (sum(away) for away in zip(*(_outside(timeline, index) for index in groups), strict=True))
    marks = tuple(mark for index in groups for mark in _marks(summary, timeline, index))
    total = sum(map(sum, stacked)) + earlier + later
    badges = _badges(timeline, groups) if 1 < len(groups) <= MOST_BADGES else ()
    told = "; ".join(_told(summary, timeline, index) for index in groups)
    return Strip(groups, total, paths, peak, marks, told, earlier, later, badges)


def _bar(place: int, below: int, count: int, largest: int, gap: float) -> str:
    """A bar that stands on those below it; one that would be too low to see is drawn a little higher."""
    if not count:
        return ""
    height = HEIGHT * count / largest if below else max(LEAST, HEIGHT * count / largest)
    foot = HEIGHT - HEIGHT * below / largest
    return f"M{place + gap / 2:g} {foot:.4g}v-{height:.4g}h{1 - gap:g}V{foot:.4g}z"


def _badges(timeline: Timeline, groups: tuple[int, ...]) -> tuple[tuple[int, float], ...]:
    found = []
    for index in groups:
        held = [place for place, row in enumerate(timeline.counts) if row[index]]
        found.append((index, round(50 * (held[0] + held[-1] + 1) / len(timeline.counts), 2)))
    return tuple(found)


def _outside(timeline: Timeline, index: int) -> tuple[int, int]:
    """How many documents of a group are from before the axis, and from after it."""
    earlier, later = (counts[index] if counts else 0 for counts in (timeline.earlier, timeline.later))
    return earlier, later


def _told(summary: Summary, timeline: Timeline, index: int) -> str:
    """What a strip shows of a group, in words."""
    counts = [row[index] for row in timeline.counts]
    total = sum(counts) + sum(_outside(timeline, index))
    busiest = max(range(len(counts)), key=lambda position: counts[position])
    return (
        f"{group_name(summary.groups[index])}: {plural(total, 'document')}, most in "
        f"{said(timeline.periods[busiest])} ({counts[busiest]}); "
        f"{plural(len(_marks(summary, timeline, index)), 'pick')} marked"
    )


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
            found.setdefault(position, []).append(f"{pick_key(index, pick)} {heading(pick.document)}")
    return [
        Mark(round(position + (place + 1) / (len(labels) + 1), 3), label)
        for position, labels in sorted(found.items())
        for place, label in enumerate(labels)
    ]


def rules(volume: Volume | None) -> str:
    """Style rules that put what is written in its place: the page's policy allows no style attributes."""
    if volume is None:
        return ""
    peaks = [strip.peak for strip in volume.strips]
    spots = [(f"tick-{number}", tick.x) for number, tick in list(enumerate(volume.ticks))[1:-1]]
    spots += [(f"turn-{index}", x) for strip in volume.strips for index, x in strip.badges]
    placed = [f"#{name}{{left:{x:g}%}}" for name, x in spots]
    return "".join([*placed, *(f"#peak-{n}{{left:{peak.x:g}%;--down:{peak.y:g}}}" for n, peak in enumerate(peaks))])
