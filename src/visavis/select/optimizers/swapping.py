"""Swaps: a pick makes room for a better document of its group, one place at a time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, islice

import numpy as np

from visavis.contracts import Exchangeable
from visavis.kernel.ties import largest
from visavis.records import Booleans
from visavis.select.problem import Problem
from visavis.select.ties import are_copies, first_best_document, worthwhile

SWEEPS = 100


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
        open_ = open_for(problem, group, picks, leaving)
        if leaving not in pinned and np.any(open_):
            gains = objective.swap_gains(state, leaving)
            best = first_best_document(problem, start, gains, open_)
            scale = largest(gains[open_])
            gain, entering = float(gains[best]), start + best
            gains_more = worthwhile(gain, scale, total, problem.pairs.resolution)
            if gains_more and not are_copies(problem, leaving, entering):
                state = objective.swap(state, leaving, entering)
                picks[place] = entering
                total += gain
                idle = 1  # this place was just filled as well as it can be
        if idle == len(picks):
            break
    return tuple(picks)


def open_for(problem: Problem, group: int, picks: Sequence[int], leaving: int) -> Booleans:
    """Which documents of the group may take the place of one of its picks; shape (N_g,)."""
    rows = problem.rows(group)
    others = [pick for pick in picks if rows.start <= pick < rows.stop and pick != leaving]
    open_ = problem.open_beside(group, others)
    open_[leaving - rows.start] = False
    return open_
