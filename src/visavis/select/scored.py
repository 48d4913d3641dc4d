"""The documents that softmin scores while a search goes on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from visavis.kernel.tiling import count
from visavis.records import Floats, Integers, Rows, Sample
from visavis.select.problem import Problem

SCORED = 3000  # documents in all; above that a stratified sample is scored
FEWEST = 50  # documents of a group


@dataclass(frozen=True, eq=False)
class Scored:
    """Documents, their groups, and their weights, which sum to 1/G in each group."""

    rows: Integers
    owner: Integers
    weights: Floats


def groups_and_weights(problem: Problem) -> tuple[Integers, Floats]:
    """The group of every document, and its weight in L: 1/G shared out within each group."""

    def compute() -> tuple[Integers, Floats]:
        owner = np.repeat(np.arange(problem.n_groups), np.diff(problem.bounds))
        return owner, problem.weights / problem.totals()[owner] / problem.n_groups

    return problem.facts.remember("groups and weights", compute)


def scored_documents(problem: Problem) -> Scored:
    """All documents up to a few thousand; above that, each group's share of so many.

    They are evenly spaced along the group's documents sorted by mean similarity with it, so the sample depends on
    what they say and not on the order they come in. Where a sample stands for the documents, they are of it.
    """
    rows: list[Integers] = []
    judged = [problem.judged(group)[0] for group in range(problem.n_groups)]
    n_judged = sum(map(count, judged))
    for group, span in enumerate(judged):
        n = count(span)
        take = n if n_judged <= SCORED else min(n, max(FEWEST, round(SCORED * n / n_judged)))
        inside = np.arange(span.start, span.stop) if isinstance(span, slice) else span
        if take < n:
            inside = inside[np.argsort(problem.similarity_sums()[inside, group], kind="stable")]
            inside = np.sort(inside[evenly_spaced(n, take)])
        rows.append(inside)
    owner = np.repeat(np.arange(problem.n_groups), [len(part) for part in rows])
    picked = np.concatenate(rows)
    weights = problem.weights[picked]
    return Scored(picked, owner, weights / np.bincount(owner, weights=weights)[owner] / problem.n_groups)


def evenly_spaced(count: int, size: int) -> Integers:
    """`size` of `count` places, from first to last."""
    return ((np.arange(size) + 0.5) * count / size).astype(np.intp)


def scored_of(problem: Problem) -> Scored:
    """The documents that are scored, chosen once for a problem."""
    return problem.facts.remember("scored documents", lambda: scored_documents(problem))


def judged_of(problem: Problem) -> Sample:
    """The same as a sample: weights add up to those of each group."""
    scored = scored_of(problem)
    return Sample(scored.rows, scored.weights * problem.n_groups * problem.totals()[scored.owner])


def calibrated_on(problem: Problem) -> tuple[Rows, Integers, Floats]:
    """The documents on which an open parameter is chosen, with their groups and weights in L: all, or the sample."""
    owner, weights = groups_and_weights(problem)
    if problem.sample is None:
        return slice(0, problem.n_documents), owner, weights
    own = owner[problem.sample.rows]
    return problem.sample.rows, own, problem.sample.weights / problem.totals()[own] / problem.n_groups
