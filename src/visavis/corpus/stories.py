"""Stories: documents that report the same event, known by the rare words they share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from visavis.corpus.rarity import weigh_words
from visavis.corpus.words import Words
from visavis.kernel.threads import ordered_map
from visavis.records import Floats, Integers

ALIKE_IN_TIME = 0.25  # cosine from which two texts of the same days tell one story
ALIKE = 0.4  # from which those do whose days are not known
ALIKE_FAR = 0.5  # and those of other days
DAYS = 3.0  # that texts of the same days may be apart
RARE_PART = 0.3  # of a cosine must come from rare words
PROPOSED = ALIKE_IN_TIME * RARE_PART
MOST_SHARING = 100  # texts at most, and at most this share of all, that have a rare word
SHARE_SHARING = 0.1
ROUNDING = 1e-4  # more than float32 can be wrong by
CHUNK = 2_048  # texts whose pairs are held at once


def find_stories(words: Words, days: Floats | None = None, threads: int = 1) -> Integers:
    """For each text, the first that tells the same story (itself, if none does); shape (texts,).

    Texts are held against the first of a story, so that chains of small changes do not drift: the cosine of their
    words, weighted by how rare they are, must reach the threshold. `days` are their dates, NaN where not known.
    """
    first = np.arange(len(words.lengths), dtype=np.intp)
    when = np.full(len(first), np.nan) if days is None else days
    for later, earlier in _pairs(_weights(words), when, threads):  # every text meets the earlier ones in their order
        if first[later] == later and first[earlier] == earlier:
            first[later] = earlier
    return first


def _weights(words: Words) -> Any:
    """The distinct words of each text by how rare they are, the shortest left out."""
    return weigh_words(words, np.array([len(word) > 2 or not word.isascii() for word in words.known], np.bool_))


def _pairs(weights: Any, when: Floats, threads: int) -> Iterator[tuple[int, int]]:
    """Pairs (later, earlier) that are alike and near in time, sorted by the later and then by the earlier."""
    frequency = np.bincount(weights.indices, minlength=weights.shape[1])
    most = min(MOST_SHARING, max(3, SHARE_SHARING * weights.shape[0]))
    rare = weights[:, np.flatnonzero((frequency > 1) & (frequency <= most))].tocsr()
    chunks = range(0, weights.shape[0], CHUNK)
    for row, column in ordered_map(_Chunk(weights, rare, rare.T.tocsr(), when).pairs, chunks, threads):
        yield from zip(row.tolist(), column.tolist(), strict=True)


@dataclass(frozen=True, eq=False)
class _Chunk:
    """All texts by their words, and by those that are rare, as rows and as columns; and when they are from."""

    weights: Any
    rare: Any
    turned: Any
    when: Floats

    @cached_property
    def others(self) -> Floats:
        """The length of what words that are not rare make of each text: no two have more in common by these."""
        squares = np.asarray(self.rare.multiply(self.rare).sum(axis=1)).ravel()
        return np.sqrt(np.maximum(0.0, 1.0 - squares)) + ROUNDING

    def pairs(self, begin: int) -> tuple[Integers, Integers]:
        """The pairs of some texts with earlier ones, sorted."""
        shared = (self.rare[begin : begin + CHUNK] @ self.turned).tocoo()
        kept = np.flatnonzero((shared.col < shared.row + begin) & (shared.data >= PROPOSED))
        row, column, alike = shared.row[kept] + begin, shared.col[kept], shared.data[kept]
        with np.errstate(invalid="ignore"):
            apart = np.abs(self.when[row] - self.when[column])
            needed = np.where(apart <= DAYS, ALIKE_IN_TIME, np.where(apart > DAYS, ALIKE_FAR, ALIKE))
        most = alike + self.others[row] * self.others[column]
        kept = np.flatnonzero((alike >= needed * RARE_PART) & (most >= needed))
        row, column = row[kept], column[kept]
        found = _cosines(self.weights, row, column) >= needed[kept]
        order = np.lexsort((column[found], row[found]))
        return row[found][order], column[found][order]


def _cosines(weights: Any, row: Integers, column: Integers) -> Floats:
    """Of these pairs of texts, by chunks."""
    parts = [slice(at, at + CHUNK) for at in range(0, len(row), CHUNK)]
    found = [np.asarray(weights[row[p]].multiply(weights[column[p]]).sum(axis=1)).ravel() for p in parts]
    return np.concatenate(found) if found else np.zeros(0)
