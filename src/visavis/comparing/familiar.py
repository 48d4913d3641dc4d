"""How much of a text is said in words that other texts use, too.

Who has few of them writes in another language than most, is garbled, lists names, or is off the subject. It is known of
any language and of any length.
"""

from __future__ import annotations

import numpy as np

from visavis.corpus.words import Words, distinct_pairs
from visavis.records import Floats, Integers

USED, OWN = 0.02, 0.04  # of all texts, or of its group's, the share that uses a word which is familiar
FEWEST = 3  # texts that do, however few there are: a text and its copy make no word familiar


def familiarity(words: Words, groups: Integers) -> Floats:
    """For each text the share of its words that 2 % of all texts use, or 4 % of its group's, and at least three.

    So what a small group among many says is familiar there. 0 for a text without words.
    """
    n_texts, n_words = len(words.lengths), len(words.known)
    holders, used = distinct_pairs(words.owners, words.flat, n_words)
    everywhere = np.bincount(used, minlength=n_words) >= max(FEWEST, USED * n_texts)
    found, owners = np.zeros(n_texts), words.owners
    of_text, of_holder = groups[owners], groups[holders]
    for group, count in zip(*(column.tolist() for column in np.unique(groups, return_counts=True)), strict=True):
        there = np.bincount(used[of_holder == group], minlength=n_words) >= max(FEWEST, OWN * count)
        own = of_text == group
        found += np.bincount(owners[own], (everywhere | there)[words.flat[own]], n_texts)
    return np.asarray(found / np.maximum(words.lengths, 1))
