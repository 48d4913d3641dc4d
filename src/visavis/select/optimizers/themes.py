"""Themes: each pick tells what the others leave untold, and serves the objective."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from visavis.contracts import Exchangeable, Objective, State
from visavis.inputs import check_number
from visavis.kernel.ties import largest
from visavis.records import Booleans, Floats, Parameter, Quota
from visavis.select.beside import Beside
from visavis.select.optimizers.exchange import Exchange, as_exchangeable
from visavis.select.optimizers.swapping import open_for
from visavis.select.problem import Beginning, Outcome, Problem
from visavis.select.ties import first_best_document, worthwhile
from visavis.select.untold import Untold

SWEEPS = 4  # over all picks
MANY = 60_000  # documents up to which themes are looked for; the words of more are not all read
WIDE = 1024  # numbers of a vector up to which main directions are looked for
LEADING = 1000  # documents of a group that are tried: the most telling of those that may be picked

CONTRAST = Parameter(
    "contrast", 0.6, lambda value: check_number("contrast", value, low=0.0, high=1.0),
    help="how much it counts to be unlike the other groups",
)  # fmt: skip
EMPHASIS = Parameter(
    "emphasis", 0.2, lambda value: check_number("emphasis", value, low=0.0),
    help="how much it counts that a pick tells what the others leave untold, beside the objective",
)  # fmt: skip
WORTH = Parameter(
    "worth", 2.0, lambda value: check_number("worth", value, low=0.0),
    help="how much it counts that a pick is worth showing, beside the objective, where documents were weighed",
)  # fmt: skip


@dataclass(frozen=True)
class Themes:
    """One pick after another makes room for the document that, beside the others, is best by U/u + ε·t/(G·M).

    G groups have M picks each; U is the objective with that document in the pick's place, u its unit, ε the emphasis,
    and t how telling the document is beside the other picks of its group (see `Untold`), as a share of the most telling
    one. Where documents were weighed it is the best by U/u + (ε·t + η·q)/(G·M): q is how much it is worth showing, and
    η what that counts. It is on none of the others' themes where such documents are left, else one of the farthest.
    The first picks are the most telling ones; where nothing is left to tell, the objective decides. Where there are no
    words, among very many documents, and among very wide ones, picks are only exchanged.
    """

    contrast: float = 0.6
    emphasis: float = 0.2
    worth: float = 2.0
    name: ClassVar[str] = "themes"
    parameters: ClassVar[tuple[Parameter, ...]] = (CONTRAST, EMPHASIS, WORTH)
    nested: ClassVar[bool] = False
    moves_points: ClassVar[bool] = False

    def check(self, objective: Objective) -> None:
        """Only objectives that can swap picks can be asked what another would bring."""
        as_exchangeable(objective)

    def run(self, objective: Objective, problem: Problem, quota: Quota, begin: Callable[[], Beginning]) -> Outcome:
        """The picks; a budget is divided as by greedy gains."""
        swapping = as_exchangeable(objective)
        if problem.words is None or problem.n_documents > MANY or problem.vectors.n_features > WIDE:
            return Exchange().run(objective, problem, quota, begin)
        if quota.sizes is None:
            sizes = np.bincount(problem.owners(begin().sequence), minlength=problem.n_groups)
        else:
            sizes = np.asarray(quota.sizes)
        untold = Untold(problem, self.contrast)
        searched = replace(problem, allowed=leading(untold, problem, int(sizes.max(initial=1))))
        beside = Beside(untold, self.emphasis, self.worth, swapping.unit(problem))
        search = _Search(swapping, searched, beside)
        search.fill(sizes)
        first = tuple(search.picks)
        for _ in range(SWEEPS):
            if not search.sweep():
                break
        return Outcome(tuple(search.picks), {"start": first, "exchanged": None}, objective, beside=beside)


def leading(untold: Untold, problem: Problem, size: int) -> Booleans:
    """The most telling documents of each group that may be picked, one a story where they are many, and the pins."""
    found = np.zeros(problem.n_documents, np.bool_)
    for group, pins in enumerate(problem.pinned):
        rows = problem.rows(group)
        there = np.flatnonzero(problem.allowed[rows])
        most = max(LEADING, 4 * size)
        if len(there) > most:
            there = there[np.argsort(-untold.first(group)[there], kind="stable")]
            _, first = np.unique(problem.stories[rows][there], return_index=True)  # of a story only one can be picked
            there = there[np.sort(first)[:most]]
        found[there + rows.start] = True
        found[list(pins)] = True
    return found


@dataclass
class _Search:
    objective: Exchangeable
    problem: Problem
    beside: Beside
    picks: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.state: State = self.objective.start(self.problem)
        self.untold = self.beside.untold
        self.moves, self.tried = 0, dict[int, int]()  # swaps so far, and how many there were when a place was tried
        self.pinned = {document for pins in self.problem.pinned for document in pins}

    def fill(self, sizes: np.ndarray[tuple[int, ...], np.dtype[np.intp]]) -> None:
        """The most telling document of each group in turn, pinned ones first."""
        for pins in self.problem.pinned:
            for document in pins:
                self._add(document)
        while True:
            counts = np.bincount(self.problem.owners(self.picks), minlength=self.problem.n_groups)
            short = np.flatnonzero(counts < sizes)
            if len(short) == 0:
                return
            for group in short[counts[short] == counts[short].min()].tolist():
                own = self._own(group)
                open_ = self.untold.apart(own, self.problem.open_beside(group, own))
                told = self.untold.told(group, own)
                if told[open_].max() <= 0.0:  # all is told: the objective decides
                    told = self.objective.gains(self.state, group)
                self._add(self._best(group, told, open_))

    def sweep(self) -> bool:
        """Every pick once, in the order they were made; whether any made room.

        One that was tried since the last swap is not tried again: it would stay.
        """
        before = self.moves
        for place, leaving in enumerate(tuple(self.picks)):
            if leaving not in self.pinned and self.tried.get(place) != self.moves:
                self.moves += self._improve(place, leaving)
                self.tried[place] = self.moves
        return self.moves > before

    def _improve(self, place: int, leaving: int) -> bool:
        group = self.problem.group_of(leaving)
        start = self.problem.rows(group).start
        others = [pick for pick in self._own(group) if pick != leaving]
        open_ = open_for(self.problem, group, self.picks, leaving)
        open_[leaving - start] = True  # it may stay
        open_ = self.untold.apart(others, open_)
        total = self.objective.swap_gains(self.state, leaving) + self.beside.counts(group, others, open_)
        entering = self._best(group, total, open_)
        gain = float(total[entering - start] - total[leaving - start])
        scale, resolution = largest(total[open_]), self.problem.pairs.resolution
        if open_[leaving - start] and not worthwhile(gain, scale, scale, resolution):
            return False
        self.state = self.objective.swap(self.state, leaving, entering)
        self.picks[place] = entering
        return True

    def _own(self, group: int) -> list[int]:
        rows = self.problem.rows(group)
        return [pick for pick in self.picks if rows.start <= pick < rows.stop]

    def _best(self, group: int, worth: Floats, open_: Booleans) -> int:
        start: int = self.problem.rows(group).start
        return start + first_best_document(self.problem, start, worth, open_)

    def _add(self, document: int) -> None:
        self.state = self.objective.add(self.state, document)
        self.picks.append(document)
