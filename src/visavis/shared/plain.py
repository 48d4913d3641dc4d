"""Words of plain texts, cut out several times faster than by a regular expression."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_MARKS = re.compile("[\u00a0\u2010-\u2027]+")  # dashes, quotation marks, dots: blanks to whoever looks for words


@dataclass(frozen=True)
class PlainWords:
    """Cuts texts of ASCII and typographic marks into lower-case runs of letters, digits and what is `kept` besides."""

    kept: str = ""
    _table: bytes = field(init=False, repr=False)

    def __post_init__(self) -> None:
        signs = (chr(code) for code in range(128))
        table = "".join(sign.lower() if sign.isalnum() or sign in self.kept else " " for sign in signs)
        object.__setattr__(self, "_table", table.encode() + bytes(128))

    def cut(self, text: str) -> list[str] | None:
        """The words of a text in their order; None if it has other letters or marks."""
        plain = text if text.isascii() else _MARKS.sub(" ", text)
        return plain.encode().translate(self._table).decode().split() if plain.isascii() else None
