"""How each pick does, in numbers: coverage, discrimination, diversity, and which documents it stands for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from visavis.contracts import Objective
from visavis.records import Floats, Integers, Problem, Scores


def pick_scores(problem: Problem, sequence: Sequence[int], names: Sequence[str]) -> list[Scores]:
    """Scores of each pick, in the order of `sequence`; `names` are the groups'."""
    means = problem.similarity_sums() / problem.totals()
    picks = np.array(sequence, np.intp)
    owner = owners(problem, sequence)
    among = problem.kernel.exact_block(picks, picks)
    totals = problem.totals()
    scores = []
    for k, document in enumerate(picks):
        group = owner[k]
        others = np.arange(problem.n_groups) != group
        mates = (owner == group) & (np.arange(len(picks)) != k)
        own = float(means[document, group])
        rest = float(np.average(means[document, others], weights=totals[others])) if others.any() else 0.0
        scores.append(
            Scores(
                coverage=own,
                discrimination=own - rest,
                diversity=1.0 - float(among[k, mates].mean()) if mates.any() else None,
                versus={names[int(h)]: own - float(means[document, h]) for h in np.flatnonzero(others)},
            )
        )
    return scores


def owners(problem: Problem, sequence: Sequence[int]) -> Integers:
    """The group of each pick."""
    return np.array([problem.group_of(document) for document in sequence], np.intp)


def losses(objective: Objective, problem: Problem, sequence: Sequence[int]) -> Floats:
    """How far the total would fall if each pick were left out; it may rise, and the loss be negative."""
    whole = objective.trace(problem, sequence)[-1].sum()
    rest = [[*sequence[:k], *sequence[k + 1 :]] for k in range(len(sequence))]
    return np.array([whole - objective.trace(problem, others)[-1].sum() for others in rest])


def nearest_picks(problem: Problem, sequence: Sequence[int]) -> Integers:
    """For every document, the place in `sequence` of its group's nearest pick, −1 if its group has none."""
    owner = owners(problem, sequence)
    picks = np.array(sequence, np.intp)
    nearest = np.full(problem.n_documents, -1, np.intp)
    for group in range(problem.n_groups):
        own = np.flatnonzero(owner == group)
        if len(own):
            near = problem.kernel.exact_proximity(problem.rows(group), picks[own])
            nearest[problem.rows(group)] = own[near.argmax(axis=1)]
    return nearest


def common_ground(problem: Problem, taken: Sequence[int], count: int = 3) -> list[int]:
    """Documents that lie close to every group: largest 2·min_g(mean similarity with g) − mean similarity among them.

    Greedy, without the picks and without documents that may not be picked.
    """
    if problem.n_groups < 2:
        return []
    shared = (problem.similarity_sums() / problem.totals()).min(axis=1)
    open_ = problem.allowed.copy()
    open_[list(taken)] = False
    chosen: list[int] = []
    similarity = np.zeros(problem.n_documents)
    while len(chosen) < count and open_.any():
        size = len(chosen) + 1
        worth = 2.0 * shared / size - (2.0 * similarity + problem.kernel.diagonal) / size**2
        best = int(np.argmax(np.where(open_, worth, -np.inf)))
        chosen.append(best)
        open_[best] = False
        similarity += problem.kernel.block(slice(0, problem.n_documents), np.array([best]))[:, 0]
    return chosen
