"""Common ground: documents that are typical of every group, or the finding that there are none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from visavis.records import Booleans, Floats, Integers

if TYPE_CHECKING:
    from visavis.select.problem import Problem

TYPICAL = 0.6  # a document is typical of a group if it is nearer to it than this share of the group's own documents
SHARED = 0.05  # where fewer documents than this share are typical of every group, they stand between the groups
APART = 0.9  # of two documents of the common ground, neither is among the nearest tenth of the other's documents


def common_ground(problem: Problem, taken: Sequence[int], stories: Integers | None = None, count: int = 3) -> list[int]:
    """Documents typical of every group, at most `count`, the most typical first; none if hardly any are.

    Neither the picks `taken` nor their stories, no story twice, and nothing that may not be picked. `stories` names the
    story of each document, each its own if None.
    """
    if problem.n_groups < 2:
        return []
    least = typicality(problem).min(axis=1)
    if np.mean(least >= TYPICAL) < SHARED:
        return []
    story = np.arange(problem.n_documents) if stories is None else stories
    told = np.zeros(int(story.max()) + 1, np.bool_)
    told[story[list(taken)]] = True
    open_: Booleans = problem.allowed & (least >= TYPICAL) & ~told[story]
    chosen: list[int] = []
    while len(chosen) < count and open_.any():
        best = int(np.argmax(np.where(open_, least, -1.0)))
        chosen.append(best)
        similar = problem.columns([best])[:, 0]
        open_ &= (story != story[best]) & (similar < np.quantile(similar, APART))
        open_[best] = False
    return chosen


def typicality(problem: Problem) -> Floats:
    """How typical each document is of each group: the share of the group's documents that are no nearer to the group.

    Near is the mean similarity with the group's documents, itself left out; shape (N, G). Made once for a problem.
    """
    return problem.facts.remember("typicality", lambda: _typicality(problem))


def _typicality(problem: Problem) -> Floats:
    sums, totals = problem.similarity_sums(), problem.totals()
    own = np.repeat(np.arange(problem.n_groups), np.diff(problem.bounds))
    rows, weights = np.arange(problem.n_documents), problem.weights
    means = sums / totals
    rest = totals[own] - weights
    alone = rest <= 0
    means[rows, own] = (sums[rows, own] - weights * problem.pairs.diagonal) / np.where(alone, 1.0, rest)
    shares = np.empty_like(means)
    for group in range(problem.n_groups):
        near = np.sort(means[problem.rows(group), group])
        shares[:, group] = np.searchsorted(near, means[:, group], side="right") / len(near)
    return shares
