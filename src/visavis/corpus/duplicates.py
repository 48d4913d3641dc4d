"""Near-duplicates: texts that share most of their word triples, such as one agency story in many outlets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from visavis.corpus.words import Words, distinct_pairs
from visavis.errors import InvalidParameter
from visavis.records import Floats, Integers

BANDS, ROWS = 32, 4
SHORT = 8  # texts of fewer words are duplicates only if equal
MARGIN = 0.25  # seven standard errors of a similarity estimated from 128 permutations: never the reason for a miss

_Hashes = NDArray[np.uint64]
_Signatures = NDArray[np.uint32]

_CHUNK = 8_192  # signatures pass through Python lists, so many at a time


@dataclass(frozen=True, eq=False)
class _Shingles:
    """The distinct word triples of every text in one array: those of text i are `flat[starts[i]:starts[i+1]]`.

    Triples are numbered one to one, so that comparing numbers compares triples exactly.
    """

    flat: _Hashes
    starts: Integers

    def of(self, text: int) -> _Hashes:
        return self.flat[self.starts[text] : self.starts[text + 1]]

    def jaccard(self, text: int, other: int) -> float:
        """|A ∩ B| / |A ∪ B|."""
        a, b = self.of(text), self.of(other)
        both = np.concatenate((a, b))
        both.sort()
        shared = int(np.count_nonzero(both[1:] == both[:-1]))
        return shared / (len(both) - shared)


def near_duplicates(texts: Sequence[str], threshold: float = 0.8, *, words: Words | None = None) -> Integers:
    """For each text, the index of the first text it nearly repeats (its own, if it repeats none); shape (texts,).

    Texts are alike if the Jaccard similarity of their sets of word triples, case-folded, is at least `threshold`.
    Every text is held against the first of its cluster, so that chains of small changes do not drift. Texts of fewer
    than 8 words must have equal words; blank ones stay alone. Pairs are proposed by MinHash (32 bands of 4 rows:
    of pairs at 0.8 none are missed, at 0.5 one in eight) and verified exactly. `words` are the texts' own, where they
    are known. Raises InvalidParameter if the threshold is not above 0 and at most 1.
    """
    if isinstance(threshold, bool) or not isinstance(threshold, Real) or not 0 < threshold <= 1:
        raise InvalidParameter(f"threshold must be a number above 0 and at most 1, got {threshold!r}")
    found = Words.of(texts) if words is None else words
    first = np.arange(len(texts), dtype=np.intp)
    seen: dict[object, int] = {}
    long: list[int] = []
    for index, (text, length) in enumerate(zip(texts, found.lengths.tolist(), strict=True)):
        key: object = found.of_text(index).tobytes() if length else " ".join(text.casefold().split())
        first[index] = seen.setdefault(key, index) if key else index
        if first[index] == index and length >= SHORT:
            long.append(index)
    if len(long) > 1:
        rows = np.asarray(long, dtype=np.intp)
        first[rows] = rows[_leaders(_shingles(found, rows), float(threshold))]
    return first[first]  # an exact copy follows the text it copies


def _shingles(words: Words, texts: Integers) -> _Shingles:
    """Triples of neighboring words of these texts; pairs are numbered first, so that no product overflows."""
    lengths = words.lengths[texts]
    places = np.repeat(words.starts[texts] - np.concatenate(([0], np.cumsum(lengths)[:-1])), lengths)
    flat, n_words = words.flat[places + np.arange(len(places))], len(words.known)
    owner = np.repeat(np.arange(len(texts)), lengths)
    _, pairs = np.unique(flat[:-1] * n_words + flat[1:], return_inverse=True)
    within = owner[:-2] == owner[2:]
    triples, numbers = np.unique((pairs[:-1] * n_words + flat[2:])[within], return_inverse=True)
    owner, numbers = distinct_pairs(owner[:-2][within], numbers, len(triples))
    counts = np.bincount(owner, minlength=len(texts))
    starts = np.concatenate(([0], np.cumsum(counts))).astype(np.intp)
    return _Shingles(scatter(triples.astype(np.uint64))[numbers], starts)


def scatter(numbers: _Hashes) -> _Hashes:
    """The numbers spread over all 64 bits, one to one (multiplying by an odd number and x ^ x >> s can be undone)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


def _leaders(shingles: _Shingles, threshold: float) -> Integers:
    """For each text the first member of its cluster: the earliest leader it resembles, or itself, a new leader."""
    sizes = np.diff(shingles.starts).astype(np.float64)
    signatures = _signatures(shingles)
    leader = np.arange(len(sizes), dtype=np.intp)
    leaders_in: dict[int, list[int]] = {}
    for text, buckets in _shared_buckets(signatures):
        known = sorted({other for bucket in buckets for other in leaders_in.get(bucket, ())})
        found = _first_alike(text, np.asarray(known, dtype=np.intp), shingles, sizes, signatures, threshold)
        leader[text] = found
        if found == text:
            for bucket in buckets:
                leaders_in.setdefault(bucket, []).append(text)
    return leader


def _first_alike(
    text: int, known: Integers, shingles: _Shingles, sizes: Floats, signatures: _Signatures, threshold: float
) -> int:
    """The first of the known leaders whose exact similarity reaches the threshold, else the text itself."""
    if not len(known):
        return text
    ratio = np.minimum(sizes[known], sizes[text]) / np.maximum(sizes[known], sizes[text])
    known = known[ratio >= threshold]
    estimate = np.mean(signatures[known] == signatures[text], axis=1)
    for other in known[estimate >= threshold - MARGIN].tolist():
        if shingles.jaccard(text, other) >= threshold:
            return int(other)
    return text


def _signatures(shingles: _Shingles) -> _Signatures:
    """MinHash signatures; shape (texts, 128)."""
    from rensa import RMinHash

    n_texts, n_permutations = len(shingles.starts) - 1, BANDS * ROWS
    signatures = np.empty((n_texts, n_permutations), dtype=np.uint32)
    for begin in range(0, n_texts, _CHUNK):
        starts = shingles.starts[begin : begin + _CHUNK + 1]
        matrix: Any = RMinHash.digest_matrix_from_flat_token_hashes(
            shingles.flat[starts[0] : starts[-1]], (starts - starts[0]).astype(np.uint64), n_permutations, 42
        )
        signatures[begin : begin + _CHUNK] = matrix.to_rows()
    return signatures


def _shared_buckets(signatures: _Signatures) -> Iterator[tuple[int, list[int]]]:
    """In order, each text that agrees with another in a whole band, and the numbers of the buckets it shares."""
    texts: list[Integers] = []
    buckets: list[Integers] = []
    offset = 0
    for band in range(BANDS):
        part = signatures[:, band * ROWS : (band + 1) * ROWS].astype(np.uint64)
        key = np.zeros(len(part), dtype=np.uint64)
        for column in part.T:
            key = scatter(key + column + np.uint64(0x9E3779B97F4A7C15))
        _, inverse, counts = np.unique(key, return_inverse=True, return_counts=True)
        shared = np.flatnonzero(counts[inverse] > 1)
        texts.append(shared)
        buckets.append(inverse[shared] + offset)
        offset += len(counts)
    text, bucket = np.concatenate(texts), np.concatenate(buckets)
    order = np.argsort(text, kind="stable")
    text, bucket = text[order], bucket[order]
    distinct, starts = np.unique(text, return_index=True)
    for index, (begin, end) in zip(distinct.tolist(), pairwise([*starts.tolist(), len(text)]), strict=True):
        yield index, bucket[begin:end].tolist()
