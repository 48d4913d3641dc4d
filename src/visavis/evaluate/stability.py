"""Would other splits have led to the same picks? How much more alike they are than random draws would be.

Two splits, A and B being their picks in a group among the n documents of it that both could pick from:

    agreement = Σ_groups (|A ∩ B| − |A||B|/n) / Σ_groups (min(|A|, |B|) − |A||B|/n)

|A||B|/n is what two random draws of these sizes share on average, so chance is 0 and the same picks are 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from visavis.evaluate.splits import Split
from visavis.records import Floats, Integers


class Agreement:
    """How well picks of the splits of one run agree; what depends on the splits alone is counted once."""

    def __init__(self, groups: Integers, splits: Sequence[Split]) -> None:
        self._groups = groups
        self._trained = np.zeros((len(splits), len(groups)), np.bool_)
        for marks, split in zip(self._trained, splits, strict=True):
            marks[split.train] = True
        self._shared = {
            (a, b): self._count(np.flatnonzero(self._trained[a] & self._trained[b]))
            for a, b in combinations(range(len(splits)), 2)
        }

    def by_split(self, picks: Mapping[int, Integers]) -> dict[int, float | None]:
        """For each split its mean agreement with the others; None where there is none to agree with.

        The mean over splits is the mean over pairs. `picks` are rows, by the number of their split.
        """
        found: dict[int, list[float]] = {split: [] for split in picks}
        for a, b in combinations(sorted(picks), 2):
            agreed = self._pair(a, picks[a], b, picks[b])
            if agreed is not None:
                found[a].append(agreed)
                found[b].append(agreed)
        return {split: float(np.mean(values)) if values else None for split, values in found.items()}

    def _pair(self, a: int, first: Integers, b: int, second: Integers) -> float | None:
        own, other = (self._count(rows[self._trained[s][rows]]) for rows, s in ((first, b), (second, a)))
        shared = self._shared[a, b]
        by_chance = np.divide(own * other, shared, out=np.zeros_like(own), where=shared > 0).sum()
        room = np.minimum(own, other).sum() - by_chance
        if room <= 1e-9:  # everything that both could pick was picked, or nothing
            return None
        return float((len(np.intersect1d(first, second)) - by_chance) / room)

    def _count(self, rows: Integers) -> Floats:
        """Documents of each group among these; (G,)."""
        return np.bincount(self._groups[rows], minlength=int(self._groups.max()) + 1).astype(np.float64)
