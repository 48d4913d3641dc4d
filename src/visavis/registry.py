"""Tables that turn a name into an object: one row an entry, imported only when asked for."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any

from visavis.shared.extras import needs
from visavis.shared.names import unknown


@dataclass(frozen=True)
class Row:
    """Where an entry lives ("module:attribute"), what it is in a few words, and which extra it needs."""

    target: str
    about: str
    extra: str | None = None

    def load(self, kind: str, name: str) -> Any:
        """The object itself; `kind` and `name` are for the error. Raises MissingExtra."""
        module, _, attribute = self.target.partition(":")
        with needs(self.extra, f"{kind} {name!r}") if self.extra else nullcontext():
            return getattr(importlib.import_module(module), attribute)


class Registry:
    """A table of one kind of thing; packages outside may add rows through the entry point group `visavis.<kind>`."""

    def __init__(self, kind: str, rows: Mapping[str, Row]) -> None:
        self.kind = kind
        self._rows = dict(rows)

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __contains__(self, name: object) -> bool:
        return name in self._rows

    def about(self, name: str) -> str:
        """What an entry is, in a few words."""
        return self._rows[name].about

    def load(self, name: str) -> Any:
        """The object behind a name. Raises UnknownName or MissingExtra."""
        row = self._rows.get(name)
        return from_outside(self.kind, name, self._rows) if row is None else row.load(self.kind, name)

    def create(self, name: str, *args: Any, **options: Any) -> Any:
        """The object behind a name, called with these arguments."""
        return self.load(name)(*args, **options)


def from_outside(kind: str, name: str, known: Iterable[str]) -> Any:
    """What another package offers under that name. Raises UnknownName with the nearest known one."""
    found = {entry.name: entry for entry in entry_points(group=f"visavis.{kind}")}
    if name in found:
        return found[name].load()
    raise unknown(kind, name, [*known, *found])
