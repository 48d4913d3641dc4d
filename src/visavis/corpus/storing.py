"""Rows of very large tables made light: texts go to a store, and short values that recur are kept once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from visavis.records.stored import StoredFields
from visavis.shared.texts import StoredTexts

SHORT = 64  # characters of a value that may recur
MOST_KNOWN = 100_000  # distinct values that are remembered


class Light:
    """Makes rows light; `column` is the one whose texts go to the store."""

    def __init__(self, column: str) -> None:
        self._column, self._store = column, StoredTexts()
        self._known: dict[str, str] = {}
        self._columns: dict[tuple[str, ...], tuple[str, ...]] = {}

    def shared(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """The same row, with values that were met before in the place of those that are equal."""
        return {name: self._once(value) if isinstance(value, str) else value for name, value in fields.items()}

    def stored(self, fields: dict[str, Any]) -> StoredFields | None:
        """The row with its text in the store; None if it has none there that could be stored."""
        text = fields.get(self._column)
        if not isinstance(text, str):
            return None
        names = tuple(fields)
        columns = self._columns.setdefault(names, names)
        (place,) = self._store.add((text,))
        values = tuple(place if name == self._column else value for name, value in fields.items())
        return StoredFields(columns, values, columns.index(self._column), self._store)

    def _once(self, value: str) -> str:
        if len(value) > SHORT or (len(self._known) >= MOST_KNOWN and value not in self._known):
            return value
        return self._known.setdefault(value, value)
