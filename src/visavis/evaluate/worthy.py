"""Who may be picked in a split where only documents that may be shown are: as a comparison of its training part has it.

Nothing is asked of the other documents: lengths, stories and groups are those of the training part.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from visavis.comparing.candidates import may_be_picked, tell_stories
from visavis.comparing.prepare import Prepared
from visavis.corpus.grouping import restrict
from visavis.eligible import screen
from visavis.records import Booleans, Corpus, Grouping, Integers, Points
from visavis.select.problem import count_stories


@dataclass(frozen=True, eq=False)
class SplitCandidates:
    """What the searches of a split may pick, for all documents, those of the test part too.

    The latter are not `allowed` and tell `stories` of their own.
    """

    allowed: Booleans
    stories: Integers

    def room(self, rows: Integers, codes: Integers, n_groups: int) -> Integers:
        """How many of these documents may be picked of each group, one of each story; `codes` are all groups; (G,)."""
        return count_stories(codes[rows], self.allowed[rows], self.stories[rows], n_groups)


@dataclass(frozen=True, eq=False)
class Rules:
    """Documents as they were read, by which every training part is screened on its own.

    `rows` says where each document of an evaluation stands among those prepared; `corpus` holds them in their order.
    """

    prepared: Prepared = field(repr=False)
    corpus: Corpus = field(repr=False)
    rows: Integers

    @property
    def can_screen(self) -> bool:
        """Whether there is anything to be screened: pictures and bare vectors have no texts."""
        return any(not document.image and (document.title or document.text) for document in self.corpus.documents)

    def candidates(self, train: Integers, codes: Integers, names: Sequence[str], wanted: int) -> SplitCandidates:
        """Those of a training part, ascending, where so many picks of each group are wanted.

        `codes` are the groups of all documents, by their place among `names`.
        """
        points = replace(Points.of(np.zeros((len(train), 0))), rows=self.rows[train])  # documents count alike
        grouping = Grouping(restrict(self.corpus, train.tolist()), "", tuple(names), codes[train])
        same_story = tell_stories(self.prepared, points)
        screening = screen(grouping, same_story, self.prepared.word_counts(points.rows))
        allowed, stories = np.zeros(len(self.rows), np.bool_), np.arange(len(self.rows))
        allowed[train] = may_be_picked(points.families, grouping, [], (), screening.shown((wanted,) * len(names)))
        stories[train] = train[same_story]
        return SplitCandidates(allowed, stories)

    def digest(self) -> str:
        """A fingerprint of all that is asked of the documents beside what is embedded of them."""
        digest = hashlib.sha256(json.dumps(self.prepared.lead).encode())
        for told in self._told():
            digest.update(json.dumps(told).encode())
        return digest.hexdigest()

    def _told(self) -> Iterator[tuple[Any, ...]]:
        """Title, text without boilerplate, picture and date of each document."""
        cleaned = self.prepared.cleaned
        for row, document in zip(self.rows.tolist(), self.corpus.documents, strict=True):
            text = document.text if cleaned is None else cleaned.texts[row]
            date = None if document.date is None else document.date.isoformat()
            yield document.title, text, document.image, date
