"""Texts by their words, each as heavy as it is rare."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from visavis.corpus.words import Words, distinct_pairs
from visavis.records import Booleans


def weigh_words(words: Words, counted: Booleans) -> Any:
    """The distinct words of each text by how rare they are, rows of length 1; CSR of shape (texts, words).

    A word that a share p of the texts hold weighs −ln p. Only words that are `counted` do.
    """
    n_texts, n_words = len(words.lengths), len(words.known)
    owners, held = [np.zeros(0, np.intp)], [np.zeros(0, np.int32)]
    done = 0
    for part in words.chunks(np.arange(n_texts)):
        places = np.flatnonzero(counted[part.flat])
        owner, word = distinct_pairs(part.owners[places], part.flat[places], n_words)
        owners.append(owner + done)
        held.append(word.astype(np.int32))
        done += len(part.lengths)
    owner, word = np.concatenate(owners), np.concatenate(held)
    rarity = np.log(n_texts / np.maximum(np.bincount(word, minlength=n_words), 1))
    values = rarity[word]
    lengths = np.sqrt(np.bincount(owner, values**2, n_texts))
    values = (values / np.maximum(lengths, 1e-12)[owner]).astype(np.float32)
    rows = np.concatenate(([0], np.cumsum(np.bincount(owner, minlength=n_texts))))
    return sparse.csr_matrix((values, word, rows), shape=(n_texts, n_words))
