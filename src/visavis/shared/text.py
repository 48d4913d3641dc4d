"""Untrusted text made fit to show."""

from __future__ import annotations

import re

ADDRESS = re.compile(r"\s*(?:https?://|pic\.twitter\.com/)\S+")  # of the web, with the blanks before it

_ENDS = "\r\u0085\u2028\u2029"  # of a line, besides its own
_HALVES = "\ud800-\udfff\ufffe\uffff"  # of characters, and what is none
_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff"
_OVERRIDES, _ISOLATED = "\u202a-\u202e", "\u2066-\u2069"  # could reorder what stands around them
_ACCENTS = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"

_SUSPECT = re.compile(f"[{_ENDS}{_HALVES}{_CONTROLS}{_OVERRIDES}{_ISOLATED}{_ACCENTS}]")
_LINE_ENDS = re.compile(f"\r\n|[{_ENDS}]")
_BROKEN = re.compile(f"[{_HALVES}]")
_REMOVED = re.compile(f"[{_CONTROLS}{_OVERRIDES}]")
_ISOLATES = re.compile(f"(\u2068[^\n{_ISOLATED}]*\u2069)|[{_ISOLATED}]")  # those without an end
_PILED = re.compile(f"([{_ACCENTS}]{{4}})[{_ACCENTS}]+")  # accents piled higher would cover the lines above
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")


def clean(text: str) -> str:
    """The text without control characters (line breaks and tabs stay), direction overrides and lone surrogates."""
    if not _SUSPECT.search(text):  # as nearly always, and pages show very many
        return text
    text = _BROKEN.sub("\ufffd", _LINE_ENDS.sub("\n", text))
    return _PILED.sub(r"\1", _ISOLATES.sub(r"\1", _REMOVED.sub("", text)))


def storable(text: str) -> str:
    """A text that any database and any page can hold: no null characters; half a character becomes a question mark."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode()


def line(text: str) -> str:
    """The text, clean, on one line."""
    return " ".join(clean(text).split())


def isolate(text: str) -> str:
    """A text to be set into a sentence: one that is written from right to left does not reorder what follows it."""
    return f"\u2068{text}\u2069" if _RIGHT_TO_LEFT.search(text) else text


def direction(text: str) -> str:
    """How a text is written, by its first letter: "rtl" or "ltr"."""
    first = next((letter for letter in text if letter.isalpha()), "")
    return "rtl" if _RIGHT_TO_LEFT.match(first) else "ltr"
