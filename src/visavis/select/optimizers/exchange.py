"""Exchange: swap a pick for a better document of its group, while the total rises."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import ClassVar, cast

import numpy as np

from visavis.contracts import Exchangeable, Objective, Tabled
from visavis.errors import Incompatible
from visavis.kernel.threads import blocks
from visavis.kernel.ties import largest
from visavis.records import Booleans, Floats, Integers, Parameter, Quota
from visavis.select.optimizers.starting import INIT
from visavis.select.problem import Beginning, Outcome, Problem
from visavis.select.scored import evenly_spaced
from visavis.select.ties import are_copies, first_best_document, worthwhile

MAX_SWEEPS = 100
DRAWN_PER_GROUP = 1000  # candidates; research/estimator.md, "Many documents"
NEAREST_PER_PICK = 100  # candidates after that, the same
STRIP_CANDIDATES = 128  # whose swaps with all picks are looked at together; timed at 64 to 512

Candidates = Callable[[int], Integers]  # the documents that are tried in the place of a pick, ascending


@dataclass(frozen=True)
class Exchange:
    """Exchange as an optimizer: it improves on the picks it begins with."""

    init: str = "auto"
    name: ClassVar[str] = "exchange"
    parameters: ClassVar[tuple[Parameter, ...]] = (INIT,)
    nested: ClassVar[bool] = False
    moves_points: ClassVar[bool] = False

    def check(self, objective: Objective) -> None:
        """Raise Incompatible for an objective that cannot swap picks."""
        if not objective.abilities.swaps:
            raise Incompatible(f"objective {objective.name!r} cannot swap picks: combine it with greedy instead")

    def run(self, objective: Objective, problem: Problem, quota: Quota, begin: Callable[[], Beginning]) -> Outcome:  # noqa: ARG002
        """The picks after swaps; the first picks where, in float64 over all documents, these are worth more."""
        self.check(objective)
        first = begin().sequence
        start = objective.values(problem, first)
        sequence = exchange(cast(Exchangeable, objective), problem, first, float(start.sum()))
        exchanged = start if sequence == first else objective.values(problem, sequence)
        if exchanged.sum() < start.sum():
            sequence, exchanged = first, start
        return Outcome(sequence, {"start": start, "exchanged": exchanged}, objective)


def exchange(objective: Exchangeable, problem: Problem, sequence: Sequence[int], total: float) -> tuple[int, ...]:
    """The picks after swaps, each in the place of the document it replaced; pinned documents stay.

    `total` is the value of the first picks. No swap with a candidate raises the value of the result. Candidates are all
    documents that may be picked. Where each gain takes a pass over documents and a group is large, they are first a
    sample of the group, then the documents nearest to each pick.
    """
    by_table = objective.abilities.tables
    search = (_TableSearch if by_table else _PlaceSearch)(objective, problem, sequence, total)
    drawn = [search.drawn(group) for group in range(problem.n_groups)]
    search.improve(lambda pick: drawn[problem.group_of(pick)])
    if any(search.is_large(group) for group in range(problem.n_groups)):
        search.improve(search.nearest)
    return tuple(search.picks)


def open_for(problem: Problem, group: int, picks: Sequence[int], leaving: int) -> Booleans:
    """Which documents of the group may take the place of one of its picks; shape (N_g,)."""
    rows = problem.rows(group)
    others = [pick for pick in picks if rows.start <= pick < rows.stop and pick != leaving]
    open_ = problem.open_beside(group, others)
    open_[leaving - rows.start] = False
    return open_


class _Search(ABC):
    """The picks so far, the objective's state of them, and their total."""

    def __init__(self, objective: Exchangeable, problem: Problem, sequence: Sequence[int], total: float) -> None:
        self.objective, self.problem, self.picks, self.total = objective, problem, list(sequence), total
        self.state = objective.start(problem)
        for document in sequence:
            self.state = objective.add(self.state, document)
        self.pinned = {document for pins in problem.pinned for document in pins}

    @abstractmethod
    def improve(self, candidates: Candidates) -> None:
        """Swap until no candidate gains in the place of any pick it is tried for."""

    @abstractmethod
    def centrality(self, group: int) -> Floats:
        """How near each document of a group is to all of it, by which it is ordered; shape (N_g,)."""

    def is_large(self, group: int) -> bool:
        """Whether a sample of the group is tried first."""
        return self.objective.abilities.scans and len(self._allowed(group)) > DRAWN_PER_GROUP

    def drawn(self, group: int) -> Integers:
        """The documents of a group that may be picked; of a large group, some evenly spaced from the most central on,
        and its picks."""
        usable = self._allowed(group)
        if not self.is_large(group):
            return usable
        rows = self.problem.rows(group)
        own = [pick for pick in self.picks if rows.start <= pick < rows.stop]
        order = np.argsort(self.centrality(group)[usable - rows.start], kind="stable")
        return np.union1d(usable[order[evenly_spaced(len(usable), DRAWN_PER_GROUP)]], own)

    def nearest(self, pick: int) -> Integers:
        """The documents of a pick's group that are nearest to it and may be picked, itself among them."""
        usable = self._allowed(self.problem.group_of(pick))
        near = self.problem.pairs.proximity(usable, np.array([pick]))[:, 0].astype(np.float64)
        near[usable == pick] = np.inf
        count = min(NEAREST_PER_PICK, len(usable))
        return np.sort(usable[np.argpartition(-near, count - 1)[:count]])

    def swap(self, place: int, entering: int, gain: float, scale: float) -> bool:
        """Make a swap, unless its gain is noise."""
        leaving = self.picks[place]
        gains_more = worthwhile(gain, scale, self.total, self.problem.pairs.resolution)
        if not gains_more or are_copies(self.problem, leaving, entering):
            return False
        self.state = self.objective.swap(self.state, leaving, entering)
        self.picks[place] = entering
        self.total += gain
        return True

    def _allowed(self, group: int) -> Integers:
        rows = self.problem.rows(group)
        return np.asarray(np.flatnonzero(self.problem.allowed[rows]) + rows.start)


class _PlaceSearch(_Search):
    """Place after place gets its best candidate."""

    def improve(self, candidates: Candidates) -> None:
        """Swap until no place has gained for a whole sweep."""
        idle_places = 0
        for place in islice(cycle(range(len(self.picks))), MAX_SWEEPS * len(self.picks)):
            idle_places = 1 if self._fill(place, candidates) else idle_places + 1
            if idle_places == len(self.picks):
                break

    def centrality(self, group: int) -> Floats:
        """The mean similarity with the group, up to a factor."""
        return self.problem.similarity_sums()[self.problem.rows(group), group]

    def _fill(self, place: int, candidates: Candidates) -> bool:
        problem, leaving = self.problem, self.picks[place]
        if leaving in self.pinned:
            return False
        group, tried = problem.group_of(leaving), candidates(leaving)
        start = problem.rows(group).start
        is_open = open_for(problem, group, self.picks, leaving)
        untried = np.ones(len(is_open), np.bool_)
        untried[tried - start] = False
        is_open[untried] = False
        if not is_open.any():
            return False
        gains = np.full(len(is_open), -np.inf)
        gains[tried - start] = self.objective.swap_gains(self.state, leaving, tried)
        best = first_best_document(problem, start, gains, is_open)
        return self.swap(place, start + best, float(gains[best]), largest(gains[is_open]))


class _TableSearch(_Search):
    """Some candidates of a group after the other, each with all picks at once (Schubert and Rousseeuw, 2021)."""

    def improve(self, candidates: Candidates) -> None:
        """Swap in one group after the other."""
        for group in range(self.problem.n_groups):
            places = [place for place, pick in enumerate(self.picks) if self.problem.group_of(pick) == group]
            if places:
                self._improve_group(group, places, candidates)

    def _improve_group(self, group: int, places: Sequence[int], candidates: Candidates) -> None:
        """Swap until no strip of candidates gains; other picks may have other candidates."""
        for _ in range(MAX_SWEEPS):
            swaps = [self._swap_best(group, places, strip) for strip in self._strips(group, places, candidates)]
            if not any(swaps):
                return

    def centrality(self, group: int) -> Floats:
        """The value of each document as the only pick of its group."""
        return self.objective.gains(self.objective.start(self.problem), group)

    def _strips(self, group: int, places: Sequence[int], candidates: Candidates) -> list[Integers]:
        """Central documents first, so that the result does not depend on the order in which documents came."""
        tried = np.unique(np.concatenate([candidates(self.picks[place]) for place in places]))
        start = self.problem.rows(group).start
        ordered = tried[np.argsort(-self.centrality(group)[tried - start], kind="stable")]
        return [ordered[part] for part in blocks(len(ordered), STRIP_CANDIDATES)]

    def _swap_best(self, group: int, places: Sequence[int], strip: Integers) -> bool:
        """Make the best swap of a strip, if it gains."""
        problem, own = self.problem, [self.picks[place] for place in places]
        is_open = np.zeros((len(strip), len(own)), np.bool_)
        for column, leaving in enumerate(own):
            if leaving not in self.pinned:
                is_open[:, column] = open_for(problem, group, own, leaving)[strip - problem.rows(group).start]
        if not is_open.any():
            return False
        gains = cast(Tabled, self.objective).swap_table(self.state, group, strip)
        candidate, column = divmod(int(problem.pairs.best(gains.ravel(), is_open.ravel())[0]), len(own))
        gain, entering = float(gains[candidate, column]), int(strip[candidate])
        return self.swap(places[column], entering, gain, largest(gains[is_open]))
