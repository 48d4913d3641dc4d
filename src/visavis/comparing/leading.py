"""Which documents lead: what a greedy search would pick at each of many contrasts, and what came close to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from visavis.contracts import Objective
from visavis.records import Floats, Integers, Quota
from visavis.select.methods import create_objective
from visavis.select.optimizers.greedy import greedy_picks
from visavis.select.problem import Problem


@dataclass(frozen=True, eq=False)
class Step:
    """A greedy pick, and the documents that would have gained most in its place, the best first, with their gains."""

    pick: int
    leading: Integers
    gains: Floats


Walk = list[Step]


def walks(
    problem: Problem, groups: Sequence[int], contrasts: Sequence[float], size: int, count: int
) -> dict[int, list[Walk]]:
    """For each of these groups, at each contrast, the steps of mmd-diff-greedy with their `count` leading documents."""
    found: dict[int, list[Walk]] = {group: [] for group in groups}
    room = zip(problem.room().tolist(), problem.pinned, strict=True)
    sizes = tuple(max(min(size, n), len(pins)) for n, pins in room)
    for contrast in contrasts if found else ():
        objective = create_objective("mmd-diff", {"contrast": contrast})
        sequence = greedy_picks(objective, problem, Quota(sizes=sizes))
        owner = problem.owners(sequence)
        for group, walked in found.items():
            picks = [pick for pick, own in zip(sequence, owner, strict=True) if own == group]
            walked.append(_walk(objective, problem, group, picks, count))
    return found


def _walk(objective: Objective, problem: Problem, group: int, picks: Sequence[int], count: int) -> Walk:
    """The steps to these picks; where they come from closes nothing, since a ban may open what it closed."""
    anywhere, rows = replace(problem, origins=None), problem.rows(group)
    state, steps = objective.start(problem), []
    for n, pick in enumerate(picks):
        open_ = anywhere.open_beside(group, picks[:n])
        gains = np.where(open_, objective.gains(state, group), -np.inf)
        top = np.argpartition(-gains, min(count, len(gains)) - 1)[:count]
        top = top[np.argsort(-gains[top], kind="stable")]
        top = top[open_[top]]
        steps.append(Step(pick, top + rows.start, gains[top]))
        state = objective.add(state, pick)
    return steps


def best_ranked(walked: Sequence[Walk], always: Sequence[int], count: int) -> Integers:
    """Of a group's documents the `count` that came nearest to being picked at some step, in their order.

    What was picked comes before what was second, and of those what was picked early; some are `always` among them.
    """
    documents, ranks, steps = [np.array(always, np.intp)], [np.full(len(always), -1)], [np.zeros(len(always), np.intp)]
    for walk in walked:
        for n, step in enumerate(walk):
            others = step.leading[step.leading != step.pick]
            documents.append(np.concatenate([[step.pick], others]))
            ranks.append(np.arange(len(others) + 1))
            steps.append(np.full(len(others) + 1, n))
    every = np.concatenate(documents)
    order = np.lexsort([every, np.concatenate(steps), np.concatenate(ranks)])
    _, first = np.unique(every[order], return_index=True)
    return np.sort(every[order][np.sort(first)[:count]])


def paths(walked: Sequence[Walk], chosen: Integers) -> Integers:
    """Where the picks of each walk stand among the chosen, −1 from the first that is not chosen; (contrasts, steps)."""
    found = np.full(_shape(walked), -1, np.intp)
    for at, walk in enumerate(walked):
        picks = np.array([step.pick for step in walk], np.intp)
        lost = np.flatnonzero(~np.isin(picks, chosen))
        known = picks[: lost[0] if len(lost) else None]
        found[at, : len(known)] = np.searchsorted(chosen, known)
    return found


def challengers(walked: Sequence[Walk], chosen: Integers) -> Floats:
    """The largest gain at each step of a document that was not chosen, −∞ where there is none; (contrasts, steps)."""
    found = np.full(_shape(walked), -np.inf)
    for at, walk in enumerate(walked):
        for n, step in enumerate(walk):
            others = step.gains[~np.isin(step.leading, chosen)]
            found[at, n] = others.max(initial=-np.inf)
    return found


def _shape(walked: Sequence[Walk]) -> tuple[int, int]:
    return len(walked), max(map(len, walked), default=0)
