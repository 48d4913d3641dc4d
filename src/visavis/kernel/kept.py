"""Tiles that will be read again, kept within a budget of memory."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np

from visavis.contracts import Operation, TileContent
from visavis.kernel.threads import blocks
from visavis.kernel.tiling import count
from visavis.records import Array, Compute, Rows

SQUARE = 512  # rows of a tile of a square


@dataclass(eq=False)
class Matrix:
    """What an operation reads of all its candidates and documents; `done` are the candidates whose rows are filled."""

    reads: TileContent
    values: Array
    done: set[int] = field(default_factory=set)


class KeptTiles:
    """The matrices of one set of pairs: one for each kind of content, candidates and documents."""

    def __init__(self, compute: Compute) -> None:
        self._compute = compute
        self._matrices: dict[Hashable, Matrix] = {}

    def find(
        self, operation: Operation, candidates: Rows, documents: Rows, dtype: np.dtype[np.generic]
    ) -> Matrix | None:
        """The matrix of an operation, made where it pays and fits; what it held of another content is gone."""
        if not self._compute.fits(operation.keeps, dtype.itemsize) or not operation.keeps:
            return None
        key = (type(operation.reads), _key(candidates), _key(documents))
        matrix = self._matrices.get(key)
        shape = count(candidates), count(documents)
        if matrix is None:
            self._make_room(type(operation.reads))
            matrix = self._matrices[key] = Matrix(operation.reads, np.empty(shape, dtype))
        elif matrix.reads != operation.reads:
            values = matrix.values if matrix.values.dtype == dtype else np.empty(shape, dtype)
            matrix = self._matrices[key] = Matrix(operation.reads, values)
        return matrix

    def square(self, reads: TileContent, documents: Rows) -> Matrix | None:
        """The finished matrix of these documents with themselves, if there is one."""
        key = _key(documents)
        matrix = self._matrices.get((type(reads), key, key))
        whole = (
            matrix is not None and matrix.reads == reads and len(matrix.done) == len(blocks(len(matrix.values), SQUARE))
        )
        return matrix if whole else None

    def _make_room(self, kind: type) -> None:
        """Matrices of another kind go when they would not fit beside this one's."""
        held = sum(matrix.values.nbytes for matrix in self._matrices.values())
        if not self._compute.fits(2 * held, 1):
            self._matrices = {key: m for key, m in self._matrices.items() if isinstance(m.reads, kind)}


def _key(rows: Rows) -> Hashable:
    if isinstance(rows, slice):
        return rows.start, rows.stop
    return hashlib.blake2b(np.ascontiguousarray(rows).tobytes(), digest_size=16).digest()
