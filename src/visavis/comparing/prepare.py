"""From grouped documents to those that can be compared: vectors, copies folded, pins and bans found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from visavis.comparing.options import CompareOptions
from visavis.corpus.duplicates import near_duplicates
from visavis.corpus.fields import find_column
from visavis.corpus.grouping import restrict
from visavis.corpus.lead import lead_text
from visavis.embed import DEFAULT_EMBEDDER, create_embedder
from visavis.embed.averages import NO_WORD
from visavis.embed.cache import embed_cached
from visavis.embed.given import given_vectors
from visavis.errors import InvalidParameter, UnknownName
from visavis.records import Array, Booleans, Corpus, Embedded, Grouping, Integers, SetAside


@dataclass(frozen=True, eq=False)
class Prepared:
    """Documents that have vectors, and what was learned on the way there."""

    grouping: Grouping
    texts: tuple[str, ...]
    vectors: Array
    weights: Array
    allowed: Booleans
    unique: Booleans
    pinned: tuple[int, ...]
    folded: int
    notes: tuple[str, ...]
    embedding: Mapping[str, object]


def prepare(grouping: Grouping, options: CompareOptions) -> Prepared:
    """Vectors for the documents, those without one or without weight set aside, copies folded, pins and bans found."""
    documents = grouping.corpus.documents
    texts = [lead_text(document, options.lead) for document in documents]
    embedded = _embed(grouping.corpus, texts, options)
    kept = np.array([row for row in embedded.kept if documents[row].weight > 0], np.intp)
    weightless = [documents[row].id for row in embedded.kept if documents[row].weight <= 0]
    away = _missing(grouping.corpus, embedded)
    away += (SetAside("weight of 0", tuple(weightless)),) if weightless else ()
    vectors = embedded.vectors[np.isin(embedded.kept, kept)]
    kept_texts = tuple(texts[row] for row in kept)
    smaller = _regroup(grouping, kept, away)
    leader = _leaders(smaller.corpus, kept_texts) if options.duplicates else np.arange(len(kept))
    places = {document.id: row for row, document in enumerate(smaller.corpus.documents)}
    pinned = tuple(_place(places, name, "pin") for name in dict.fromkeys(options.pin))
    banned = [_place(places, name, "ban") for name in options.ban]
    allowed = _allowed(leader, smaller, banned, pinned)
    notes = (*grouping.corpus.notes, *smaller.notes, *embedded.notes)
    weights = np.array([document.weight for document in smaller.corpus.documents])
    folded = int(np.sum(leader != np.arange(len(leader))))
    unique = leader == np.arange(len(leader))
    return Prepared(smaller, kept_texts, vectors, weights, allowed, unique, pinned, folded, notes, embedded.parameters)


def _embed(corpus: Corpus, texts: list[str], options: CompareOptions) -> Embedded:
    name, pictures = options.embedder, any(document.image for document in corpus.documents)
    if name.startswith("column:"):
        column = find_column(name.removeprefix("column:"), corpus)
        return given_vectors([column.read(document) for document in corpus.documents], len(texts))
    if name.endswith(".npy"):
        found = given_vectors(corpus.vectors, len(texts))
        return replace(found, parameters={**found.parameters, "source": name})
    if name == "auto":
        if corpus.vectors is not None:
            return given_vectors(corpus.vectors, len(texts))
        name = "pixels" if pictures else DEFAULT_EMBEDDER
    if name == "pixels" and not pictures:
        raise InvalidParameter("embedder 'pixels' is for pictures, and none of the documents is one: try 'auto'")
    what = [document.image for document in corpus.documents] if name == "pixels" else texts
    return embed_cached(create_embedder(name), what)


def _missing(corpus: Corpus, embedded: Embedded) -> tuple[SetAside, ...]:
    by_reason: dict[str, list[str]] = {}
    for row, reason in embedded.missing:
        by_reason.setdefault(reason, []).append(corpus.documents[row].id)
    return tuple(SetAside(reason, tuple(ids)) for reason, ids in by_reason.items())


def _regroup(grouping: Grouping, kept: Integers, away: tuple[SetAside, ...]) -> Grouping:
    """The grouping of the documents that are left; groups that lost all of theirs are gone."""
    if len(kept) == 0:
        most = max(away, key=lambda one: one.count)
        hint = "; for other languages than English use --embedder tfidf" if most.reason == NO_WORD else ""
        raise InvalidParameter(f"no document is left to compare ({most.reason}: {most.count:,}){hint}")
    codes = grouping.codes[kept]
    found, codes = np.unique(codes, return_inverse=True)
    lost = sorted(set(range(len(grouping.names))) - set(found.tolist()))
    notes = tuple(f"group {grouping.names[g]!r} has no document left" for g in lost)
    corpus = restrict(grouping.corpus, kept.tolist(), away)
    names = tuple(grouping.names[g] for g in found)
    return Grouping(corpus, grouping.by, names, codes.astype(np.intp), (*grouping.notes, *notes))


def _leaders(corpus: Corpus, texts: tuple[str, ...]) -> Integers:
    """The first text each one nearly repeats; pictures stand for themselves, for all they have to read is a name."""
    return near_duplicates(["" if d.image else text for d, text in zip(corpus.documents, texts, strict=True)])


def _place(places: Mapping[str, int], name: str, what: str) -> int:
    if name not in places:
        raise UnknownName(f"{what} names {name!r}, which is no document of this comparison")
    return places[name]


def _allowed(leader: Integers, grouping: Grouping, banned: list[int], pinned: tuple[int, ...]) -> Booleans:
    """One document of every family of copies may be picked: a pinned one, else the first.

    A copy in another group may stand in only where its group would otherwise have nothing to show.
    """
    if not set(leader[banned]).isdisjoint(leader[list(pinned)]):
        raise InvalidParameter("a document is pinned and banned, or its copy is: choose one")
    out = np.isin(leader, leader[banned])  # a copy of a banned story is the same story
    allowed = (leader == np.arange(len(leader))) & ~out & ~np.isin(leader, leader[list(pinned)])
    allowed[list(pinned)] = True
    for code, name in enumerate(grouping.names):
        inside = grouping.codes == code
        if not np.any(allowed & inside):
            left = np.flatnonzero(inside & ~out)
            if len(left) == 0:
                raise InvalidParameter(f"all documents of {name!r} are banned: leave one, or leave out the group")
            allowed[left[np.unique(leader[left], return_index=True)[1]]] = True
    return np.asarray(allowed)
