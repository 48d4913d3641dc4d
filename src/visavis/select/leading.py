"""Which documents lead: what a greedy search would pick at each of several contrasts, and what came close to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from visavis.contracts import Objective
from visavis.kernel.part import PartPairs
from visavis.kernel.vectors import DocumentVectors
from visavis.records import Booleans, Floats, Integers, Quota
from visavis.select.facts import Facts, Sequences
from visavis.select.methods import create_objective
from visavis.select.optimizers.greedy import greedy_picks
from visavis.select.problem import Problem

CONTRASTS = (0.0, 0.5, 0.9)
STEPS, CLOSE = 8, 128  # greedy picks at each contrast, and documents that came close to each


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
    sizes = tuple(max(min(size, n), len(pins)) if group in found else 0 for group, (n, pins) in enumerate(room))
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


def on_leading(problem: Problem, quota: Quota) -> Problem:
    """The same search among fewer candidates: those that lead by mean similarity, and those that were drawn.

    Which lead is told by the means that the sample gave of all candidates, at several contrasts. The same problem
    where these would be too few for the quota.
    """
    fewer = replace(problem, allowed=problem.allowed & _leads(problem), key=(problem.key, "leading"))
    wanted = sum(quota.sizes) if quota.sizes is not None else quota.budget or 0
    enough = np.all(fewer.room() >= np.minimum(problem.room(), wanted))
    return fewer if enough else problem


def walks_of_leading(
    problem: Problem, groups: Sequence[int], contrasts: Sequence[float], size: int, count: int
) -> dict[int, list[Walk]]:
    """`walks` where samples stand for very many documents: among the leading candidates, as if there were no others."""
    if problem.sample is None:
        return walks(problem, groups, contrasts, size, count)
    rows = np.flatnonzero(problem.allowed & _leads(problem))
    found = walks(_part(problem, rows), groups, contrasts, size, count)
    return {
        group: [[Step(int(rows[step.pick]), rows[step.leading], step.gains) for step in walk] for walk in walked]
        for group, walked in found.items()
    }


def _leads(problem: Problem) -> Booleans:
    """The documents that came close to being picked at some step, those that were drawn, and those that are pinned."""
    assert problem.sample is not None, "all documents are looked at"
    sample = problem.sample

    def compute() -> Booleans:
        marks = np.zeros(problem.n_documents, np.bool_)
        for walked in walks(problem, range(problem.n_groups), CONTRASTS, STEPS, CLOSE).values():
            for walk in walked:
                for step in walk:
                    marks[step.leading] = True
        marks[sample.rows] = True
        marks[[pin for pins in problem.pinned for pin in pins]] = True
        return marks

    return problem.facts.recent("leading", problem.key, compute)


def _part(problem: Problem, rows: Integers) -> Problem:
    """Some candidates, at least one of every group, with the means that they have among all documents."""
    counts = np.bincount(problem.owners(rows.tolist()), minlength=problem.n_groups)
    place = {int(row): at for at, row in enumerate(rows)}
    return replace(
        problem,
        pairs=PartPairs(problem.pairs, rows),
        vectors=DocumentVectors(problem.vectors.data, problem.vectors.order[rows]),
        bounds=np.concatenate([[0], np.cumsum(counts)]).astype(np.intp),
        weights=np.repeat(problem.totals() / counts, counts),  # what they are means over is as heavy as before
        allowed=problem.allowed[rows],
        stories=problem.stories[rows],
        pinned=tuple(tuple(place[pin] for pin in pins) for pins in problem.pinned),
        sums=lambda: problem.similarity_sums()[rows],
        facts=Facts(problem.compute.memory_mb),
        sequences=Sequences(),
        origins=None if problem.origins is None else problem.origins[rows],
        sample=None,
        within=None,
    )
