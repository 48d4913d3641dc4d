"""Exchange: swap a pick for a better document of its group, while the total rises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import ClassVar, cast

import numpy as np

from visavis.contracts import Exchangeable, Objective
from visavis.errors import Incompatible
from visavis.records import Booleans, Parameter, Quota
from visavis.select.optimizers.starting import INIT
from visavis.select.problem import Beginning, Outcome, Problem
from visavis.select.ties import first_best_document, worthwhile

SWEEPS = 100


@dataclass(frozen=True)
class Exchange:
    """Exchange as an optimizer: it improves on the picks it begins with."""

    init: str = "auto"
    name: ClassVar[str] = "exchange"
    parameters: ClassVar[tuple[Parameter, ...]] = (INIT,)
    nested: ClassVar[bool] = False
    moves_points: ClassVar[bool] = False

    def check(self, objective: Objective) -> None:
        """Only objectives that can swap picks can be improved by swaps."""
        as_exchangeable(objective)

    def run(self, objective: Objective, problem: Problem, quota: Quota, begin: Callable[[], Beginning]) -> Outcome:  # noqa: ARG002
        """The picks after swaps; the first ones stay if, in float64 over all documents, they are worth more."""
        swapping = as_exchangeable(objective)
        first = begin().sequence
        start = objective.trace(problem, first)
        sequence = exchange(swapping, problem, first, float(start[-1].sum()))
        exchanged = objective.trace(problem, sequence)
        if exchanged[-1].sum() < start[-1].sum():
            sequence, exchanged = first, start
        return Outcome(sequence, {"start": start[-1], "exchanged": exchanged[-1]}, objective, exchanged)


def as_exchangeable(objective: Objective) -> Exchangeable:
    """The objective, if it can swap picks. Raises Incompatible if not."""
    if not objective.abilities.swaps:
        raise Incompatible(f"objective {objective.name!r} cannot swap picks: combine it with greedy instead")
    return cast(Exchangeable, objective)


def exchange(objective: Exchangeable, problem: Problem, sequence: Sequence[int], total: float) -> tuple[int, ...]:
    """The picks after swaps, each in the place of the one it replaced; `total` is what they are worth before.

    Pinned documents stay.
    """
    state = objective.start(problem)
    for document in sequence:
        state = objective.add(state, document)
    picks = list(sequence)
    pinned = {document for pins in problem.pinned for document in pins}
    idle = 0  # places in a row that kept their pick: once all have, nothing is left to gain
    for place in islice(cycle(range(len(picks))), SWEEPS * len(picks)):
        leaving = picks[place]
        group = problem.group_of(leaving)
        start = problem.rows(group).start
        idle += 1
        open_ = _open_for(problem, group, picks, leaving)
        if leaving not in pinned and np.any(open_):
            gains = objective.swap_gains(state, leaving)
            best = first_best_document(problem, start, gains, open_)
            scale = float(np.abs(gains[open_]).max())
            if worthwhile(float(gains[best]), scale, total, problem.pairs.resolution):
                entering = start + best
                state = objective.swap(state, leaving, entering)
                picks[place] = entering
                total += float(gains[best])
                idle = 1  # this place was just filled as well as it can be
        if idle == len(picks):
            break
    return tuple(picks)


def _open_for(problem: Problem, group: int, picks: Sequence[int], leaving: int) -> Booleans:
    """Which documents of the group may take the place of one of its picks; shape (N_g,)."""
    rows = problem.rows(group)
    others = [pick for pick in picks if rows.start <= pick < rows.stop and pick != leaving]
    open_ = problem.open_beside(group, others)
    open_[leaving - rows.start] = False
    return open_
