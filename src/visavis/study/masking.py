"""Dates in the texts workers read: hidden on request, and counted where they tell the group."""

from __future__ import annotations

import re
from datetime import datetime

MASK = "▢"
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip

_SURE = "January|February|April|June|July|August|September|October|November|December|Jan|Feb|Apr|Jun|Jul|Aug|Sept?|Oct"
_SURE += "|Nov|Dec"
_ANY = _SURE + "|March|Mar|May"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_YEAR = r"(?:19|20)\d\d"
_LEADS = r"(?:in|of|since|until|till|by|last|next|early|late|mid|this|from|to|between|and|during|before|after|on)[\s-]+"
DATES = re.compile(
    "|".join(
        (
            rf"\b{_YEAR}[-/.]\d{{1,2}}(?:[-/.]\d{{1,2}})?\b",
            r"\b\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d\d)\b",
            rf"\b(?:{_ANY})\b\.?\s+{_DAY}\b(?:,?\s+{_YEAR}\b)?",
            rf"\b{_DAY}\s+(?:of\s+)?(?:{_ANY})\b\.?(?:,?\s+{_YEAR}\b)?",
            rf"\b(?:{_ANY})\b\.?,?\s+{_YEAR}\b",
            rf"\b(?:{_SURE})\b",
            rf"(?<=\b)(?i:{_LEADS})(?:March|May)\b",
            rf"\b{_YEAR}(?:s\b|-\d\d\b|\b)",
            r"(?<!\w)['’]\d\d\b",
        )
    )
)


def mask_dates(text: str) -> str:
    """The text with dates, months and years replaced by ▢."""
    return DATES.sub(_hidden, text)


def _hidden(match: re.Match[str]) -> str:
    """The mask; a word such as "in" that led to a month stays."""
    found = re.match(rf"(?i:{_LEADS})(?=March|May)", match[0])
    return (found[0] if found else "") + MASK


def gives_away(text: str, group: str, date: datetime | None) -> str | None:
    """How a text tells its group: "name", "date" (its own month or day), "year", or None where it does not."""
    if len(group) >= 3 and re.search(rf"(?<!\w){re.escape(group)}(?!\w)", text, re.IGNORECASE):
        return "name"
    if date is None:
        return None
    found = [match[0] for match in DATES.finditer(text)]
    month = MONTHS[date.month - 1]
    names = {month, month[:3], f"{date.year}-{date.month:02d}"}
    if any(re.search(rf"\b{re.escape(name)}\b", piece) for piece in found for name in names):
        return "date"
    return "year" if any(str(date.year) in piece for piece in found) else None
