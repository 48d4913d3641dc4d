"""Which groups are mostly in English: some measures know no other language."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from visavis.corpus.words import Words
from visavis.embed.wordvectors import bundled_vectors
from visavis.records import Booleans, Integers

COMMON_WORDS, ENGLISH = 60, 0.1  # the most frequent words of English, and their share of an English text; Dutch: 0.04
LINK, OF_LINK = ("http", "https"), 4  # how links begin, and how many words most have: https, t, co, and a code


@lru_cache(maxsize=1)  # several ask of the same words
def rows_of_words(known: tuple[str, ...]) -> Integers:
    """Where each word stands among the bundled vectors, −1 for nowhere."""
    vectors = bundled_vectors()
    found = np.array([vectors.rows.get(word, -1) for word in known], np.intp)
    found.setflags(write=False)
    return found


def in_english(words: Words, groups: Integers) -> Booleans:
    """For each text whether half of its group's have the common words of English as often as English has.

    Links do not count: posts are short, and many hold two.
    """
    rows, found = rows_of_words(words.known), np.zeros(len(groups), np.bool_)
    common = (rows >= 0) & (bundled_vectors().ranks[rows] <= COMMON_WORDS)
    links = np.array([word in LINK for word in words.known], np.bool_)
    n_common, n_links = (np.bincount(words.owners, which[words.flat], len(groups)) for which in (common, links))
    share = n_common / np.maximum(words.lengths - OF_LINK * n_links, 1)
    for group in np.unique(groups).tolist():
        inside = groups == group
        found[inside] = float(np.median(share[inside])) >= ENGLISH
    return found
