"""Stretches of time as people write them: 14d, 2018-02-14..2018-02-28, all."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from visavis.corpus.dates import parse_date
from visavis.errors import InvalidParameter

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}
_LENGTH = re.compile(r"(\d+(?:\.\d+)?)\s*([smhdw])")


@dataclass(frozen=True)
class Window:
    """From `start` on (None: from the first post), until before `end` or for `length`, whichever is given."""

    start: datetime | None = None
    end: datetime | None = None
    length: timedelta | None = None

    def bounds(self, first: datetime | None) -> tuple[datetime | None, datetime | None]:
        """Start and end, given the time of the first post. Raises InvalidParameter for an end after all dates."""
        if self.length is None:
            return self.start, self.end
        start = self.start or first
        try:
            return start, start + self.length if start is not None else None
        except OverflowError:
            days = self.length // timedelta(days=1)
            raise InvalidParameter(f"a window of {days:,} days from {start:%Y-%m-%d} on ends after all dates") from None


def seconds(text: str) -> float:
    """A duration such as 90s, 10m, 14d, 2w in seconds. Raises InvalidParameter."""
    found = _LENGTH.fullmatch(text.strip().lower())
    if found is None or float(found[1]) <= 0:
        raise InvalidParameter(f"duration {text!r}: write a number and one of s, m, h, d, w, as 10m or 14d")
    return float(found[1]) * _UNITS[found[2]]


def window(text: str) -> Window:
    """Read 14d, FROM..TO (either side may be missing), FROM+14d, or all. Raises InvalidParameter."""
    text = text.strip()
    if text == "all":
        return Window()
    if ".." in text:
        first, _, last = text.partition("..")
        return _ordered(Window(_day(first), _day(last)), text)
    first, plus, length = text.rpartition("+") if "+" in text else ("", "", text)
    try:
        stretch = timedelta(seconds=seconds(length))
    except OverflowError:
        raise InvalidParameter(f"window {text!r} is longer than time") from None
    return Window(_day(first) if plus else None, None, stretch)


def _ordered(found: Window, text: str) -> Window:
    if found.start and found.end and found.end <= found.start:
        raise InvalidParameter(f"window {text!r} ends before it begins")
    return found


def _day(text: str) -> datetime | None:
    if not text.strip():
        return None
    parsed = parse_date(text)
    if parsed.moment is None:
        raise InvalidParameter(f"window: {text!r} is {parsed.why}; write 14d, 2018-02-14..2018-02-28, or all")
    return parsed.moment
