"""Random documents of each group: the floor that any method must beat."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from visavis.contracts import Objective
from visavis.records import Problem, Quota, Selection
from visavis.select.problem import proportional_sizes
from visavis.select.snapping import in_rounds


@dataclass(frozen=True)
class RandomSelector:
    """Uniform draws without replacement, pinned documents first; picks are valued by `score`."""

    score: Objective

    def select(self, problem: Problem, quota: Quota, rng: np.random.Generator) -> Selection:
        """The documents drawn for each group."""
        picks = []
        for group, size in enumerate(proportional_sizes(problem, quota)):
            rows, pins = problem.rows(group), problem.pinned[group]
            usable = np.flatnonzero(problem.allowed[rows]) + rows.start
            usable = usable[~np.isin(usable, pins)]
            picks.append((*pins, *(int(i) for i in rng.choice(usable, size - len(pins), replace=False))))
        sequence = in_rounds(picks)
        trace = self.score.trace(problem, sequence)
        return Selection(sequence, {"start": tuple(trace[-1])}, trace, self.score)
