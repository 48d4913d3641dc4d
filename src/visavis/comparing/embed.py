"""The door from documents to points: vectors and weights, by whatever embedder, or as they were given."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, Protocol

import numpy as np

from visavis.comparing.copies import Copies
from visavis.comparing.documents import embedder_name
from visavis.comparing.prepare import Prepared
from visavis.contracts import Cacheable, Embedder, Spreadable, Telling
from visavis.corpus.fields import find_column
from visavis.embed import DEFAULT_EMBEDDER, create_embedder
from visavis.embed.cache import embed_cached
from visavis.embed.given import given_vectors
from visavis.errors import InvalidParameter
from visavis.kernel.threads import meanwhile
from visavis.records import Embedded, Integers, Points, SetAside
from visavis.shared.hashing import draw_by_key, hash_ids
from visavis.shared.progress import Progress, silent

GIVEN = "given"
MOST_FITTED = 50_000  # documents that an embedder is fitted on; of more, a sample


class Inputs(Protocol):
    """What becomes vectors: light enough to be sent to another process, and known by a digest before anything is done.

    `name` is the embedder's, "given" for vectors that come with the documents.
    """

    @property
    def name(self) -> str:
        """What made the vectors."""
        ...

    @property
    def needs_fitting(self) -> bool:
        """Whether the vectors depend on the documents they are fitted on."""
        ...

    def embed(self, fit_on: Integers | None = None) -> Embedded:
        """A vector for every document that can have one; `fit_on` are the places of those to fit on, None for all."""
        ...

    def digest(self) -> str | None:
        """A fingerprint of all that decides the vectors but `fit_on`; None where the embedder cannot say."""
        ...


@dataclass(frozen=True, eq=False)
class EmbedderInputs:
    """An embedder, by name or itself, and what it is given of each document: texts, or the paths of pictures."""

    embedder: str | Embedder
    items: Sequence[str] = field(repr=False)
    threads: int = 1
    tell: Progress = field(default=silent, repr=False)

    @property
    def name(self) -> str:
        """The embedder's."""
        return embedder_name(self.embedder)

    @property
    def needs_fitting(self) -> bool:
        """As the embedder says."""
        return self._embedder().needs_fitting

    def embed(self, fit_on: Integers | None = None) -> Embedded:
        """By the embedder, or from its cache."""
        embedder = self._embedder()
        told = embedder.with_progress(self.tell) if isinstance(embedder, Telling) else embedder
        return embed_cached(told, self.items, fit_on)

    def digest(self) -> str | None:
        """Of the embedder's fingerprint and the items."""
        embedder = self._embedder()
        if not isinstance(embedder, Cacheable):
            return None
        known = [embedder.name, embedder.fingerprint(self.items), list(self.items)]
        return hashlib.sha256(json.dumps(known).encode()).hexdigest()

    def _embedder(self) -> Embedder:
        embedder = create_embedder(self.embedder) if isinstance(self.embedder, str) else self.embedder
        return embedder.with_threads(self.threads) if isinstance(embedder, Spreadable) else embedder


@dataclass(frozen=True, eq=False)
class GivenInputs:
    """Vectors that come with the documents: nothing is fitted."""

    given: Embedded
    name: str = GIVEN
    needs_fitting: ClassVar[bool] = False

    def embed(self, fit_on: Integers | None = None) -> Embedded:  # noqa: ARG002 (the same whatever is fitted on)
        """As they were given."""
        return self.given

    def digest(self) -> str | None:
        """Of the vectors themselves."""
        digest = hashlib.sha256(f"{self.given.vectors.shape}:".encode())
        digest.update(np.ascontiguousarray(self.given.vectors, "<f4").tobytes())
        digest.update(np.ascontiguousarray(self.given.kept, "<i8").tobytes())
        return digest.hexdigest()


def embed(
    prepared: Prepared,
    embedder: str | Embedder,
    rows: Integers,
    fit_on: Integers | None = None,
    *,
    copies: Copies = Copies.KEEP,
    beside: Callable[[], object] = lambda: None,
    tell: Progress = silent,
) -> Points:
    """These documents as points, those without a vector or a weight set aside with the reason.

    `fit_on` are those of the rows to fit on, None for all, or for a sample of very many; `copies` says whether families
    of copies are looked for; `beside` is something else to do meanwhile; `tell` hears how far a long embedding is.
    Raises InvalidParameter, UnknownName and MissingExtra for an embedder that cannot be had or does not fit.
    """
    inputs = choose_inputs(prepared, embedder, rows, tell)
    with meanwhile(partial(_look_around, prepared, rows, copies, beside), prepared.reading.processes) as around:
        found, told = _embed(prepared, embedder, inputs, rows, fit_on)
        every_family = around()
    documents = [prepared.corpus.documents[row] for row in rows.tolist()]
    weights = np.array([documents[place].weight for place in found.kept.tolist()], np.float64)
    counts = weights > 0
    missing = [*found.missing, *((place, "weight of 0") for place in found.kept[~counts].tolist())]
    places = found.kept[counts]
    kept = rows[places]
    own = _among(every_family, places)
    return Points(
        vectors=found.vectors[counts],
        weights=weights[counts],
        rows=kept,
        families=copies.families(prepared, kept) if own is None else own,
        stories=np.arange(len(kept)),
        embedder=found.fitted,
        parameters={"embedder": inputs.name, **found.parameters},
        notes=(*told, *found.notes, *prepared.notes_on_words(kept)),
        set_aside=_set_aside((reason, documents[place].id) for place, reason in missing),
    )


def _look_around(prepared: Prepared, rows: Integers, copies: Copies, beside: Callable[[], object]) -> Integers:
    """The families of copies among the documents, and whatever else is to be done meanwhile."""
    families = copies.families(prepared, rows)
    beside()
    return families


def _set_aside(missing: Iterable[tuple[str, str]]) -> tuple[SetAside, ...]:
    """Reasons, each once, and the ids of the documents that have it."""
    found: dict[str, list[str]] = {}
    for reason, name in missing:
        found.setdefault(reason, []).append(name)
    return tuple(SetAside(reason, tuple(names)) for reason, names in found.items())


def _embed(
    prepared: Prepared, embedder: str | Embedder, inputs: Inputs, rows: Integers, fit_on: Integers | None
) -> tuple[Embedded, tuple[str, ...]]:
    """The vectors of these rows, those of a named embedder remembered, and a note where a sample was fitted on."""
    if fit_on is not None:
        return inputs.embed(_places(rows, fit_on)), ()
    sample, told = sample_to_fit(prepared, rows) if inputs.needs_fitting else (None, ())
    make = partial(inputs.embed, sample)
    return prepared.vectors(embedder, rows, make) if isinstance(embedder, str) else make(), told


def _among(families: Integers, places: Integers) -> Integers | None:
    """Families of all rows as those of the rows at these places; None where one that is left out has a family."""
    new = np.full(len(families), -1)
    new[places] = np.arange(len(places))
    alone = (families == np.arange(len(families))) & (np.bincount(families, minlength=len(families)) == 1)
    return np.asarray(new[families[places]], np.intp) if np.all(alone[new < 0]) else None


def sample_to_fit(prepared: Prepared, rows: Integers) -> tuple[Integers | None, tuple[str, ...]]:
    """The places of the rows to fit on where there are too many for all, and a note on it; None for all of them.

    They are those whose ids have the smallest hashes, whatever the order of the documents.
    """
    if len(rows) <= MOST_FITTED:
        return None, ()
    keys = hash_ids(prepared.corpus.documents[row].id for row in rows.tolist())
    sample = draw_by_key(keys, np.zeros(len(rows), np.intp), MOST_FITTED)
    told = f"the embedding was fitted on {MOST_FITTED:,} of the {len(rows):,} documents, chosen by a hash of their ids"
    return sample, (told,)


def choose_inputs(prepared: Prepared, embedder: str | Embedder, rows: Integers, tell: Progress = silent) -> Inputs:
    """What becomes the vectors of these documents. Raises InvalidParameter and UnknownName."""
    corpus = prepared.corpus
    documents = [corpus.documents[row] for row in rows.tolist()]
    if not isinstance(embedder, str):
        return EmbedderInputs(embedder, prepared.texts(rows), prepared.reading.processes, tell)
    if embedder.startswith("column:"):
        column = find_column(embedder.removeprefix("column:"), corpus)
        return GivenInputs(given_vectors([column.read(document) for document in documents], len(rows)), embedder)
    if embedder.endswith(".npy"):  # its rows are those of the source, before any are left out
        return GivenInputs(_take(given_vectors(embedder, len(corpus.documents)), rows), embedder)
    if embedder == "auto" and corpus.vectors is not None:
        return GivenInputs(given_vectors(corpus.vectors[rows], len(rows)))
    pictures = tuple(document.image for document in documents)
    if embedder == "auto":
        embedder = "pixels" if any(pictures) else DEFAULT_EMBEDDER
    if embedder == "pixels" and not any(pictures):
        raise InvalidParameter("embedder 'pixels' is for pictures, and none of the documents is one: try 'auto'")
    items = pictures if embedder == "pixels" else prepared.texts(rows)
    return EmbedderInputs(embedder, items, prepared.reading.processes, tell)


def _take(found: Embedded, rows: Integers) -> Embedded:
    """The vectors of some documents, of those of all."""
    place = np.full(len(found.kept) + len(found.missing), -1)
    place[found.kept] = np.arange(len(found.kept))
    chosen = place[rows]
    reasons = dict(found.missing)
    missing = tuple((at, reasons[int(rows[at])]) for at in np.flatnonzero(chosen < 0).tolist())
    kept = np.flatnonzero(chosen >= 0)
    return Embedded(found.vectors[chosen[kept]], kept, missing, found.notes, found.parameters)


def _places(rows: Integers, fit_on: Integers | None) -> Integers | None:
    """Where the rows to fit on stand among the rows. Raises InvalidParameter if one is not among them."""
    if fit_on is None:
        return None
    strangers = np.setdiff1d(fit_on, rows)
    if len(strangers):
        raise InvalidParameter(f"fit_on names row {strangers[0]}, which is not among the {len(rows)} to be embedded")
    return np.flatnonzero(np.isin(rows, fit_on))
