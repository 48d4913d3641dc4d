"""How each pick does, in numbers: coverage, discrimination, diversity, and which documents it stands for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from visavis.records import Integers, Scores

if TYPE_CHECKING:
    from visavis.select.problem import Problem

VANISHING = 1e-290  # similarities too small to be told apart


def pick_scores(problem: Problem, sequence: Sequence[int], names: Sequence[str]) -> list[Scores]:
    """Scores of each pick, in the order of `sequence`; `names` are the groups'."""
    means = problem.similarity_sums() / problem.totals()
    picks = np.array(sequence, np.intp)
    owner = problem.owners(sequence)
    among = problem.columns(sequence)[picks]
    totals = problem.totals()
    scores = []
    for k, document in enumerate(picks):
        group = owner[k]
        others = np.arange(problem.n_groups) != group
        mates = (owner == group) & (np.arange(len(picks)) != k)
        own = float(means[document, group])
        rest = float(np.average(means[document, others], weights=totals[others])) if others.any() else 0.0
        scores.append(
            Scores(
                coverage=own,
                discrimination=own - rest,
                diversity=1.0 - float(among[k, mates].mean()) if mates.any() else None,
                versus={names[int(h)]: own - float(means[document, h]) for h in np.flatnonzero(others)},
            )
        )
    return scores


def nearest_picks(problem: Problem, sequence: Sequence[int]) -> Integers:
    """For every document, the place in `sequence` of its group's nearest pick, −1 if its group has none.

    The most similar pick is the nearest one; only where all similarities vanish are distances asked.
    """
    owner, columns = problem.owners(sequence), problem.columns(sequence)
    picks = np.array(sequence, np.intp)
    nearest = np.full(problem.n_documents, -1, np.intp)
    for group in np.unique(owner):
        rows, own = problem.rows(int(group)), np.flatnonzero(owner == group)
        similar = columns[rows][:, own]
        found = similar.argmax(axis=1)
        lost = np.flatnonzero(np.abs(similar).max(axis=1) < VANISHING)
        if len(lost):
            found[lost] = problem.pairs.proximity(lost + rows.start, picks[own], exact=True).argmax(axis=1)
        nearest[rows] = own[found]
    return nearest
