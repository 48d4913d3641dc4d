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

from visavis.comparing.english import in_english, rows_of_words
from visavis.corpus.words import Words
from visavis.embed.wordvectors import bundled_vectors
from visavis.records import Floats, Integers

DIRECTION = Path(__file__).with_name("data") / "substance.json"
FREQUENT = 1e-3  # a word that is as frequent as this counts half


def substance(words: Words, groups: Integers) -> Floats:
    """For each text Σ_w a/(a + p_w) · v_w·θ / Σ_w a/(a + p_w) over its words; NaN in groups that are not English.

    v_w is the vector of a word, of length 1, p_w how frequent it is in English, θ the direction. A text without any
    word that is known has the mean of its group.
    """
    weights, values = _look_up(words.known)
    owners, n_texts = words.owners, len(words.lengths)
    total = np.bincount(owners, weights[words.flat], n_texts)
    found = np.bincount(owners, (weights * values)[words.flat], n_texts) / np.maximum(total, 1e-12)
    found[~in_english(words, groups)] = np.nan
    for group in np.unique(groups).tolist():
        inside = groups == group
        known = inside & (total > 0)
        found[inside & ~known] = found[known].mean() if known.any() else np.nan
    return found


def _look_up(known: tuple[str, ...]) -> tuple[Floats, Floats]:
    """How much each word counts, and where it lies along the direction; nothing for one that is not known."""
    vectors, along, rows = bundled_vectors(), _along_direction(), rows_of_words(known)
    there = rows >= 0
    weights = np.where(there, FREQUENT / (FREQUENT + vectors.frequencies(rows)), 0.0)
    return weights, np.where(there, along[rows], 0.0)


@cache
def _along_direction() -> Floats:
    vectors = bundled_vectors()
    every = vectors.take(np.arange(len(vectors.ranks)))
    direction = np.array(json.loads(DIRECTION.read_text(encoding="utf-8"))["direction"])
    return np.asarray(every @ direction / np.maximum(np.linalg.norm(every, axis=1), 1e-12), np.float64)
