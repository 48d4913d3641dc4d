"""What each document pulls picks toward: its own group, or away from the others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from visavis.records import Floats
from visavis.select.problem import Problem


def field_weights(problem: Problem, contrast: float) -> Floats:
    """w_gj: the share of document j in group g, or −λ times its share of all others; shape (G, N)."""

    def compute() -> Floats:
        totals = problem.totals()
        rows = np.empty((problem.n_groups, problem.n_documents))
        for group in range(problem.n_groups):
            others = np.arange(problem.n_groups) != group
            if others.any():
                rows[group] = -contrast * (problem.weights / totals[others].sum())
            rows[group, problem.rows(group)] = problem.weights[problem.rows(group)] / totals[group]
        return rows

    return problem.facts.recent("field weights", contrast, compute)


def field_contributions(problem: Problem, sequence: Sequence[int], contrast: float) -> Floats:
    """2 Σ_g w_gi mean_{s∈S_g} k(x_i, s) for every document i; shape (N,)."""
    owner, columns, weights = problem.owners(sequence), problem.columns(sequence), field_weights(problem, contrast)
    found = np.zeros(problem.n_documents)
    for group in np.unique(owner):
        found += 2.0 * weights[group] * columns[:, owner == group].mean(axis=1)
    return found
