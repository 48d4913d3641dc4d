"""k-means in every group, its centers snapped to distinct documents."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from visavis.contracts import Draws, Objective
from visavis.errors import Incompatible
from visavis.kernel.threads import limited_to
from visavis.records import Floats, Integers, Parameter, Quota
from visavis.select.problem import Beginning, Outcome, Problem, proportional_sizes
from visavis.select.snapping import snap_all

RESTARTS = 10


@dataclass(frozen=True)
class KMeansSelector:
    """k-means++ with ten starts in each group; picks are valued by `score`."""

    score: Objective
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    kernel: ClassVar[bool] = False  # whether the kernel's own parameters decide what it picks

    def select(self, problem: Problem, quota: Quota, draws: Draws) -> Outcome:
        """The documents nearest to the centers, assigned jointly."""
        if any(problem.pinned):
            raise Incompatible("kmeans cannot keep pinned documents: use an mmd, nearest or softmin method")
        beginning = kmeans_beginning(problem, proportional_sizes(problem, quota), draws)
        return Outcome(beginning.sequence, {"snapped": None}, self.score)


def kmeans_beginning(problem: Problem, sizes: tuple[int, ...], draws: Draws) -> Beginning:
    """The centers of k-means in each group, and the documents they snap to; pinned documents replace the first ones."""
    if not draws.repeatable:
        return _begin(problem, sizes, draws)
    key = ("kmeans", problem.key, sizes, draws)  # the same for every width and method
    return problem.sequences.beginning(key, lambda: _begin(problem, sizes, draws))


def _begin(problem: Problem, sizes: tuple[int, ...], draws: Draws) -> Beginning:
    points, owner, rng = [], [], draws.rng("kmeans", max(sizes))
    for group, size in enumerate(sizes):
        centers = group_centers(problem, group, size, rng)
        pins = np.array(problem.pinned[group], np.intp)
        centers[: len(pins)] = problem.vectors.take(pins)
        points.append(centers)
        owner.append(np.full(size, group, np.intp))
    stacked: Floats = np.concatenate(points)
    owners: Integers = np.concatenate(owner)
    return Beginning(snap_all(problem, stacked, owners), stacked, owners)


def group_centers(problem: Problem, group: int, size: int, rng: np.random.Generator) -> Floats:
    """k-means centers of a group's documents; shape (size, d)."""
    if problem.pairs.abilities.precomputed:
        raise Incompatible("kmeans needs vectors, and kernel='precomputed' gives none: use kmedoids or a greedy method")
    rows = problem.rows(group)
    if problem.vectors.is_sparse:
        data, middle, spread = problem.vectors.raw(rows), np.zeros(problem.vectors.n_features), 1.0
    else:
        dense = problem.vectors.take(rows)
        middle = dense.mean(axis=0)
        dense -= middle
        spread = float(np.abs(dense).max(initial=0.0)) or 1.0  # in units of it, float32 holds any data
        data = (dense / spread).astype(problem.compute.precision)
    seed = int(rng.integers(2**31 - 1))
    model = KMeans(n_clusters=size, n_init=RESTARTS, random_state=seed)
    with warnings.catch_warnings(), limited_to(problem.compute.threads):
        warnings.simplefilter("ignore", ConvergenceWarning)  # fewer distinct documents than centers is no fault
        model.fit(data, sample_weight=problem.weights[rows] / problem.weights[rows].max())
    return np.asarray(model.cluster_centers_, np.float64) * spread + middle
