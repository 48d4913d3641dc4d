"""Tiles that will be read again, kept within a budget of memory."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from visavis.contracts import Operation, TileContent
from visavis.kernel.tiling import count
from visavis.records import Array, Booleans, Compute, Rows


@dataclass(frozen=True, eq=False)
class Matrix:
    """What an operation reads of its candidates and documents; `done` marks the candidates whose rows are filled."""

    reads: TileContent
    values: Array
    done: Booleans


class KeptTiles:
    """The matrices of one set of pairs: one for each kind of content, candidates and documents; the oldest go first.

    Several threads may ask at once; whoever holds a matrix can go on reading it when another has taken its place.
    """

    def __init__(self, compute: Compute) -> None:
        self._compute = compute
        self._matrices: OrderedDict[Hashable, Matrix] = OrderedDict()
        self._lock = threading.Lock()

    def find(
        self,
        operation: Operation,
        candidates: Rows,
        documents: Rows,
        dtype: Callable[[], np.dtype[Any]],
        order: Literal["C", "F"] = "C",
    ) -> Matrix | None:
        """The matrix of an operation, made where it pays and fits; what it held of another content is gone.

        `dtype` tells what a new one is to hold, `order` how it lies in memory.
        """
        key = (type(operation.reads), _key(candidates), _key(documents))
        with self._lock:
            old = self._matrices.get(key)
            if old is not None and old.reads == operation.reads:
                self._matrices.move_to_end(key)
                return old
            kind = dtype()
            if not operation.keeps or not self._compute.fits(operation.keeps, kind.itemsize):
                return None
            self._matrices.pop(key, None)
            shape = count(candidates), count(documents)
            matrix = Matrix(operation.reads, self._room(shape, kind, order), np.zeros(shape[0], np.bool_))
            self._matrices[key] = matrix
            return matrix

    def square(self, reads: TileContent, candidates: Rows, documents: Rows) -> Matrix | None:
        """The finished matrix of these documents with themselves, if there is one and the candidates are among them."""
        if not isinstance(documents, slice) or not _among(candidates, documents):
            return None
        key = _key(documents)
        matrix = self._matrices.get((type(reads), key, key))
        return matrix if matrix is not None and matrix.reads == reads and matrix.done.all() else None

    def _room(self, shape: tuple[int, int], dtype: np.dtype[Any], order: Literal["C", "F"]) -> Array:
        """An empty matrix, the ones not used for longest making room for it."""
        size = shape[0] * shape[1] * dtype.itemsize
        while self._matrices and not self._compute.fits(size + self._held(), 1):
            self._matrices.popitem(last=False)
        return np.empty(shape, dtype, order)

    def _held(self) -> int:
        return sum(matrix.values.nbytes for matrix in self._matrices.values())


def _among(candidates: Rows, documents: slice) -> bool:
    if isinstance(candidates, slice):
        return bool(documents.start <= candidates.start and candidates.stop <= documents.stop)
    return bool(np.all((candidates >= documents.start) & (candidates < documents.stop)))


def _key(rows: Rows) -> Hashable:
    if isinstance(rows, slice):
        return rows.start, rows.stop
    return hashlib.blake2b(np.ascontiguousarray(rows).tobytes(), digest_size=16).digest()
