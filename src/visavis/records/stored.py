"""Documents of which there are very many: their texts lie in a store, and are read when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from visavis.records.documents import Document


class Store(Protocol):
    """Where texts lie."""

    def one(self, place: int) -> str:
        """The text at a place."""


class StoredFields(Mapping[str, Any]):
    """The columns of a row, one of which lies in a store: what very many documents have instead of a dictionary.

    `values` holds, for that column, the place in the store, and `in_store` is where it stands among the columns.
    """

    __slots__ = ("_columns", "_in_store", "_store", "_values")

    def __init__(self, columns: tuple[str, ...], values: tuple[Any, ...], in_store: int, store: Store) -> None:
        self._columns, self._values, self._in_store, self._store = columns, values, in_store, store

    def __getitem__(self, column: str) -> Any:
        for at, name in enumerate(self._columns):
            if name == column:
                return self.text if at == self._in_store else self._values[at]
        raise KeyError(column)

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __contains__(self, column: object) -> bool:
        return column in self._columns

    @property
    def text(self) -> str:
        """What lies in the store."""
        return self._store.one(self._values[self._in_store])


class StoredDocument(Document):
    """A document whose text lies in a store; all else is as with any other."""

    __slots__ = ("_text",)
    _text: str | StoredFields

    def __init__(self, id: str, title: str = "", text: str | StoredFields = "", **others: Any) -> None:
        object.__setattr__(self, "_text", text)
        for name, value in {**_OTHERS, **others, "id": id, "title": title}.items():
            object.__setattr__(self, name, value)

    @property
    def text(self) -> str:
        """As any document has it, without blanks around it."""
        held = self._text
        return held if isinstance(held, str) else held.text.strip()

    def __reduce__(self) -> tuple[Any, ...]:
        """A document with its text, which is what a store cannot follow it with."""
        others = {name: getattr(self, name) for name in _OTHERS}
        others["fields"] = dict(others["fields"])
        return partial(Document, self.id, self.title, self.text, **others), ()


def rename(document: Document, name: str) -> Document:
    """The same document under another id; a text in a store stays there."""
    if not isinstance(document, StoredDocument):
        return replace(document, id=name)
    others = {slot: getattr(document, slot) for slot in _OTHERS}
    return StoredDocument(name, document.title, document._text, **others)


_OTHERS: dict[str, Any] = {
    "date": None, "source": "", "url": "", "image": "", "weight": 1.0, "fields": {}, "headline": "",
    "opening": "",
}  # fmt: skip
