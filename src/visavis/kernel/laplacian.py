"""The Laplacian kernel exp(−γ‖x − y‖₁), in symmetric tiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from visavis.contracts import Vectors
from visavis.kernel.bandwidth import GAMMA
from visavis.kernel.pairs import ThreadedPairs
from visavis.records import Array, Compute, Floats, KernelAbilities, Parameter, Rows


@dataclass(frozen=True)
class Laplacian:
    """exp(−γ‖x − y‖₁)."""

    gamma: float
    parameters: ClassVar[tuple[Parameter, ...]] = (GAMMA,)
    abilities: ClassVar[KernelAbilities] = KernelAbilities(widths=True)

    @staticmethod
    def lengths(rows: Floats) -> Floats:
        """What γ multiplies, among these rows: city-block distances."""
        return _cityblock(rows, rows)

    def similarity(self, xp: Any, left: Any, right: Any) -> Any:
        """exp(−γ‖x − y‖₁)."""
        return xp.exp(self.gamma * self.proximity(xp, left, right))

    def proximity(self, xp: Any, left: Any, right: Any) -> Any:
        """−‖x − y‖₁."""
        return -xp.abs(left[:, None, :] - right[None, :, :]).sum(axis=2)

    def distances(self, points: Array, prototypes: Array) -> Floats:
        """City-block distances."""
        return _cityblock(np.asarray(points, np.float64), np.asarray(prototypes, np.float64))


class LaplacianPairs(ThreadedPairs):
    """Laplacian similarity of a fixed set of documents; differences are taken in float64, so nothing cancels."""

    def __init__(self, vectors: Vectors, gamma: float, compute: Compute) -> None:
        super().__init__(vectors.n_documents, np.ones(vectors.n_documents), compute, Laplacian.abilities)
        self.gamma = gamma
        self._vectors = vectors

    def _powers(self, gammas: Sequence[float]) -> list[float]:
        return [gamma / self.gamma for gamma in gammas]

    def block(self, rows: Rows, columns: Rows, *, exact: bool = False) -> Floats:  # noqa: ARG002 (it is float64 anyway)
        """k(rows, columns) in float64."""
        with np.errstate(over="ignore", under="ignore"):
            return np.exp(self.gamma * self.proximity(rows, columns))

    def proximity(self, rows: Rows, columns: Rows, *, exact: bool = False) -> Floats:  # noqa: ARG002
        """−‖x − y‖₁ in float64."""
        return -_cityblock(self._vectors.take(rows), self._vectors.take(columns))


def _cityblock(points: Floats, others: Floats) -> Floats:
    from scipy.spatial.distance import cdist  # slow to import, and seldom needed

    return np.asarray(cdist(points, others, "cityblock"))
