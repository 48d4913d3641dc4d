"""Greedy search: the document with the largest gain, again and again, group by group."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, cast

import numpy as np

from visavis.contracts import Climbing, ClimbingPairs, Lazy, Objective, State
from visavis.kernel.ties import largest, tie_width
from visavis.records import Booleans, Floats, Parameter, Quota
from visavis.select.problem import Beginning, Outcome, Problem
from visavis.select.ties import first_best_document

FIRST_BATCH = 64


@dataclass(frozen=True)
class Greedy:
    """Greedy search as an optimizer: it needs no beginning, and there is nothing to tell it."""

    name: ClassVar[str] = "greedy"
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    nested: ClassVar[bool] = True  # the first m rounds are the answer for size m
    moves_points: ClassVar[bool] = False

    def check(self, objective: Objective) -> None:
        """Every objective will do."""

    def run(
        self,
        objective: Objective,
        problem: Problem,
        quota: Quota,
        begin: Callable[[], Beginning],  # noqa: ARG002 (it starts from nothing)
    ) -> Outcome:
        """The picks."""
        return Outcome(greedy_picks(objective, problem, quota), {"start": None}, objective)


def greedy_picks(objective: Objective, problem: Problem, quota: Quota) -> tuple[int, ...]:
    """`greedy`, made once for a session: a run for a larger size has the answers for all smaller ones."""
    sizes = set(quota.sizes or ())
    if len(sizes) != 1 or any(problem.pinned):
        exactly = ("greedy", problem.frame, problem.key, objective, quota)
        return problem.sequences.recall(exactly, lambda: greedy(objective, problem, quota))
    size = max(sizes)
    key = ("greedy of one size", problem.frame, problem.key, objective)
    longest = problem.sequences.longest(key, size, lambda: greedy(objective, problem, quota))
    return longest[: size * problem.n_groups]


def greedy(objective: Objective, problem: Problem, quota: Quota) -> tuple[int, ...]:
    """Picks in the order they were made: one for each group in turn, or, on a budget, where the next gain is largest.

    The first m rounds are the answer for size m. Pinned documents come first.
    """
    told = objective.abilities.climbs and problem.pairs.climbs and problem.origins is None and not problem.has_sums
    if told and quota.sizes is not None:
        steps = cast(Climbing, objective).climb(problem, quota.sizes)
        return cast(ClimbingPairs, problem.pairs).climb(steps)
    search = _Search(objective, problem)
    for group, pins in enumerate(problem.pinned):
        for document in pins:
            search.take(group, document)
    if quota.budget is None:
        search.fill(np.asarray(quota.sizes))
    else:
        search.fill(np.ones(problem.n_groups, np.intp))
        search.spend(quota.budget)
    return tuple(search.sequence)


@dataclass
class _Search:
    objective: Objective
    problem: Problem
    sequence: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.state: State = self.objective.start(self.problem)
        self.open = self.problem.allowed.copy()
        self.counts = np.zeros(self.problem.n_groups, np.intp)
        lazy = self.objective.abilities.lazy and self.objective.abilities.separable
        self._bests: list[_Best] = [_LazyBest() if lazy else _Best() for _ in range(self.problem.n_groups)]

    def fill(self, sizes: np.ndarray[tuple[int, ...], np.dtype[np.intp]]) -> None:
        """Round by round, one pick for every group that still lacks some."""
        while np.any(self.counts < sizes):
            lowest = self.counts[self.counts < sizes].min()
            for group in np.flatnonzero((self.counts < sizes) & (self.counts == lowest)):
                self.take(int(group), self.best(int(group))[0])

    def spend(self, budget: int) -> None:
        """The rest of the budget, each pick to the group where it gains most."""
        while len(self.sequence) < budget:
            groups = [g for g in range(self.problem.n_groups) if np.any(self.open[self.problem.rows(g)])]
            found = [self.best(g) for g in groups]
            top = max(gain for _, gain in found)
            width = tie_width(max(abs(gain) for _, gain in found), self.problem.pairs.resolution)
            winner = next(k for k, (_, gain) in enumerate(found) if gain >= top - width)
            self.take(groups[winner], found[winner][0])

    def best(self, group: int) -> tuple[int, float]:
        """The document to pick next in a group, and its gain."""
        rows = self.problem.rows(group)
        place, gain = self._bests[group].find(self, group, self.open[rows])
        return rows.start + place, gain

    def take(self, group: int, document: int) -> None:
        self.state = self.objective.add(self.state, document)
        self.counts[group] += 1
        self.sequence.append(document)
        self.problem.close(self.open, document, self.sequence)
        self._bests[group].stale()


class _Best:
    """Asks for all gains of the group, every time."""

    def find(self, search: _Search, group: int, allowed: Booleans) -> tuple[int, float]:
        gains = search.objective.gains(search.state, group)
        place = first_best_document(search.problem, search.problem.rows(group).start, gains, allowed)
        return place, float(gains[place])

    def stale(self) -> None:
        """Nothing is kept."""


class _LazyBest(_Best):
    """Keeps old gains as upper bounds and re-evaluates, in growing batches, only documents that might still win."""

    def __init__(self) -> None:
        self._bounds: Floats | None = None
        self._found: tuple[int, float] | None = None

    def stale(self) -> None:
        self._found = None

    def find(self, search: _Search, group: int, allowed: Booleans) -> tuple[int, float]:
        if self._found is None:
            self._found = self._search(search, group, allowed)
        return self._found

    def _search(self, search: _Search, group: int, allowed: Booleans) -> tuple[int, float]:
        resolution = search.problem.pairs.resolution
        if self._bounds is None:
            self._bounds = search.objective.gains(search.state, group)
            place = first_best_document(search.problem, search.problem.rows(group).start, self._bounds, allowed)
            return place, float(self._bounds[place])
        objective = cast(Lazy, search.objective)  # its abilities say so
        start = search.problem.rows(group).start
        order = np.argsort(np.where(allowed, -self._bounds, np.inf), kind="stable")[: int(allowed.sum())]
        fresh = np.zeros(len(allowed), np.bool_)
        done, batch, best = 0, FIRST_BATCH, -np.inf
        slack = 2.0 * tie_width(largest(self._bounds[allowed]), resolution)
        while done < len(order) and self._bounds[order[done]] >= best - slack:
            tried = np.sort(order[done : done + batch])
            self._bounds[tried] = objective.gains_among(search.state, group, tried + start)
            fresh[tried] = True
            best = max(best, float(self._bounds[tried].max()))
            done, batch = done + batch, batch * 2
        place = first_best_document(search.problem, start, self._bounds, fresh)
        return place, float(self._bounds[place])
