"""What reading refuses."""

from __future__ import annotations

import re
from typing import Any

from visavis.errors import VisavisError

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class Unreadable(VisavisError):
    """A file, row or field cannot be read; the message, always one line, names it."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(one_line(f"{where}: {what}"))
        self.where, self.what = where, what

    def __reduce__(self) -> tuple[type[Unreadable], tuple[str, str]]:
        """Made anew from its parts, so that it can come from another process."""
        return type(self), (self.where, self.what)


class NotUtf8(Unreadable):
    """A text file is not in UTF-8, and nothing says what it is in."""


def one_line(text: str) -> str:
    """The text with control characters written out, so that it stays one line wherever it is shown."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def shown(value: Any, limit: int = 60) -> str:
    """A value as it is quoted in a message: its beginning, between quotes, on one line."""
    text = value if isinstance(value, str) else repr(value)
    return one_line(repr(text[:limit] + "…" if len(text) > limit else text))


def listed(names: Any, limit: int = 30) -> str:
    """Names for a message, comma between them; the first few where there are many."""
    names = list(names)
    more = f" and {len(names) - limit:,} more" if len(names) > limit else ""
    return ", ".join(shown(name) for name in names[:limit]) + more
