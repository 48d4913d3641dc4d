"""From grouped documents to what an evaluation needs: vectors, or an embedding fitted on each training part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from visavis.corpus.duplicates import near_duplicates
from visavis.corpus.grouping import restrict
from visavis.corpus.lead import lead_text
from visavis.embed import DEFAULT_EMBEDDER, create_embedder
from visavis.embed.cache import embed_cached
from visavis.errors import InvalidParameter
from visavis.records import Array, Floats, Grouping, Integers


@dataclass(frozen=True, eq=False)
class TextEmbedding:
    """An embedder with its texts: the rows of a training part in, vectors of all texts out.

    A text that has no vector in a split (its words do not occur in the training part) stands at the origin there.
    """

    embedder: str
    texts: tuple[str, ...] = field(repr=False)

    def __call__(self, train: Integers) -> Floats:
        """Fit on these rows, embed all; shape (N, d)."""
        found = embed_cached(create_embedder(self.embedder), self.texts, train)
        vectors = np.zeros((len(self.texts), found.vectors.shape[1]))
        vectors[found.kept] = found.vectors
        return vectors


@dataclass(frozen=True, eq=False)
class Material:
    """Vectors or an embedding, the groups' names for each document, given splits, and what a reader should know."""

    vectors: Array | TextEmbedding
    groups: Array
    splits: tuple[tuple[Integers, Integers], ...]
    notes: tuple[str, ...]


def prepare(grouping: Grouping, embedder: str = DEFAULT_EMBEDDER, *, fold_duplicates: bool = True) -> Material:
    """What to evaluate on. Near-duplicates would stand on both sides of a split, so only the first of each is kept.

    Vectors that the file brings are used as they are; otherwise the title and first three sentences are embedded, and
    documents no embedding can be found for are left out. Raises InvalidParameter if nothing is left.
    """
    names, corpus = np.array(grouping.names), grouping.corpus
    notes = [*corpus.notes, *grouping.notes]
    if corpus.vectors is not None:
        return Material(corpus.vectors, names[grouping.codes], corpus.splits, tuple(notes))
    texts = [lead_text(document) for document in corpus.documents]
    kept = np.arange(len(texts))
    if fold_duplicates:
        kept = np.flatnonzero(near_duplicates(texts) == kept)
        if len(kept) < len(texts):
            notes.append(f"{len(texts) - len(kept)} near-duplicates left out")
    found = embed_cached(create_embedder(embedder), [texts[row] for row in kept])
    if found.missing:
        notes.append(f"{len(found.missing)} documents left out: {_reasons(found.missing)}")
    kept = kept[found.kept]
    if len(kept) == 0:
        raise InvalidParameter("no document is left to evaluate on")
    gone = sorted(set(grouping.codes.tolist()) - set(grouping.codes[kept].tolist()))
    notes += [f"group {grouping.names[code]!r} has no document left" for code in gone]
    splits = restrict(corpus, kept.tolist()).splits
    embedding = TextEmbedding(embedder, tuple(texts[row] for row in kept))
    return Material(embedding, names[grouping.codes[kept]], splits, (*notes, *found.notes))


def _reasons(missing: Sequence[tuple[int, str]]) -> str:
    return "; ".join(dict.fromkeys(reason for _, reason in missing))
