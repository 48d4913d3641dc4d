"""Kernels that the caller brings: a precomputed matrix, or any function of two arrays."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from visavis.contracts import Vectors
from visavis.errors import Incompatible, InvalidParameter
from visavis.kernel.pairs import ThreadedPairs
from visavis.kernel.threads import blocks
from visavis.records import Array, Compute, Floats, KernelAbilities, Parameter, Rows


@dataclass(frozen=True)
class Precomputed:
    """X is the kernel matrix itself; points are given by their kernel values with all documents."""

    prototypes: tuple[int, ...] = ()
    diagonal: tuple[float, ...] = ()
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    abilities: ClassVar[KernelAbilities] = KernelAbilities(precomputed=True)

    def similarity(self, xp: Any, left: Any, right: Any) -> Any:  # noqa: ARG002
        """Raises Incompatible: rows of a matrix do not tell how they are numbered."""
        raise Incompatible(
            "kernel='precomputed' knows documents by their numbers: it runs on this machine's threads only"
        )

    proximity = similarity

    def distances(self, points: Array, prototypes: Array) -> Floats:  # noqa: ARG002 (known by number here)
        """½k(p, p) − k(x, p), whose order over prototypes is that of the distance the kernel induces."""
        return 0.5 * np.asarray(self.diagonal)[None, :] - np.asarray(points, np.float64)[:, list(self.prototypes)]


class PrecomputedPairs(ThreadedPairs):
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
        diagonal = np.asarray(np.diag(matrix)[vectors.order], np.float64)
        super().__init__(len(vectors.order), diagonal, compute, Precomputed.abilities)

    def block(self, rows: Rows, columns: Rows, *, exact: bool = False) -> Floats:  # noqa: ARG002 (it is what it is)
        """k(rows, columns)."""
        return np.asarray(self._matrix[np.ix_(self._order[rows], self._order[columns])], np.float64)


@dataclass(frozen=True)
class Custom:
    """A function k(A, B) → (len(A), len(B)) of the caller's, assumed symmetric."""

    function: Callable[[Array, Array], Array]
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    abilities: ClassVar[KernelAbilities] = KernelAbilities()

    def similarity(self, xp: Any, left: Any, right: Any) -> Any:
        """What the function says of them, as NumPy arrays."""
        return xp.asarray(self(np.asarray(left), np.asarray(right)))

    proximity = similarity

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


class CustomPairs(ThreadedPairs):
    """A caller's function over a fixed set of documents; it may not be thread-safe, so it runs one call at a time."""

    def __init__(self, vectors: Vectors, family: Custom, compute: Compute) -> None:
        self._vectors, self._family, self._lock = vectors, family, threading.Lock()
        numbers = range(vectors.n_documents)
        own = [family(row, row)[0, 0] for row in (vectors.take(slice(k, k + 1)) for k in numbers)]
        single = Compute("float64", 1, compute.memory_mb)
        super().__init__(vectors.n_documents, np.array(own), single, Custom.abilities)

    def block(self, rows: Rows, columns: Rows, *, exact: bool = False) -> Floats:  # noqa: ARG002 (it is float64 anyway)
        """k(rows, columns)."""
        with self._lock:
            return self._family(self._vectors.take(rows), self._vectors.take(columns))
