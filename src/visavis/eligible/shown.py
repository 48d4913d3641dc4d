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

SHARE_SHOWN = 0.2  # of the stories of each group; research/ablations.md, row "the best 20 %"
FEWEST_SHOWN = 8  # stories of a group
SHOWN_FOR_EACH_PICK = 2  # stories at least: in groups of few, the more picks, the more may be shown
OTHERS_SHARE = 0.6  # how much it counts against a document to be close to the other groups
DIGITS = 9  # to which closeness is told apart: sums differ in the last ones by chance

REASON = "shorter, or further from its group, than others of it"


@dataclass(frozen=True, eq=False)
class Screening:
    """A place from 0 (last) to 1 for each point within its group; NaN for points that may always be shown.

    `stories` name, for each point, the first that tells the same story: copies and retellings count once.
    """

    ranks: Floats
    groups: Integers
    stories: Integers

    def shown(self, wanted: Sequence[int], without: Booleans | None = None) -> Booleans:
        """The points that may be shown where each group is to have so many picks, some points being banned."""
        usable = ~np.isnan(self.ranks)
        if without is not None:
            usable &= ~without
        shown = np.isnan(self.ranks)
        order = np.flatnonzero(usable)
        order = order[np.lexsort((-self.ranks[order], self.groups[order]))]
        bounds = np.searchsorted(self.groups[order], np.arange(len(wanted) + 1))
        for group, count in enumerate(wanted):
            inside = order[bounds[group] : bounds[group + 1]]
            firsts = np.sort(np.unique(self.stories[inside], return_index=True)[1])
            enough = max(FEWEST_SHOWN, SHOWN_FOR_EACH_PICK * count, round(SHARE_SHOWN * len(firsts)))
            last = len(inside) if enough >= len(firsts) else firsts[enough]
            shown[inside[:last]] = True
        return np.asarray(shown)

    def set_aside(
        self, shown: Booleans, documents: Sequence[Document], pinned: Sequence[int] = ()
    ) -> tuple[SetAside, ...]:
        """The documents that count but are shown in no group; pinned ones are shown."""
        in_some_group = {documents[place].id for place in (*np.flatnonzero(shown).tolist(), *pinned)}
        hidden = dict.fromkeys(documents[place].id for place in np.flatnonzero(~shown).tolist())
        names = tuple(name for name in hidden if name not in in_some_group)
        return (SetAside(REASON, names),) if names else ()


def screen(points: Points, grouping: Grouping, n_words: Floats) -> Screening:
    """Order the points of each group by the lower of their ranks by closeness and by length; the closer one of equals.

    Closeness is x·(m_g − 0.6·m_¬g): x is the vector of length 1, m_g the mean of such vectors over the group, m_¬g over
    all others. `n_words` (N,) says how long each document is. Pictures are not ranked.
    """
    codes = grouping.codes
    rows = _of_length_one(points.vectors)
    middles = _middles(rows, points.weights, codes, len(grouping.names))
    ranks = np.full(len(codes), np.nan)
    readable = np.flatnonzero([not document.image for document in grouping.corpus.documents])
    readable = readable[np.argsort(codes[readable], kind="stable")]
    for inside in np.split(readable, np.flatnonzero(np.diff(codes[readable])) + 1):
        if len(inside):
            closeness = np.round(np.asarray(rows[inside] @ middles[codes[inside[0]]]).ravel(), DIGITS)
            lower = np.minimum(_ranks(closeness), _ranks(n_words[inside]))
            order = np.lexsort((closeness, lower))
            ranks[inside[order]] = np.arange(len(inside)) / max(1, len(inside) - 1)
    return Screening(ranks, codes, points.stories)


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


def _middles(rows: Any, weights: Floats, codes: Integers, n_groups: int) -> Floats:
    """m_g − 0.6·m_¬g of every group; shape (G, d)."""
    tiny = np.finfo(np.float64).tiny
    member = sparse.csr_array((weights, (codes, np.arange(len(codes)))), shape=(n_groups, len(codes)))
    sums = member @ rows
    sums = np.asarray(sums.todense() if sparse.issparse(sums) else sums, np.float64)
    totals = np.bincount(codes, weights, n_groups)[:, None]
    others = (sums.sum(axis=0) - sums) / np.maximum(totals.sum() - totals, tiny)
    return np.asarray(sums / np.maximum(totals, tiny) - OTHERS_SHARE * others)


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
