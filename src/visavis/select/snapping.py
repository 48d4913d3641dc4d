"""From points of the space to distinct documents near them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from visavis.records import Floats, Integers
from visavis.select.problem import Problem


def snap_all(problem: Problem, points: Floats, owner: Integers) -> tuple[int, ...]:
    """Documents for all groups' points, pinned ones kept, in the order of rank, then group."""
    picks = []
    for group, pins in enumerate(problem.pinned):
        own = points[owner == group]
        picks.append((*pins, *snap(problem, own[len(pins) :], group, set(pins))))
    return in_rounds(picks)


def snap(problem: Problem, points: Floats, group: int, taken: set[int]) -> tuple[int, ...]:
    """Distinct allowed documents of the group, assigned jointly to the points at the least total squared distance.

    Each point contributes its M nearest documents, among which an optimal assignment always lies.
    """
    rows = problem.rows(group)
    usable = np.array([i for i in range(rows.start, rows.stop) if problem.allowed[i] and i not in taken], np.intp)
    if len(points) == 0:
        return ()
    distances = problem.vectors.squared_distances(usable, points).T
    count = min(len(points), len(usable))
    nearest = np.unique(np.argpartition(distances, count - 1, axis=1)[:, :count])
    _, columns = linear_sum_assignment(distances[:, nearest])
    return tuple(int(usable[nearest[column]]) for column in columns)


def in_rounds(picks: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Each group's picks, interleaved: all first ones, then all second ones, and so on."""
    longest = max((len(own) for own in picks), default=0)
    return tuple(own[rank] for rank in range(longest) for own in picks if rank < len(own))
