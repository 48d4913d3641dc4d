"""k-medoids in every group: k-means++ start, then assignment and medoids in turn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from visavis.contracts import Objective
from visavis.errors import Incompatible
from visavis.kernel.threads import blocks
from visavis.records import Floats, Integers, Problem, Quota, Selection
from visavis.select.problem import proportional_sizes
from visavis.select.snapping import in_rounds
from visavis.select.ties import first_best

ROUNDS = 100
CHUNK = 1024


@dataclass(frozen=True)
class KMedoidsSelector:
    """Medoids are documents, so nothing is snapped; picks are valued by `score`."""

    score: Objective

    def select(self, problem: Problem, quota: Quota, rng: np.random.Generator) -> Selection:
        """The medoids of each group."""
        if any(problem.pinned):
            raise Incompatible("kmedoids cannot keep pinned documents: use an mmd, nearest or likelihood method")
        sizes = proportional_sizes(problem, quota)
        seeds = [_seed(problem, group, size, rng) for group, size in enumerate(sizes)]
        medoids = [_alternate(problem, group, own) for group, own in enumerate(seeds)]
        sequence = in_rounds([own.tolist() for own in medoids])
        trace = self.score.trace(problem, sequence)
        start = self.score.trace(problem, in_rounds([own.tolist() for own in seeds]))[-1]
        return Selection(sequence, {"start": tuple(start), "optimized": tuple(trace[-1])}, trace, self.score)


def _seed(problem: Problem, group: int, size: int, rng: np.random.Generator) -> Integers:
    """k-means++: each next document drawn with probability ∝ weight × squared distance from those drawn."""
    rows = problem.rows(group)
    weights = problem.weights[rows] * problem.allowed[rows]
    chosen: list[int] = []
    far, unit = np.ones(len(weights)), 0.0
    weights = weights / weights.max()
    while len(chosen) < size:
        chance = weights * far
        chance[chosen] = 0.0
        if chance.sum() <= 0.0:  # only copies of the drawn documents are left
            chance = weights.copy()
            chance[chosen] = 0.0
        at = int(np.searchsorted(np.cumsum(chance), rng.random() * chance.sum(), side="right"))
        chosen.append(min(at, int(np.flatnonzero(chance)[-1])))
        near = problem.kernel.proximity(rows, np.array([rows.start + chosen[-1]]))[:, 0].astype(np.float64)
        distance = np.maximum(near[chosen[-1]] - near, 0.0)
        unit = unit or float(distance.max())  # any unit will do, and this one cannot overflow
        squared = (distance / (unit or 1.0)) ** 2
        far = squared if len(chosen) == 1 else np.minimum(far, squared)
    return np.asarray(np.array(chosen, np.intp) + rows.start, np.intp)


def _alternate(problem: Problem, group: int, medoids: Integers) -> Integers:
    """Documents join their nearest medoid, clusters choose theirs anew, until nothing changes."""
    rows = problem.rows(group)
    for _ in range(ROUNDS):
        near = problem.kernel.proximity(rows, medoids)
        cluster = near.argmax(axis=1)
        cluster[medoids - rows.start] = np.arange(len(medoids))
        moved = np.array([_medoid(problem, np.flatnonzero(cluster == k) + rows.start) for k in range(len(medoids))])
        if np.array_equal(moved, medoids):
            break
        medoids = moved
    return medoids


def _medoid(problem: Problem, members: Integers) -> int:
    """The allowed document of a cluster with the largest weighted proximity to all of it."""
    weights = problem.weights[members] / problem.weights[members].max()
    total: list[Floats] = []
    for part in blocks(len(members), CHUNK):
        near = problem.kernel.proximity(members, members[part])
        total.append((weights.astype(near.dtype) @ near).astype(np.float64))
    sums = np.concatenate(total)
    return int(members[first_best(sums, problem.allowed[members], problem.kernel.resolution)])
