"""Periods of time as the corpus names them, and as people say them."""

from __future__ import annotations

from datetime import date
from functools import lru_cache

from visavis.records import Timeline
from visavis.report.text import MONTHS, plural
from visavis.shared.periods import Period, read_label
from visavis.shared.text import line

MOST_SAID = 4_096  # labels that are remembered: pages name their groups again and again
WEEKS, YEARS = 45, 540  # days up to which a stretch is told by days, and beyond which by years
LEAST_YEAR = 4  # digits of a number that may be a year


@lru_cache(MOST_SAID)
def said(label: str) -> str:
    """A period or range of days in words, such as "week of 5 Feb 2024"; other labels stay as they are."""
    low, dots, high = label.partition("..")
    match read_label(label), read_label(low), read_label(high):
        case None, Period("day", first), Period("day", last) if dots:
            return between(first, last)
    match read_label(label):
        case Period("day", first):
            return _day(first)
        case Period("week", first):
            return f"week of {_day(first)}"
        case Period("quarter", first):
            return f"Q{(first.month + 2) // 3} {first.year}"
        case Period("month", first):
            return f"{MONTHS[first.month - 1]} {first.year}"
    return line(label)


def called(label: str) -> str:
    """The same for a group: a bare number is called one."""
    return f"group {label}" if label.isdigit() and len(label) < LEAST_YEAR else said(label)


def extent(timeline: Timeline | None) -> str:
    """From the first day to the last where they are known, else the first period to the last; empty where none is."""
    if timeline is None or not timeline.periods:
        return ""
    if timeline.first and timeline.last and timeline.unit in ("day", "week"):
        days = [_day(timeline.first), _day(timeline.last)]
        return " to ".join(dict.fromkeys(days))
    first, last = timeline.periods[0], timeline.periods[-1]
    begin, end = short(first), said(last)
    period = read_label(last)
    if period is not None and period.unit == "week":
        end = _day(period.last)
    return begin if begin == end else f"{begin} to {end}"


def strays(timeline: Timeline) -> str:
    """How many documents lie too far off to be counted by period; empty where none does."""
    found = []
    for counts, where, period in ((timeline.earlier, "before", 0), (timeline.later, "after", -1)):
        if sum(counts):
            found.append(f"{plural(sum(counts), 'document')} from {where} {short(timeline.periods[period])}")
    verb = "is" if sum(timeline.earlier) + sum(timeline.later) == 1 else "are"
    return f"{' and '.join(found)} {verb} too far off to be shown." if found else ""


def short(label: str) -> str:
    """A period by its first day, month, quarter or year."""
    return said(label).removeprefix("week of ")


def between(first: date, last: date) -> str:
    """From one day to another, without saying month or year twice: "1–9 Mar 2018"."""
    if first == last:
        return _day(first)
    begin = _day(first)
    if first.year == last.year:
        begin = f"{first.day}" if first.month == last.month else f"{first.day} {MONTHS[first.month - 1]}"
    dash = "–" if begin.isdigit() else " – "
    return f"{begin}{dash}{_day(last)}"


def span(first: date, last: date) -> str:
    """A stretch of time, as coarse as it is long: "2012–2020", "Feb–May 2020", "1–9 Mar 2018"."""
    days = (last - first).days
    if days > YEARS:
        return f"{first.year}–{last.year}" if first.year < last.year else str(first.year)
    if days <= WEEKS:
        return between(first, last)
    begin, end = (f"{MONTHS[moment.month - 1]} {moment.year}" for moment in (first, last))
    if begin == end:
        return end
    return f"{begin[:3]}–{end}" if first.year == last.year else f"{begin} – {end}"


def _day(moment: date) -> str:
    return f"{moment.day} {MONTHS[moment.month - 1]} {moment.year}"
