"""The same jobs done by other means; packages of the extra `bench` are imported only here, inside a child process."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from sklearn.metrics.pairwise import euclidean_distances, rbf_kernel

from bench.case import CONTRAST, N_PICKS, Answer, Case, starting_points
from bench.ours import EVALUATIONS
from visavis.records import Array, Floats

LOOP_EVALUATIONS = 2


def sklearn_greedy_mmd(case: Case) -> Callable[[], Answer]:
    """Greedy mmd-diff as one would write it on scikit-learn's kernel: the whole matrix, its means, then the picks."""

    def run() -> Answer:
        kernel = rbf_kernel(case.X, gamma=case.gamma)
        means = np.stack([kernel[:, case.groups == g].mean(axis=1, dtype=np.float64) for g in (0, 1)])
        picks: list[int] = []
        for group in (0, 1):
            rows = case.members(group)
            merit = means[group, rows] - CONTRAST * means[1 - group, rows]
            picks += rows[_greedy(kernel, rows, merit)].tolist()
        return Answer(picks)

    return run


def _greedy(kernel: Array, rows: Array, merit: Floats) -> list[int]:
    """U(S) = 2·mean merit − (1 − λ)·mean k(S, S), one document at a time; places within the group."""
    picks: list[int] = []
    similarity = np.zeros(len(rows))
    merit_sum = pair_sum = 0.0
    for size in range(1, N_PICKS + 1):
        pairs = pair_sum + 2.0 * similarity + 1.0
        values = 2.0 * (merit_sum + merit) / size - (1.0 - CONTRAST) * pairs / size**2
        values[picks] = -np.inf
        best = int(np.argmax(values))
        merit_sum, pair_sum = merit_sum + float(merit[best]), float(pairs[best])
        similarity += kernel[rows, rows[best]]
        picks.append(best)
    return picks


def gradient_loop(case: Case) -> Callable[[], Answer]:
    """Value and gradient in a plain float64 loop over prototypes; a few evaluations, the time scaled up."""
    X = case.X.astype(np.float64)
    points, owner = starting_points(case)

    def run() -> Answer:
        moving, first = points, 0.0
        for evaluation in range(LOOP_EVALUATIONS):
            value, slope = _value_and_gradient(X, case, moving, owner)
            moving = moving + slope
            first = value if evaluation == 0 else first
        note = f"{LOOP_EVALUATIONS} evaluations, time × {EVALUATIONS // LOOP_EVALUATIONS}"
        return Answer([], first, LOOP_EVALUATIONS / EVALUATIONS, note)

    return run


def _value_and_gradient(X: Floats, case: Case, points: Floats, owner: Array) -> tuple[float, Floats]:
    value, slope = 0.0, np.empty_like(points)
    groups, gamma = case.groups, case.gamma
    for at, (point, group) in enumerate(zip(points, owner, strict=True)):
        inside = groups == group
        weights = np.where(inside, 1.0 / inside.sum(), -CONTRAST / (~inside).sum())
        pull = weights * np.exp(-gamma * ((X - point) ** 2).sum(axis=1))
        own = points[owner == group]
        push = (1.0 - CONTRAST) / N_PICKS * np.exp(-gamma * ((own - point) ** 2).sum(axis=1))
        value += (2.0 * pull.sum() - push.sum()) / N_PICKS
        attraction = (pull[:, None] * (X - point)).sum(axis=0)
        slope[at] = 4.0 * gamma / N_PICKS * (attraction - (push[:, None] * (own - point)).sum(axis=0))
    return float(value), slope


def _similarity(case: Case, rows: Array) -> Array:
    """(largest distance within the group) − distance, which `nearest` maximizes too."""
    distances: Array = euclidean_distances(case.X[rows])
    np.subtract(distances.max(), distances, out=distances)
    return distances


def apricot(case: Case) -> Callable[[], Answer]:
    """apricot-select: facility location, lazy greedy (its default), which compiles its inner loop at every fit."""
    from apricot import FacilityLocationSelection

    def select(similarity: Array, size: int) -> Array:
        selector = FacilityLocationSelection(size, metric="precomputed", optimizer="lazy")
        return np.asarray(selector.fit(similarity.astype(np.float64)).ranking)

    select(np.eye(32), 2)
    begun = time.perf_counter()
    select(np.eye(32), 2)
    compiling = 2.0 * (time.perf_counter() - begun)

    def run() -> Answer:
        picks: list[int] = []
        for group in (0, 1):
            rows = case.members(group)
            picks += rows[select(_similarity(case, rows), N_PICKS)].tolist()
        return Answer(picks, note=f"{compiling:.1f} s of it compiling, as it does at every fit")

    return run


def submodlib(case: Case) -> Callable[[], Answer]:
    """submodlib-py: facility location on a dense similarity, lazy greedy."""
    from submodlib import FacilityLocationFunction

    def run() -> Answer:
        picks: list[int] = []
        for group in (0, 1):
            rows = case.members(group)
            similarity = _similarity(case, rows)
            function = FacilityLocationFunction(n=len(rows), mode="dense", sijs=similarity, separate_rep=False)
            found = function.maximize(N_PICKS, optimizer="LazyGreedy", show_progress=False)
            picks += rows[[place for place, _ in found]].tolist()
        return Answer(picks)

    return run
