"""How often picks return when some documents are missing, and how often they would by chance."""

from __future__ import annotations

import numpy as np

from visavis.contracts import Kernel
from visavis.explain.holdout import stratified
from visavis.records import Array, Booleans, Integers

RESAMPLES, FEWEST_RESAMPLES = 20, 6
MUCH_WORK = 72_000  # picks times documents of a resample: beyond that there are fewer resamples
RESAMPLE_UP_TO = 1500
STRIP = 2**17  # documents whose distances are worked out at once
NEIGHBORS = 0.01  # a pick counts as returned if one of the nearest 1 % of its group's documents is picked instead


def resamples(codes: Integers, n_picks: int, rng: np.random.Generator) -> list[Integers]:
    """Rows of resamples: four fifths of every group (of a stratified sample of 1,500, above that)."""
    return [stratified(codes, _size(len(codes)), rng) for _ in range(count_resamples(len(codes), n_picks))]


def count_resamples(n_documents: int, n_picks: int) -> int:
    """20 resamples; fewer, but at least 6, where many picks have to be found anew among many documents."""
    work = max(1, n_picks * _size(n_documents))
    return min(RESAMPLES, max(FEWEST_RESAMPLES, RESAMPLES * MUCH_WORK // work))


def _size(n_documents: int) -> int:
    return min(n_documents, RESAMPLE_UP_TO) * 4 // 5


def neighborhoods(
    picks: Integers, codes: Integers, allowed: Booleans, kernel: Kernel, vectors: Array
) -> list[frozenset[int]]:
    """Each pick with the nearest 1 % of its group's candidates."""
    around = []
    for pick in picks:
        rows = np.flatnonzero((codes == codes[pick]) & allowed)
        count = max(1, int(np.ceil(NEIGHBORS * len(rows))))
        here = vectors[np.array([pick])]
        strips = (rows[start : start + STRIP] for start in range(0, len(rows), STRIP))
        distances = np.concatenate([kernel.distances(vectors[strip], here)[:, 0] for strip in strips])
        order = np.argsort(distances, kind="stable")
        around.append(frozenset(rows[order[: count + 1]].tolist()) | {int(pick)})
    return around


def chance_of_return(near: int, allowed: int, drawn: int) -> float:
    """The probability that `drawn` of so many `allowed` documents, at random, hold one of the `near` ones.

    1 − C(allowed − near, drawn) / C(allowed, drawn) = 1 − Π_{i<drawn} (allowed − near − i) / (allowed − i).
    """
    missed = 1.0
    for step in range(min(drawn, allowed)):
        missed *= max(0, allowed - near - step) / (allowed - step)
    return 1.0 - missed
