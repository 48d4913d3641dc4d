"""The main directions of sparse rows: randomized SVD (Halko, Martinsson, Tropp 2011), its products spread over threads.

The numbers are the same, to the last bit, for any number of threads: a thread has rows of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from visavis.kernel.threads import ordered_map
from visavis.shared.progress import Progress, counted, silent

MORE = 10  # directions that are sought beyond those wanted, and dropped
ROUNDS = 5
PART = 2**18  # numbers of sparse rows that are multiplied at once

_Matrix = NDArray[np.float32]


def main_directions(rows: Any, count: int, threads: int = 1, tell: Progress = silent) -> _Matrix:
    """The right singular vectors of a CSR matrix with the largest singular values; shape (count, columns)."""
    n_rows, n_columns = rows.shape
    forth, back = _Product(rows, threads), _Product(rows.T.tocsr(), threads)
    if n_rows < n_columns:  # seek the smaller side
        forth, back = back, forth
    size = count + MORE
    basis: _Matrix = np.random.RandomState(0).normal(size=(min(n_rows, n_columns), size)).astype(np.float32)

    def rounds() -> Iterator[_Matrix]:
        found = basis
        for _ in range(ROUNDS):
            found = back.basis(forth.basis(found))
            yield found

    *_, basis = counted(tell, "embedding: rounds to the main themes", rounds(), ROUNDS)
    basis = linalg.qr(forth.by_columns(basis), overwrite_a=True, mode="economic", check_finite=False)[0]
    in_rows = forth.in_rows(basis)
    left, _, right = linalg.svd(back.times(in_rows).T, full_matrices=False)
    left = np.matmul(basis, left, out=in_rows)
    if n_rows < n_columns:
        left *= _signs(right.T)
        return forth.turned(left[:, :count])
    return np.ascontiguousarray(right[:count] * _signs(left)[:count, None])


def project(rows: Any, directions: _Matrix, threads: int = 1) -> _Matrix:
    """CSR rows times the transposed directions; shape (rows, directions)."""
    return _Product(rows, threads).times(np.ascontiguousarray(directions.T))


class _Product:
    """Sparse rows times one matrix after another; each product is written over the one before it.

    Fresh memory for every product would take as long as the product.
    """

    def __init__(self, rows: Any, threads: int) -> None:
        n_parts = max(threads, rows.nnz // PART)
        cuts = np.searchsorted(rows.indptr, np.linspace(0, rows.nnz, n_parts + 1)[1:-1]).tolist()
        self._slices = [slice(begin, end) for begin, end in pairwise((0, *cuts, rows.shape[0]))]
        self._parts = [rows[part] for part in self._slices]
        self._threads, self._n_rows = threads, rows.shape[0]
        self._found = np.empty((0, 0), np.float32)
        self._by_columns = np.empty((0, 0), np.float32, order="F")

    def times(self, matrix: _Matrix) -> _Matrix:
        """The product, until the next one is made."""
        self._found = self._room(self._found, matrix, "C")
        return self._write(self._found, lambda at: self._parts[at] @ matrix)

    def by_columns(self, matrix: _Matrix) -> _Matrix:
        """The product, column after column in memory, until the next one is made."""
        self._by_columns = self._room(self._by_columns, matrix, "F")
        return self._write(self._by_columns, lambda at: self._parts[at] @ matrix)

    def basis(self, matrix: _Matrix) -> _Matrix:
        """The space of the product, by columns that do not run away: the lower triangle of its LU, rows in place."""
        found, swaps, _ = linalg.lapack.sgetrf(self.by_columns(matrix), overwrite_a=True)
        size = min(found.shape)
        found = found[:, :size]
        found[:size][np.triu_indices(size)] = 0
        found[np.arange(size), np.arange(size)] = 1
        target = self.in_rows(found)
        moved = _places_after(swaps[:size].tolist())
        target[list(moved)] = found[list(moved.values())]
        return target

    def in_rows(self, matrix: _Matrix) -> _Matrix:
        """A matrix as large as a product, row after row in memory, until the next product is made."""
        self._found = self._room(self._found, matrix, "C")
        return self._write(self._found, lambda at: matrix[self._slices[at]])

    def turned(self, matrix: _Matrix) -> _Matrix:
        """A matrix as long as a product, its columns as rows: by parts, for whole columns lie far apart in memory."""
        found = np.empty(matrix.shape[::-1], np.float32)
        self._write(found.T, lambda at: matrix[self._slices[at]])
        return found

    def _room(self, known: _Matrix, matrix: _Matrix, order: Literal["C", "F"]) -> _Matrix:
        """Memory for a product, that of the last one if it is large enough."""
        shape = self._n_rows, matrix.shape[1]
        return known if known.shape == shape else np.empty(shape, np.float32, order=order)

    def _write(self, target: _Matrix, make: Callable[[int], _Matrix]) -> _Matrix:
        """Fill the target with what is made of each part of the rows, known by its number."""

        def write(at: int) -> None:
            target[self._slices[at]] = make(at)

        for _ in ordered_map(write, range(len(self._parts)), self._threads):
            pass
        return target


def _places_after(swaps: list[int]) -> dict[int, int]:
    """Where each row is that changed its place while row 0, then row 1 and so on were swapped with these rows."""
    found: dict[int, int] = {}
    for row in range(len(swaps) - 1, -1, -1):
        other = swaps[row]
        found[row], found[other] = found.get(other, other), found.get(row, row)
    return found


def _signs(columns: _Matrix) -> _Matrix:
    """−1 for columns whose largest entry is negative, so that signs do not depend on the way they were found."""
    largest = np.abs(columns).argmax(axis=0)
    return np.asarray(np.sign(columns[largest, np.arange(columns.shape[1])]))
