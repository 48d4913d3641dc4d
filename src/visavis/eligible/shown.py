"""Which documents of a group may be shown: the longest fifth.

Every document counts, but a stub, a caption or a notice represents nobody. No list of such forms is needed: they are
short beside the rest of their group. Every other rule that there was has been taken away, and readers missed none:
research/ablations.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from visavis.records import Booleans, Document, Floats, Grouping, Integers, SetAside
from visavis.shared.unspaced import count_words, has_unspaced

SHARE_SHOWN = 0.2  # of the stories of each group; research/ablations.md, row "the longest half"
FEWEST_SHOWN = 8  # stories of a group
SHOWN_FOR_EACH_PICK = 2  # stories at least: in groups of few, the more picks, the more may be shown
REASON = "shorter than others of its group"


@dataclass(frozen=True, eq=False)
class Screening:
    """How many words each point has, NaN for pictures, which may always be shown; its group, and the story it tells.

    Copies and retellings of a story count once.
    """

    n_words: Floats
    groups: Integers
    stories: Integers

    def shown(self, wanted: Sequence[int], without: Booleans | None = None) -> Booleans:
        """The points that may be shown where each group is to have so many picks; of equal length all or none.

        Points that are `without` are banned, and make room for others.
        """
        shown = np.isnan(self.n_words)
        usable = ~shown if without is None else ~shown & ~without
        order = np.flatnonzero(usable)
        order = order[np.lexsort((-self.n_words[order], self.groups[order]))]
        bounds = np.searchsorted(self.groups[order], np.arange(len(wanted) + 1))
        for group, count in enumerate(wanted):
            inside = order[bounds[group] : bounds[group + 1]]
            if len(inside):
                firsts = np.sort(np.unique(self.stories[inside], return_index=True)[1])
                enough = max(FEWEST_SHOWN, SHOWN_FOR_EACH_PICK * count, round(SHARE_SHOWN * len(firsts)))
                shortest = inside[firsts[min(enough, len(firsts)) - 1]]
                shown[inside] = self.n_words[inside] >= self.n_words[shortest]
        return np.asarray(shown)

    def set_aside(
        self, shown: Booleans, documents: Sequence[Document], pinned: Sequence[int] = ()
    ) -> tuple[SetAside, ...]:
        """The documents that count but are shown in no group; pinned ones are shown."""
        in_some_group = {documents[place].id for place in (*np.flatnonzero(shown).tolist(), *pinned)}
        hidden = dict.fromkeys(documents[place].id for place in np.flatnonzero(~shown).tolist())
        names = tuple(name for name in hidden if name not in in_some_group)
        return (SetAside(REASON, names),) if names else ()


def screen(grouping: Grouping, stories: Integers, n_words: Floats) -> Screening:
    """What decides which points may be shown: how many words each has, and which story it tells; shapes (N,)."""
    pictures = np.array([bool(document.image) for document in grouping.corpus.documents], np.bool_)
    return Screening(np.where(pictures, np.nan, n_words), grouping.codes, stories)


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
