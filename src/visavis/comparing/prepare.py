"""The first doors of the corridor: documents are read, and grouped; nothing is dropped that is not told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from visavis.comparing.documents import Reading
from visavis.corpus.duplicates import near_duplicates
from visavis.corpus.grouping import GroupOptions, group, restrict
from visavis.corpus.lead import lead_text
from visavis.corpus.reading import read_corpus
from visavis.embed.averages import NO_WORD
from visavis.errors import InvalidParameter
from visavis.records import Corpus, Grouping, Integers, Points, SetAside

MOST_KEPT = 4  # sets of rows whose families are remembered
WEIGHTS = "documents count alike here, whatever their weight"


@dataclass(frozen=True, eq=False)
class Prepared:
    """Documents as read, nothing dropped; rows are their places in `corpus.documents`.

    Texts and families of copies are made when first asked for, and kept: splitting sentences is slow.
    """

    corpus: Corpus
    reading: Reading
    _texts: dict[int, str] = field(default_factory=dict, init=False, repr=False)
    _families: dict[bytes, Integers] = field(default_factory=dict, init=False, repr=False)

    def texts(self, rows: Integers) -> tuple[str, ...]:
        """Title and lead of these documents."""
        for row in rows.tolist():
            if row not in self._texts:
                self._texts[row] = lead_text(self.corpus.documents[row], self.reading.lead)
        return tuple(self._texts[row] for row in rows.tolist())

    def families(self, rows: Integers) -> Integers:
        """For each of these documents, the place among them of the first that it nearly repeats; shape (rows,).

        Pictures stand for themselves, for all they have to read is a name.
        """
        key = rows.astype(np.int64).tobytes()
        if key not in self._families:
            pictures = (self.corpus.documents[row].image for row in rows.tolist())
            texts = ["" if image else text for image, text in zip(pictures, self.texts(rows), strict=True)]
            while len(self._families) >= MOST_KEPT:
                del self._families[next(iter(self._families))]
            self._families[key] = near_duplicates(texts)
        return self._families[key]

    def rows_of(self, corpus: Corpus) -> Integers:
        """Where the documents of a part of this corpus stand in it."""
        places = {document.id: row for row, document in enumerate(self.corpus.documents)}
        return np.array([places[document.id] for document in corpus.documents], np.intp)


def prepare(source: Any, reading: Reading | None = None) -> Prepared:
    """The documents of a source. Raises VisavisError for what cannot be read."""
    reading = reading or Reading()
    return Prepared(read_corpus(source, reading), reading)


def group_documents(prepared: Prepared, options: GroupOptions, within: Corpus | None = None) -> Grouping:
    """The documents that fall into groups, of all or of a part of the corpus. Raises as `corpus.grouping.group`."""
    return group(prepared.corpus if within is None else within, options)


def regroup(prepared: Prepared, grouping: Grouping, points: Points) -> Grouping:
    """The grouping of the documents that are points; groups that lost all of theirs are gone, and named in a note.

    Raises InvalidParameter if no document is left.
    """
    if len(points.rows) == 0:
        raise InvalidParameter(_why_nothing_is_left(points.set_aside))
    kept = np.flatnonzero(np.isin(prepared.rows_of(grouping.corpus), points.rows))
    found, codes = np.unique(grouping.codes[kept], return_inverse=True)
    lost = sorted(set(range(len(grouping.names))) - set(found.tolist()))
    notes = tuple(f"group {grouping.names[code]!r} has no document left" for code in lost)
    corpus = restrict(grouping.corpus, kept.tolist(), points.set_aside)
    names = tuple(grouping.names[code] for code in found)
    return Grouping(corpus, grouping.by, names, codes.astype(np.intp), (*grouping.notes, *notes))


def notes_on(
    grouping: Grouping, smaller: Grouping, points: Points, dropped: int, dropped_are: str = "near-duplicates"
) -> tuple[str, ...]:
    """What a reader should know where documents count alike: what reading, grouping, dropping and embedding told.

    `smaller` is the grouping of the points, `dropped` how many documents never came to be embedded.
    """
    notes = [*grouping.corpus.notes, *grouping.notes]
    if dropped:
        notes.append(f"{dropped} {dropped_are} left out")
    notes += [f"{away.count} documents left out: {away.reason}" for away in points.set_aside]
    notes += smaller.notes[len(grouping.notes) :]
    if np.any(points.weights != 1):
        notes.append(WEIGHTS)
    return (*notes, *points.notes)


def _why_nothing_is_left(away: tuple[SetAside, ...]) -> str:
    if not away:
        return "no document is left to compare"
    most = max(away, key=lambda one: one.count)
    hint = "; for other languages than English use --embedder tfidf" if most.reason == NO_WORD else ""
    return f"no document is left to compare ({most.reason}: {most.count:,}){hint}"
