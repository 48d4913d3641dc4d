"""Which documents of a group may be shown: the longest fifth.

Every document counts, but a stub, a caption or a notice represents nobody. No list of such forms is needed: they are
short beside the rest of their group. What is off the subject, the search passes over. Every other rule that there was
has been taken away alone, and readers missed none: research/ablations.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from visavis.records import Booleans, Document, Floats, Grouping, Integers, SetAside
from visavis.shared.unspaced import count_words, has_unspaced

SHARE_SHOWN = 0.2  # of each group; research/ablations.md, row "the longest half"
FEWEST_STORIES = 8  # of a group that may be shown, and at least twice as many as it is to have picks
STORIES_FOR_EACH_PICK = 2
REASON = "shorter than others of its group"


@dataclass(frozen=True, eq=False)
class Screening:
    """How many words each point has, NaN for pictures, which may always be shown; its group, and the story it tells."""

    n_words: Floats
    groups: Integers
    stories: Integers

    def shown(self, wanted: Sequence[int]) -> Booleans:
        """The points that may be shown where each group is to have so many picks; of equal length all or none."""
        shown = np.isnan(self.n_words)
        for group, count in enumerate(wanted):
            inside = np.flatnonzero((self.groups == group) & ~shown)
            if len(inside):
                least = self._least_words(inside, max(FEWEST_STORIES, STORIES_FOR_EACH_PICK * count))
                shown[inside] = self.n_words[inside] >= least
        return np.asarray(shown)

    def _least_words(self, inside: Integers, fewest_stories: int) -> float:
        """The fewest words with which a point of a group may be shown."""
        order = inside[np.argsort(-self.n_words[inside], kind="stable")]
        first_of_story = np.sort(np.unique(self.stories[order], return_index=True)[1])
        last = max(round(SHARE_SHOWN * len(order)) - 1, int(first_of_story[:fewest_stories][-1]))
        return float(self.n_words[order[last]])

    def set_aside(
        self, shown: Booleans, documents: Sequence[Document], pinned: Sequence[int] = ()
    ) -> tuple[SetAside, ...]:
        """The documents that count but are not shown; pinned ones are shown."""
        hidden = np.setdiff1d(np.flatnonzero(~shown), pinned).tolist()
        return (SetAside(REASON, tuple(documents[place].id for place in hidden)),) if hidden else ()


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
