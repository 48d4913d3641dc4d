"""Near-duplicates: texts that share most of their word triples, such as one agency story in many outlets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from visavis.corpus.proposals import BANDS, ROWS, Signatures, likeness, propose, scatter
from visavis.corpus.words import Words
from visavis.errors import InvalidParameter
from visavis.records import Integers
from visavis.shared.processes import spread_out

SHORT = 8  # texts of fewer words are duplicates only if equal
MARGIN = 0.25  # seven standard errors of a similarity estimated from 128 permutations: never the reason for a miss

WITHIN = 0.95  # of a cut's triples must be the other's

_Hashes = NDArray[np.uint64]

_WORDS_AT_ONCE = 2**19  # signatures pass through Python lists, those of so many words at a time
_ODD = np.uint64(0x9E3779B97F4A7C15)


def near_duplicates(
    texts: Sequence[str],
    threshold: float = 0.8,
    *,
    words: Words | None = None,
    processes: int = 1,
    shortest_cut: float = 1.0,
) -> Integers:
    """For each text, the index of the first text it nearly repeats (its own, if it repeats none); shape (texts,).

    Texts are alike if the Jaccard similarity of their sets of word triples, case-folded, is at least `threshold`.
    Every text is held against the first of its cluster, so that chains of small changes do not drift. Texts of fewer
    than 8 words must have equal words; blank ones stay alone. Pairs are proposed by MinHash (32 bands of 4 rows:
    of pairs at 0.8 none are missed, at 0.5 one in eight) and verified exactly. `words` are the texts' own, where they
    are known. A text is also a copy if it is nearly all of it part of another (or the other of it) and has at least
    `shortest_cut` of its triples; 1 looks for no such copies. Raises InvalidParameter if the threshold is not above 0
    and at most 1.
    """
    if isinstance(threshold, bool) or not isinstance(threshold, Real) or not 0 < threshold <= 1:
        raise InvalidParameter(f"threshold must be a number above 0 and at most 1, got {threshold!r}")
    found = Words.of(texts) if words is None else words
    first = _exact_copies(texts, found)
    long = np.flatnonzero((first == np.arange(len(first))) & (found.lengths >= SHORT))
    if len(long) > 1:
        alike = _Alike(float(threshold), shortest_cut)
        first[long] = long[_leaders(found, long, alike, processes)]
    return first[first]  # an exact copy follows the text it copies


def _exact_copies(texts: Sequence[str], words: Words) -> Integers:
    """For each text the first with the same words in the same order; without words, with the same signs."""
    first = np.arange(len(texts), dtype=np.intp)
    wordy = np.flatnonzero(words.lengths > 0)
    keys = [_order_key(part) for part in words.chunks(wordy)]
    if keys:
        _, places, inverse = np.unique(np.concatenate(keys), return_index=True, return_inverse=True)
        for text, other in zip(wordy.tolist(), wordy[places[inverse]].tolist(), strict=True):
            if text != other and np.array_equal(words.of_text(text), words.of_text(other)):
                first[text] = other
    seen: dict[str, int] = {}
    for text in np.flatnonzero(words.lengths == 0).tolist():
        signs = " ".join(texts[text].casefold().split())
        first[text] = seen.setdefault(signs, text) if signs else text
    return first


def _order_key(words: Words) -> _Hashes:
    """A number for the words of each text, none of them without any, and their order."""
    place = np.arange(len(words.flat)) - words.starts[words.owners]
    return np.add.reduceat(
        scatter(words.flat.astype(np.uint64) * _ODD + scatter(place.astype(np.uint64))), words.starts
    )


def _triples(words: Words) -> tuple[_Hashes, Integers]:
    """Every word with the two that follow it, as a number; and where those of each text begin, one more at the end."""
    owner, flat = words.owners, words.flat.astype(np.uint64)
    within = owner[:-2] == owner[2:]
    found = scatter(scatter(scatter(flat[:-2] + _ODD) + flat[1:-1] + _ODD) + flat[2:] + _ODD)[within]
    return found, np.concatenate(([0], np.cumsum(words.lengths - 2)))


@dataclass(frozen=True)
class _Alike:
    """When two texts are alike: |A ∩ B| / |A ∪ B| of their sets of triples, or one is a cut of the other."""

    threshold: float
    shortest_cut: float

    @property
    def least(self) -> float:
        """The similarity below which no texts are alike."""
        return min(self.threshold, self.shortest_cut * WITHIN)

    def __call__(self, words: Words, text: int, other: int) -> bool:
        a, b = words.of_text(text), words.of_text(other)
        known, both = np.unique(np.concatenate((a, b)), return_inverse=True)
        n = len(known)
        triples = (both[:-2] * n + both[1:-1]) * n + both[2:]
        one, two = set(triples[: len(a) - 2].tolist()), set(triples[len(a) :].tolist())
        shared, shorter, longer = len(one & two), *sorted((len(one), len(two)))
        if shared >= self.threshold * len(one | two):
            return True
        return self.shortest_cut < 1 and shorter >= self.shortest_cut * longer and shared >= WITHIN * shorter


def _leaders(words: Words, texts: Integers, alike: _Alike, processes: int) -> Integers:
    """For each text the first member of its cluster: the earliest leader it resembles, or itself, a new leader."""
    signatures = _signatures(words, texts, processes)
    meetings = propose(signatures, alike.least - MARGIN)
    leader = np.arange(len(texts), dtype=np.intp)
    leaders_in: dict[int, list[int]] = {}
    for text, earlier, crowds in meetings:
        known = {other for crowd in crowds for other in leaders_in.get(crowd, ())}
        known.update(other for other in earlier if leader[other] == other)
        likely = np.array(sorted(known), np.intp)
        if crowds:
            likely = likely[likeness(signatures, np.full(len(likely), text), likely) >= alike.least - MARGIN]
        for other in likely.tolist():
            if alike(words, texts[text], texts[other]):
                leader[text] = other
                break
        else:
            for crowd in crowds:
                leaders_in.setdefault(crowd, []).append(text)
    return leader


def _signatures(words: Words, texts: Integers, processes: int) -> Signatures:
    """MinHash signatures; shape (texts, 128)."""
    parts = words.chunks(texts, _WORDS_AT_ONCE)
    count = int(words.lengths[texts].sum()) // _WORDS_AT_ONCE
    signatures, end = np.empty((len(texts), BANDS * ROWS), np.uint32), 0
    for found in spread_out(_sign, parts, count, processes):
        signatures[end : end + len(found)] = found
        end += len(found)
    return signatures


def _sign(words: Words) -> Signatures:
    from rensa import RMinHash

    triples, starts = _triples(words)
    matrix: Any = RMinHash.digest_matrix_from_flat_token_hashes(triples, starts.astype(np.uint64), BANDS * ROWS, 42)
    return np.array(matrix.to_rows(), np.uint32)
