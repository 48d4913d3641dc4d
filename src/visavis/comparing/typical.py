"""How typical each document is of its group: by the words it shares with it, or by where its vector lies."""

from __future__ import annotations

from typing import Any

import numpy as np

from visavis.kernel.threads import blocks, ordered_map
from visavis.records import Floats, Integers, Points
from visavis.shared.ranks import in_order, rank_beside

OTHERS = 0.6  # how much it counts to share words with other groups: as the usual contrast has it, whatever it is
NEAREST, FEWEST_NEAREST = 0.05, 8  # of a group's documents, those that are looked at around each
SAMPLE, FEWEST = 2000, 500  # documents of a group among which neighbors are sought; in very large groups fewer
PAIRS = 200_000_000  # of a group's documents with these, at most, while the fewest allow it
STRIP = 2048


def typicality(
    points: Points, codes: Integers, n_groups: int, threads: int = 1, beside: Floats | None = None
) -> Floats:
    """A rank within the group, from 0 to 1; shape (N,). The number of threads changes nothing.

    Where words are known, it is by those that the group has more of than others: who has few of them is odd to its
    readers, wherever the vectors lie. What is known of the documents `beside` their words, shape (N,), counts with
    their ranks by these (see `with_beside`).
    """
    if points.words is not None:
        return _by_words(points, codes, n_groups, beside)
    found = np.zeros(len(points.weights))
    for code in range(n_groups):
        inside = np.flatnonzero(codes == code)
        if len(inside):
            found[inside] = _by_vectors(points.vectors[inside], points.weights[inside], threads)
    return found


def _by_words(points: Points, codes: Integers, n_groups: int, beside: Floats | None) -> Floats:
    totals = np.bincount(codes, points.weights, n_groups)
    sums = np.stack([(points.weights * (codes == code)) @ points.words for code in range(n_groups)])
    every, found = sums.sum(axis=0), np.zeros(len(points.weights))
    for code in range(n_groups):
        inside, others = np.flatnonzero(codes == code), float(totals.sum() - totals[code])
        if len(inside):
            words = sums[code] / max(totals[code], 1e-12)
            words = words - OTHERS * (every - sums[code]) / max(others, 1e-12)
            told = np.asarray(points.words[inside] @ np.maximum(words, 0.0)).ravel()
            found[inside] = rank_beside(told, None if beside is None else beside[inside])
    return found


def _by_vectors(vectors: Any, weights: Floats, threads: int) -> Floats:
    """The mean of two ranks within a group.

    One is by cosine with the group's mean: who stands apart from the whole group is not typical of it. The other is by
    mean cosine with the nearest documents of the group: who has no neighbors tells a story of his own, not one of the
    group's main ones.
    """
    rows = _of_length_one(vectors)
    mean = weights @ rows
    central = np.asarray(rows @ (mean / max(float(np.linalg.norm(mean)), 1e-12)))
    return np.asarray(0.5 * (_ranks(central) + _ranks(_crowded(rows, central, threads))))


def _crowded(rows: Floats, central: Floats, threads: int) -> Floats:
    """Mean cosine of each row with the nearest others, sought among an even sample of central and remote ones."""
    n = len(rows)
    take = min(n, SAMPLE, max(FEWEST, PAIRS // max(n, 1)))
    sample = np.argsort(central, kind="stable")[((np.arange(take) + 0.5) * n / take).astype(np.intp)]
    count = min(take - 1, max(FEWEST_NEAREST, int(NEAREST * take)))
    if count < 1:
        return np.zeros(n)
    place = np.full(n, -1)
    place[sample] = np.arange(take)
    among = rows[sample].T

    def work(strip: slice) -> Floats:
        cosines = rows[strip] @ among
        own = np.flatnonzero(place[strip] >= 0)
        cosines[own, place[strip][own]] = -1.0  # nobody is his own neighbor
        cosines.partition(take - count, axis=1)
        return np.asarray(cosines[:, take - count :].mean(axis=1))

    strips = blocks(n, STRIP)
    return np.concatenate(list(ordered_map(work, strips, min(threads, len(strips)))), dtype=np.float64)


def _of_length_one(vectors: Any) -> Floats:
    dense = np.asarray(vectors.todense() if hasattr(vectors, "todense") else vectors, np.float32)
    return np.asarray(dense / np.maximum(np.linalg.norm(dense, axis=1, keepdims=True), 1e-12))


def _ranks(values: Floats) -> Floats:
    """From 0 for the smallest to 1 for the largest."""
    return in_order(np.argsort(values, kind="stable"))
