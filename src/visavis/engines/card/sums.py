"""Σ_{j∈c} w_j k(x_i, x_j) for every document i and column c: roughly, precisely, or exactly for a few documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from visavis.engines.card.keeping import room_of
from visavis.kernel.threads import blocks
from visavis.records import Array, Floats, Integers

if TYPE_CHECKING:
    from visavis.engines.card.rows import ScaledRows

TILE = 128  # documents of a fused kernel's tile; every column begins a new one
FEW = 1024  # documents at a time whose sums are made in float64


@dataclass(frozen=True, eq=False)
class Columns:
    """Documents sorted by the one column in which they have a weight; `bounds` are where columns begin in `order`."""

    order: Integers
    bounds: Integers
    weights: Floats  # of the documents, in their own order

    @classmethod
    def of_groups(cls, bounds: Integers, weights: Floats) -> Columns:
        """Documents that are sorted already."""
        return cls(np.arange(len(weights)), np.asarray(bounds), weights)

    @property
    def count(self) -> int:
        """C."""
        return len(self.bounds) - 1

    def padded_rows(self) -> int:
        """How many rows there are once every column begins a tile of its own."""
        return int((-(-np.diff(self.bounds) // TILE) * TILE).sum())

    def matrix(self) -> Floats:
        """The weights as a matrix, 0 in all other columns; shape (N, C)."""
        found = np.zeros((len(self.order), self.count))
        found[self.order, np.repeat(np.arange(self.count), np.diff(self.bounds))] = self.weights[self.order]
        return found

    def tiles(self) -> tuple[Integers, Integers]:
        """The place of each sorted document among padded rows, and the column of each tile."""
        sizes = np.diff(self.bounds)
        tiles = -(-sizes // TILE)
        starts = np.concatenate([[0], np.cumsum(tiles)[:-1]]) * TILE
        places = np.arange(len(self.order)) + np.repeat(starts - self.bounds[:-1], sizes)
        return places, np.repeat(np.arange(self.count), tiles)


def sort_columns(weights: Floats) -> Columns | None:
    """Documents by column, if none has a weight in several and none is negative."""
    taken = weights != 0.0
    if weights.min(initial=0.0) < 0.0 or (taken.sum(axis=1) > 1).any():
        return None
    codes = taken.argmax(axis=1)
    order = np.argsort(codes, kind="stable")
    bounds = np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=weights.shape[1]))])
    return Columns(order, bounds.astype(np.intp), weights[np.arange(len(codes)), codes])


@dataclass(frozen=True, eq=False)
class RowSums:
    """The sums of one kernel over columns; `tiled` makes them without a fused kernel."""

    rows: ScaledRows
    columns: Columns
    tiled: Callable[[Any], Any]

    def rough(self) -> Any:
        """All sums from vectors in half precision, where that saves time; shape (N, C)."""
        return self._fused(split=False) if self.rows.fuses(self.columns) else self._tiled()

    def precise(self) -> Any:
        """All sums as precise as single precision has them."""
        return self._fused(split=True) if self.rows.fuses(self.columns) else self._tiled()

    def exact(self, documents: Array) -> Any:
        """The sums of a few documents, in float64; shape (documents, C)."""
        weights = torch.as_tensor(self.columns.matrix()).to(self.rows.rows.device)
        found = torch.zeros((len(documents), self.columns.count), dtype=torch.float64, device=weights.device)
        for part in blocks(len(documents), FEW):
            left = self.rows.exact(documents[part])
            wide = max(1, room_of(weights.device) // len(left[0]) // 2)
            for strip in blocks(self.rows.n_documents, wide):
                tile = self.rows.exponents(left, self.rows.exact(strip)).exp_()
                found[part] += tile @ weights[strip]
        return found

    def _tiled(self) -> Any:
        return self.tiled(torch.as_tensor(self.columns.matrix()).to(self.rows.rows.device))

    def _fused(self, *, split: bool) -> Any:
        from visavis.engines.card.fused import fused_sums  # needs Triton

        return fused_sums(self.rows, self.columns, split=split)
