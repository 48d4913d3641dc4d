"""Tables that turn a name into an object: one row an entry, imported only when asked for."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from visavis.shared.extras import needs
from visavis.shared.names import unknown

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


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
        return iter(self.names())

    def __contains__(self, name: object) -> bool:
        return name in self._rows or name in outside(self.kind)

    def names(self) -> tuple[str, ...]:
        """Every name that is known: our own rows first, then those of other packages."""
        return tuple({**self._rows, **outside(self.kind)})

    def load(self, name: str) -> Any:
        """The object behind a name. Raises UnknownName or MissingExtra."""
        row = self._rows.get(name)
        return from_outside(self.kind, name, self._rows) if row is None else row.load(self.kind, name)

    def create(self, name: str, *args: Any, **options: Any) -> Any:
        """The object behind a name, called with these arguments."""
        return self.load(name)(*args, **options)


def outside(kind: str) -> Mapping[str, EntryPoint]:
    """What other packages offer of that kind, by name; read from the disk when first asked for."""
    return _read_outside(entry_points, f"visavis.{kind}")


def entry_points(group: str) -> Iterable[EntryPoint]:
    """The entry points of a group, of all packages that are installed."""
    from importlib import metadata  # slow to import, and not every process asks

    return metadata.entry_points(group=group)


@cache
def _read_outside(read: Callable[[str], Iterable[EntryPoint]], group: str) -> dict[str, EntryPoint]:
    """`read` is part of the key, so that what a stand-in for it said is not taken for the truth later."""
    return {entry.name: entry for entry in read(group)}


def from_outside(kind: str, name: str, known: Iterable[str]) -> Any:
    """What another package offers under that name. Raises UnknownName with the nearest known one."""
    found = outside(kind)
    if name in found:
        return found[name].load()
    raise unknown(kind, name, [*known, *found])
