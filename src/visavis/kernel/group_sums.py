"""Sums of RBF similarities with a few documents for each of very many, in a buffer of each thread."""

from __future__ import annotations

import numpy as np

from visavis.kernel.threads import Scratch, blocks, ordered_map
from visavis.records import Array, Floats

TILE = 512  # candidates, and documents: so that a tile stays near at hand in memory


def exponential_sums(left: Array, right: Array, weights: Floats, scratch: Scratch, threads: int) -> Floats:
    """exp(left @ rightᵀ) @ weights, tile by tile; shape (candidates, columns), in float64.

    The rows are such that their products are exponents of the kernel; rounding above 0 is lost in the sums.
    """
    own = np.ascontiguousarray(weights, left.dtype)
    parts = blocks(len(right), TILE)

    def work(rows: slice) -> Floats:
        total = np.zeros((rows.stop - rows.start, weights.shape[1]))
        for part in parts:
            tile = scratch.get("tile", (rows.stop - rows.start, part.stop - part.start), left.dtype.type)
            np.matmul(left[rows], right[part].T, out=tile)
            np.exp(tile, out=tile)
            total += tile @ own[part]
        return total

    found = np.empty((len(left), weights.shape[1]))
    cut = blocks(len(left), TILE)
    for rows, sums in zip(cut, ordered_map(work, cut, threads), strict=True):
        found[rows] = sums
    return found
