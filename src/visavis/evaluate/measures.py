"""Whether picks serve a reader: do they repeat each other, are they typical of their group, may they be shown?

A classifier does not mind three reports of one event or a table without a sentence; a reader does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.stats import rankdata

from visavis.embed.tfidf import split_words
from visavis.records import Booleans, Floats, Integers

MEASURES = ("variety", "typicality", "stability", "set_aside")


def weigh_terms(texts: Sequence[str]) -> Any | None:
    """TF-IDF (1 + log tf) of single words, rows of length 1, sparse (texts, terms); None if there is no word at all."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    try:
        return TfidfVectorizer(tokenizer=split_words, token_pattern=None, sublinear_tf=True).fit_transform(texts)
    except ValueError:  # scikit-learn has no other way to say that there is no word
        return None


def variety(terms: Any | None, picks: Integers, groups: Integers) -> float | None:
    """1 − the largest cosine between two picks of a group, mean over the groups that have two; None without such.

    `terms` holds a row of length 1, or an empty one, for every document; `groups` are those of the picks.
    """
    if terms is None:
        return None
    found = []
    for group in np.unique(groups):
        own = terms[picks[groups == group]]
        if own.shape[0] > 1:
            cosines = (own @ own.T).toarray()
            found.append(1.0 - float(cosines[np.triu_indices(len(cosines), 1)].max()))
    return float(np.clip(np.mean(found), 0.0, 1.0)) if found else None


def percentiles(similarity: Floats, groups: Integers) -> Floats:
    """The share of the other documents of its group that each one surpasses, a tie being half; (N,) of 0 to 1.

    A document that is alone in its group gets a half.
    """
    found = np.full(len(similarity), 0.5)
    for group in np.unique(groups):
        rows = np.flatnonzero(groups == group)
        if len(rows) > 1:
            found[rows] = (rankdata(similarity[rows]) - 1.0) / (len(rows) - 1)
    return found


def share_set_aside(worthy: Booleans | None, picks: Integers) -> float | None:
    """The share of picks that the rules of who may be shown would not let be picked; None without such rules."""
    return None if worthy is None or len(picks) == 0 else float(np.mean(~worthy[picks]))
