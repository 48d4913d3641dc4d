"""Texts by their words, each as heavy as it is rare."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from visavis.corpus.words import Words, distinct_pairs
from visavis.records import Booleans, Floats, Integers


def weigh_words(words: Words, counted: Booleans, *, offset: float = 0.0, fewest: int = 1, most: float = 1.0) -> Any:
    """The distinct words of each text by how rare they are, rows of length 1; CSR of shape (texts, words).

    A word that a share p of the texts hold weighs `offset` − ln p. Only words that are `counted` do, and of these only
    those that at least `fewest` texts and at most a share of `most` of them hold.
    """
    n_texts, n_words = len(words.lengths), len(words.known)
    parts = [_distinct(part, counted) for part in words.chunks(np.arange(n_texts))]
    frequency = sum((np.bincount(word, minlength=n_words) for _, word in parts), np.zeros(n_words, np.intp))
    rarity = offset + np.log(n_texts / np.maximum(frequency, 1))
    if fewest > 1 or most < 1.0:
        kept = (frequency >= fewest) & (frequency <= most * n_texts)
        parts = [_kept(count, word, kept) for count, word in parts]
    counts = np.concatenate([np.zeros(0, np.intp), *(count for count, _ in parts)])
    values = [_unit(count, rarity[word]) for count, word in parts]
    rows = np.concatenate(([0], np.cumsum(counts)))
    flat = np.concatenate([np.zeros(0, np.int32), *(word for _, word in parts)])
    joined = np.concatenate([np.zeros(0, np.float32), *values])
    return sparse.csr_matrix((joined, flat, rows), shape=(n_texts, n_words))


def _distinct(words: Words, counted: Booleans) -> tuple[Integers, Integers]:
    """How many of the words that are counted each text has, each once, and which, ascending."""
    kept = np.flatnonzero(counted[words.flat])
    owner, word = distinct_pairs(words.owners[kept], words.flat[kept], len(counted))
    return np.bincount(owner, minlength=len(words.lengths)), word.astype(np.int32)


def _kept(counts: Integers, word: Integers, kept: Booleans) -> tuple[Integers, Integers]:
    """The same of some words alone."""
    owner, there = np.repeat(np.arange(len(counts)), counts), kept[word]
    return np.bincount(owner[there], minlength=len(counts)), word[there]


def _unit(counts: Integers, values: Floats) -> Any:
    """The values of some rows, each scaled to length 1."""
    owner = np.repeat(np.arange(len(counts)), counts)
    norms = np.sqrt(np.bincount(owner, values**2, len(counts)))
    return (values / np.maximum(norms, 1e-12)[owner]).astype(np.float32)
