"""k-medoids in every group: k-means++ start, then assignment and medoids in turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from visavis.contracts import Draws, Objective
from visavis.errors import Incompatible
from visavis.kernel.operations import Proximity, WeightedSums
from visavis.records import Booleans, Integers, Parameter, Quota
from visavis.select.problem import Outcome, Problem, proportional_sizes
from visavis.select.snapping import in_rounds

ROUNDS = 100


@dataclass(frozen=True)
class KMedoidsSelector:
    """Medoids are documents, so nothing is snapped; picks are valued by `score`."""

    score: Objective
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    kernel: ClassVar[bool] = False  # whether the kernel's own parameters decide what it picks

    def select(self, problem: Problem, quota: Quota, draws: Draws) -> Outcome:
        """The medoids of each group."""
        if any(problem.pinned):
            raise Incompatible("kmedoids cannot keep pinned documents: use an mmd, nearest or likelihood method")
        sizes = proportional_sizes(problem, quota)
        rng = draws.rng("kmedoids", max(sizes))
        seeds = [_seed(problem, group, size, rng) for group, size in enumerate(sizes)]
        medoids = [_alternate(problem, group, own) for group, own in enumerate(seeds)]
        start, end = (in_rounds([own.tolist() for own in picks]) for picks in (seeds, medoids))
        return Outcome(end, {"start": start, "optimized": None}, self.score)


def _seed(problem: Problem, group: int, size: int, rng: np.random.Generator) -> Integers:
    """k-means++: each next document drawn with probability ∝ weight × squared distance from those drawn."""
    rows = problem.rows(group)
    weights = problem.weights[rows] * problem.allowed[rows]
    chosen: list[int] = []
    far, unit = np.ones(len(weights)), 0.0
    weights = weights / weights.max()
    while len(chosen) < size:
        open_ = problem.open_beside(group, [place + rows.start for place in chosen])
        chance = weights * far * open_
        if chance.sum() <= 0.0:  # only copies of the drawn documents are left
            chance = weights * open_
        at = int(np.searchsorted(np.cumsum(chance), rng.random() * chance.sum(), side="right"))
        chosen.append(min(at, int(np.flatnonzero(chance)[-1])))
        near = problem.pairs.proximity(rows, np.array([rows.start + chosen[-1]]))[:, 0].astype(np.float64)
        distance = np.maximum(near[chosen[-1]] - near, 0.0)
        unit = unit or float(distance.max())  # any unit will do, and this one cannot overflow
        squared = (distance / (unit or 1.0)) ** 2
        far = squared if len(chosen) == 1 else np.minimum(far, squared)
    return np.asarray(np.array(chosen, np.intp) + rows.start, np.intp)


def _alternate(problem: Problem, group: int, medoids: Integers) -> Integers:
    """Documents join their nearest medoid, clusters choose theirs anew, until nothing changes."""
    rows = problem.rows(group)
    for _ in range(ROUNDS):
        near = problem.pairs.proximity(rows, medoids)
        cluster = near.argmax(axis=1)
        cluster[medoids - rows.start] = np.arange(len(medoids))
        moved = medoids.copy()
        for k in range(len(medoids)):
            open_ = problem.open_beside(group, np.delete(moved, k).tolist())
            open_[moved[k] - rows.start] = True
            moved[k] = _medoid(problem, np.flatnonzero(cluster == k) + rows.start, open_[cluster == k])
        if np.array_equal(moved, medoids):
            break
        medoids = moved
    return medoids


def _medoid(problem: Problem, members: Integers, open_: Booleans) -> int:
    """The document of a cluster, of those that are open, with the largest weighted proximity to all of it."""
    seen = members
    if problem.sample is not None and len(drawn := np.intersect1d(members, problem.sample.rows)):
        seen = drawn
    weights = problem.weights[seen] / problem.weights[seen].max()
    (sums,) = problem.pairs.reduce(WeightedSums(weights, Proximity()), members, seen)
    return int(members[problem.pairs.best(sums, open_)[0]])
