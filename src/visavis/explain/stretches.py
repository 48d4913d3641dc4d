"""Stretches of time: how long they must be for what happens in one to say little about the next."""

from __future__ import annotations

import numpy as np

from visavis.records import Array, Floats, Integers

LENGTHS = (1, 2, 3, 5, 7, 10, 14, 21, 28, 42, 56, 84, 112, 182, 365, 730, 1461, 2922)  # days that are tried
FADED = 0.25  # of what documents of one day have in common: so much is left after a stretch that is long enough
HALF = 0.5  # ... and so much after one that is as long as may be
STRETCHES = 6  # of a group, where that can be
TIMES = 4  # as long as it takes to fade, a stretch says little of the next
MOST = 2_000  # documents that are looked at
CLEAR = 3.0  # standard errors by which documents of one day must be more alike than others


def find_stretches(days: Floats, groups: Integers, vectors: Array) -> tuple[Integers, int]:
    """For each document its stretch (−1 without a date), and about how many days a stretch has.

    Days in a row of the same group are a run, and runs are cut into stretches: several times as long as it takes until
    little is left of what documents of one day have in common; shorter where a group would otherwise have fewer than
    six of them, while half of it fades. Where a group has several runs, time was dealt rather than cut, and a stretch
    is as long as most runs are.
    """
    known = np.flatnonzero(np.isfinite(days))
    when = np.floor(days[known]).astype(np.int64)
    runs, starts, ends, owner = _runs(when, groups[known])
    if len(starts) > len(np.unique(owner)):
        length = max(1, int(np.median((ends - starts)[1:-1])))
    else:
        length = _long_enough(when, runs, vectors[known], int((ends - starts).min()) // STRETCHES)
    found = np.full(len(days), -1, np.intp)
    found[known] = _cut(when, runs, starts, ends, length)
    return found, length


def _runs(when: Integers, groups: Integers) -> tuple[Integers, Integers, Integers, Integers]:
    """For each document its run of days; and of every run the first day, the day after the last, and the group."""
    days, place = np.unique(when, return_inverse=True)
    votes = np.zeros((len(days), int(groups.max()) + 1), np.intp)
    np.add.at(votes, (place, groups), 1)
    owner = votes.argmax(axis=1)
    begins = np.concatenate(([True], owner[1:] != owner[:-1]))
    starts = days[begins]
    ends = np.concatenate((starts[1:], [days[-1] + 1]))
    return (np.cumsum(begins) - 1)[place], starts, ends, owner[begins]


def _cut(when: Integers, runs: Integers, starts: Integers, ends: Integers, length: int) -> Integers:
    """Every run in equal stretches of about `length` days, numbered in the order of time; shape (documents,)."""
    pieces = np.maximum(1, np.round((ends - starts) / length)).astype(np.int64)
    before = np.concatenate(([0], np.cumsum(pieces)[:-1]))
    within = (when - starts[runs]) * pieces[runs] // np.maximum(1, ends - starts)[runs]
    return np.asarray(before[runs] + np.minimum(within, pieces[runs] - 1), np.intp)


def _long_enough(when: Integers, runs: Integers, vectors: Array, room: int) -> int:
    """How many days a stretch needs; `room` are the days it may have for every group to have several."""
    left = _left_after(when, runs, vectors)
    faded = next((length for length, share in zip(LENGTHS, left, strict=True) if share <= FADED), LENGTHS[-1])
    needed = 1 if faded == 1 else TIMES * faded
    longest = max((length for length in LENGTHS if length <= room), default=1)
    if needed > longest and left[LENGTHS.index(longest)] <= HALF:
        return longest
    return needed


def _left_after(when: Integers, runs: Integers, vectors: Array) -> Floats:
    """What is left, after each of LENGTHS, of what documents of one day have in common; 0 where that is nothing.

    Common is the mean product of two vectors of the same run, beyond that of documents a quarter of it or more apart.
    """
    rows = np.arange(len(when))[:: max(1, -(-len(when) // MOST))]
    when, runs, vectors = when[rows], runs[rows], np.asarray(vectors[rows], np.float64)
    vectors = vectors - vectors.mean(axis=0)
    first, second = np.triu_indices(len(rows), 1)
    inside = runs[first] == runs[second]
    first, second = first[inside], second[inside]
    alike = (vectors @ vectors.T)[first, second]
    apart = np.abs(when[first] - when[second])
    spans = np.array([np.ptp(when[runs == run]) for run in range(int(runs.max(initial=-1)) + 1)], np.float64)
    distant = apart >= np.maximum(spans[runs[first]] / 4, 2)
    same = apart == 0
    if not same.any() or not distant.any():
        return np.zeros(len(LENGTHS))
    far, common = alike[distant].mean(), alike[same].mean()
    if common - far <= CLEAR * alike[same].std() / np.sqrt(same.sum()):
        return np.zeros(len(LENGTHS))
    bins = np.searchsorted(LENGTHS, apart, side="right") - 1
    near = bins >= 0
    counts = np.bincount(bins[near], minlength=len(LENGTHS))
    sums = np.bincount(bins[near], weights=alike[near], minlength=len(LENGTHS))
    means = np.where(counts > 0, sums / np.maximum(counts, 1), far)
    return np.asarray((means - far) / (common - far))
