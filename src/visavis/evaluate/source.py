"""Where a split's vectors come from: an array, or an embedding fitted anew on every training part."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.decomposition import PCA

from visavis.comparing.embed import Inputs
from visavis.errors import Incompatible, InvalidParameter
from visavis.evaluate.measures import weigh_terms
from visavis.evaluate.plan import EVERY, Plan
from visavis.evaluate.splits import Split
from visavis.evaluate.whole_blocks import WholeBlocks
from visavis.evaluate.worthy import Rules, SplitCandidates
from visavis.kernel.threads import limited_to
from visavis.records import Array, Booleans, Floats, Integers

Embedding = Callable[[Integers], Any]  # rows to fit on → vectors of all documents


@dataclass(frozen=True, eq=False)
class DocumentEmbedding:
    """Documents and what becomes their vectors: the rows of a training part in, vectors of all documents out.

    A document that has no vector in a split (its words do not occur in the training part) stands at the origin there.
    `known` are the vectors of all documents where nothing is fitted, so that no split embeds again. `readable` is
    False where the texts are but the names of pictures. `rules` tell who may be shown, None where nothing is known of
    that; they stay in their process.
    """

    inputs: Inputs
    texts: Sequence[str] = field(repr=False)
    known: Array | None = field(default=None, repr=False)
    readable: bool = True
    rules: Rules | None = field(default=None, repr=False)

    def __call__(self, train: Integers) -> Floats:
        """Fit on these rows, embed all; shape (N, d)."""
        if self.known is not None:
            return np.asarray(self.known, np.float64)
        found = self.inputs.embed(train)
        vectors = np.zeros((len(self.texts), found.vectors.shape[1]))
        vectors[found.kept] = found.vectors
        return vectors

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "rules": None}


@dataclass(frozen=True, eq=False)
class Source:
    """Documents as an array (N, d), or as an embedding; their groups' codes and names; and the splits.

    `waiting` holds vectors that the digest had to ask for until their split does; it stays in its process.
    `given_texts` are what a reader would read, where the embedding does not know; `worthy` marks the documents that may
    be shown, (N,); `blocks` are held out together, where some are.
    """

    vectors: Array | Embedding
    codes: Integers
    names: tuple[str, ...]
    splits: tuple[Split, ...]
    waiting: dict[int, Floats] = field(default_factory=dict, repr=False)
    given_texts: Sequence[str] | None = field(default=None, repr=False)
    worthy: Booleans | None = field(default=None, repr=False)
    blocks: WholeBlocks | None = field(default=None, repr=False)

    @cached_property
    def terms(self) -> Any | None:
        """The weighted words of all texts, made when first asked for; None where there are no texts."""
        texts = self.given_texts
        if texts is None and isinstance(self.vectors, DocumentEmbedding) and self.vectors.readable:
            texts = self.vectors.texts
        return None if texts is None else weigh_terms(texts)

    def blocks_record(self) -> dict[str, Any] | None:
        """By what blocks are told apart and how many there are; None where documents stand alone."""
        return None if self.blocks is None else self.blocks.as_record()

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "waiting": {}}

    def of_split(self, number: int, plan: Plan) -> Floats:
        """Vectors of all documents, whatever is fitted being fitted on the training part; shape (N, d)."""
        train = self.splits[number].train
        vectors = self.waiting.pop(number) if number in self.waiting else self._vectors(train)
        if plan.variance is None:
            return vectors
        reduce = PCA(plan.variance if plan.variance < 1.0 else None, svd_solver="full").fit(vectors[train])
        return np.asarray(reduce.transform(vectors), np.float64)

    @property
    def rules(self) -> Rules:
        """Who may be shown. Raises Incompatible where there are no documents to tell it by."""
        rules = self.vectors.rules if isinstance(self.vectors, DocumentEmbedding) else None
        if rules is None:
            raise Incompatible(
                "candidates='worthy' needs documents that were read with their texts, and there are none here: name "
                "files of texts (load_material in Python), or choose candidates='all'"
            )
        return rules

    def candidates(self, number: int, plan: Plan) -> SplitCandidates | None:
        """What the searches of a split may pick, told by its training part alone; None where that is everything.

        The largest size is what all sizes find documents enough for, so that their picks come from the same ones.
        """
        if plan.candidates == EVERY:
            return None
        train = self.splits[number].train
        with limited_to(1):
            return self.rules.candidates(train, self.codes, self.names, max(plan.sizes))

    def _vectors(self, train: Integers) -> Floats:
        given = self.vectors(train) if callable(self.vectors) else self.vectors
        vectors = np.asarray(given, np.float64)
        if vectors.ndim != 2 or len(vectors) != len(self.codes):
            raise InvalidParameter(
                f"there are {len(self.codes)} groups' labels but vectors of shape {vectors.shape}: one row each"
            )
        if not np.all(np.isfinite(vectors)):
            raise InvalidParameter("the vectors hold NaN or infinite values")
        return vectors

    def digest(self, plan: Plan, version: str) -> str:
        """A fingerprint of all that decides the results: plan, version, groups, splits, blocks and vectors.

        Documents are known by their texts and embedder; what cannot be known otherwise is embedded for its first split.
        """
        digest = hashlib.sha256(json.dumps([version, plan.describe(), self.names], sort_keys=True).encode())
        self._feed_rows(digest)
        self._feed_aids(digest)
        if plan.candidates != EVERY:
            digest.update(f"rules:{self.rules.digest()}".encode())
        if self.blocks is not None:  # splits of other blocks may be the same, their folds are not
            digest.update(b"blocks:" + np.ascontiguousarray(self.blocks.codes, "<i8").tobytes())
        known = self.vectors.inputs.digest() if isinstance(self.vectors, DocumentEmbedding) else None
        if known is not None:
            digest.update(known.encode())
            return digest.hexdigest()
        vectors = self._vectors(self.splits[0].train)
        if callable(self.vectors):
            self.waiting[0] = vectors
        digest.update(f"{vectors.shape}:".encode() + np.ascontiguousarray(vectors, "<f8").tobytes())
        return digest.hexdigest()

    def splits_digest(self, plan: Plan) -> str:
        """A fingerprint of documents, groups and splits: runs that share it can be compared split by split.

        Documents are known by their texts, so that embedders can be compared; bare vectors by the data set's name.
        """
        documents = list(self.vectors.texts) if isinstance(self.vectors, DocumentEmbedding) else plan.dataset
        digest = hashlib.sha256(json.dumps([self.names, documents]).encode())
        self._feed_rows(digest)
        return digest.hexdigest()

    def _feed_aids(self, digest: hashlib._Hash) -> None:
        """What only the measures look at, where it was given: runs without it are known as they always were."""
        if self.given_texts is not None:
            digest.update(json.dumps(self.given_texts).encode())
        if self.worthy is not None:
            digest.update(b"worthy:" + np.packbits(self.worthy).tobytes())

    def _feed_rows(self, digest: hashlib._Hash) -> None:
        for rows in (self.codes, *(rows for split in self.splits for rows in (split.train, split.test))):
            digest.update(f"{len(rows)}:".encode() + np.ascontiguousarray(rows, "<i8").tobytes())
