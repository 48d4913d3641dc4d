"""Texts in tables that spreadsheets open: what would be taken for a formula is guarded by an apostrophe."""

from __future__ import annotations

import re

# Where the list separator is a semicolon, a spreadsheet parts a row at semicolons and lines, and quotes do not hold.
_BEGINS = r"\A(?='* *[=+\-@\t\r\n＝＋－＠])"
_FOLLOWS = r"""(?<=[;\t\r\n])(?=['" ]*[=+\-@＝＋－＠])"""
_OPEN = re.compile(f"{_BEGINS}|{_FOLLOWS}")
_GUARDED = re.compile(_BEGINS.replace(r"\A", r"\A'") + "|" + _FOLLOWS.replace("(?=['", "'(?=['"))


def guard(text: str) -> str:
    """The text with an apostrophe wherever a cell could begin like a formula."""
    return _OPEN.sub("'", text)


def unguard(text: str) -> str:
    """The text without those apostrophes."""
    return _GUARDED.sub("", text)
