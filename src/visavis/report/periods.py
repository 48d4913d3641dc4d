"""Periods of time as the corpus names them, and as people say them."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime

from visavis.records import Timeline
from visavis.report.text import MONTHS
from visavis.shared.text import line

LABELS: dict[str, Callable[[datetime], str]] = {
    "day": lambda moment: f"{moment.date()}",
    "week": lambda moment: f"{moment.isocalendar().year:04d}-W{moment.isocalendar().week:02d}",
    "month": lambda moment: f"{moment.year:04d}-{moment.month:02d}",
    "year": lambda moment: f"{moment.year:04d}",
}

_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_WEEK = re.compile(r"(\d{4})-W(\d\d)")
_MONTH = re.compile(r"(\d{4})-(\d\d)")


def said(period: str) -> str:
    """A day, week or month in words, such as "week of 5 Feb 2024"; other labels stay as they are."""
    try:
        if found := _DAY.fullmatch(period):
            return _day(date(*map(int, found.groups())))
        if found := _WEEK.fullmatch(period):
            return f"week of {_day(date.fromisocalendar(int(found[1]), int(found[2]), 1))}"
        if found := _MONTH.fullmatch(period):
            return f"{MONTHS[date(int(found[1]), int(found[2]), 1).month - 1]} {int(found[1])}"
    except ValueError:
        pass
    return line(period)


def extent(timeline: Timeline | None) -> str:
    """From the first day to the last where they are known, else the first period to the last; empty where none is."""
    if timeline is None or not timeline.periods:
        return ""
    if timeline.first and timeline.last and timeline.unit in ("day", "week"):
        days = [_day(timeline.first), _day(timeline.last)]
        return " to ".join(dict.fromkeys(days))
    first, last = timeline.periods[0], timeline.periods[-1]
    begin, end = said(first).removeprefix("week of "), said(last)
    if found := _WEEK.fullmatch(last):
        try:
            end = _day(date.fromisocalendar(int(found[1]), int(found[2]), 7))
        except ValueError:
            end = line(last)
    return begin if begin == end else f"{begin} to {end}"


def _day(moment: date) -> str:
    return f"{moment.day} {MONTHS[moment.month - 1]} {moment.year}"
