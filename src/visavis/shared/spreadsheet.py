"""Tables that spreadsheets open: what would be taken for a formula is guarded by an apostrophe."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Sequence

_SIGNS = "=+\\-@＝＋－＠﹦﹢﹣﹫"
# What a spreadsheet, or the eye, passes over: other spaces, control characters, marks without width.
_UNSEEN = "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\xa0 \xad\u034f\u061c\u115f\u1160\u1680\u180e"
_UNSEEN += "\u2000-\u200f\u202a-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0"
# Where the list separator is a semicolon, a spreadsheet parts a row at semicolons and lines, and quotes do not hold.
_BREAKS = "\t\r\n\x0b\x0c\x1c-\x1f\x85\u2028\u2029"
_BEGINS = f"(?=['{_UNSEEN}{_BREAKS}]*[{_SIGNS}]|['{_UNSEEN}]*[\t\r\n])"
_FOLLOWS = f"(?=['\"{_UNSEEN}]*[{_SIGNS}])"
_PARTED = f"(?<=[;{_BREAKS}])"
_OPEN = re.compile(f"\\A{_BEGINS}|{_PARTED}{_FOLLOWS}")
_GUARDED = re.compile(f"\\A'{_BEGINS}|{_PARTED}'{_FOLLOWS}")


def guard(text: str) -> str:
    """The text with an apostrophe wherever a cell could begin like a formula."""
    return _OPEN.sub("'", text)


def unguard(text: str) -> str:
    """The text without those apostrophes: unguard(guard(text)) is the text."""
    return _GUARDED.sub("", text)


def csv_text(
    columns: Sequence[str],
    rows: Iterable[Iterable[object]],
    *,
    line_end: str = "\n",
    number: Callable[[float], str] = lambda value: repr(float(value)),
) -> str:
    """A CSV file: every text guarded, numbers as numbers, None blank; `number` writes those with a fraction."""

    def cell(value: object) -> object:
        match value:
            case None:
                return ""
            case bool():
                return int(value)
            case float():
                return number(value)
        return guard(value) if isinstance(value, str) else value

    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator=line_end)
    writer.writerow([guard(name) for name in columns])
    writer.writerows([cell(value) for value in row] for row in rows)
    return out.getvalue()
