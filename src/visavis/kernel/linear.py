"""The linear and cosine kernels, dense or sparse: sums need no pairs, since K @ W = X (Xᵀ W)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from visavis.contracts import Vectors
from visavis.kernel.vectors import check_finite_norms, squared_norms
from visavis.records import Array, Compute, Floats, Rows


@dataclass(frozen=True)
class Linear:
    """x·y; with `normalized`, the cosine of the angle between x and y, a zero vector resembling nothing."""

    normalized: bool = False

    def bind(self, vectors: Vectors, compute: Compute) -> LinearKernel:  # noqa: ARG002 (one signature for all)
        """The kernel over these documents."""
        rows = vectors.raw(slice(None))
        return LinearKernel(_unit_rows(rows) if self.normalized else _as_float64(rows))

    def distances(self, points: Array, prototypes: Array) -> Floats:
        """½‖x − y‖² − ½‖x‖², whose order over prototypes is that of the distance the kernel induces."""
        left, right = (_unit_rows(a) if self.normalized else _as_float64(a) for a in (points, prototypes))
        return 0.5 * _row_norms(right)[None, :] - _dense(left @ right.T)


class LinearKernel:
    """Inner products of a fixed set of documents, in float64."""

    resolution = 1e-13

    def __init__(self, rows: Any) -> None:
        self._rows = rows
        self.n_documents = rows.shape[0]
        self.diagonal = _row_norms(rows)

    def sums(self, weights: Floats) -> Floats:
        """K @ weights; (N, C) → (N, C)."""
        return _dense(self._rows @ _dense(self._rows.T @ weights))

    def block(self, rows: Rows, columns: Rows) -> Array:
        """k(rows, columns)."""
        return _dense(self._rows[rows] @ self._rows[columns].T)

    def exact_block(self, rows: Rows, columns: Rows) -> Floats:
        """The same: it is float64 already."""
        return self.block(rows, columns)

    def proximity(self, rows: Rows, columns: Rows) -> Array:
        """The kernel itself."""
        return self.block(rows, columns)

    def exact_proximity(self, rows: Rows, columns: Rows) -> Floats:
        """The kernel itself."""
        return self.block(rows, columns)


def _as_float64(rows: Any) -> Any:
    return rows.astype(np.float64, copy=False)


def _row_norms(rows: Any) -> Floats:
    if sparse.issparse(rows):
        with np.errstate(over="ignore"):
            norms = np.asarray(rows.multiply(rows).sum(axis=1), np.float64).reshape(-1)
        return check_finite_norms(norms)
    return squared_norms(rows)


def _unit_rows(rows: Any) -> Any:
    rows = _scaled(_as_float64(rows), _largest_values(rows))  # first to size 1, so that no square over- or underflows
    return _scaled(rows, np.sqrt(_row_norms(rows)))


def _largest_values(rows: Any) -> Floats:
    largest = abs(rows).max(axis=1)
    return np.asarray(largest.toarray() if sparse.issparse(largest) else largest, np.float64).reshape(-1)


def _scaled(rows: Any, lengths: Floats) -> Any:
    """Rows divided by these lengths; those of length 0 stay as they are."""
    divisors = np.where(lengths > 0, lengths, 1.0)
    if sparse.issparse(rows):
        return sparse.csr_array(rows.multiply(1.0 / divisors[:, None]))
    return rows / divisors[:, None]


def _dense(product: Any) -> Floats:
    return np.asarray(product.toarray() if sparse.issparse(product) else product, np.float64)
