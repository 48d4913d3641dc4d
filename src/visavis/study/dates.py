"""Dates in the texts workers read: hidden on request, and counted where they tell the group."""

from __future__ import annotations

import re
from datetime import datetime

MASK = "▢"
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
SHORT = ("Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sept", "Sep", "Oct", "Nov", "Dec")
WORDS = ("March", "Mar", "May")  # that mean something else as well

_CLEAR = [name for name in (*MONTHS, *SHORT) if name not in WORDS]
_PLAIN = [name for name in MONTHS if name not in WORDS]
_SURE = "|".join([*_CLEAR, *map(str.upper, _PLAIN), *(name.lower() for name in _PLAIN if name != "August")])
_ANY = "|".join([_SURE, *map(str.upper, _CLEAR), *map(str.lower, _CLEAR), *WORDS, *map(str.upper, WORDS)])
_ALL = "|".join([_ANY, *map(str.lower, WORDS)])
_DAY = r"\d{1,2}(?:st|nd|rd|th|ST|ND|RD|TH)?"
_YEAR = r"(?:19|20)\d\d"
_CLOCK = r"T\d\d(?::?\d\d)*(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?"
_LEADS = r"(?i:in|of|since|until|till|by|last|next|early|late|mid|from|between|during|before|after)[\s-]+"
_LOOSE = r"(?i:this|to|and|on)[\s-]+"  # in capitals these may stand before a verb
_LED = rf"(?:{_LEADS}(?=(?:March|May|MARCH|MAY)\b)|{_LOOSE}(?=(?:March|May)\b))"
DATES = re.compile(
    "|".join(
        (
            rf"\b{_YEAR}[-/.]\d{{1,2}}(?:[-/.]\d{{1,2}})?(?:{_CLOCK})?(?!\d)",
            r"\b\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d\d)\b",
            rf"\b(?:{_ALL})\b\.?\s+{_DAY},?\s+{_YEAR}\b",
            rf"\b(?:{_ANY})\b\.?\s+{_DAY}\b",
            rf"\b{_DAY}\s+(?:of\s+)?(?:{_ALL})\b\.?,?\s+{_YEAR}\b",
            rf"\b{_DAY}\s+(?:of\s+)?(?:{_ANY})\b\.?",
            rf"\b(?:{_ALL})\b\.?,?\s+{_YEAR}\b",
            rf"\b(?:{_SURE})\b",
            rf"\b{_LED}\w+\b(?:\.?\s+{_DAY}\b(?:,?\s+{_YEAR}\b)?|\.?,?\s+{_YEAR}\b)?",
            rf"\b{_YEAR}(?:s\b|-\d\d\b|\b)",
            r"(?<!\w)['’]\d\d\b",
        )
    )
)
_NAMED = re.compile(rf"\b(?:{_ALL})\b")
_NUMBERED = re.compile(rf"\b({_YEAR})[-/.](\d{{1,2}})(?!\d)")


def mask_dates(text: str) -> str:
    """The text with dates, months and years replaced by ▢."""
    return DATES.sub(_hidden, text)


def _hidden(match: re.Match[str]) -> str:
    """The mask; a word such as "in" that led to a month stays."""
    found = re.match(_LED, match[0])
    return (found[0] if found else "") + MASK


def tells(text: str, date: datetime | None) -> str | None:
    """What of its own date a text tells: "date" (its month or day), "year", or None."""
    if date is None:
        return None
    found = [match[0] for match in DATES.finditer(text)]
    if any(_tells_month(piece, date) for piece in found):
        return "date"
    return "year" if any(str(date.year) in piece for piece in found) else None


def _tells_month(piece: str, date: datetime) -> bool:
    """Whether a date names the month, or the year and month, of another."""
    month = MONTHS[date.month - 1][:3].lower()
    if any(match[0][:3].lower() == month for match in _NAMED.finditer(piece)):
        return True
    return any((int(year), int(number)) == (date.year, date.month) for year, number in _NUMBERED.findall(piece))
