"""Calendar periods: the label of a moment, and the days a label stands for; weeks are ISO weeks. And stray dates."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TypeVar

LABELS: dict[str, Callable[[date], str]] = {
    "day": lambda moment: f"{moment.year:04d}-{moment.month:02d}-{moment.day:02d}",
    "week": lambda moment: f"{moment.isocalendar().year:04d}-W{moment.isocalendar().week:02d}",
    "month": lambda moment: f"{moment.year:04d}-{moment.month:02d}",
    "quarter": lambda moment: f"{moment.year:04d}-Q{(moment.month + 2) // 3}",
    "year": lambda moment: f"{moment.year:04d}",
}

_LABEL = re.compile(
    r"(?P<year>\d{4})(?:-W(?P<week>\d\d)|-Q(?P<quarter>[1-4])|-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?", re.ASCII
)
_Day = TypeVar("_Day", bound=date)  # or a datetime, whose time of day is then kept


@dataclass(frozen=True)
class Period:
    """What a label stands for: its unit, its first and its last day."""

    unit: str
    first: date
    last: date


def read_label(label: str) -> Period | None:
    """The period of a label; None if it is none."""
    found = _LABEL.fullmatch(label)
    if found is None:
        return None
    unit = next((unit for unit in ("day", "month", "quarter", "week") if found[unit]), "year")
    try:
        if unit == "week":
            first = date.fromisocalendar(int(found["year"]), int(found["week"]), 1)
        else:
            month = 3 * int(found["quarter"]) - 2 if found["quarter"] else int(found["month"] or 1)
            first = date(int(found["year"]), month, int(found["day"] or 1))
    except ValueError:
        return None
    try:
        return Period(unit, first, following(first, unit) - timedelta(days=1))
    except (ValueError, OverflowError):  # the last of the calendar
        return Period(unit, first, date.max)


def begin(moment: _Day, unit: str) -> _Day:
    """The first day of the period that holds a moment."""
    if unit == "week":
        return moment - timedelta(days=moment.weekday())
    if unit == "day":
        return moment
    months = {"month": 1, "quarter": 3, "year": 12}[unit]
    return moment.replace(month=(moment.month - 1) // months * months + 1, day=1)


def following(first: _Day, unit: str) -> _Day:
    """The first day of the next period, given the first day of one. Raises ValueError or OverflowError after 9999."""
    if unit in ("day", "week"):
        return first + timedelta(days=7 if unit == "week" else 1)
    months = first.month + {"month": 1, "quarter": 3, "year": 12}[unit]
    return first.replace(year=first.year + (months - 1) // 12, month=(months - 1) % 12 + 1)


def labels_between(first: date, last: date, unit: str, most: int) -> list[str] | None:
    """The labels of all periods from the one of `first` to that of `last`; None if there are more than `most`."""
    labels: list[str] = []
    at, end = begin(date(first.year, first.month, first.day), unit), date(last.year, last.month, last.day)
    while len(labels) < most:
        labels.append(LABELS[unit](at))
        if LABELS[unit](end) == labels[-1]:
            return labels
        at = following(at, unit)
    return None


def believable_range(moments: Sequence[_Day]) -> tuple[_Day, _Day]:
    """Between which limits moments, sorted, are no strays.

    A stray lies farther outside the range of the middle 98 % than a quarter of its length; it takes 100 to tell.
    """
    if len(moments) < 100:
        return moments[0], moments[-1]
    low, high = moments[len(moments) // 100], moments[-1 - len(moments) // 100]
    reach = (high - low) / 4
    return _moved(low, -reach, moments[0]), _moved(high, reach, moments[-1])


def _moved(moment: _Day, by: timedelta, farthest: _Day) -> _Day:
    """A moment later or earlier; the farthest there is, where the calendar ends before."""
    try:
        return moment + by
    except OverflowError:
        return farthest
