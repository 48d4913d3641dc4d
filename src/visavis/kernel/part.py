"""The pairs of some documents, asked of the pairs of all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from visavis.contracts import Operation, Pairs
from visavis.records import Array, Booleans, Floats, Integers, Rows


class PartPairs:
    """Some documents, renumbered in the order of `rows`; nothing is bound or placed anew."""

    climbs = False

    def __init__(self, pairs: Pairs, rows: Integers) -> None:
        self._pairs, self._rows = pairs, rows
        self.n_documents, self.diagonal = len(rows), pairs.diagonal[rows]
        self.resolution, self.abilities = pairs.resolution, pairs.abilities

    def sums(self, weights: Floats, gammas: Sequence[float] | None = None) -> Floats:
        """K @ weights, of all these documents with each other."""
        everywhere = np.zeros((self._pairs.n_documents, weights.shape[1]))
        everywhere[self._rows] = weights
        return np.asarray(self._pairs.sums(everywhere, gammas)[..., self._rows, :])

    def block(self, rows: Rows, columns: Rows, *, exact: bool = False) -> Array:
        """k(rows, columns)."""
        return self._pairs.block(self._of(rows), self._of(columns), exact=exact)

    def proximity(self, rows: Rows, columns: Rows, *, exact: bool = False) -> Array:
        """Minus the distance, or the kernel."""
        return self._pairs.proximity(self._of(rows), self._of(columns), exact=exact)

    def columns(self, documents: Integers, *, exact: bool = False) -> Array:
        """k of all these documents with some of them."""
        return self.block(slice(0, self.n_documents), documents, exact=exact)

    def gram(self, rows: Integers, *, exact: bool = False) -> Array:
        """k among some of them."""
        return self._pairs.gram(self._rows[rows], exact=exact)

    def reduce(self, operation: Operation, candidates: Rows, documents: Rows) -> tuple[Floats, ...]:
        """What the operation says of each candidate."""
        return self._pairs.reduce(operation, self._of(candidates), self._of(documents))

    def best(self, gains: Floats, open_: Booleans, count: int = 1) -> Integers:
        """Places of the largest gains that are open."""
        return self._pairs.best(gains, open_, count)

    def _of(self, rows: Rows) -> Integers:
        return self._rows[rows]
