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


def walks(problem: Problem, contrasts: Sequence[float], size: int, count: int) -> list[list[Walk]]:
    """For each group and contrast the steps of mmd-diff-greedy, with the `count` leading documents of each step."""
    room = zip(problem.room().tolist(), problem.pinned, strict=True)
    sizes = tuple(max(min(size, n), len(pins)) for n, pins in room)
    found: list[list[Walk]] = [[] for _ in sizes]
    for contrast in contrasts:
        objective = create_objective("mmd-diff", {"contrast": contrast})
        sequence = greedy_picks(objective, problem, Quota(sizes=sizes))
        owner = problem.owners(sequence)
        for group, walked in enumerate(found):
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


def challengers(walked: Sequence[Walk], chosen: Integers, most: int) -> Floats:
    """The largest gain at each step of a document that was not chosen, −∞ where there is none; (contrasts, most)."""
    found = np.full((len(walked), most), -np.inf)
    for at, walk in enumerate(walked):
        for n, step in enumerate(walk):
            others = step.gains[~np.isin(step.leading, chosen)]
            found[at, n] = others.max(initial=-np.inf)
    return found
