"""Texts by their words, each as heavy as it is rare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from visavis.corpus.words import Words, counted_pairs
from visavis.records import Booleans, Floats, Integers


def weigh_words(words: Words, counted: Booleans, *, often: bool = False, fewest: int = 1, most: float = 1.0) -> Any:
    """The words of each text by how rare they are, rows of length 1; CSR of shape (texts, words).

    A word that a share p of the texts hold weighs −ln p, or with `often` so many times as much as the text has it. Only
    words that are `counted` do, and of these only those that at least `fewest` texts and at most a share of `most` of
    them hold.
    """
    n_texts, n_words = len(words.lengths), len(words.known)
    parts = [_Held.of(part, counted) for part in words.chunks(np.arange(n_texts))]
    frequency = sum((np.bincount(part.words, minlength=n_words) for part in parts), np.zeros(n_words, np.intp))
    rarity = np.log(n_texts / np.maximum(frequency, 1))
    if fewest > 1 or most < 1.0:
        kept = (frequency >= fewest) & (frequency <= most * n_texts)
        parts = [part.of_words(kept) for part in parts]
    counts = np.concatenate([np.zeros(0, np.intp), *(part.counts for part in parts)])
    values = [part.unit(rarity, often) for part in parts]
    rows = np.concatenate(([0], np.cumsum(counts)))
    flat = np.concatenate([np.zeros(0, np.int32), *(part.words for part in parts)])
    joined = np.concatenate([np.zeros(0, np.float32), *values])
    return sparse.csr_matrix((joined, flat, rows), shape=(n_texts, n_words))


@dataclass(frozen=True, eq=False)
class _Held:
    """How many distinct words each of some texts has, which, ascending, and how many times."""

    counts: Integers
    words: Integers
    times: Integers

    @classmethod
    def of(cls, words: Words, counted: Booleans) -> _Held:
        """Those of the words that are counted."""
        kept = np.flatnonzero(counted[words.flat])
        owner, word, times = counted_pairs(words.owners[kept], words.flat[kept], len(counted))
        return cls(np.bincount(owner, minlength=len(words.lengths)), word.astype(np.int32), times.astype(np.int32))

    @property
    def owners(self) -> Integers:
        """Whose each word is."""
        return np.repeat(np.arange(len(self.counts)), self.counts)

    def of_words(self, kept: Booleans) -> _Held:
        """The same of some words alone."""
        there = kept[self.words]
        return _Held(np.bincount(self.owners[there], minlength=len(self.counts)), self.words[there], self.times[there])

    def unit(self, rarity: Floats, often: bool) -> Any:
        """What the words weigh, each text scaled to length 1."""
        values = rarity[self.words] * self.times if often else rarity[self.words]
        norms = np.sqrt(np.bincount(self.owners, values**2, len(self.counts)))
        return (values / np.maximum(norms, 1e-12)[self.owners]).astype(np.float32)
