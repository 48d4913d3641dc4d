"""How each pick does, in numbers: coverage, discrimination, diversity, their percentiles, and what it stands for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from visavis.records import Floats, Integers, Scores

if TYPE_CHECKING:
    from visavis.select.problem import Problem

VANISHING = 1e-290  # similarities too small to be told apart
TIED = 1e-9  # scores that differ by no more are the same


def pick_scores(problem: Problem, sequence: Sequence[int], names: Sequence[str]) -> list[Scores]:
    """Scores of each pick, in the order of `sequence`; `names` are the groups'."""
    picks, owner = np.array(sequence, np.intp), problem.owners(sequence)
    among = problem.among(sequence)
    means = problem.similarity_sums() / problem.totals()
    known = {int(group): _of_group(problem, means, int(group)) for group in np.unique(owner)}
    scores = []
    for k, document in enumerate(picks):
        group = int(owner[k])
        coverage, discrimination = known[group]
        place = document - problem.rows(group).start
        mates = (owner == group) & (np.arange(len(picks)) != k)
        others = [h for h in range(problem.n_groups) if h != group]
        scores.append(
            Scores(
                coverage=float(coverage[place]),
                discrimination=float(discrimination[place]),
                diversity=1.0 - float(among[k, mates].mean()) if mates.any() else None,
                versus={names[h]: float(coverage[place] - means[document, h]) for h in others},
                typical=percentile(coverage, place),
                distinct=percentile(discrimination, place) if others else None,
            )
        )
    return scores


def standings(problem: Problem, group: int, documents: Integers) -> list[tuple[float | None, float | None]]:
    """How typical and how distinct these documents of a group are, as percentiles; as `pick_scores` has them."""
    means = problem.similarity_sums() / problem.totals()
    coverage, discrimination = _of_group(problem, means, group)
    places = (documents - problem.rows(group).start).tolist()
    alone = problem.n_groups == 1
    return [(percentile(coverage, at), None if alone else percentile(discrimination, at)) for at in places]


def _of_group(problem: Problem, means: Floats, group: int) -> tuple[Floats, Floats]:
    """Coverage and discrimination of every document of a group; shapes (N_g,)."""
    rows, totals = problem.rows(group), problem.totals()
    others = np.arange(problem.n_groups) != group
    coverage = means[rows, group]
    if not others.any():
        return coverage, coverage
    return coverage, coverage - np.average(means[rows][:, others], axis=1, weights=totals[others])


def percentile(values: Floats, place: int) -> float | None:
    """Where one of the values stands among all, from 0 to 100, by mid-ranks; None if there is no other."""
    if len(values) < 2:
        return None
    width = TIED * max(1.0, float(np.abs(values).max()))
    below, upto = (int(np.count_nonzero(values < values[place] + edge)) for edge in (-width, width))
    return 50.0 * (below + upto) / len(values)


def nearest_picks(problem: Problem, sequence: Sequence[int]) -> Integers:
    """For every document, the place in `sequence` of its group's nearest pick, −1 if its group has none.

    The most similar pick is the nearest one; only where all similarities vanish are distances asked.
    """
    owner, columns = problem.owners(sequence), problem.each_column(sequence)
    nearest = np.full(problem.n_documents, -1, np.intp)
    for group in np.unique(owner).tolist():
        own = np.flatnonzero(owner == group)
        nearest[problem.rows(group)] = _nearest(problem, sequence, columns, group, own)
    return nearest


def stands_for(problem: Problem, sequence: Sequence[int]) -> tuple[Floats, Floats | None]:
    """Of all picks, the share of documents each is the nearest to: of its own group, and of all others together.

    Of picks that are equally near, one of the document's own group comes first.
    """
    owner, sizes = problem.owners(sequence), np.diff(problem.bounds)
    counts = nearest_counts(problem, sequence)
    own = counts[np.arange(len(owner)), owner]
    elsewhere = problem.n_documents - sizes[owner]
    rest = (counts.sum(axis=1) - own) / elsewhere if problem.n_groups > 1 else None
    return own / sizes[owner], rest


def nearest_counts(problem: Problem, sequence: Sequence[int]) -> Integers:
    """To how many documents of each group each pick is the nearest of all; shape (picks, G)."""
    owner, columns = problem.owners(sequence), problem.each_column(sequence)
    found = [
        _nearest(problem, sequence, columns, group, np.argsort(owner != group, kind="stable"))
        for group in range(problem.n_groups)
    ]
    return np.stack([np.bincount(nearest, minlength=len(owner)) for nearest in found], axis=1)


def _nearest(
    problem: Problem, sequence: Sequence[int], columns: Sequence[Floats], group: int, among: Integers
) -> Integers:
    """For every document of a group the nearest of some of the picks, by its place in `sequence`; shape (N_g,).

    The first in `among` where several are equally near.
    """
    rows, picks = problem.rows(group), np.array(sequence, np.intp)
    similar = [columns[pick][rows] for pick in among]
    found, most = np.zeros(len(similar[0]), np.intp), similar[0].copy()
    for place, column in enumerate(similar):
        np.copyto(found, place, where=column > most)
        np.maximum(most, column, out=most)
    lost = np.flatnonzero(most < VANISHING)
    if len(lost):
        lost = lost[np.max([np.abs(column[lost]) for column in similar], axis=0) < VANISHING]
    if len(lost):
        found[lost] = problem.pairs.proximity(lost + rows.start, picks[among], exact=True).argmax(axis=1)
    return np.asarray(among[found], np.intp)
