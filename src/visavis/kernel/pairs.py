"""Symmetric tiles for any kernel that can only be asked for blocks of pairs."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from visavis.kernel.threads import ordered_map, upper_tiles
from visavis.records import Array, Compute, Floats, Rows

TILE = 512


class TiledKernel(ABC):
    """Answers everything from `exact_block`, in float64."""

    resolution = 1e-13

    def __init__(self, n_documents: int, diagonal: Floats, compute: Compute) -> None:
        self.n_documents = n_documents
        self.diagonal = diagonal
        self.compute = compute

    @abstractmethod
    def exact_block(self, rows: Rows, columns: Rows) -> Floats:
        """k(rows, columns) in float64."""

    def block(self, rows: Rows, columns: Rows) -> Array:
        """The same: there is no faster precision."""
        return self.exact_block(rows, columns)

    def proximity(self, rows: Rows, columns: Rows) -> Array:
        """The same as `exact_proximity`."""
        return self.exact_proximity(rows, columns)

    def exact_proximity(self, rows: Rows, columns: Rows) -> Floats:
        """The kernel itself, for want of a distance."""
        return self.exact_block(rows, columns)

    def sums(self, weights: Floats) -> Floats:
        """K @ weights, half the tiles serving both sides; (N, C) → (N, C)."""
        total = np.zeros((self.n_documents, weights.shape[1]))
        pairs = upper_tiles(self.n_documents, TILE)

        def work(pair: tuple[slice, slice]) -> tuple[Floats, Floats | None]:
            rows, columns = pair
            tile = self.exact_block(rows, columns)
            return tile @ weights[columns], None if rows == columns else tile.T @ weights[rows]

        for (rows, columns), (right, below) in zip(pairs, ordered_map(work, pairs, self.compute.threads), strict=True):
            total[rows] += right
            if below is not None:
                total[columns] += below
        return total
