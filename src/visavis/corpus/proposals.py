"""Pairs of texts that are likely alike, by their MinHash signatures: texts that agree in a whole band of them.

Bands are sorted one after the other, so that what is held at once does not grow with their number.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from visavis.records import Floats, Integers

BANDS, ROWS = 32, 4
CROWD = 32  # texts that agree in a band: of more, not all pairs are looked at, only those with a leader
STRIP = 65_536  # pairs that are held against each other at once

Signatures = NDArray[np.uint32]

_ODD = np.uint64(0x9E3779B97F4A7C15)


def scatter(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The numbers spread over all 64 bits, one to one (multiplying by an odd number and x ^ x >> s can be undone)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


def propose(signatures: Signatures, least: float) -> Iterator[tuple[int, list[int], list[int]]]:
    """In order, each text that may be like earlier ones: those it agrees with in `least` of its signature, ascending,
    and the numbers of the crowds it is in."""
    n_texts = len(signatures)
    pairs, members, crowds, offset = [np.zeros(0, np.int64)], [np.zeros(0, np.intp)], [np.zeros(0, np.intp)], 0
    for band in range(BANDS):
        order, starts = _buckets(signatures[:, band * ROWS : (band + 1) * ROWS])
        sizes = np.diff(np.append(starts, n_texts))
        bucket = np.repeat(np.arange(len(starts)), sizes)
        small = np.flatnonzero((sizes > 1) & (sizes <= CROWD))
        pairs.append(np.unique(_alike(signatures, order, starts[small], sizes[small], least)))
        crowded = np.flatnonzero(sizes[bucket] > CROWD)
        members.append(order[crowded])
        crowds.append(bucket[crowded] + offset)
        offset += len(starts)
    later, earlier = np.divmod(np.unique(np.concatenate(pairs)), max(1, n_texts))
    return _meetings(later, earlier, np.concatenate(members), np.concatenate(crowds))


def likeness(signatures: Signatures, texts: Integers, others: Integers) -> Floats:
    """The share of their signatures in which texts agree with others."""
    strips = [slice(at, at + STRIP) for at in range(0, len(texts), STRIP)]
    found = [np.mean(signatures[texts[s]] == signatures[others[s]], axis=1) for s in strips]
    return np.concatenate(found) if found else np.zeros(0)


def _buckets(band: Signatures) -> tuple[Integers, Integers]:
    """The texts sorted by what a band says of them, ascending where it says the same, and where each bucket begins."""
    key = np.zeros(len(band), np.uint64)
    for column in band.T:
        key = scatter(key + column.astype(np.uint64) + _ODD)
    order = np.argsort(key, kind="stable")
    key = key[order]
    return order, np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1])))


def _alike(signatures: Signatures, order: Integers, starts: Integers, sizes: Integers, least: float) -> Integers:
    """The pairs within these buckets whose signatures agree so far, as later · texts + earlier."""
    found = [np.zeros(0, np.int64)]
    for size in np.unique(sizes).tolist():
        inside = starts[sizes == size, None]
        before, behind = np.triu_indices(size, 1)
        earlier, later = order[inside + before].ravel(), order[inside + behind].ravel()
        kept = likeness(signatures, later, earlier) >= least
        found.append(later[kept] * len(signatures) + earlier[kept])
    return np.concatenate(found)


def _meetings(
    later: Integers, earlier: Integers, members: Integers, crowds: Integers
) -> Iterator[tuple[int, list[int], list[int]]]:
    order = np.argsort(members, kind="stable")
    members, crowds = members[order], crowds[order]
    texts = np.union1d(later, members)
    paired = np.searchsorted(later, np.append(texts, np.iinfo(np.int64).max)).tolist()
    crowded = np.searchsorted(members, np.append(texts, np.iinfo(np.int64).max)).tolist()
    for text, pair, crowd in zip(texts.tolist(), pairwise(paired), pairwise(crowded), strict=True):
        yield text, earlier[slice(*pair)].tolist(), crowds[slice(*crowd)].tolist()
