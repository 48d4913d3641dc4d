"""Σ_{j∈c} w_j k(x_i, x_j) for every document i and column c: roughly, precisely, or exactly for a few documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from visavis.engines.card.keeping import room_of
from visavis.kernel.threads import blocks
from visavis.records import Array, Floats, Integers, Rows

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
        return self._of_few(documents, self.rows.exact)

    def checked(self, documents: Array) -> Any:
        """The sums of a few documents at the precision of the search, sooner: enough to judge rough ones by."""
        return self._of_few(documents, self.rows.take)

    def _of_few(self, documents: Array, take: Callable[[Rows], Any]) -> Any:
        weights = self._weights
        found = torch.zeros((len(documents), self.columns.count), dtype=torch.float64, device=weights.device)
        for part in blocks(len(documents), FEW):
            left = take(documents[part])
            wide = max(1, room_of(weights.device) // max(left[0].shape))
            for strip in blocks(self.rows.n_documents, wide):
                tile = self.rows.exponents(left, take(strip)).exp_()
                found[part] += tile @ weights[strip].to(tile.dtype)
        return found

    @cached_property
    def _weights(self) -> Any:
        """The weights as a matrix, 0 in all other columns; shape (N, C)."""
        device, columns = self.rows.rows.device, self.columns
        of = torch.as_tensor(np.repeat(np.arange(columns.count), np.diff(columns.bounds))).to(device)
        order, weights = (torch.as_tensor(one).to(device) for one in (columns.order, columns.weights))
        found = torch.zeros((len(order), columns.count), dtype=torch.float64, device=device)
        found[order, of] = weights[order]
        return found

    def _tiled(self) -> Any:
        return self.tiled(self._weights)

    def _fused(self, *, split: bool) -> Any:
        from visavis.engines.card.fused import fused_sums  # needs Triton

        return fused_sums(self.rows, self.columns, split=split)
