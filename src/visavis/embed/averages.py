"""A text's vector as the average of its words' vectors, plain or weighted as in SIF (Arora, Liang and Ma, 2017)."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from visavis.embed.rows import set_missing
from visavis.embed.tokens import FUNCTION_WORDS, Tokens, readings
from visavis.embed.wordvectors import WordVectors
from visavis.records import Array, Embedded, Floats, Integers

NO_WORD = "no word has a vector"
NOTHING_LEFT = "its words cancel out"
SMOOTHING = 1e-3  # a in a / (a + p(w)), the value of the paper
SMALLEST_REST = 1e-6  # of a vector's length; less is rounding
FEWEST_TO_FIT = 10  # below this many texts their common direction is mostly what they say


@dataclass(frozen=True, eq=False)
class _Bags:
    """`counts` of known words for each text; shape (texts, words); `rows` are the words' rows in the table."""

    counts: sparse.csr_array
    rows: Integers
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Means:
    """Average vectors (kept, d) of the texts that have a known word, their places, and why others are missing."""

    vectors: NDArray[np.float32]
    kept: Integers
    missing: tuple[tuple[int, str], ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class CommonDirection:
    """The first right singular vector u (d,) of the texts' averages, None if it cannot be told from what they say."""

    u: Floats | None
    n_texts: int

    def notes(self) -> tuple[str, ...]:
        """What to say where there is none."""
        if self.u is not None:
            return ()
        few = f"{self.n_texts} are too few to find it" if self.n_texts < FEWEST_TO_FIT else "without it nothing is left"
        return (f"the direction common to all texts was kept: {few}",)


def word_means(tokens: Tokens, table: WordVectors, *, sif: bool) -> Means:
    """The average vector of each text's known words.

    Plain, v_s = mean_{w∈s} x_w. With `sif`, v_s = mean_{w∈s} x_w a / (a + p(w)).
    """
    bags = _bags(tokens, table)
    lengths = bags.counts.sum(axis=1)
    kept = np.flatnonzero(lengths > 0)
    vectors = table.take(bags.rows)
    if sif:
        vectors *= (SMOOTHING / (SMOOTHING + table.frequencies(bags.rows)))[:, None].astype(np.float32)
    means = (bags.counts[kept] @ vectors) / lengths[kept, None]
    return Means(means, kept, set_missing(lengths > 0, NO_WORD), bags.notes)


def common_direction(means: NDArray[np.float32]) -> CommonDirection:
    """The direction these averages share most of; none if they are few, or nothing would be left without it."""
    if len(means) < FEWEST_TO_FIT:
        return CommonDirection(None, len(means))
    fitted: Floats = means.astype(np.float64)
    energies, directions = np.linalg.eigh(fitted.T @ fitted)
    if energies[:-1].sum() <= 1e-9 * energies[-1]:
        return CommonDirection(None, len(means))
    return CommonDirection(np.ascontiguousarray(directions[:, -1]), len(means))


def plain_vectors(means: Means) -> Embedded:
    """The averages as they are, without those that are nothing."""
    return _without_nothing(means, means.vectors, means.notes, unit=False)


def sif_vectors(means: Means, common: CommonDirection) -> Embedded:
    """v_s − u uᵀ v_s, scaled to length 1."""
    vectors = means.vectors
    rest = vectors if common.u is None else vectors - np.outer(vectors @ common.u, common.u)
    return _without_nothing(means, rest, (*means.notes, *common.notes()), unit=True)


def _without_nothing(means: Means, rest: Array, notes: tuple[str, ...], *, unit: bool) -> Embedded:
    left = np.linalg.norm(rest, axis=1)
    says_something = left > SMALLEST_REST * np.linalg.norm(means.vectors, axis=1)
    rest = rest[says_something] / (left[says_something, None] if unit else 1)
    empty = tuple((int(place), NOTHING_LEFT) for place in means.kept[~says_something])
    result = np.ascontiguousarray(rest, dtype=np.float32)
    return Embedded(result, means.kept[says_something], tuple(sorted(means.missing + empty)), notes)


def known_shares(tokens: Tokens, table: WordVectors) -> Floats:
    """The share of the distinct words of each text that have a vector; NaN for a text without words; shape (texts,)."""
    ways = [readings(token) for token in tokens.distinct]
    words = np.array([bool(way) for way in ways], np.float64)
    known = np.array([any(word in table.rows for way in own for word in way) for own in ways], np.float64)
    there = (tokens.counts() > 0).astype(np.float64)
    with np.errstate(invalid="ignore"):
        return np.asarray((there @ known) / (there @ words))


def _bags(tokens: Tokens, table: WordVectors) -> _Bags:
    """Which known words each token stands for, by its first reading that holds one, applied to every text."""
    token_ids: list[int] = []
    rows: list[int] = []
    unknown: list[tuple[int, str]] = []
    for number, token in enumerate(tokens.distinct):
        ways = [(token,)] if token in table.rows and token.isalpha() else readings(token)
        if not ways:
            continue
        words = next((way for way in ways if any(word in table.rows for word in way)), ways[-1])
        for word in words:
            row = table.rows.get(word)
            if row is not None:
                token_ids.append(number)
                rows.append(row)
            elif word not in FUNCTION_WORDS:
                unknown.append((number, word))
    used, columns = np.unique(np.array(rows, dtype=np.intp), return_inverse=True)
    ones = np.ones(len(token_ids), dtype=np.float32)
    stands_for = sparse.csr_array((ones, (token_ids, columns)), shape=(len(tokens.distinct), len(used)))
    counts = sparse.csr_array(tokens.counts() @ stands_for)
    return _Bags(counts, used, _coverage(tokens, float(counts.sum()), unknown))


def _coverage(tokens: Tokens, n_known: float, unknown: list[tuple[int, str]]) -> tuple[str, ...]:
    if not unknown:
        return ()
    occurrences = np.bincount(tokens.ids, minlength=len(tokens.distinct))
    tally: dict[str, int] = {}
    for number, word in unknown:
        tally[word] = tally.get(word, 0) + int(occurrences[number])
    n_unknown = sum(tally.values())
    share = 100 * n_unknown / (n_known + n_unknown)
    if share < 0.05:
        return ()
    often = heapq.nsmallest(3, tally, key=lambda word: (-tally[word], word))
    return (f"{share:.1f} % of words have no vector (most frequent: {', '.join(often)})",)
