"""The documents on which a likelihood is judged while a search goes on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from visavis.records import Floats, Integers
from visavis.select.problem import Problem

SCORED = 3000  # documents; above that a stratified sample is scored
FEWEST = 50  # of a group


@dataclass(frozen=True, eq=False)
class Scored:
    """Documents, their groups, and their weights, which sum to 1/G in each group."""

    rows: Integers
    owner: Integers
    weights: Floats


def groups_and_weights(problem: Problem) -> tuple[Integers, Floats]:
    """The group of every document, and its weight in L: 1/G shared out within each group."""
    owner = np.repeat(np.arange(problem.n_groups), np.diff(problem.bounds))
    return owner, problem.weights / problem.totals()[owner] / problem.n_groups


def scored_documents(problem: Problem) -> Scored:
    """All documents up to a few thousand; above that, each group's share of so many.

    They are evenly spaced along the group's documents sorted by mean similarity with it, so the sample depends on
    what they say and not on the order they come in.
    """
    rows: list[Integers] = []
    for group in range(problem.n_groups):
        span = problem.rows(group)
        n = span.stop - span.start
        take = n if problem.n_documents <= SCORED else min(n, max(FEWEST, round(SCORED * n / problem.n_documents)))
        inside = np.arange(span.start, span.stop)
        if take < n:
            inside = inside[np.argsort(problem.similarity_sums()[span, group], kind="stable")]
            inside = np.sort(inside[((np.arange(take) + 0.5) * n / take).astype(np.intp)])
        rows.append(inside)
    owner = np.repeat(np.arange(problem.n_groups), [len(part) for part in rows])
    picked = np.concatenate(rows)
    weights = problem.weights[picked]
    return Scored(picked, owner, weights / np.bincount(owner, weights=weights)[owner] / problem.n_groups)
