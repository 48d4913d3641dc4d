"""Dates as people and programs write them, read into UTC with the standard library alone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

EARLIEST_YEAR = 1000  # an earlier year is a placeholder such as 0001-01-01
ORDERS = {"mdy": "month/day/year", "dmy": "day/month/year"}

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+)?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_REST = r"(?:(?:,?\s+|\s*[T,]\s*)(?P<clock>\d{1,2}:\d{2}.*))?"
_SPELLED = (
    re.compile(_WEEKDAY + _DAY + r"(?:\s+|-)(?:of\s+)?" + _MONTH + r"(?:,?\s+|-)(?P<year>\d{4}|\d{2})" + _REST, re.I),
    re.compile(_WEEKDAY + _MONTH + r"\s+" + _DAY + r",?\s+(?P<year>\d{4})" + _REST, re.I),
    re.compile(_MONTH + r",?\s+(?P<year>\d{4})", re.I),
    re.compile(
        _WEEKDAY + _MONTH + r"\s+" + _DAY + r"\s+(?P<clock>\d{1,2}:\d{2}\S*(?:\s+[^\s\d]\S*)?)\s+(?P<year>\d{4})", re.I
    ),
)
_YEAR_FIRST = re.compile(r"(?P<year>\d{4})([-/.])(?P<month>\d{1,2})(?:\2(?P<day>\d{1,2})" + _REST + ")?", re.I)
_YEAR_LAST = re.compile(r"(?P<first>\d{1,2})([-/.])(?P<second>\d{1,2})\2(?P<year>\d{4}|\d{2})" + _REST, re.I)
_CLOCK = re.compile(
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,12}))?)?"
    r"\s*(?P<half>[ap]\.?m\.?)?\s*(?P<zone>[a-z]{1,4}|(?:utc|gmt)?[+-]\d{2}:?(?:\d{2})?)?\s*(?:\([^()]*\))?",
    re.I,
)
_ZONES = {"z": 0, "ut": 0, "utc": 0, "gmt": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5}
_ZONES |= {"mst": -7, "mdt": -6, "pst": -8, "pdt": -7}


@dataclass(frozen=True, slots=True)
class ParsedDate:
    """A moment in UTC, or None and why. `ambiguous`: day and month could be swapped and no order was given."""

    moment: datetime | None
    ambiguous: bool = False
    why: str = ""


class _Refused(ValueError):
    """Not a date; the message says why."""


def parse_date(value: object, order: str | None = None) -> ParsedDate:
    """The moment a value stands for; a date without a time is midnight, a time without a zone is UTC.

    `order` ("mdy" or "dmy") says how to read 3/5/2018; without it, one that could be both is read as mdy and marked
    ambiguous. `why` is "empty" for a blank value.
    """
    try:
        moment, ambiguous = _read(value, order)
        if moment.year < EARLIEST_YEAR:
            raise _Refused(f"the year {moment.year:04d} is before {EARLIEST_YEAR}")
        return ParsedDate(_in_utc(moment), ambiguous)
    except _Refused as error:
        return ParsedDate(None, why=str(error))
    except (ValueError, OverflowError):
        return ParsedDate(None, why="no such day or time")


def decide_order(values: Iterable[object]) -> str | None:
    """The order that the numeric dates among the values agree on, where any of them can only be read one way."""
    found = set()
    for value in values:
        if isinstance(value, str) and (match := _YEAR_LAST.fullmatch(value.strip())):
            first, second = int(match["first"]), int(match["second"])
            if first > 12 >= second:
                found.add("dmy")
            elif second > 12 >= first:
                found.add("mdy")
    return found.pop() if len(found) == 1 else None


def _read(value: Any, order: str | None) -> tuple[datetime, bool]:
    if value is None or type(value).__name__ in ("NaTType", "NAType"):
        raise _Refused("empty")
    if type(value).__name__ == "datetime64":
        value = _from_numpy(value)
    if isinstance(value, datetime):
        return _plain(value), False
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC), False
    if isinstance(value, bool):
        raise _Refused("not a date")
    if isinstance(value, str):
        return _from_text(value.strip(), order)
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise _Refused("not a date") from None
    return _from_number(number), False


def _from_numpy(value: Any) -> datetime | date:
    found = value.astype("datetime64[us]").item()
    if found is None:
        raise _Refused("empty")
    if not isinstance(found, date):
        raise _Refused("out of range")
    return found


def _from_number(number: float) -> datetime:
    if number != number:
        raise _Refused("empty")
    if 1e8 <= number < 1e10:
        return datetime.fromtimestamp(number, UTC)
    if 1e10 <= number < 1e13:
        return datetime.fromtimestamp(number / 1000, UTC)
    if number == int(number) and 0 <= number < 1e8:
        return _from_digits(str(int(number)))
    raise _Refused("not a Unix time")


def _from_digits(digits: str) -> datetime:
    match len(digits):
        case 4:
            return datetime(int(digits), 1, 1, tzinfo=UTC)
        case 8:
            return datetime(int(digits[:4]), int(digits[4:6]), int(digits[6:]), tzinfo=UTC)
        case 9 | 10 | 11 | 12 | 13:
            return _from_number(int(digits))
        case 14:
            return datetime.strptime(digits + "+0000", "%Y%m%d%H%M%S%z")
    raise _Refused("not a date")


def _from_text(text: str, order: str | None) -> tuple[datetime, bool]:
    if not text:
        raise _Refused("empty")
    if len(text) > 100:
        raise _Refused("too long for a date")
    if text.isascii() and text.isdigit():
        return _from_digits(text), False
    if text[:4].isdigit() and text.isascii():
        try:
            return datetime.fromisoformat(text), False
        except ValueError:
            pass
    if match := _YEAR_FIRST.fullmatch(text):
        return _assemble(int(match["year"]), int(match["month"]), int(match["day"] or 1), match["clock"]), False
    if match := _YEAR_LAST.fullmatch(text):
        return _from_year_last(match, order)
    for pattern in _SPELLED:
        if match := pattern.fullmatch(text):
            parts = match.groupdict()
            month = _MONTHS.index(parts["month"][:3].lower()) + 1
            return _assemble(_full_year(parts["year"]), month, int(parts.get("day") or 1), parts.get("clock")), False
    if re.fullmatch(r"\d{9,13}\.\d+", text):
        return _from_number(float(text)), False
    raise _Refused("not a date")


def _from_year_last(match: re.Match[str], order: str | None) -> tuple[datetime, bool]:
    first, second, year = int(match["first"]), int(match["second"]), _full_year(match["year"])
    ambiguous = order is None and first <= 12 and second <= 12 and first != second
    if order is None:
        order = "dmy" if first > 12 else "mdy"
    day, month = (first, second) if order == "dmy" else (second, first)
    if month > 12 >= day:
        raise _Refused(f"not {ORDERS[order]}")
    return _assemble(year, month, day, match["clock"]), ambiguous


def _full_year(digits: str) -> int:
    year = int(digits)
    if len(digits) > 2:
        return year
    return 1900 + year if year >= 69 else 2000 + year


def _assemble(year: int, month: int, day: int, clock: str | None) -> datetime:
    moment = datetime(year, month, day, tzinfo=UTC)
    if clock is None:
        return moment
    match = _CLOCK.fullmatch(clock.strip())
    if match is None:
        raise _Refused("not a time of day")
    hour = int(match["hour"])
    if match["half"]:
        if not 1 <= hour <= 12:
            raise _Refused("not a time of day")
        hour = hour % 12 + (12 if match["half"][0] in "pP" else 0)
    fraction = int((match["fraction"] or "0").ljust(6, "0")[:6])
    second = min(int(match["second"] or 0), 59)  # a leap second has no place in a datetime
    return moment.replace(
        hour=hour, minute=int(match["minute"]), second=second, microsecond=fraction, tzinfo=_zone(match["zone"] or "Z")
    )


def _zone(name: str) -> timezone:
    name = name.lower()
    if name in _ZONES:
        return timezone(timedelta(hours=_ZONES[name]))
    match = re.fullmatch(r"(?:utc|gmt)?([+-])(\d{2}):?(\d{2})?", name)
    if match is None:
        raise _Refused(f"unknown time zone {name!r}")
    offset = timedelta(hours=int(match[2]), minutes=int(match[3] or 0))
    return timezone(-offset if match[1] == "-" else offset)


def _plain(value: datetime) -> datetime:
    if type(value) is datetime:
        return value
    clock = (value.hour, value.minute, value.second, value.microsecond)
    return datetime(value.year, value.month, value.day, *clock, tzinfo=value.tzinfo)


def _in_utc(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    return moment if moment.tzinfo is UTC else moment.astimezone(UTC)
