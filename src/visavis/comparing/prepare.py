"""The first doors of the corridor: documents are read, and grouped; nothing is dropped that is not told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain
from threading import Lock
from typing import Any, TypeVar

import numpy as np

from visavis.comparing.documents import Reading
from visavis.comparing.moments import day_of
from visavis.corpus.boilerplate import Cleaned, remove_boilerplate
from visavis.corpus.duplicates import near_duplicates
from visavis.corpus.grouping import GroupOptions, group, restrict
from visavis.corpus.lead import leads, settle_lead
from visavis.corpus.reading import read_corpus
from visavis.corpus.stories import find_stories
from visavis.corpus.words import Words
from visavis.eligible import word_counts
from visavis.embed.averages import NO_WORD
from visavis.errors import InvalidParameter
from visavis.explain.tokens import Tokens, read_tokens
from visavis.records import Corpus, Document, Embedded, Floats, Grouping, Integers, Points, SetAside
from visavis.shared.extras import command
from visavis.shared.kept import Kept
from visavis.shared.on_demand import OnDemand
from visavis.shared.processes import by_chunks
from visavis.shared.texts import KeptTexts
from visavis.shared.unspaced import has_unspaced, has_words, segmenter

MOST_EACH = 200_000  # documents of which is kept what each says by itself
MOST_KEPT = 4  # sets of rows whose words and families are remembered
WINDOW = 500  # characters in which boilerplate is sought, for each sentence of the lead and two more
FEW_DENSE = 0.05  # of the documents: a stray word in another script is not worth a note
WEIGHTS = "documents count alike here, whatever their weight"

Made = TypeVar("Made")
_lock = Lock()


@dataclass(frozen=True, eq=False)
class Prepared:
    """Documents as read, nothing dropped; rows are their places in `corpus.documents`.

    Texts, families of copies and stories are made when first asked for, and kept: splitting sentences is slow.
    Boilerplate is looked for in the whole corpus, so that a document reads the same whatever it is compared with.
    """

    corpus: Corpus
    reading: Reading
    _each: dict[str, dict[int, Any]] = field(default_factory=dict, init=False, repr=False)
    _families: dict[bytes, Integers] = field(default_factory=dict, init=False, repr=False)
    _words: dict[bytes, Words] = field(default_factory=dict, init=False, repr=False)
    _stories: dict[bytes, Integers] = field(default_factory=dict, init=False, repr=False)
    _vectors: Kept = field(default_factory=lambda: Kept(MOST_KEPT), init=False, repr=False)
    _tokens: list[tuple[Integers, Tokens]] = field(default_factory=list, init=False, repr=False)  # the last read

    @cached_property
    def lead(self) -> int | None:
        """How many sentences of each document are read after its title; None for all."""
        return settle_lead(self.reading.lead, len(self.corpus.documents))

    @cached_property
    def cleaned(self) -> Cleaned | None:
        """The documents' texts without boilerplate; None where it is kept."""
        if self.reading.boilerplate == "keep":
            return None
        documents, lead = self.corpus.documents, self.lead
        window = None if lead is None else WINDOW * (lead + 2)
        return remove_boilerplate(self._raw, [d.source for d in documents], window, self.reading.processes)

    def cleaned_document(self, row: int) -> Document:
        """A document without its boilerplate; what is shown to a reader is the document itself."""
        document = self.corpus.documents[row]
        return document if self.cleaned is None else replace(document, text=self.cleaned.texts[row])

    def texts(self, rows: Integers) -> Sequence[str]:
        """Title and lead of these documents, without boilerplate unless it is kept."""
        return self._leads.of(rows, self._make_leads)

    def each(self, kind: str, rows: Integers, make: Callable[[Integers], Iterable[Made]]) -> list[Made]:
        """What `make` says of each document alone, whatever it is compared with: kept, unless there are very many."""
        if len(self.corpus.documents) > MOST_EACH:
            return list(make(rows))
        known, asked = self._each.setdefault(kind, {}), rows.tolist()
        new = np.array([row for row in asked if row not in known], np.intp)
        known.update(zip(new.tolist(), make(new), strict=True))
        return [known[row] for row in asked]

    @cached_property
    def _leads(self) -> KeptTexts:
        return KeptTexts(len(self.corpus.documents))

    @property
    def _raw(self) -> Sequence[str]:
        documents = self.corpus.documents
        return OnDemand(len(documents), lambda row: documents[row].text)

    def _make_leads(self, rows: Sequence[int]) -> Iterator[str]:
        documents = self.corpus.documents
        texts = self._raw if self.cleaned is None else self.cleaned.texts
        bare = OnDemand(len(rows), lambda at: _bare(documents[rows[at]], texts[rows[at]]))
        make = partial(leads, sentences=self.lead, choosy=self.cleaned is not None)
        return chain.from_iterable(by_chunks(make, bare, self.reading.processes))

    def families(self, rows: Integers) -> Integers:
        """For each of these documents, the place among them of the first that it nearly repeats; shape (rows,).

        Pictures stand for themselves, for all they have to read is a name.
        """
        return _remembered(self._families, rows, lambda: self._find_families(rows))

    def _find_families(self, rows: Integers) -> Integers:
        texts, words = self._readable(rows), self._words_of(rows)
        return near_duplicates(texts, words=words, processes=self.reading.processes)

    def stories(self, rows: Integers) -> Integers:
        """For each of these documents, the place among them of the first that tells the same story; shape (rows,)."""
        return _remembered(self._stories, rows, lambda: self._find_stories(rows))

    def _find_stories(self, rows: Integers) -> Integers:
        dates = [self.corpus.documents[row].date for row in rows.tolist()]
        days = [float("nan") if date is None else day_of(date) for date in dates]
        return find_stories(self._words_of(rows), np.array(days, np.float64), self.reading.processes)

    def word_counts(self, rows: Integers) -> Floats:
        """How many words title and text of each of these documents have, boilerplate left out."""
        documents = self.corpus.documents

        def count(new: Integers) -> Floats:
            return word_counts([documents[row] for row in new.tolist()], [texts[row] for row in new.tolist()])

        texts = self._raw if self.cleaned is None else self.cleaned.texts
        return np.array(self.each("word counts", rows, count), np.float64)

    def vectors(self, name: str, rows: Integers, make: Callable[[], Embedded]) -> Embedded:
        """What an embedder, known by its name, made of these documents, or makes now; the last few are kept."""
        return self._vectors.recall((name, rows.astype(np.int64).tobytes()), make)

    def tokens(self, rows: Integers) -> Tokens:
        """The tokens of these documents' texts; the last that were read are kept, and serve for some of them, too."""
        return _last_read(self._tokens, rows, lambda: read_tokens(self.texts(rows), self.reading.processes))

    def _words_of(self, rows: Integers) -> Words:
        return _remembered(self._words, rows, lambda: Words.of(self._readable(rows), self.reading.processes))

    def _readable(self, rows: Integers) -> Sequence[str]:
        pictures = [bool(self.corpus.documents[row].image) for row in rows.tolist()]
        texts = self.texts(rows)
        if not any(pictures):
            return texts
        return ["" if picture else text for picture, text in zip(pictures, texts, strict=True)]

    def notes_on_words(self, rows: Integers) -> tuple[str, ...]:
        """What was made of texts without spaces between words, where more than a few of these documents are such."""
        dense = [text for text in self.texts(rows) if has_unspaced(text)]
        if len(dense) <= FEW_DENSE * len(rows):
            return ()
        if segmenter() and any(map(has_words, dense)):
            return (f"the words of texts that have no spaces between them were cut by {segmenter()}",)
        better = "" if segmenter() else f"; for the words of Chinese, Japanese and Thai, {command('cjk')}"
        return (f"texts that have no spaces between words were read sign by sign{better}",)

    def rows_of(self, corpus: Corpus) -> Integers:
        """Where the documents of a part of this corpus stand in it."""
        if corpus.documents is self.corpus.documents:
            return np.arange(len(corpus.documents))
        places = {document.id: row for row, document in enumerate(self.corpus.documents)}
        return np.array([places[document.id] for document in corpus.documents], np.intp)


def _bare(document: Document, text: str) -> Document:
    """What a lead is made of, without the rest of the document."""
    return Document(document.id, document.title, text)


def _remembered(kept: dict[bytes, Made], rows: Integers, make: Callable[[], Made]) -> Made:
    """What was made for these rows before, or is made now; the last few are kept."""
    key = rows.astype(np.int64).tobytes()
    found = kept.get(key)
    if found is None:
        found = make()
        with _lock:  # several may ask at once; what two have made is the same
            while len(kept) >= MOST_KEPT:
                del kept[next(iter(kept))]
            kept[key] = found
    return found


def _last_read(kept: list[tuple[Integers, Tokens]], rows: Integers, read: Callable[[], Tokens]) -> Tokens:
    """What was last read, where it is of these rows or of more; else what is read now, and kept instead."""
    for known, found in kept:
        if np.array_equal(known, rows):
            return found
        if len(rows) and np.all(np.isin(rows, known)):
            place = np.zeros(int(known.max()) + 1, np.intp)
            place[known] = np.arange(len(known))
            return found.of_texts(place[rows])
    now = read()
    kept[:] = [(rows, now)]  # several may ask at once; what two have read is the same
    return now


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
