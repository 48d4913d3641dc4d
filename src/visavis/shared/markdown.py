"""Foreign text in Markdown: shown as it is, in a sentence as in the cell of a table."""

from __future__ import annotations

import re
from collections.abc import Iterable

from visavis.shared.text import line

_SPECIAL = re.compile(r"[\\`*_\[\]<>{}#|~&$!@]|:(?=//)")
# Would begin a list or underline a heading; a number with a sign or a fraction does neither and stays as it is.
_LEADING = re.compile(r"^(=|[-+](?=[-+\s]|$)|\d+[.)](?=\s|$))")


def escape(text: str) -> str:
    """One line of text that Markdown will show as it is."""
    escaped = _SPECIAL.sub(lambda found: "\\" + found.group(), line(text))
    return _LEADING.sub(lambda found: found.group()[:-1] + "\\" + found.group()[-1], escaped)


def table_row(cells: Iterable[str]) -> str:
    """A row of a table, its cells escaped."""
    return f"| {' | '.join(escape(cell) for cell in cells)} |"
