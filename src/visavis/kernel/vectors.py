"""The documents' vectors as given, dense or sparse, read in another order without copying them."""

from __future__ import annotations

from typing import Any

import numpy as np

from visavis.errors import InvalidParameter
from visavis.kernel.threads import blocks
from visavis.records import Array, Floats, Integers, Rows

NOISE = 16.0 * float(np.finfo(np.float64).eps)


class DocumentVectors:
    """Rows of an array or CSR matrix, renumbered by `order`."""

    def __init__(self, data: Any, order: Integers) -> None:
        self.data = data
        self.order = order
        self.is_sparse = not isinstance(data, np.ndarray)
        self.n_documents = len(order)
        self.n_features = int(data.shape[1])

    def take(self, rows: Rows) -> Floats:
        """Dense float64 rows, as given."""
        taken = self.data[self.order[rows]]
        if self.is_sparse:
            taken = taken.toarray()
        return np.asarray(taken, dtype=np.float64)  # indexing copied, so callers may write to it

    def squared_distances(self, rows: Integers, points: Floats) -> Floats:
        """‖x − p‖² in float64, strip by strip; shape (rows, points)."""
        if self.is_sparse:
            from sklearn.metrics.pairwise import euclidean_distances

            return np.asarray(euclidean_distances(self.raw(rows), points, squared=True), np.float64)
        parts = [squared_distances(self.take(rows[part]), points) for part in blocks(len(rows), 2048)]
        return np.concatenate(parts) if parts else np.empty((0, len(points)))

    def raw(self, rows: Rows) -> Any:
        """Rows as they are stored, sparse rows staying sparse."""
        return self.data[self.order[rows]]

    def center(self) -> Floats:
        """The mean vector; shape (d,)."""
        if len(self.order) == self.data.shape[0]:
            return np.asarray(self.data.mean(axis=0, dtype=np.float64)).reshape(-1)
        total = np.zeros(self.n_features)
        for block in blocks(self.n_documents, 4096):
            total += self.take(block).sum(axis=0)
        return total / self.n_documents


def squared_norms(rows: Floats) -> Floats:
    """‖x‖² of each row. Raises InvalidParameter where it overflows."""
    with np.errstate(over="ignore"):
        return check_finite_norms(np.einsum("ij,ij->i", rows, rows))


def check_finite_norms(norms: Floats) -> Floats:
    """The squared norms, if they are finite. Raises InvalidParameter where they are not."""
    if not np.all(np.isfinite(norms)):
        raise InvalidParameter("X holds values so large that their squares overflow: scale X down")
    return norms


def squared_distances(points: Array, others: Array) -> Floats:
    """‖p − q‖² in float64, centered first, what may be rounding alone being 0; shape (points, others)."""
    middle = others.mean(axis=0, dtype=np.float64)
    left, right = points - middle, others - middle
    norms = squared_norms(left)[:, None] + squared_norms(right)[None, :]
    distances = norms - 2.0 * (left @ right.T)
    distances[distances < NOISE * norms] = 0.0
    return np.asarray(distances, dtype=np.float64)


def mark_self(block: Array, rows: Rows, columns: Rows, value: float) -> None:
    """Write `value` where a row and a column are the same document: it is exactly itself, whatever rounding says."""
    block[self_places(rows, columns)] = value


def self_places(rows: Rows, columns: Rows) -> tuple[Integers, Integers]:
    """Where a row and a column are the same document: places among the rows, and among the columns."""
    at = np.arange(columns.start, columns.stop) if isinstance(columns, slice) else columns
    if isinstance(rows, slice):
        inside = np.flatnonzero((at >= rows.start) & (at < rows.stop))
        return at[inside] - rows.start, inside
    if len(rows) == 0:
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    order = np.argsort(rows, kind="stable")
    place = np.minimum(np.searchsorted(rows, at, sorter=order), len(rows) - 1)
    inside = np.flatnonzero(rows[order[place]] == at)
    return order[place[inside]], inside
