"""Foreign text (comments, names of methods and groups) made fit to show."""

from __future__ import annotations

import re

_BROKEN = re.compile("[\ud800-\udfff\ufffe\uffff]")
_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]")
_MARKDOWN = re.compile(r"[\\`*_\[\]<>{}#|~&$!@]|:(?=//)")
_LEADING = re.compile(r"^(=|[-+](?=[-+\s]|$)|\d+[.)](?=\s|$))")  # would begin a list or underline a heading


def clean(text: str) -> str:
    """One line without control characters, direction overrides and lone surrogates."""
    broken = re.sub("[\r\u0085\u2028\u2029]", "\n", text)
    return " ".join(_HIDDEN.sub("", _BROKEN.sub("\ufffd", broken)).split())


def markdown(text: str) -> str:
    """One line that Markdown shows as it is."""
    escaped = _MARKDOWN.sub(lambda found: "\\" + found.group(), clean(text))
    return _LEADING.sub(lambda found: found.group()[:-1] + "\\" + found.group()[-1], escaped)
