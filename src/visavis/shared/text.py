"""Untrusted text made fit to show."""

from __future__ import annotations

import re

_LINE_ENDS = re.compile("\r\n|[\r\u0085\u2028\u2029]")
_BROKEN = re.compile("[\ud800-\udfff\ufffe\uffff]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff]")
_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]")  # overrides and isolates could reorder what stands around them
_MARKS = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_PILED = re.compile(f"({_MARKS}{{4}}){_MARKS}+")  # accents piled higher would cover the lines above


def clean(text: str) -> str:
    """The text without control characters (line breaks and tabs stay), direction overrides and lone surrogates."""
    text = _BROKEN.sub("\ufffd", _LINE_ENDS.sub("\n", text))
    return _PILED.sub(r"\1", _DIRECTION.sub("", _CONTROL.sub("", text)))


def line(text: str) -> str:
    """The text, clean, on one line."""
    return " ".join(clean(text).split())
