"""The RBF kernel on a card: tiles of exp(z_i·z_j − ½‖z_i‖² − ½‖z_j‖²), with z = √(2γ)(x − mean)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from visavis.engines.card.climbing import climb
from visavis.engines.card.pairs import CardPairs
from visavis.engines.card.rows import ScaledRows, good_at_double
from visavis.engines.card.sums import Columns, RowSums, sort_columns
from visavis.kernel.rbf import RBF, interaction, noise_below
from visavis.kernel.threads import blocks, upper_tiles
from visavis.kernel.tiling import part_of
from visavis.kernel.vectors import self_places, squared_norms
from visavis.records import Climb, Compute, Floats, Integers, Rows

STRIP = 65536  # documents whose pulls are added up in single precision


class CardRBFPairs(CardPairs):
    """RBF similarity of documents on a card; those that are asked for in float64 are computed from what was given."""

    climbs = True

    def __init__(self, kernel: RBF, rows: Any, center: Floats, compute: Compute) -> None:
        self.gamma, self._center = kernel.gamma, center
        self._scaled = ScaledRows(rows, center, kernel.gamma, compute.dtype)
        super().__init__(kernel, rows, compute)
        self.unit = 1.0 / math.sqrt(2.0 * kernel.gamma)
        self.radius = self._scaled.radius
        self.resolution = 1e-7 if self._scaled.is_single else 1e-13
        self._weights: tuple[Any, Any] = (None, None)

    def tile(self, of: str, rows: Rows, columns: Rows) -> Any:
        """Similarity or proximity of rows with columns, on the card, as precise as the search."""
        return self._shaped(of, rows, columns, self._scaled.take(rows), self._scaled.take(columns))

    def exact_tile(self, of: str, rows: Rows, columns: Rows) -> Any:
        """The same in float64."""
        return self._shaped(of, rows, columns, self._scaled.exact(rows), self._scaled.exact(columns))

    def sums(self, weights: Floats, gammas: Sequence[float] | None = None) -> Floats:
        """K @ weights; (N, C) → (N, C), or (γ, N, C): fused where the card can and every document has one column."""
        widths = [self.gamma] if gammas is None else list(gammas)
        columns = sort_columns(weights)
        if columns is not None and self._scaled.fuses(columns):
            total = torch.stack([self._row_sums(columns, width).precise() for width in widths])
        else:
            total = self._tiled_sums(self._send(weights), [width / self.gamma for width in widths])
        found: Floats = total.cpu().numpy()
        return np.asarray(found[0]) if gammas is None else found

    def climb(self, steps: Climb) -> tuple[int, ...]:
        """Greedy picks, sought on the card."""
        columns = Columns.of_groups(steps.bounds, steps.weights)
        return climb(steps, self._scaled, self._row_sums(columns, self.gamma))

    def _row_sums(self, columns: Columns, gamma: float) -> RowSums:
        return RowSums(
            self._scaled.at(gamma), columns, lambda weights: self._tiled_sums(weights, [gamma / self.gamma])[0]
        )

    def _tiled_sums(self, weights: Any, ratios: Sequence[float]) -> Any:
        """K^ratio @ weights by tiles, half of which serve both sides; float64 sums, shape (ratios, N, C)."""
        largest = float(weights.abs().max()) or 1.0  # single precision holds any weights once the largest is 1
        light = (weights / largest).to(self._scaled.dtype)
        total = torch.zeros((len(ratios), *weights.shape), dtype=torch.float64, device=weights.device)
        for rows, columns in upper_tiles(self.n_documents, math.isqrt(self.at_once)):
            exponent = self._scaled.exponents(self._scaled.take(rows), self._scaled.take(columns))
            _mark(exponent, rows, columns, 0.0)
            for index, ratio in enumerate(ratios):
                tile = torch.exp(exponent * ratio)
                total[index, rows] += tile @ light[columns]
                if rows != columns:
                    total[index, columns] += tile.T @ light[rows]
        return total * largest

    def _shaped(self, of: str, rows: Rows, columns: Rows, left: Any, right: Any) -> Any:
        exponent = self._scaled.exponents(left, right)
        if of == "similarity":
            values, at_self = exponent.exp_(), 1.0
        else:
            squared = exponent.mul_(-1.0 / self.gamma)
            noise = noise_below(self.radius, float(torch.finfo(squared.dtype).eps))
            values, at_self = squared.masked_fill_(squared < noise, 0.0).sqrt_().neg_(), 0.0
        _mark(values, rows, columns, at_self)
        return values

    def field(self, points: Floats, owner: Integers, weights: Floats, *, exact: bool = False) -> tuple[Floats, Floats]:
        """v_l = Σ_j weights[owner_l, j] k(a_l, x_j) and ∂v_l/∂a_l; two products a strip for all points together."""
        scaled = (points - self._center) / self.unit
        exact = exact or good_at_double(self.rows.device)
        precision = torch.float64 if exact else self._scaled.dtype
        left = self._send(scaled).to(precision)
        half = self._send(0.5 * squared_norms(scaled)).to(precision)
        own, there = self._send(owner), self._sent_weights(weights)
        values = torch.zeros(len(points), dtype=torch.float64, device=left.device)
        pulls = torch.zeros(points.shape, dtype=torch.float64, device=left.device)
        take = self._scaled.exact if exact else self._scaled.take
        for strip in blocks(self.n_documents, STRIP):
            right = take(strip)
            pull = self._scaled.exponents((left, half), right).exp_()
            pull *= there[:, strip][own].to(precision)
            values += pull.sum(dim=1, dtype=torch.float64)
            pulls += pull @ right[0]
        slope = (pulls.cpu().numpy() - values.cpu().numpy()[:, None] * scaled) / self.unit
        return values.cpu().numpy(), slope

    def beyond(self, points: Floats) -> int:
        """How many points lie outside the ball around the mean that holds all documents."""
        return int(np.sum(squared_norms(points - self._center) > (self.radius * (1.0 + 1e-9)) ** 2))

    def interaction(self, points: Floats, coefficients: Floats) -> tuple[Floats, Floats]:
        """r_l = Σ_m c_lm k(a_l, a_m), and the gradient of Σ_l r_l."""
        return interaction(self.gamma, points, coefficients)

    def squared_distances(self, rows: Integers, points: Floats) -> Floats:
        """‖x − p‖² in float64; shape (rows, points)."""
        scaled = self._send((points - self._center) / self.unit)
        right = scaled, 0.5 * (scaled**2).sum(dim=1)
        parts = [
            self._scaled.exponents(self._scaled.exact(part_of(rows, part)), right).mul_(-1.0 / self.gamma).cpu().numpy()
            for part in blocks(len(rows), STRIP)
        ]
        return np.concatenate(parts) if parts else np.empty((0, len(points)))

    def _sent_weights(self, weights: Floats) -> Any:
        """The weights on the card; the ones that were sent last are not sent again."""
        if self._weights[0] is not weights:
            self._weights = weights, self._send(weights)
        return self._weights[1]

    def _own_similarity(self) -> Floats:
        return np.ones(len(self.rows))


def _mark(values: Any, rows: Rows, columns: Rows, at_self: float) -> None:
    """Write where a row and a column are the same document: it is exactly itself, whatever rounding says."""
    left, right = self_places(rows, columns)
    if len(left):
        values[torch.as_tensor(left).to(values.device), torch.as_tensor(right).to(values.device)] = at_self
