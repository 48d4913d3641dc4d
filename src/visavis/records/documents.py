"""Documents, their groups, and their vectors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from visavis.records.arrays import Booleans, Floats, Integers, joint_codes

if TYPE_CHECKING:
    from visavis.contracts import FittedEmbedder


@dataclass(frozen=True, slots=True)
class Document:
    """One document as read. `fields` holds every column of its row as it stood, by the column's own name.

    `date` is in UTC (a date without a time is midnight, a time without a zone is UTC); `image` is a picture's path.
    `headline` is what to call it where it has no title, `opening` how its story begins where much else stands before
    it; a comparison finds them.
    """

    id: str
    title: str = ""
    text: str = ""
    date: datetime | None = None
    source: str = ""
    url: str = ""
    image: str = ""
    weight: float = 1.0
    fields: Mapping[str, Any] = field(default_factory=dict)
    headline: str = ""
    opening: str = ""


@dataclass(frozen=True)
class SetAside:
    """Documents or rows that were left out, and why; `where` names them (ids, or rows as "file:row")."""

    reason: str
    where: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many."""
        return len(self.where)


@dataclass(frozen=True, eq=False)
class Corpus:
    """Documents with distinct ids, what was set aside on the way, and remarks for the reader of the report.

    `columns` maps a role (id, title, text, date, source, url, weight) to the column it was read from. `vectors` are
    there when the file brings its own, a row per document; `splits` likewise (pairs of train and test row numbers).
    """

    documents: tuple[Document, ...]
    origin: str
    columns: Mapping[str, str] = field(default_factory=dict)
    set_aside: tuple[SetAside, ...] = ()
    notes: tuple[str, ...] = ()
    vectors: Floats | None = None
    splits: tuple[tuple[Integers, Integers], ...] = ()


@dataclass(frozen=True, eq=False)
class Grouping:
    """The documents of a comparison and their groups: `codes` index `names`, one code per document of `corpus`.

    A document that is in several groups stands there once for each.
    """

    corpus: Corpus
    by: str
    names: tuple[str, ...]
    codes: Integers
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Embedded:
    """The vectors of those texts that have one.

    `vectors` is float32, shape (kept, d); `kept` holds the places of its rows in the texts, ascending; `missing` names
    the others, each with the reason. `parameters` is what made them, in JSON's types; `fitted` embeds later texts the
    same way (None for vectors that were given, or taken from the cache).
    """

    vectors: NDArray[np.float32]
    kept: Integers
    missing: tuple[tuple[int, str], ...] = ()
    notes: tuple[str, ...] = ()
    parameters: Mapping[str, object] = field(default_factory=dict)
    fitted: FittedEmbedder | None = None


@dataclass(frozen=True, eq=False)
class Points:
    """Documents as vectors: what a session is posed on. Bare arrays enter the corridor here.

    `vectors` (N, d) are dense or CSR, `weights` (N,) not negative. `rows` says which document each point is, among
    those that were prepared; `families` names, for each point, the first point it is a copy of (itself if of none),
    `stories` the first point that tells the same story: of a story a group shows one document at most. Where there are
    `origins`, numbers for where points come from, a group's picks are spread over them as evenly as can be.
    Where documents have texts, `words` (N, T) are the words of each, CSR with rows of length 1.
    `embedder` made the vectors and can make more of later texts; `parameters` says how, in JSON's types. `set_aside`
    names the documents that could not become points.
    """

    vectors: Any
    weights: Floats
    rows: Integers
    families: Integers
    stories: Integers
    embedder: FittedEmbedder | None = None
    parameters: Mapping[str, object] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    set_aside: tuple[SetAside, ...] = ()
    origins: Integers | None = None
    words: Any = None

    @classmethod
    def of(cls, vectors: Any, weights: Floats | None = None) -> Points:
        """Bare vectors: every point is a document of its own."""
        everyone = np.arange(vectors.shape[0])
        return cls(vectors, np.ones(len(everyone)) if weights is None else weights, everyone, everyone, everyone)

    @property
    def again(self) -> Booleans:
        """Points of a document that stands there before, in another group."""
        return np.asarray(first_places(self.rows) != np.arange(len(self.rows)))

    @property
    def unique(self) -> Booleans:
        """One point of every family of copies."""
        return np.asarray(self.families == np.arange(len(self.families)))

    def first_in(self, groups: Integers) -> Booleans:
        """One point that counts of every family of copies in every group: what groups share belongs to each."""
        found, there = np.zeros(len(groups), np.bool_), np.flatnonzero(self.weights > 0)
        own = joint_codes(self.families[there], groups[there])
        found[there[np.unique(own, return_index=True)[1]]] = True
        return found

    def of_rows(self, rows: Integers) -> Points:
        """The points of these documents, as often as they are named; those that have none are left out."""
        place = np.full(max(int(self.rows.max(initial=-1)), int(rows.max(initial=-1))) + 1, -1)
        place[self.rows] = np.arange(len(self.rows))
        found = place[rows]
        return self.take(found[found >= 0])

    def take(self, places: Integers) -> Points:
        """These points alone, in this order; a family whose first point is left out is led by the first that stays."""
        return replace(
            self, vectors=self.vectors[places], weights=self.weights[places], rows=self.rows[places],
            families=first_places(self.families[places]), stories=first_places(self.stories[places]),
            origins=None if self.origins is None else self.origins[places],
            words=None if self.words is None else self.words[places],
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Blocks:
    """Which documents are not independent of each other; every array has an entry for each point.

    `codes` say which documents form a block (all of an outlet, of a day, of a story), by whatever `by` names; they are
    held out together. `units` are what a test deals anew: a block that lies in one group is a unit, one that lies in
    several is divided until each unit lies in one. Units change places only with others of the same `strata`.
    """

    by: str
    codes: Integers
    units: Integers
    strata: Integers

    @classmethod
    def of_documents(cls, n_documents: int) -> Blocks:
        """Every document on its own."""
        alone = np.arange(n_documents)
        return cls("documents", alone, alone, np.zeros(n_documents, np.intp))

    def take(self, places: Integers) -> Blocks:
        """Those of these documents alone, in this order."""
        return replace(self, codes=self.codes[places], units=self.units[places], strata=self.strata[places])


def first_places(labels: Integers) -> Integers:
    """For each place, the first place with the same label."""
    _, codes = np.unique(labels, return_inverse=True)
    first = np.full(int(codes.max(initial=-1)) + 1, len(labels))
    np.minimum.at(first, codes, np.arange(len(labels)))
    return np.asarray(first[codes], np.intp)
