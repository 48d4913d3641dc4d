"""The main directions of sparse rows: randomized SVD (Halko, Martinsson, Tropp 2011), its products spread over threads.

The numbers are the same, to the last bit, for any number of threads: a thread has rows of its own, or columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from visavis.kernel.threads import ordered_map
from visavis.shared.progress import Progress, counted, silent

MORE = 10  # directions that are sought beyond those wanted, and dropped
ROUNDS = 5

_Matrix = NDArray[np.float32]


def main_directions(rows: Any, count: int, threads: int = 1, tell: Progress = silent) -> _Matrix:
    """The right singular vectors of a CSR matrix with the largest singular values; shape (count, columns)."""
    n_rows, n_columns = rows.shape
    forth, back = _forth(rows, threads), _back(rows, threads)
    if n_rows < n_columns:  # seek the smaller side
        forth, back = back, forth
    size = count + MORE
    basis: _Matrix = np.random.RandomState(0).normal(size=(min(n_rows, n_columns), size)).astype(np.float32)

    def rounds() -> Iterator[_Matrix]:
        found = basis
        for _ in range(ROUNDS):
            found = _lower(back(_lower(forth(found))))
            yield found

    *_, basis = counted(tell, "embedding: rounds to the main themes", rounds(), ROUNDS)
    basis = linalg.qr(forth(basis), mode="economic", check_finite=False)[0]
    left, _, right = linalg.svd(back(basis).T, full_matrices=False)
    left = basis @ left
    if n_rows < n_columns:
        return np.ascontiguousarray((left * _signs(right.T))[:, :count].T)
    return np.ascontiguousarray(right[:count] * _signs(left)[:count, None])


def project(rows: Any, directions: _Matrix, threads: int = 1) -> _Matrix:
    """CSR rows times the transposed directions; shape (rows, directions)."""
    return _forth(rows, threads)(np.ascontiguousarray(directions.T))


def _forth(rows: Any, threads: int) -> Callable[[_Matrix], _Matrix]:
    """rows @ matrix: every thread has some of the rows."""
    if threads == 1:
        return lambda matrix: rows @ matrix
    cuts = np.linspace(0, rows.shape[0], threads + 1).astype(np.intp).tolist()
    parts = [rows[begin:end] for begin, end in pairwise(cuts)]
    return lambda matrix: np.concatenate(list(ordered_map(lambda part: part @ matrix, parts, threads)))


def _back(rows: Any, threads: int) -> Callable[[_Matrix], _Matrix]:
    """rows.T @ matrix: every thread has some of the matrix's columns."""
    turned = rows.T
    if threads == 1:
        return lambda matrix: turned @ matrix

    def multiply(matrix: _Matrix) -> _Matrix:
        parts = [np.ascontiguousarray(part) for part in np.array_split(matrix, threads, axis=1)]
        return np.concatenate(list(ordered_map(lambda part: turned @ part, parts, threads)), axis=1)

    return multiply


def _lower(matrix: _Matrix) -> _Matrix:
    """A basis of the same space whose columns do not run away: the lower triangle of an LU, rows as they were."""
    found, swaps, _ = linalg.lapack.sgetrf(np.asfortranarray(matrix), overwrite_a=True)
    size = min(found.shape)
    found = found[:, :size]
    found[:size][np.triu_indices(size)] = 0
    found[np.arange(size), np.arange(size)] = 1
    for row in range(size - 1, -1, -1):
        found[[row, swaps[row]]] = found[[swaps[row], row]]
    return np.ascontiguousarray(found)


def _signs(columns: _Matrix) -> _Matrix:
    """−1 for columns whose largest entry is negative, so that signs do not depend on the way they were found."""
    largest = np.abs(columns).argmax(axis=0)
    return np.asarray(np.sign(columns[largest, np.arange(columns.shape[1])]))
