"""How typical each document is of its group: near the middle of it, and in the midst of others like it."""

from __future__ import annotations

from typing import Any

import numpy as np

from visavis.kernel.threads import ordered_map
from visavis.records import Floats, Integers, Points

NEAREST, FEWEST_NEAREST = 0.05, 8  # of a group's documents, those that are looked at around each
SAMPLE, FEWEST = 2000, 500  # documents of a group among which neighbors are sought; in very large groups fewer
PAIRS = 200_000_000  # of a group's documents with these, at most, while the fewest allow it
STRIP = 2048


def typicality(points: Points, codes: Integers, n_groups: int, threads: int = 1) -> Floats:
    """The mean of two ranks within the group, from 0 to 1; shape (N,).

    One is by cosine with the group's mean: who stands apart from the whole group is not typical of it. The other is by
    mean cosine with the nearest documents of the group: who has no neighbors tells a story of his own, not one of the
    group's main ones.
    """
    found = np.zeros(len(points.weights))
    for code in range(n_groups):
        inside = np.flatnonzero(codes == code)
        if len(inside) == 0:
            continue
        rows = _of_length_one(points.vectors[inside])
        mean = points.weights[inside] @ rows
        central = np.asarray(rows @ (mean / max(float(np.linalg.norm(mean)), 1e-12)))
        found[inside] = 0.5 * (_ranks(central) + _ranks(_crowded(rows, central, threads)))
    return found


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
    others = np.ascontiguousarray(rows[sample].T)

    def near(start: int) -> Floats:
        strip = slice(start, min(start + STRIP, n))
        cosines = rows[strip] @ others
        own = np.flatnonzero(place[strip] >= 0)
        cosines[own, place[strip][own]] = -1.0  # nobody is his own neighbor
        return np.asarray(np.partition(cosines, take - count, axis=1)[:, take - count :].mean(axis=1))

    return np.concatenate(list(ordered_map(near, range(0, n, STRIP), threads)))


def _of_length_one(vectors: Any) -> Floats:
    dense = np.asarray(vectors.todense() if hasattr(vectors, "todense") else vectors, np.float32)
    return np.asarray(dense / np.maximum(np.linalg.norm(dense, axis=1, keepdims=True), 1e-12))


def _ranks(values: Floats) -> Floats:
    """From 0 for the smallest to 1 for the largest."""
    ranks = np.empty(len(values))
    ranks[np.argsort(values, kind="stable")] = np.arange(len(values))
    return ranks / max(1, len(values) - 1)
