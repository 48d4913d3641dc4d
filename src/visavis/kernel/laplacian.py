"""The Laplacian kernel exp(−γ‖x − y‖₁), in symmetric tiles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from visavis.contracts import Vectors
from visavis.kernel.pairs import TiledKernel
from visavis.records import Array, Compute, Floats, Rows


@dataclass(frozen=True)
class Laplacian:
    """exp(−γ‖x − y‖₁)."""

    gamma: float

    def bind(self, vectors: Vectors, compute: Compute) -> LaplacianKernel:
        """The kernel over these documents."""
        return LaplacianKernel(vectors, self.gamma, compute)

    def distances(self, points: Array, prototypes: Array) -> Floats:
        """City-block distances."""
        return np.asarray(cdist(np.asarray(points, np.float64), np.asarray(prototypes, np.float64), "cityblock"))


class LaplacianKernel(TiledKernel):
    """Laplacian similarity of a fixed set of documents; differences are taken in float64, so nothing cancels."""

    def __init__(self, vectors: Vectors, gamma: float, compute: Compute) -> None:
        super().__init__(vectors.n_documents, np.ones(vectors.n_documents), compute)
        self.gamma = gamma
        self._vectors = vectors

    def exact_block(self, rows: Rows, columns: Rows) -> Floats:
        """k(rows, columns) in float64."""
        with np.errstate(over="ignore", under="ignore"):
            return np.exp(self.gamma * self.exact_proximity(rows, columns))

    def exact_proximity(self, rows: Rows, columns: Rows) -> Floats:
        """−‖x − y‖₁ in float64."""
        return -np.asarray(cdist(self._vectors.take(rows), self._vectors.take(columns), "cityblock"))
