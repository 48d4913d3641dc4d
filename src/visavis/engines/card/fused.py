"""Sums of the RBF kernel in one fused Triton kernel: product, power and row sums of a tile, each pair of tiles once.

With z = √(γ·2·log₂ e)(x − mean) in half precision, k(x, y) = 2^(z·z′) · 2^(−½‖z‖²) · 2^(−½‖z′‖²): the bare product is
raised to a power of 2, and the norms are outer factors, those of the columns within the sum, those of the rows after
it. Split vectors [h, h, l] and [h, l, h], h being z in half precision and l what that leaves, make the same product as
precise as single precision.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

from visavis.engines.card.sums import TILE, Columns
from visavis.kernel.threads import blocks
from visavis.records import Integers

if TYPE_CHECKING:
    from visavis.engines.card.rows import ScaledRows

STRIP = 2**18
REACH = 60.0  # largest ½‖z‖² at which powers of the bare product stay within single precision
LOG2_E = math.log2(math.e)


@dataclass(frozen=True)
class Launch:
    """How the kernel runs: features of a step, warps, steps loaded ahead, the most tiles of a span, and whether the
    next tile is loaded while one ends."""

    inner: int = 64
    warps: int = 4
    stages: int = 3
    span: int = 64
    flatten: bool = True


@triton.jit
def _tile_sums(
    left, right, factors, halves, totals, spans, columns, n_rows,
    DEPTH: tl.constexpr, TILE: tl.constexpr, INNER: tl.constexpr, INSIDE: tl.constexpr, FLATTEN: tl.constexpr,
):  # fmt: skip
    """One tile of rows with a span of tiles of one column, from the diagonal on; a tile serves both of its sides."""
    row_tile = tl.program_id(0)
    span = tl.program_id(1)
    column = tl.load(spans + 3 * span).to(tl.int64)  # times the rows it may be more than 2³¹
    first = tl.maximum(tl.load(spans + 3 * span + 1), row_tile)
    last = tl.load(spans + 3 * span + 2)
    if first < last:
        own_column = tl.load(columns + row_tile).to(tl.int64)
        within = tl.arange(0, TILE)
        rows = row_tile * TILE + within
        row_factors = tl.load(factors + rows)
        row_halves = tl.load(halves + rows)
        row_totals = tl.zeros((TILE,), tl.float32)
        for column_tile in tl.range(first, last, flatten=FLATTEN):
            product = tl.zeros((TILE, TILE), tl.float32)
            for step in range(0, DEPTH, INNER):
                here = left.load([row_tile * TILE, step])
                there = right.load([column_tile * TILE, step])
                product = tl.dot(here, there.T, product)
            others = column_tile * TILE + within
            if INSIDE:
                product = product - row_halves[:, None] - tl.load(halves + others)[None, :]
            similar = tl.exp2(product)
            row_totals += tl.sum(similar * tl.load(factors + others)[None, :], axis=1)
            below = tl.sum(similar * row_factors[:, None], axis=0)
            beside = others >= (row_tile + 1) * TILE
            tl.atomic_add(totals + own_column * n_rows + others, below.to(tl.float64), mask=beside, sem="relaxed")
        tl.atomic_add(totals + column * n_rows + rows, row_totals.to(tl.float64), sem="relaxed")


@dataclass(frozen=True, eq=False)
class Operands:
    """Padded rows as the kernel reads them: the two sides of the product, ½‖z‖² and the weights."""

    left: Any
    right: Any
    halves: Any
    weights: Any


def fused_sums(rows: ScaledRows, columns: Columns, *, split: bool, launch: Launch | None = None) -> Any:
    """Σ_{j∈c} w_j k(x_i, x_j) for every document and column; float64, shape (N, C)."""
    launch = launch or Launch()
    places, of_tiles = columns.tiles()
    device = rows.rows.device
    at = torch.as_tensor(places).to(device)
    order = torch.as_tensor(columns.order).to(device)
    operands = _operands(rows, columns, order, at, launch.inner, split=split)
    totals = _run(operands, of_tiles, columns.count, launch)
    found = torch.empty((rows.n_documents, columns.count), dtype=torch.float64, device=device)
    found[order] = totals[:, at].T
    return found


def _operands(rows: ScaledRows, columns: Columns, order: Any, at: Any, inner: int, *, split: bool) -> Operands:
    device, n_padded = rows.rows.device, columns.padded_rows()
    depth = -(-rows.rows.shape[1] // inner) * inner
    wide = depth * (3 if split else 1)
    left = torch.zeros((n_padded, wide), dtype=torch.float16, device=device)
    right = torch.zeros_like(left) if split else left
    halves, weights = (torch.zeros(n_padded, dtype=torch.float64, device=device) for _ in range(2))
    scale = math.sqrt(LOG2_E)
    for part in blocks(len(order), STRIP):
        z, half = rows.take_sorted(order[part])
        z = z * scale
        high = z.half()
        n_features = z.shape[1]
        left[at[part], :n_features] = high
        halves[at[part]] = LOG2_E * half.double() if split else 0.5 * (high.double() ** 2).sum(dim=1)
        if split:
            low = (z - high.to(z.dtype)).half()
            left[at[part], depth : depth + n_features] = high
            left[at[part], 2 * depth : 2 * depth + n_features] = low
            right[at[part], :n_features] = high
            right[at[part], depth : depth + n_features] = low
            right[at[part], 2 * depth : 2 * depth + n_features] = high
    weights[at] = torch.as_tensor(columns.weights).to(device)[order]
    return Operands(left, right, halves, weights)


def _run(operands: Operands, of_tiles: Integers, n_columns: int, launch: Launch) -> Any:
    """The kernel on all pairs of tiles; float64, shape (C, padded rows)."""
    left, right, halves = operands.left, operands.right, operands.halves
    n_padded, depth = left.shape
    inside = float(halves.max()) > REACH
    largest = float(operands.weights.max()) or 1.0
    factors = operands.weights / largest if inside else operands.weights / largest * torch.exp2(-halves)
    spans = torch.as_tensor(_spans(of_tiles, launch.span)).to(left.device)
    totals = torch.zeros((n_columns, n_padded), dtype=torch.float64, device=left.device)
    _tile_sums[(len(of_tiles), len(spans))](
        TensorDescriptor.from_tensor(left, [TILE, launch.inner]),
        TensorDescriptor.from_tensor(right, [TILE, launch.inner]),
        factors.float(), halves.float(), totals, spans, torch.as_tensor(of_tiles.astype(np.int32)).to(left.device),
        n_padded, depth, TILE, launch.inner, inside, launch.flatten,
        num_warps=launch.warps, num_stages=launch.stages,
    )  # fmt: skip
    return totals * largest if inside else totals * (largest * torch.exp2(-halves))


def _spans(of_tiles: Integers, longest: int) -> Integers:
    """Runs of tiles of one column, none longer than that: column, first tile, the one after the last."""
    found = []
    for column in np.unique(of_tiles):
        tiles = np.flatnonzero(of_tiles == column)
        found += [
            (column, start, min(start + longest, tiles[-1] + 1)) for start in range(tiles[0], tiles[-1] + 1, longest)
        ]
    return np.array(found, np.int32)
