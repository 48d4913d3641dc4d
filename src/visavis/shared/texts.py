"""Very many texts, kept in a file instead of in memory.

The file lies in the cache folder, or among temporary files, and has no name: nobody else can open it, and it is gone
when the process ends, however that ends.
"""

from __future__ import annotations

import os
import tempfile
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from visavis.shared.folders import cache_root

MOST_IN_MEMORY = 100_000  # documents whose texts are held in memory
BUFFER = 2**20  # bytes
BLOCK = 1024  # texts that are read at once

_Places = NDArray[Any]


class StoredTexts:
    """Texts in a file, each known by its place; they can be added, and read again."""

    def __init__(self) -> None:
        self._file = _nameless(cache_root())
        self._ends = array("q", [0])
        self._offsets: _Places = np.zeros(1, np.int64)

    def __len__(self) -> int:
        return len(self._ends) - 1

    def add(self, texts: Iterable[str]) -> range:
        """Put texts behind those that are there; their places."""
        before = len(self)
        raw = [text.encode("utf-8", "surrogatepass") for text in texts]
        end = self._ends[-1]
        for text in raw:
            end += len(text)
            self._ends.append(end)
        self._file.write(b"".join(raw))
        return range(before, len(self))

    def read(self, places: Sequence[int] | _Places) -> list[str]:
        """The texts at these places; those that stand side by side are read at once."""
        self._file.flush()
        if len(self._offsets) != len(self._ends):
            self._offsets = np.array(self._ends, np.int64)
        wanted = np.asarray(places, np.intp)
        begins, ends = self._offsets[wanted], self._offsets[wanted + 1]
        if len(wanted) and np.array_equal(begins[1:], ends[:-1]):
            raw = os.pread(self._file.fileno(), int(ends[-1] - begins[0]), int(begins[0]))
            cuts = zip((begins - begins[0]).tolist(), (ends - begins[0]).tolist(), strict=True)
            return [raw[begin:end].decode("utf-8", "surrogatepass") for begin, end in cuts]
        return [self._one(begin, end) for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)]

    def one(self, place: int) -> str:
        """The text at a place."""
        self._file.flush()
        return self._one(self._ends[place], self._ends[place + 1])

    def _one(self, begin: int, end: int) -> str:
        return os.pread(self._file.fileno(), end - begin, begin).decode("utf-8", "surrogatepass")


class TextView(Sequence[str]):
    """Some of the texts of a store, in an order of their own; a slice of it is a list."""

    def __init__(self, store: StoredTexts, places: _Places) -> None:
        self._store, self._places = store, places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return self._store.read(self._places[index])
        return self._store.one(int(self._places[index]))

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (list(self),)  # another process has no part in the file

    def __iter__(self) -> Iterator[str]:
        for begin in range(0, len(self._places), BLOCK):
            yield from self[begin : begin + BLOCK]


class KeptTexts:
    """Texts that are made once for each row, and kept: in memory, or in a store where there are very many rows."""

    def __init__(self, n_rows: int) -> None:
        self._store = StoredTexts() if n_rows > MOST_IN_MEMORY else None
        self._places = np.full(n_rows, -1)
        self._held: dict[int, str] = {}
        self._lock = Lock()

    def of(self, rows: _Places, make: Callable[[Sequence[int]], Iterable[str]]) -> Sequence[str]:
        """The texts of these rows; `make` gives those that are not there yet, in the order of the rows it is given."""
        with self._lock:
            if self._store is None:
                wanted = rows.tolist()
                new = [row for row in dict.fromkeys(wanted) if row not in self._held]
                self._held.update(zip(new, make(new), strict=True))
                return tuple(self._held[row] for row in wanted)
            new = list(dict.fromkeys(rows[self._places[rows] < 0].tolist()))
            coming = iter(make(new)) if new else iter(())
            for begin in range(0, len(new), BLOCK):
                some = new[begin : begin + BLOCK]
                self._places[some] = self._store.add(islice(coming, len(some)))
            return TextView(self._store, self._places[rows])


def _nameless(folder: Path | None) -> Any:
    """A file that has no name, in a folder that may be made for it; where that cannot be, among temporary ones."""
    if folder is not None:
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            return tempfile.TemporaryFile(dir=folder, buffering=BUFFER)
    return tempfile.TemporaryFile(buffering=BUFFER)
