"""What a classifier is given: its own parameters, and distances."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from visavis.records import Floats, Integers


@dataclass(frozen=True)
class Option:
    """A classifier's own parameters; None for what it does not have."""

    gamma: float | None = None
    cost: float | None = None


@dataclass(frozen=True, eq=False)
class Geometry:
    """Squared distances among examples (M, M), and from unseen documents to them (rows, M), with the examples' groups.

    `noise` (rows,) is how far two distances of an unseen document may lie apart by rounding alone. Similarities of
    either kind are kept for the γ asked for last.
    """

    among: Floats
    across: Floats
    groups: Integers
    noise: Floats
    _kept: dict[float, tuple[Floats, Floats]] = field(default_factory=dict, repr=False)

    def similarities(self, gamma: float) -> tuple[Floats, Floats]:
        """exp(−γ d²) among the examples, and from the unseen documents to them."""
        if gamma not in self._kept:
            self._kept.clear()
            self._kept[gamma] = np.exp(-gamma * self.among), np.exp(-gamma * self.across)
        return self._kept[gamma]
