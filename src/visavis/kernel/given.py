"""Kernels that the caller brings: a precomputed matrix, or any function of two arrays."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from visavis.contracts import Vectors
from visavis.errors import InvalidParameter
from visavis.kernel.pairs import TiledKernel
from visavis.kernel.threads import blocks
from visavis.records import Array, Compute, Floats, Rows


@dataclass(frozen=True)
class Precomputed:
    """X is the kernel matrix itself; points are given by their kernel values with all documents."""

    prototypes: tuple[int, ...] = ()
    diagonal: tuple[float, ...] = ()

    def bind(self, vectors: Vectors, compute: Compute) -> PrecomputedKernel:
        """The kernel over these documents."""
        return PrecomputedKernel(vectors, compute)

    def distances(self, points: Array, prototypes: Array) -> Floats:  # noqa: ARG002 (known by number here)
        """½k(p, p) − k(x, p), whose order over prototypes is that of the distance the kernel induces."""
        return 0.5 * np.asarray(self.diagonal)[None, :] - np.asarray(points, np.float64)[:, list(self.prototypes)]


class PrecomputedKernel(TiledKernel):
    """A given symmetric matrix."""

    def __init__(self, vectors: Vectors, compute: Compute) -> None:
        matrix = vectors.data
        if matrix.shape[0] != matrix.shape[1]:
            raise InvalidParameter(f"kernel='precomputed' needs a square X, got shape {matrix.shape}")
        largest = max(float(matrix.max(initial=0.0)), -float(matrix.min(initial=0.0)))
        for rows in blocks(len(matrix), 2048):
            if np.abs(matrix[rows] - matrix[:, rows].T).max(initial=0.0) > 1e-6 * largest:
                raise InvalidParameter("kernel='precomputed' needs a symmetric X, and this one is not")
        self._matrix, self._order = matrix, vectors.order
        super().__init__(len(vectors.order), np.asarray(np.diag(matrix)[vectors.order], np.float64), compute)

    def exact_block(self, rows: Rows, columns: Rows) -> Floats:
        """k(rows, columns)."""
        return np.asarray(self._matrix[np.ix_(self._order[rows], self._order[columns])], np.float64)


@dataclass(frozen=True)
class Custom:
    """A function k(A, B) → (len(A), len(B)) of the caller's, assumed symmetric."""

    function: Callable[[Array, Array], Array]

    def bind(self, vectors: Vectors, compute: Compute) -> CustomKernel:
        """The kernel over these documents."""
        return CustomKernel(vectors, self, compute)

    def distances(self, points: Array, prototypes: Array) -> Floats:
        """½k(p, p) − k(x, p), whose order over prototypes is that of the distance the kernel induces."""
        own = [float(self(prototypes[k : k + 1], prototypes[k : k + 1])[0, 0]) for k in range(len(prototypes))]
        return 0.5 * np.array(own)[None, :] - self(points, prototypes)

    def __call__(self, left: Array, right: Array) -> Floats:
        """Kernel values, checked. Raises InvalidParameter if the function returns anything else."""
        try:
            values = np.asarray(self.function(left, right), np.float64)
        except (TypeError, ValueError) as error:
            raise InvalidParameter(f"kernel function must return numbers: {error}") from error
        if values.shape != (len(left), len(right)) or not np.all(np.isfinite(values)):
            raise InvalidParameter(
                f"kernel function must return finite values of shape ({len(left)}, {len(right)}), got {values.shape}"
            )
        return values


class CustomKernel(TiledKernel):
    """A caller's function over a fixed set of documents; it may not be thread-safe, so it runs one call at a time."""

    def __init__(self, vectors: Vectors, family: Custom, compute: Compute) -> None:
        self._vectors, self._family, self._lock = vectors, family, threading.Lock()
        numbers = range(vectors.n_documents)
        own = [family(row, row)[0, 0] for row in (vectors.take(slice(k, k + 1)) for k in numbers)]
        super().__init__(vectors.n_documents, np.array(own), Compute("float64", 1, compute.memory_mb))

    def exact_block(self, rows: Rows, columns: Rows) -> Floats:
        """k(rows, columns)."""
        with self._lock:
            return self._family(self._vectors.take(rows), self._vectors.take(columns))
