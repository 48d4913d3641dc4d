"""Random documents of each group: the floor that any method must beat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from visavis.contracts import Draws, Objective
from visavis.records import Parameter, Quota
from visavis.select.problem import Outcome, Problem, proportional_sizes
from visavis.select.snapping import in_rounds


@dataclass(frozen=True)
class RandomSelector:
    """Uniform draws without replacement, pinned documents first; picks are valued by `score`."""

    score: Objective
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    kernel: ClassVar[bool] = False  # whether the kernel's own parameters decide what it picks

    def select(self, problem: Problem, quota: Quota, draws: Draws) -> Outcome:
        """The documents drawn for each group."""
        picks = []
        sizes = proportional_sizes(problem, quota)
        rng = draws.rng("random", max(sizes))
        for group, size in enumerate(sizes):
            own = list(problem.pinned[group])
            while len(own) < size:  # once, unless some of those drawn tell one story, or origins take turns
                usable = np.flatnonzero(problem.open_beside(group, own)) + problem.rows(group).start
                most = size - len(own) if problem.origins is None else 1
                drawn = rng.choice(usable, min(most, len(usable)), replace=False)
                own += drawn[np.sort(np.unique(problem.stories[drawn], return_index=True)[1])].tolist()
            picks.append(own)
        return Outcome(in_rounds(picks), {"start": None}, self.score)
