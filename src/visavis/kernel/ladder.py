"""The RBF kernel at several widths from one tile of exponents: K_{2γ} = K_γ²."""

from __future__ import annotations

import math

import numpy as np

from visavis.records import Array

Step = tuple[int, float, bool]  # which γ, its ratio to that of the exponents, and whether it is twice the one before


def ladder(ratios: list[float]) -> list[Step]:
    """The γ ratios from small to large, each marked when it is twice the one before."""
    order = sorted(range(len(ratios)), key=lambda k: ratios[k])
    steps = []
    for rank, k in enumerate(order):
        doubled = rank > 0 and math.isclose(ratios[k], 2.0 * ratios[order[rank - 1]], rel_tol=1e-12)
        steps.append((k, ratios[k], doubled))
    return steps


def climb(exponent: Array, steps: list[Step]) -> list[tuple[int, Array]]:
    """The tile at every γ; for a single one it takes the place of the exponents."""
    if len(steps) == 1:
        if steps[0][1] != 1.0:
            exponent *= steps[0][1]
        return [(steps[0][0], np.exp(exponent, out=exponent))]
    tiles: list[tuple[int, Array]] = []
    for index, ratio, squares in steps:
        tile = tiles[-1][1] ** 2 if squares else np.exp(exponent * np.asarray(ratio, exponent.dtype))
        tiles.append((index, tile))
    return tiles
