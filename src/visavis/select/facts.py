"""What was learned of some documents at one width of the kernel, kept within bounds, so that it is learned once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

import numpy as np

from visavis.contracts import Pairs
from visavis.records import Floats

COLUMN_BYTES = 64 * 2**20  # of exact columns
RECENT = 4  # of each kind
BEGINNINGS = 64

Found = TypeVar("Found")


class Facts:
    """Facts that follow from the documents alone, whoever asks and in whatever order; so history never shows."""

    def __init__(self) -> None:
        self._lasting: dict[Hashable, Any] = {}
        self._recent: dict[str, OrderedDict[Hashable, Any]] = {}
        self._columns: OrderedDict[int, Floats] = OrderedDict()
        self._group_columns: OrderedDict[Hashable, Floats] = OrderedDict()

    def remember(self, key: Hashable, compute: Callable[[], Found]) -> Found:
        """What `compute` returned the first time it was asked for under this key."""
        if key not in self._lasting:
            self._lasting[key] = compute()
        found: Found = self._lasting[key]
        return found

    def recent(self, kind: str, key: Hashable, compute: Callable[[], Found]) -> Found:
        """The same for what depends on a parameter: only the last few of a kind are kept."""
        kept = self._recent.setdefault(kind, OrderedDict())
        return recall(kept, key, compute, RECENT)

    def columns(self, pairs: Pairs, documents: Sequence[int]) -> Floats:
        """k of all documents with these, in float64; shape (N, len(documents)). The ones asked for last are kept."""
        missing = np.array([d for d in dict.fromkeys(documents) if d not in self._columns], np.intp)
        if len(missing):
            block = pairs.columns(missing, exact=True)
            self._columns |= {int(d): np.ascontiguousarray(block[:, k]) for k, d in enumerate(missing)}
        found = [self._columns[document] for document in documents]
        for document in documents:
            self._columns.move_to_end(document)
        while len(self._columns) * pairs.n_documents * 8 > COLUMN_BYTES:
            self._columns.popitem(last=False)
        return np.stack(found, axis=1) if found else np.zeros((pairs.n_documents, 0))

    def group_column(self, pairs: Pairs, rows: slice, document: int) -> Floats:
        """k of a group's documents with one, at the precision of the search; shape (N_g,). The last ones are kept."""

        def compute() -> Floats:
            return np.asarray(pairs.block(rows, np.array([document]))[:, 0], np.float64)

        most = max(1, COLUMN_BYTES // (8 * pairs.n_documents))
        return recall(self._group_columns, document, compute, most)


class Sequences:
    """Results of earlier searches: greedy picks, and where k-means begins. The ones used last are kept."""

    def __init__(self, most: int = 4096) -> None:
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._beginnings: OrderedDict[Hashable, Any] = OrderedDict()
        self._most = most

    def recall(self, key: Hashable, compute: Callable[[], Found]) -> Found:
        """What is kept under a key, computed where it is not."""
        return recall(self._kept, key, compute, self._most)

    def beginning(self, key: Hashable, compute: Callable[[], Found]) -> Found:
        """The same for points of the space, of which fewer are kept."""
        return recall(self._beginnings, key, compute, BEGINNINGS)

    def longest(self, key: Hashable, size: int, compute: Callable[[], Found]) -> Found:
        """A result of at least this size: the kept one, if it is as long, else a new one, which takes its place."""
        if key in self._kept and self._kept[key][0] < size:
            del self._kept[key]
        return self.recall(key, lambda: (size, compute()))[1]


def recall(kept: OrderedDict[Hashable, Any], key: Hashable, compute: Callable[[], Found], most: int) -> Found:
    """What is kept under a key, computed where it is not; of more than `most`, the one not used for longest goes."""
    if key not in kept:
        kept[key] = compute()
        while len(kept) > most:
            kept.popitem(last=False)
    kept.move_to_end(key)
    found: Found = kept[key]
    return found
