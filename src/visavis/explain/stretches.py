"""Stretches of time: how long they must be for what happens in one to say little about the next."""

from __future__ import annotations

import numpy as np

from visavis.explain.blocks import LEAST
from visavis.records import Array, Floats, Integers

LENGTHS = (1, 2, 3, 5, 7, 10, 14, 21, 28, 42, 56, 84, 112, 182, 365, 730, 1461, 2922)  # days that are tried
SHARED = 0.2  # of what documents of one stretch share: neighbors that share no more are independent enough
NEXT, FAR = 1, (3, 8)  # how many stretches apart neighbors are, and those they are compared with
DEALT = 3  # runs of days that every group must have, for days to have been dealt rather than cut


def find_stretches(days: Floats, groups: Integers, vectors: Array) -> tuple[Integers, int]:
    """For each document its stretch (−1 without a date), and how many days a stretch has.

    Days in a row of the same group are a run. Where every group has several, runs were dealt, and a stretch is as long
    as the shortest of them or longer. Otherwise runs are cut into stretches, as short as may be while neighbors share
    little.
    """
    known = np.flatnonzero(np.isfinite(days))
    when = np.floor(days[known]).astype(np.int64)
    runs, starts, ends = _runs(when, groups[known])
    counts = np.bincount(_group_of_runs(runs, groups[known]), minlength=int(groups.max()) + 1)
    least = 1
    if counts.min() >= DEALT:
        inner = (ends - starts)[1:-1]
        least = int(np.quantile(inner, 0.1)) if len(inner) else 1
    options = [length for length in LENGTHS if length >= least] or [least]
    length = options[-1]
    for length in options:
        pieces = _cut(when, runs, starts, ends, length)
        if _independent(pieces, runs, vectors[known]) or _fewest(pieces, groups[known]) < LEAST:
            break
    found = np.full(len(days), -1, np.intp)
    found[known] = _cut(when, runs, starts, ends, length)
    return found, length


def _runs(when: Integers, groups: Integers) -> tuple[Integers, Integers, Integers]:
    """For each document the run of days it lies in, and the first day and the day after the last of every run."""
    days, place = np.unique(when, return_inverse=True)
    votes = np.zeros((len(days), int(groups.max()) + 1), np.intp)
    np.add.at(votes, (place, groups), 1)
    owner = votes.argmax(axis=1)
    begins = np.concatenate(([True], owner[1:] != owner[:-1]))
    number = np.cumsum(begins) - 1
    starts = days[begins]
    ends = np.concatenate((days[np.flatnonzero(begins)[1:]], [days[-1] + 1]))
    return number[place], starts, ends


def _group_of_runs(runs: Integers, groups: Integers) -> Integers:
    votes = np.zeros((int(runs.max()) + 1, int(groups.max()) + 1), np.intp)
    np.add.at(votes, (runs, groups), 1)
    return np.asarray(votes.argmax(axis=1))


def _cut(when: Integers, runs: Integers, starts: Integers, ends: Integers, length: int) -> Integers:
    """Every run in equal stretches of about `length` days, numbered in the order of time; shape (documents,)."""
    pieces = np.maximum(1, np.round((ends - starts) / length)).astype(np.int64)
    before = np.concatenate(([0], np.cumsum(pieces)[:-1]))
    within = (when - starts[runs]) * pieces[runs] // np.maximum(1, ends - starts)[runs]
    return np.asarray(before[runs] + np.minimum(within, pieces[runs] - 1), np.intp)


def _fewest(pieces: Integers, groups: Integers) -> int:
    """How many stretches that hold documents the group with the fewest has."""
    pairs = np.unique(np.stack([pieces, groups]), axis=1)
    return int(np.bincount(pairs[1], minlength=int(groups.max()) + 1).min())


def _independent(pieces: Integers, runs: Integers, vectors: Array) -> bool:
    """Whether neighboring stretches of a run share little of what documents of one stretch share.

    What is shared is the mean product of two vectors, beyond that of stretches further apart.
    """
    present, place = np.unique(pieces, return_inverse=True)
    sizes = np.bincount(place).astype(np.float64)
    sums = np.zeros((len(present), vectors.shape[1]))
    np.add.at(sums, place, vectors - vectors.mean(axis=0))
    own = np.zeros(len(present))
    np.add.at(own, place, np.sum((vectors - vectors.mean(axis=0)) ** 2, axis=1))
    run = np.zeros(len(present), np.intp)
    run[place] = runs
    inside = np.sum(np.sum(sums**2, axis=1) - own) / max(1.0, np.sum(sizes * (sizes - 1)))
    beside = _at_lag(sums, sizes, present, run, range(NEXT, NEXT + 1))
    far = _at_lag(sums, sizes, present, run, range(FAR[0], FAR[1] + 1))
    if beside is None or far is None:
        return True
    excess = (inside if np.any(sizes > 1) else own.sum() / sizes.sum()) - far
    return bool(excess <= 0 or beside - far <= SHARED * excess)


def _at_lag(sums: Floats, sizes: Floats, pieces: Integers, runs: Integers, lags: range) -> float | None:
    """The mean product of vectors whose stretches lie so far apart in one run; None where there are none."""
    total, pairs = 0.0, 0.0
    for lag in lags:
        places = np.searchsorted(pieces, pieces + lag)
        there = places < len(pieces)
        there[there] = (pieces[places[there]] == pieces[there] + lag) & (runs[places[there]] == runs[there])
        left, right = np.flatnonzero(there), places[there]
        total += float(np.sum(sums[left] * sums[right]))
        pairs += float(sizes[left] @ sizes[right])
    return total / pairs if pairs else None
