"""How much documents speak of what all of them are about: who hardly names it is off the subject.

What a corpus is about are the words that it uses more than English at large. Of the documents that searches picked and
readers called odd, most had few of them.
"""

from __future__ import annotations

import numpy as np

from visavis.comparing.english import in_english, rows_of_words
from visavis.corpus.words import Words
from visavis.embed.wordvectors import bundled_vectors
from visavis.records import Booleans, Floats, Integers

COMMON, RARE = 3e-4, 3e-5  # words as frequent in English are nobody's subject; none counts as rarer than this
FEWEST_LETTERS = 4  # of a word that is not known: shorter ones are mostly parts of words
SHORT = 60  # words: where most texts are shorter, a word more or less says nothing
ADDRESSES = ("http", "https", "www", "com", "org", "html", "htm", "php", "amp", "nbsp", "quot")
STEMS = (  # what is left of "didn't" and its like
    "ain", "aren", "couldn", "didn", "doesn", "don", "hadn", "hasn", "haven", "isn", "mustn", "shan", "shouldn", "wasn",
    "weren", "won", "wouldn",
)  # fmt: skip
NOBODYS = frozenset((*ADDRESSES, *STEMS))


def closeness_to_subject(words: Words, groups: Integers) -> Floats:
    """For each text Σ_w p_w ln(p_w / e_w) / (n + m) over its n words; NaN for short texts and in other languages.

    p_w is how frequent a word is in the texts of the groups in English, each counting the same, e_w how frequent it is
    in English, 0 where that is more, and m the median length of these texts: what is shorter says less of it.
    """
    found, english = np.full(len(groups), np.nan), in_english(words, groups)
    median = float(np.median(words.lengths[english])) if english.any() else 0.0
    if median < SHORT:
        return found
    owners, (names, code) = words.owners, np.unique(groups, return_inverse=True)
    lengths = np.where(english, words.lengths, 0)
    of_group = np.bincount(code, lengths, len(names))
    counts = np.where(english, 1.0 / np.maximum(of_group, 1.0)[code], 0.0) / np.count_nonzero(of_group)
    share = np.bincount(words.flat, counts[owners], len(words.known))
    counted, usual = _in_english(words.known)
    lift = counted * share * np.log(np.maximum(share, usual) / usual)
    total = np.bincount(owners, lift[words.flat], len(groups)) / (words.lengths + median)
    return np.where(english, total, found)


def _in_english(known: tuple[str, ...]) -> tuple[Booleans, Floats]:
    """Which words may be of a subject, and how frequent each is in English."""
    rows = rows_of_words(known)
    frequency = np.maximum(np.where(rows >= 0, bundled_vectors().frequencies(rows), 0.0), RARE)
    usable = [
        (there or len(word) >= FEWEST_LETTERS) and not word.isdigit() and word not in NOBODYS
        for word, there in zip(known, (rows >= 0).tolist(), strict=True)
    ]
    return np.array(usable, np.bool_) & (frequency < COMMON), frequency
