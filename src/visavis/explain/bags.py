"""Texts as bags of words and of pairs of words, weighted by what some of them alone say of the words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from visavis.records import Integers
from visavis.shared.numbering import number_words

MOST_WORDS = 500  # of a text; what is compared is usually its title and lead
LARGE = 100  # from this many texts on, a term must occur in two of them


def bag_words(texts: Iterable[Sequence[str]]) -> Any:
    """1 + log of how often each text holds each word and each two that follow one another; CSR (texts, terms)."""
    found = number_words(texts, lambda words: words[:MOST_WORDS])
    codes, owners = found.flat.astype(np.int64), np.repeat(np.arange(len(found.lengths)), found.lengths)
    follows = np.flatnonzero(owners[1:] == owners[:-1])
    pairs, place = np.unique(codes[follows] * len(found.known) + codes[follows + 1], return_inverse=True)
    rows = np.concatenate([owners, owners[follows]]).astype(np.int32)
    columns = np.concatenate([codes, len(found.known) + place]).astype(np.int32)  # scikit-learn takes no wider ones
    shape = (len(found.lengths), len(found.known) + len(pairs))
    counts = sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)
    counts.sum_duplicates()
    counts.data = 1 + np.log(counts.data)
    return counts


def weigh_terms(bags: Any, known: Integers) -> Any:
    """TF-IDF in rows of length 1, of the terms that are in two of the `known` rows, and as frequent as in those."""
    frequent = np.bincount(bags[known].indices, minlength=bags.shape[1])
    kept = np.flatnonzero(frequent >= (2 if len(known) >= LARGE else 1))
    if len(kept) == 0:
        return sparse.csr_array((bags.shape[0], 1))
    rarity = 1 + np.log((1 + len(known)) / (1 + frequent[kept]))
    from sklearn.preprocessing import normalize  # slow to import

    return normalize(sparse.csr_array(bags[:, kept] * rarity[None, :]))
