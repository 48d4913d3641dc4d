"""The documents of a state: what is known of each, and how new ones join."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from visavis.comparing.embed import GivenInputs, choose_inputs
from visavis.comparing.prepare import WINDOW, Prepared
from visavis.contracts import Covering, FittedEmbedder
from visavis.corpus.boilerplate import Boilerplate, Cleaned, remove_boilerplate
from visavis.corpus.lead import lead_text
from visavis.embed import create_embedder
from visavis.errors import InvalidParameter
from visavis.records import Array, Corpus, Document, Embedded, Integers
from visavis.records.changes import Arrivals
from visavis.updating.cells import write_document


@dataclass(frozen=True, eq=False)
class Item:
    """A document of a state: as it is written there, its `lead`, its text without boilerplate (None: as it is), how
    many words it has and how many of them were left out. `batch` is the update that brought it as it is now.

    `vector` is None where it has none, `missing` then says why; both are unset while nobody has asked. `known` is the
    share of its words that the embedder knows.
    """

    document: Document
    written: str
    batch: int
    lead: str = ""
    cleaned: str | None = None
    words: int = 0
    removed: int = 0
    bare: bool = False
    vector: Array | None = None
    missing: str = ""
    known: float | None = None


@dataclass(eq=False)
class Learned:
    """What was learned of the first documents and is never learned again: boilerplate, and a fitted embedder (None
    where vectors come with the documents); `parameters` say how vectors are made."""

    boilerplate: Boilerplate | None = None
    embedder: FittedEmbedder | None = None
    parameters: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class KeptDocuments(Prepared):
    """The documents of a state, prepared: leads and vectors as they are kept, of the others by what was learned."""

    items: list[Item] = field(default_factory=list)
    learned: Learned = field(default_factory=Learned)

    @cached_property
    def cleaned(self) -> Cleaned | None:
        """The texts without boilerplate, as they were kept; None where boilerplate is."""
        if self.reading.boilerplate == "keep":
            return None
        return Cleaned(
            tuple(item.document.text if item.cleaned is None else item.cleaned for item in self.items),
            np.array([item.words for item in self.items], np.intp),
            np.array([item.removed for item in self.items], np.intp),
            np.array([item.bare for item in self.items], np.bool_),
        )

    def texts(self, rows: Integers) -> tuple[str, ...]:
        """Title and lead of these documents, as they were kept."""
        return tuple(self.items[row].lead for row in rows.tolist())

    def vectors(self, name: str, rows: Integers, make: Callable[[], Embedded]) -> Embedded:  # noqa: ARG002
        """The vectors of these documents; those that nobody asked for before are made by what was learned."""
        distinct = np.unique(rows)
        unknown = [row for row in distinct.tolist() if self.items[row].vector is None and not self.items[row].missing]
        if unknown:
            self._embed(name, np.array(unknown, np.intp))
        there = np.array([self.items[row].vector is not None for row in rows.tolist()], np.bool_)
        kept = np.flatnonzero(there)
        found = [self.items[row].vector for row in rows[kept].tolist()]
        missing = tuple((at, self.items[rows[at]].missing) for at in np.flatnonzero(~there).tolist())
        vectors = np.stack(found) if found else np.zeros((0, 1), np.float32)
        return Embedded(vectors, kept, missing, parameters=self.learned.parameters)

    def _embed(self, name: str, rows: Integers) -> None:
        inputs = choose_inputs(self, name, rows)
        first = not self.learned.parameters
        if isinstance(inputs, GivenInputs):
            found = inputs.embed()
        elif self.learned.embedder is None:
            found = create_embedder(inputs.name).embed(self.texts(rows))
            self.learned.embedder = found.fitted
        else:
            found = self.learned.embedder.embed(self.texts(rows))
        if first:
            self.learned.parameters = dict(found.parameters) or {"embedder": inputs.name}
        self._keep(rows, found, first)

    def _keep(self, rows: Integers, found: Embedded, first: bool) -> None:
        """Note the vectors, or why there are none, and how much the embedder sees of each text."""
        embedder, known = self.learned.embedder, np.full(len(rows), np.nan)
        if isinstance(embedder, Covering):
            known = embedder.coverage(self.texts(rows), fitted_on=first)
        width = next((len(item.vector) for item in self.items if item.vector is not None), found.vectors.shape[1])
        if len(found.vectors) and found.vectors.shape[1] != width:
            raise InvalidParameter(f"vectors of {found.vectors.shape[1]} numbers, the state's have {width}")
        missing = dict(found.missing)
        vectors = dict(zip(found.kept.tolist(), found.vectors, strict=True))
        for at, row in enumerate(rows.tolist()):
            share = None if np.isnan(known[at]) else float(known[at])
            self.items[row] = replace(
                self.items[row], vector=vectors.get(at), missing=missing.get(at, "")[:200], known=share
            )


@dataclass(frozen=True, eq=False)
class Joined:
    """The documents after an arrival: `fresh` are the rows that are new, `replaced` those that are known by id and say
    something else now, `same` how many came as they were."""

    items: list[Item]
    fresh: tuple[int, ...] = ()
    replaced: tuple[int, ...] = ()
    same: int = 0

    @property
    def arrivals(self) -> Arrivals:
        """How many of each kind."""
        return Arrivals(len(self.fresh), len(self.replaced), self.same)


def join(items: Sequence[Item], corpus: Corpus | None, lead: int | None, learned: Learned, drop: bool) -> Joined:
    """The known documents with those of a corpus: a known id replaces its document, in its place; others come last.

    Boilerplate is dropped, if it is to be, by what was learned; where nothing was yet, it is learned of these.
    """
    merged = list(items)
    if corpus is None:
        return Joined(merged)
    if corpus.vectors is not None or any(document.image for document in corpus.documents):
        raise InvalidParameter("a state keeps texts, not pictures or files of vectors: use `visavis compare` for those")
    place = {item.document.id: row for row, item in enumerate(merged)}
    batch = max((item.batch for item in merged), default=0) + 1
    fresh, replaced, same = [], [], 0
    for document in _told_apart(corpus):
        item = Item(document, write_document(document), batch)
        row = place.get(document.id)
        if row is None:
            fresh.append(len(merged))
            merged.append(item)
        elif merged[row].written == item.written:
            same += 1
        else:
            replaced.append(row)
            merged[row] = item
    _read(merged, [*replaced, *fresh], lead, learned, drop)
    return Joined(merged, tuple(fresh), tuple(replaced), same)


def _read(items: list[Item], rows: list[int], lead: int | None, learned: Learned, drop: bool) -> None:
    """Make the leads of these documents, without boilerplate if it is to be dropped."""
    documents = [items[row].document for row in rows]
    if not drop:
        for row, document in zip(rows, documents, strict=True):
            items[row] = replace(items[row], lead=lead_text(document, lead, choosy=False))
        return
    window = None if lead is None else WINDOW * (lead + 2)
    found = remove_boilerplate(
        [d.text for d in documents], [d.source for d in documents], window, known=learned.boilerplate
    )
    learned.boilerplate = found.recurring
    for at, (row, document) in enumerate(zip(rows, documents, strict=True)):
        text = found.texts[at]
        items[row] = replace(
            items[row], lead=lead_text(replace(document, text=text), lead, choosy=True),
            cleaned=None if text == document.text else text,
            words=int(found.words[at]), removed=int(found.removed[at]), bare=bool(found.bare[at]),
        )  # fmt: skip


def _told_apart(corpus: Corpus) -> Sequence[Document]:
    """The documents by ids that stay theirs: where no column holds ids, they are known by what they say.

    The number of a row would be another document's next week.
    """
    if "id" in corpus.columns:
        return corpus.documents
    seen: dict[str, int] = {}
    found = []
    for document in corpus.documents:
        said = write_document(replace(document, id="-", fields={}, weight=1.0))
        name = hashlib.blake2b(said.encode(), digest_size=8).hexdigest()
        seen[name] = seen.get(name, 0) + 1
        found.append(replace(document, id=name if seen[name] == 1 else f"{name}#{seen[name]}"))
    return found
