"""Whether copies count: a rule of the purpose, written here and asked by everyone."""

from __future__ import annotations

from enum import Enum

import numpy as np

from visavis.comparing.prepare import Prepared
from visavis.records import Integers
from visavis.records.documents import first_places


class Copies(Enum):
    """What becomes of near-duplicates.

    FOLD: each counts as a document, and one of a family may be picked (comparing: a story in ten outlets is a large
    story, but is shown once). DROP: the first of a family stands for it (evaluation and studies: a copy would stand on
    both sides of a split). KEEP: each is a document of its own.
    """

    FOLD = "fold"
    DROP = "drop"
    KEEP = "keep"

    def unless_kept(self, duplicates: bool) -> Copies:
        """This rule, or KEEP where the user wants nothing made of duplicates."""
        return self if duplicates else Copies.KEEP

    def rows(self, prepared: Prepared, rows: Integers) -> Integers:
        """Those of the documents that take part."""
        if self is not Copies.DROP:
            return rows
        firsts = np.flatnonzero(prepared.families(rows) == np.arange(len(rows)))
        return np.asarray(rows[firsts])

    def families(self, prepared: Prepared, rows: Integers) -> Integers:
        """For each document that takes part, the place among them of the first that it copies; shape (rows,).

        A document that stands there twice, because it is in two groups, is always a copy of itself.
        """
        found = prepared.families(rows) if self is Copies.FOLD else np.arange(len(rows))
        return np.asarray(found[first_places(rows)])
