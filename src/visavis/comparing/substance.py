"""How much documents speak of what is done and disputed, rather than of occasions, places and names.

Readers who judged thousands of documents one by one preferred the former. What they went by is kept as a direction
among the bundled word vectors (`scripts/substance.py` finds it anew from their judgements), so it is known of English
alone.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np

from visavis.corpus.words import Words
from visavis.embed.wordvectors import bundled_vectors
from visavis.records import Floats, Integers

DIRECTION = Path(__file__).with_name("data") / "substance.json"
COMMON_WORDS, ENGLISH = 60, 0.15  # the most frequent words of English, and their share of an English text
FREQUENT = 1e-3  # a word that is as frequent as this counts half


def substance(words: Words, groups: Integers) -> Floats:
    """For each text Σ_w a/(a + p_w) · v_w·θ / Σ_w a/(a + p_w) over its words; NaN in groups that are not English.

    v_w is the vector of a word, of length 1, p_w how frequent it is in English, θ the direction. A text without any
    word that is known has the mean of its group.
    """
    ranks, weights, values = _look_up(words.known)
    owners, n_texts = words.owners, len(words.lengths)
    common = np.bincount(owners, (ranks <= COMMON_WORDS)[words.flat], n_texts) / np.maximum(words.lengths, 1)
    total = np.bincount(owners, weights[words.flat], n_texts)
    found = np.bincount(owners, (weights * values)[words.flat], n_texts) / np.maximum(total, 1e-12)
    for group in np.unique(groups).tolist():
        inside = groups == group
        known = inside & (total > 0)
        if known.any() and float(np.median(common[inside])) >= ENGLISH:
            found[inside & ~known] = found[known].mean()
        else:
            found[inside] = np.nan
    return found


def _look_up(known: tuple[str, ...]) -> tuple[Integers, Floats, Floats]:
    """The rank of each word in English, how much it counts, and where it lies along the direction."""
    vectors, along = bundled_vectors(), _along_direction()
    rows = np.array([vectors.rows.get(word, -1) for word in known], np.intp)
    there = rows >= 0
    frequency = vectors.frequencies(rows)
    ranks = np.where(there, vectors.ranks[rows], vectors.total + 1)
    return ranks, np.where(there, FREQUENT / (FREQUENT + frequency), 0.0), np.where(there, along[rows], 0.0)


@cache
def _along_direction() -> Floats:
    vectors = bundled_vectors()
    every = vectors.take(np.arange(len(vectors.ranks)))
    direction = np.array(json.loads(DIRECTION.read_text(encoding="utf-8"))["direction"])
    return np.asarray(every @ direction / np.maximum(np.linalg.norm(every, axis=1), 1e-12), np.float64)
