"""What was learned of some documents at one width of the kernel, kept within bounds, so that it is learned once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from threading import Lock
from typing import TypeVar

import numpy as np

from visavis.contracts import Pairs
from visavis.records import Floats
from visavis.shared.kept import Kept

COLUMN_BYTES = 64 * 2**20  # of exact columns, at least; a quarter of the memory where that is more
RECENT = 4  # of each kind
BEGINNINGS = 64

Found = TypeVar("Found")


class Facts:
    """Facts that follow from the documents alone, whoever asks and in whatever order; so history never shows."""

    def __init__(self, memory_mb: int = 0) -> None:
        self._column_bytes = max(COLUMN_BYTES, memory_mb * 2**18)
        self._lasting = Kept()
        self._recent: dict[str, Kept] = {}
        self._columns: OrderedDict[int, Floats] = OrderedDict()
        self._group_columns: Kept | None = None
        self._lock = Lock()

    def remember(self, key: Hashable, compute: Callable[[], Found]) -> Found:
        """What `compute` returned the first time it was asked for under this key."""
        return self._lasting.recall(key, compute)

    def knows(self, key: Hashable) -> bool:
        """Whether something is remembered under this key."""
        return key in self._lasting

    def recent(self, kind: str, key: Hashable, compute: Callable[[], Found]) -> Found:
        """The same for what depends on a parameter: only the last few of a kind are kept."""
        return self._recent.setdefault(kind, Kept(RECENT)).recall(key, compute)

    def columns(self, pairs: Pairs, documents: Sequence[int]) -> list[Floats]:
        """k of all documents with each of these, in float64; shapes (N,). The ones asked for last are kept."""
        with self._lock:
            known = {document: self._columns[document] for document in documents if document in self._columns}
        missing = np.array([d for d in dict.fromkeys(documents) if d not in known], np.intp)
        if len(missing):
            block = pairs.columns(missing, exact=True)
            known |= {int(d): np.ascontiguousarray(block[:, k]) for k, d in enumerate(missing)}
        with self._lock:
            for document in documents:
                self._columns[document] = known[document]
                self._columns.move_to_end(document)
            while len(self._columns) * pairs.n_documents * 8 > self._column_bytes:
                self._columns.popitem(last=False)
        return [known[d] for d in documents]

    def group_column(self, pairs: Pairs, rows: slice, document: int) -> Floats:
        """k of a group's documents with one, at the precision of the search; shape (N_g,). The last ones are kept."""
        if self._group_columns is None:
            self._group_columns = Kept(max(1, self._column_bytes // (8 * pairs.n_documents)))

        def compute() -> Floats:
            return np.asarray(pairs.block(rows, np.array([document]))[:, 0], np.float64)

        return self._group_columns.recall(document, compute)


class Sequences:
    """Results of earlier searches: greedy picks, and where k-means begins. The ones used last are kept."""

    def __init__(self, most: int = 4096) -> None:
        self._kept, self._beginnings = Kept(most), Kept(BEGINNINGS)

    def recall(self, key: Hashable, compute: Callable[[], Found]) -> Found:
        """What is kept under a key, computed where it is not."""
        return self._kept.recall(key, compute)

    def beginning(self, key: Hashable, compute: Callable[[], Found]) -> Found:
        """The same for points of the space, of which fewer are kept."""
        return self._beginnings.recall(key, compute)

    def longest(self, key: Hashable, size: int, compute: Callable[[], Found]) -> Found:
        """A result of at least this size: the kept one, if it is as long, else a new one, which takes its place."""
        found: tuple[int, Found] = self._kept.recall(key, lambda: (size, compute()), lambda kept: kept[0] >= size)
        return found[1]
