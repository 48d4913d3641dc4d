"""How much documents speak of what all of them are about: who hardly names it is off the subject.

What a corpus is about are the words that it uses more than English at large. Of the documents that searches picked and
readers called odd, most had few of them.
"""

from __future__ import annotations

import numpy as np

from visavis.corpus.words import Words
from visavis.embed.wordvectors import bundled_vectors
from visavis.records import Booleans, Floats, Integers

COMMON, RARE = 3e-4, 3e-5  # words as frequent in English are nobody's subject; none counts as rarer than this
SHRED = 4  # letters from which a word that is not known is no mere part of one, as "didn" is
SHORT = 60  # words: where most texts are shorter, a word more or less says nothing
ADDRESSES = frozenset({"com", "http", "https", "www"})


def closeness_to_subject(words: Words, groups: Integers) -> Floats | None:
    """For each text Σ_w p_w log(p_w / e_w) / (n + m) over its n words, 0 where that is negative; None for short texts.

    p_w is how frequent a word is in the texts of the groups, each counting the same, e_w how frequent it is in English,
    and m the median length: what is shorter says less of it. In other languages every longer word is one that English
    does not have, so that those that most texts use count most.
    """
    median = float(np.median(words.lengths)) if len(words.lengths) else 0.0
    if median < SHORT:
        return None
    owners, names = words.owners, np.unique(groups)
    share = np.zeros(len(words.known))
    for group in names.tolist():
        own = words.flat[(groups == group)[owners]]
        share += np.bincount(own, minlength=len(share)) / max(1, len(own)) / len(names)
    counted, english = _in_english(words.known)
    lift = np.log(np.maximum(share, english) / english)
    found = np.bincount(owners, (counted * share * lift)[words.flat], len(words.lengths))
    return np.asarray(found / (words.lengths + median))


def _in_english(known: tuple[str, ...]) -> tuple[Booleans, Floats]:
    """Which words may be of a subject, and how frequent each is in English."""
    vectors = bundled_vectors()
    rows = np.array([vectors.rows.get(word, -1) for word in known], np.intp)
    frequency = np.maximum(np.where(rows >= 0, vectors.frequencies(rows), 0.0), RARE)
    whole = np.array([len(word) >= SHRED for word in known], np.bool_) | (rows >= 0)
    address = np.array([word in ADDRESSES for word in known], np.bool_)
    return whole & ~address & (frequency < COMMON), frequency
