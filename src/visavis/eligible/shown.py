"""Which documents of a group may be shown: those that are close to it and not short, by the lower of two ranks.

Every document counts, but a stub, a stray or a notice represents nobody. No list of such forms is needed: they are
short beside the rest of their group, or far from it. Each part was taken away alone and read: research/ablations.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from visavis.records import Booleans, Document, Floats, Grouping, Integers, Points, SetAside
from visavis.shared.unspaced import count_words, has_unspaced

SHARE_SHOWN = 0.2  # of each group; research/ablations.md, row "a larger share"
FEWEST_SHOWN = 8  # documents of a group, and at least twice as many as it is to have picks
SHOWN_FOR_EACH_PICK = 2
OTHERS_SHARE = 0.6  # how much it counts against a document to be close to the other groups
DIGITS = 9  # to which closeness is told apart: sums differ in the last ones by chance

REASON = "shorter, or further from its group, than others of it"


@dataclass(frozen=True, eq=False)
class Screening:
    """A place from 0 (last) to 1 for each point within its group; NaN for points that may always be shown."""

    ranks: Floats
    groups: Integers

    def shown(self, wanted: Sequence[int]) -> Booleans:
        """The points that may be shown where each group is to have so many picks."""
        shown = np.isnan(self.ranks)
        for group, count in enumerate(wanted):
            inside = np.flatnonzero((self.groups == group) & ~shown)
            enough = max(FEWEST_SHOWN, SHOWN_FOR_EACH_PICK * count, round(SHARE_SHOWN * len(inside)))
            shown[inside[np.argsort(-self.ranks[inside], kind="stable")[:enough]]] = True
        return np.asarray(shown)

    def set_aside(
        self, shown: Booleans, documents: Sequence[Document], pinned: Sequence[int] = ()
    ) -> tuple[SetAside, ...]:
        """The documents that count but are not shown; pinned ones are shown."""
        hidden = np.setdiff1d(np.flatnonzero(~shown), pinned).tolist()
        return (SetAside(REASON, tuple(documents[place].id for place in hidden)),) if hidden else ()


def screen(points: Points, grouping: Grouping, n_words: Floats) -> Screening:
    """Order the points of each group by the lower of their ranks by closeness and by length; the closer one of equals.

    Closeness is x·(m_g − 0.6·m_¬g): x is the vector of length 1, m_g the mean of such vectors over the group, m_¬g over
    all others. `n_words` (N,) says how long each document is. Pictures are not ranked.
    """
    codes = grouping.codes
    closeness = _closeness(points, codes, len(grouping.names))
    ranks = np.full(len(codes), np.nan)
    readable = np.array([not document.image for document in grouping.corpus.documents], np.bool_)
    for group in range(len(grouping.names)):
        inside = np.flatnonzero((codes == group) & readable)
        lower = np.minimum(_ranks(closeness[inside]), _ranks(n_words[inside]))
        order = np.lexsort((closeness[inside], lower))
        ranks[inside[order]] = np.arange(len(inside)) / max(1, len(inside) - 1)
    return Screening(ranks, codes)


def word_counts(documents: Sequence[Document], texts: Sequence[str]) -> Floats:
    """How many words title and text of each document have; links and the @names of who is addressed are none."""
    return np.array([_word_count(one.title, text) for one, text in zip(documents, texts, strict=True)], np.float64)


def _word_count(title: str, text: str) -> int:
    written = f"{title} {text}"
    words = written.split()
    count = count_words(written) if has_unspaced(written[:1000]) else len(words)
    if "://" not in written and "@" not in written:
        return count
    return count - sum("://" in word or word.startswith(("@", ".@")) for word in words)


def _closeness(points: Points, codes: Integers, n_groups: int) -> Floats:
    rows = _of_length_one(points.vectors)
    totals = np.bincount(codes, points.weights, n_groups)
    sums = np.stack([np.asarray((points.weights * (codes == group)) @ rows).ravel() for group in range(n_groups)])
    closeness = np.zeros(len(codes))
    for group in range(n_groups):
        inside, others = codes == group, max(totals.sum() - totals[group], np.finfo(np.float64).tiny)
        middle = sums[group] / max(totals[group], np.finfo(np.float64).tiny)
        closeness[inside] = rows[inside] @ (middle - OTHERS_SHARE * (sums.sum(axis=0) - sums[group]) / others)
    return np.round(closeness, DIGITS)


def _of_length_one(vectors: Any) -> Any:
    """The rows scaled to length 1; rows of zeros stay."""
    if sparse.issparse(vectors):
        lengths = np.sqrt(np.asarray(vectors.multiply(vectors).sum(axis=1)).ravel())
        return sparse.diags_array(1.0 / np.where(lengths > 0, lengths, 1.0)) @ vectors
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1.0)


def _ranks(values: Floats) -> Floats:
    """The share of the other values that each is not below, from 0 to 1: where all are equal, 1."""
    return np.asarray((np.searchsorted(np.sort(values), values, side="right") - 1.0) / max(1, len(values) - 1))
