"""Untrusted text made fit to show."""

from __future__ import annotations

import re

ADDRESS = re.compile(r"\s*(?:https?://|pic\.twitter\.com/)\S+")  # of the web, with the blanks before it

_LINE_ENDS = re.compile("\r\n|[\r\u0085\u2028\u2029]")
_BROKEN = re.compile("[\ud800-\udfff\ufffe\uffff]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff]")
_DIRECTION = re.compile("[\u202a-\u202e]")  # overrides could reorder what stands around them
_ISOLATES = re.compile("(\u2068[^\n\u2066-\u2069]*\u2069)|[\u2066-\u2069]")  # ... and so could isolates without an end
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_MARKS = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_PILED = re.compile(f"({_MARKS}{{4}}){_MARKS}+")  # accents piled higher would cover the lines above


def clean(text: str) -> str:
    """The text without control characters (line breaks and tabs stay), direction overrides and lone surrogates."""
    if text.isascii() and text.isprintable():  # most are, and pages show very many
        return text
    text = _BROKEN.sub("\ufffd", _LINE_ENDS.sub("\n", text))
    text = _ISOLATES.sub(r"\1", _DIRECTION.sub("", _CONTROL.sub("", text)))
    return _PILED.sub(r"\1", text)


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
