"""How much of a text is said in words that other texts use, too.

Who has few of them writes in another language than most, is garbled, lists names, or is off the subject. It is known of
any language and of any length.
"""

from __future__ import annotations

import numpy as np

from visavis.corpus.words import Words, distinct_pairs
from visavis.records import Floats

USED = 0.02  # of all texts, the share that uses a word which is familiar
FEWEST = 3  # texts that do, however few there are: a text and its copy make no word familiar


def familiarity(words: Words) -> Floats:
    """For each text the share of its words that 2 % of all texts use, and at least three; 0 for one without words."""
    n_texts, n_words = len(words.lengths), len(words.known)
    _, used = distinct_pairs(words.owners, words.flat, n_words)
    familiar = np.bincount(used, minlength=n_words) >= max(FEWEST, USED * n_texts)
    found = np.bincount(words.owners, familiar[words.flat], n_texts)
    return np.asarray(found / np.maximum(words.lengths, 1))
