"""Sums of RBF similarities by groups, tile by tile, in a buffer of each thread.

Rows come in two forms, [z, −½‖z‖², 1] and [z, 1, −½‖z‖²], whose products are exponents of the kernel; rounding above 0
is lost in the sums. Documents lie sorted by group, so that most tiles are asked about one group alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from visavis.kernel.ladder import climb, ladder
from visavis.kernel.threads import Scratch, blocks, ordered_map, upper_tiles
from visavis.records import Array, Floats

TILE = 512  # candidates, and documents: so that a tile stays near at hand in memory


def exponential_sums(left: Array, right: Array, weights: Floats, scratch: Scratch, threads: int) -> Floats:
    """exp(left @ rightᵀ) @ weights for a few documents on the right; shape (candidates, columns), in float64."""
    parts = blocks(len(right), TILE)
    own = _by_strip(np.asarray(weights, left.dtype), parts)

    def work(rows: slice) -> Floats:
        total = np.zeros((rows.stop - rows.start, weights.shape[1]))
        for part, (columns, factors) in zip(parts, own, strict=True):
            tile = _exponents(left[rows], right[part], scratch)
            total[:, columns] += np.exp(tile, out=tile) @ factors
        return total

    found = np.empty((len(left), weights.shape[1]))
    cut = blocks(len(left), TILE)
    for rows, sums in zip(cut, ordered_map(work, cut, threads), strict=True):
        found[rows] = sums
    return found


def symmetric_sums(
    left: Array, right: Array, weights: Floats, ratios: Sequence[float], scratch: Scratch, threads: int
) -> Floats:
    """exp(ratio · left @ rightᵀ) @ weights for each ratio, both sides being all documents; (ratios, N, columns).

    Every pair is looked at once, for all ratios; a document is as similar with itself as can be.
    """
    n, steps, pairs = len(left), ladder(list(ratios)), upper_tiles(len(left), TILE)
    largest = float(weights.max(initial=0.0)) or 1.0  # float32 holds any weights once the largest is 1
    cut = blocks(n, TILE)
    own = dict(zip((part.start for part in cut), _by_strip((weights / largest).astype(left.dtype), cut), strict=True))
    total = np.zeros((len(ratios), n, weights.shape[1]))

    def work(pair: tuple[slice, slice]) -> list[tuple[int, Array, Array | None]]:
        rows, columns = pair
        found = []
        for index, tile in climb(_exponents(left[rows], right[columns], scratch), steps):
            if rows == columns:
                np.fill_diagonal(tile, 1.0)
            below = None if rows == columns else tile.T @ own[rows.start][1]
            found.append((index, tile @ own[columns.start][1], below))
        return found

    for (rows, columns), found in zip(pairs, ordered_map(work, pairs, threads), strict=True):
        for index, right_sums, below in found:
            total[index, rows][:, own[columns.start][0]] += right_sums
            if below is not None:
                total[index, columns][:, own[rows.start][0]] += below
    total *= largest
    return total


def _exponents(left: Array, right: Array, scratch: Scratch) -> Array:
    tile = scratch.get("tile", (len(left), len(right)), left.dtype.type)
    return np.matmul(left, right.T, out=tile)


def _by_strip(weights: Array, parts: Sequence[slice]) -> list[tuple[Any, Array]]:
    """For each strip of documents, the columns in which any of them counts, and how much each does in these.

    Of a single column it is a vector: a product with that is several times as fast.
    """
    found: list[tuple[Any, Array]] = []
    for part in parts:
        columns = np.flatnonzero(weights[part].any(axis=0))
        chosen = int(columns[0]) if len(columns) == 1 else columns
        found.append((chosen, np.ascontiguousarray(weights[part][:, chosen])))
    return found
