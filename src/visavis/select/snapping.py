"""From points of the space to distinct documents near them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from visavis.contracts import SmoothPairs
from visavis.records import Floats, Integers
from visavis.select.problem import Problem


def snap_all(problem: Problem, points: Floats, owner: Integers) -> tuple[int, ...]:
    """Documents for all groups' points, pinned ones kept, in the order of rank, then group."""
    picks = []
    for group, pins in enumerate(problem.pinned):
        own = points[owner == group]
        picks.append((*pins, *snap(problem, own[len(pins) :], group, pins)))
    return in_rounds(picks)


def snap(problem: Problem, points: Floats, group: int, taken: Sequence[int]) -> tuple[int, ...]:
    """Allowed documents of distinct stories, assigned jointly to the points at the least total squared distance.

    Where picks are spread over origins, what was assigned stays as far as it may, and the other points are assigned
    again beside it.
    """
    found: dict[int, int] = {}
    while left := [place for place in range(len(points)) if place not in found]:
        for place, document in _assign(problem, points[left], group, (*taken, *found.values())):
            open_ = problem.open_beside(group, (*taken, *found.values()))
            if open_[document - problem.rows(group).start]:
                found[left[place]] = document
    return tuple(found[place] for place in range(len(points)))


def _assign(problem: Problem, points: Floats, group: int, taken: Sequence[int]) -> list[tuple[int, int]]:
    """Places of points with their documents; some have none, if there are fewer stories.

    Each point contributes its M nearest stories, among which an optimal assignment always lies.
    """
    usable = np.flatnonzero(problem.open_beside(group, taken)) + problem.rows(group).start
    usable = usable[np.argsort(problem.stories[usable], kind="stable")]
    begins = np.flatnonzero(np.diff(problem.stories[usable], prepend=-1))
    distances = _distances(problem, usable, points).T
    to_story = distances if len(begins) == len(usable) else np.minimum.reduceat(distances, begins, axis=1)
    count = min(len(points), len(begins))
    nearest = np.unique(np.argpartition(to_story, count - 1, axis=1)[:, :count])
    from scipy.optimize import linear_sum_assignment  # slow to import, and most methods do without

    places, columns = linear_sum_assignment(to_story[:, nearest])
    ends = np.append(begins[1:], len(usable))
    spans = [slice(begins[story], ends[story]) for story in nearest[columns]]
    pairs = zip(places.tolist(), spans, strict=True)
    return [(at, int(usable[span][np.argmin(distances[at, span])])) for at, span in pairs]


def _distances(problem: Problem, documents: Integers, points: Floats) -> Floats:
    """‖x − p‖² in float64, worked out where the documents lie if their pairs know of distances."""
    if problem.pairs.abilities.smooth:
        return cast(SmoothPairs, problem.pairs).squared_distances(documents, points)
    return problem.vectors.squared_distances(documents, points)


def in_rounds(picks: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Each group's picks, interleaved: all first ones, then all second ones, and so on."""
    longest = max((len(own) for own in picks), default=0)
    return tuple(own[rank] for rank in range(longest) for own in picks if rank < len(own))
