"""The door to a page that can choose anew: the leading candidates, their kernel, and bounds for all others."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

import numpy as np

from visavis.comparing.leading import best_ranked, challengers, paths
from visavis.comparing.overview import Overview
from visavis.comparing.session import DocumentSession
from visavis.explain.scores import standings
from visavis.kernel.threads import blocks
from visavis.records import Array, Candidate, Floats, GroupShortlist, Integers, Outside, Shortlist
from visavis.select.leading import Walk, walks_of_leading
from visavis.select.objectives.mmd import merit
from visavis.select.parameters import name_of
from visavis.select.problem import Problem
from visavis.select.search import Selection

CONTRASTS = tuple(k / 20 for k in range(20))  # from 0 to 0.95
PICKS = 16  # of each group, up to which the greedy picks at these contrasts are on the shortlist
ROOM, CARD, PAIR = 900_000, 700, 8 / 3  # bytes on a page: for all candidates, for one, and for each pair of a group's
PICTURE = 4_000  # bytes of a small picture
MOST_OUTSIDE = 50_000  # documents of which each is told how similar it is; beyond that they are only counted
ROUNDING = 1e-6  # of similarities, as the search sees them

TILE = 512


def make_shortlist(session: DocumentSession, selection: Selection, about: Overview) -> Shortlist | None:
    """What a reader needs to choose anew by mmd-diff-greedy; None where picks are so many that it would be too much.

    No pair is looked at but those of candidates with documents of their own group.
    """
    problem, every = selection.problem, range(selection.problem.n_groups)
    picked = [[pick for pick in selection.sequence if problem.group_of(pick) == group] for group in every]
    always = [sorted({*picked[group], *problem.pinned[group]}) for group in every]
    there = [np.flatnonzero(problem.allowed[problem.rows(group)]) + problem.rows(group).start for group in every]
    count = _count(problem.n_groups, any(document.image for document in session.documents))
    if count < 2 * max(map(len, always)):
        return None
    contrast = _contrast(selection)
    contrasts = tuple(sorted({*CONTRASTS, *(() if contrast is None else (contrast,))}))
    large = [group for group in every if len(there[group]) > count]
    walked = walks_of_leading(problem, large, contrasts, PICKS, count + 1)
    chosen = [best_ranked(walked[g], always[g], count) if g in large else there[g] for g in every]
    many = sum(map(len, there)) - sum(map(len, chosen)) > MOST_OUTSIDE
    places = {int(document): place for place, document in enumerate(np.concatenate(chosen))}
    return Shortlist(
        method=name_of(selection.request.method),
        contrast=contrast,
        contrasts=contrasts,
        resolution=problem.pairs.resolution,
        groups=tuple(_group(selection, g, chosen[g], walked.get(g, []), many=many) for g in every),
        candidates=tuple(
            one for group in every for one in _candidates(session, selection, about, group, chosen[group])
        ),
        picks=tuple(tuple(places[document] for document in picks) for picks in picked),
        pins=tuple(places[document] for pins in problem.pinned for document in pins),
    )


def _count(n_groups: int, pictures: bool) -> int:
    """How many candidates of each group there is room for: CARD·C + PAIR·C² bytes are to be ROOM divided by groups."""
    card = CARD + PICTURE * pictures
    return int((isqrt(int(card**2 + 4 * PAIR * ROOM / n_groups)) - card) / (2 * PAIR))


def _contrast(selection: Selection) -> float | None:
    """The contrast at which the picks were made, where the method has one that mmd-diff takes too."""
    found = [v for name, v in selection.parameters.items() if name.rpartition(".")[2] == "contrast"]
    return float(found[0]) if found and 0.0 <= found[0] < 1.0 else None


def _group(selection: Selection, group: int, chosen: Integers, walked: Sequence[Walk], *, many: bool) -> GroupShortlist:
    problem, rows = selection.problem, selection.problem.rows(group)
    own = merit(problem, 0.0)
    rest = own - merit(problem, 1.0)
    outside = np.setdiff1d(np.flatnonzero(problem.allowed[rows]) + rows.start, chosen)
    stories, told = _codes(problem.stories, chosen, outside)
    origins, came = (None, None) if problem.origins is None else _codes(problem.origins, chosen, outside)
    return GroupShortlist(
        rows=selection.order[chosen],
        own=own[chosen],
        rest=rest[chosen],
        kernel=problem.pairs.gram(chosen),
        stories=stories,
        origins=origins,
        copies=_copies(problem, chosen),
        floors=np.zeros(len(chosen)) if many else _floors(problem, chosen, outside),
        paths=paths(walked, chosen),
        challengers=challengers(walked, chosen),
        n_outside=len(outside),
        outside=None if many else Outside(
            _above(own[outside]), -_above(-rest[outside]), -_above(-problem.pairs.diagonal[outside]), told, came
        ),
    )  # fmt: skip


def _codes(labels: Integers, chosen: Integers, outside: Integers) -> tuple[Integers, Integers]:
    """Small numbers for the labels of those that were chosen, and the same for those outside; −1 for other labels."""
    known, codes = np.unique(labels[chosen], return_inverse=True)
    place = np.minimum(np.searchsorted(known, labels[outside]), len(known) - 1)
    return codes, np.where(known[place] == labels[outside], place, -1)


def _above(values: Floats) -> Array:
    """Float32 numbers that are no less."""
    return np.nextafter(values.astype(np.float32), np.float32(np.inf))


def _copies(problem: Problem, chosen: Integers) -> Integers:
    """For each candidate the first with the very same vector, −0 being 0."""
    first: dict[bytes, int] = {}
    rows = (row for part in blocks(len(chosen), 32) for row in problem.vectors.take(chosen[part]))
    return np.array([first.setdefault((row + 0.0).tobytes(), at) for at, row in enumerate(rows)], np.intp)


def _floors(problem: Problem, chosen: Integers, outside: Integers) -> Floats:
    """What no document outside is less similar to each candidate than; 0 where there is none outside."""
    found = [problem.pairs.block(outside[part], chosen).min(axis=0) for part in blocks(len(outside), TILE)]
    least = np.min(found, axis=0) if found else np.zeros(len(chosen))
    return np.asarray(least - ROUNDING * np.maximum(1.0, np.abs(least)), np.float64)


def _candidates(
    session: DocumentSession, selection: Selection, about: Overview, group: int, chosen: Integers
) -> list[Candidate]:
    rows = selection.order[chosen].tolist()
    return [
        Candidate(
            about.called(session.documents, row), row, group, int(session.points.families[row]),
            about.words.of_document(row, group), typical, distinct,
        )
        for row, (typical, distinct) in zip(rows, standings(selection.problem, group, chosen), strict=True)
    ]  # fmt: skip
