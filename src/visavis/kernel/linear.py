"""The linear and cosine kernels, dense or sparse: sums need no pairs, since K @ W = X (Xᵀ W)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from visavis.kernel.pairs import ThreadedPairs
from visavis.kernel.vectors import check_finite_norms, squared_norms
from visavis.records import Array, Compute, Floats, KernelAbilities, Parameter, Rows


@dataclass(frozen=True)
class Linear:
    """x·y."""

    parameters: ClassVar[tuple[Parameter, ...]] = ()
    abilities: ClassVar[KernelAbilities] = KernelAbilities(sparse=True)

    def similarity(self, xp: Any, left: Any, right: Any) -> Any:  # noqa: ARG002 (one signature for all)
        """x·y."""
        return left @ right.T

    def proximity(self, xp: Any, left: Any, right: Any) -> Any:
        """The kernel itself."""
        return self.similarity(xp, left, right)

    def distances(self, points: Array, prototypes: Array) -> Floats:
        """½‖x − y‖² − ½‖x‖², whose order over prototypes is that of the distance the kernel induces."""
        left, right = self.rows(points), self.rows(prototypes)
        return 0.5 * _row_norms(right)[None, :] - _dense(left @ right.T)

    @staticmethod
    def rows(given: Any) -> Any:
        """The rows whose inner products are the kernel."""
        return _as_float64(given)


@dataclass(frozen=True)
class Cosine(Linear):
    """The cosine of the angle between x and y, a zero vector resembling nothing."""

    def similarity(self, xp: Any, left: Any, right: Any) -> Any:
        """x·y / (‖x‖‖y‖)."""
        return _unit(xp, left) @ _unit(xp, right).T

    @staticmethod
    def rows(given: Any) -> Any:
        """The rows scaled to length 1."""
        return _unit_rows(given)


class LinearPairs(ThreadedPairs):
    """Inner products of a fixed set of documents, in float64."""

    def __init__(self, rows: Any, compute: Compute) -> None:
        self._rows = rows
        super().__init__(rows.shape[0], _row_norms(rows), compute, Linear.abilities)

    def sums(self, weights: Floats, gammas: Sequence[float] | None = None) -> Floats:
        """K @ weights; (N, C) → (N, C)."""
        if gammas is not None:
            return super().sums(weights, gammas)
        return _dense(self._rows @ _dense(self._rows.T @ weights))

    def block(self, rows: Rows, columns: Rows, *, exact: bool = False) -> Array:  # noqa: ARG002 (it is float64 anyway)
        """k(rows, columns)."""
        return _dense(self._rows[rows] @ self._rows[columns].T)


def _unit(xp: Any, rows: Any) -> Any:
    lengths = xp.sqrt((rows**2).sum(axis=1))[:, None]
    return rows / xp.where(lengths > 0, lengths, xp.ones_like(lengths))


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
