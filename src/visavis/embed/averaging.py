"""Embedders that average word vectors: what they share, wherever the vectors come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from visavis.embed.averages import (
    FEWEST_TO_FIT,
    SMOOTHING,
    CommonDirection,
    Means,
    common_direction,
    known_shares,
    plain_vectors,
    sif_vectors,
    word_means,
)
from visavis.embed.fitting import check_arrays
from visavis.embed.rows import check_fit_rows
from visavis.embed.tokens import Tokens, tokenize
from visavis.embed.wordvectors import WordVectors
from visavis.errors import InvalidParameter
from visavis.inputs import check_whole
from visavis.records import Array, Embedded, Floats, Integers

VERSION = 1  # one more whenever the same texts would get other vectors


def describe(name: str, *, sif: bool) -> dict[str, object]:
    """What made the vectors: which averages, with which numbers."""
    weights: dict[str, object] = {"smoothing": SMOOTHING, "common direction removed from": FEWEST_TO_FIT} if sif else {}
    return {"embedder": name, "average": "sif" if sif else "mean", **weights, "version": VERSION}


class WordSource(Protocol):
    """Where word vectors come from; `sif` says how they are averaged, plainly or with weights."""

    @property
    def name(self) -> str:
        """What it is asked for by."""
        ...

    @property
    def sif(self) -> bool:
        """Whether a direction is fitted."""
        ...

    def table(self, tokens: Tokens) -> WordVectors:
        """Vectors of all words that these tokens may stand for. Raises InvalidParameter if they cannot be read."""
        ...

    def stamp(self) -> str:
        """What changes when the vectors do, and is quick to ask. Raises InvalidParameter if they are gone."""
        ...

    def identity(self) -> tuple[str, str]:
        """A name by which the source is found from anywhere, and a digest of its content."""
        ...


class Average:
    """What an embedder that averages the vectors of a `WordSource` does, told apart by the source alone."""

    @property
    def needs_fitting(self: WordSource) -> bool:
        """Only SIF removes a direction that the texts share."""
        return self.sif

    def fit(self: WordSource, texts: Sequence[str]) -> FittedAverage:
        """With SIF, the direction common to these texts; the plain mean has nothing to fit."""
        stamp = self.stamp()
        return FittedAverage(self, stamp, common_direction(_read(self, texts).vectors) if self.sif else None)

    def embed(self: WordSource, texts: Sequence[str], fit_on: Integers | None = None) -> Embedded:
        """A vector for every text with a known word; the common direction is fitted on `fit_on`."""
        rows = check_fit_rows(fit_on, len(texts))
        stamp, means = self.stamp(), _read(self, texts)
        common = common_direction(means.vectors[np.isin(means.kept, rows)]) if self.sif else None
        return FittedAverage(self, stamp, common).place(means)

    def restore(self: WordSource, parameters: Mapping[str, object], arrays: Mapping[str, Array]) -> FittedAverage:
        """What `fit` gave. Raises InvalidParameter if the word vectors are not what they were."""
        stamp = self.stamp()
        if parameters.get("word vectors") != self.identity()[1]:
            raise InvalidParameter(f"the word vectors of {self.name!r} have changed since it was fitted: fit it again")
        if not self.sif:
            check_arrays(arrays, {})
            return FittedAverage(self, stamp, None)
        n_texts = check_whole("fitted on", parameters.get("fitted on"), low=0)
        check_arrays(arrays, {"direction": (np.float64, 1)})
        u = arrays["direction"]
        if len(u) and not np.isclose(np.linalg.norm(u), 1, atol=1e-6):
            raise InvalidParameter(f"'direction' has length {np.linalg.norm(u):g}, it must be 1")
        return FittedAverage(self, stamp, CommonDirection(u if len(u) else None, n_texts))


@dataclass(frozen=True, eq=False)
class FittedAverage:
    """Word vectors, their stamp then, and the direction that is removed from averages (None for the plain mean)."""

    source: WordSource
    stamp: str
    common: CommonDirection | None = field(repr=False)

    @property
    def parameters(self) -> dict[str, object]:
        """How words are averaged, a digest of their vectors, and on how many texts a direction was fitted."""
        self._check_unchanged()
        name, digest = self.source.identity()
        fitted: dict[str, object] = {} if self.common is None else {"fitted on": self.common.n_texts}
        return {**describe(name, sif=self.source.sif), "word vectors": digest, **fitted}

    def embed(self, texts: Sequence[str]) -> Embedded:
        """A vector for every text with a known word. Raises InvalidParameter if the word vectors have changed."""
        self._check_unchanged()
        return self.place(_read(self.source, texts))

    def place(self, means: Means) -> Embedded:
        """The vectors of texts whose words are averaged already."""
        width = means.vectors.shape[1]
        if self.common is not None and self.common.u is not None and len(self.common.u) != width:
            raise InvalidParameter(f"'direction' has {len(self.common.u)} numbers but the word vectors have {width}")
        found = plain_vectors(means) if self.common is None else sif_vectors(means, self.common)
        return replace(found, parameters=describe(self.source.name, sif=self.source.sif), fitted=self)

    def coverage(self, texts: Sequence[str], *, fitted_on: bool = False) -> Floats:  # noqa: ARG002 (it makes no odds)
        """The share of each text's distinct words that have a vector; NaN for a text without words."""
        tokens = tokenize(texts)
        return known_shares(tokens, self.source.table(tokens))

    def arrays(self) -> dict[str, Array]:
        """The direction, empty if there is none to remove; the word vectors stay in their own file."""
        if self.common is None:
            return {}
        return {"direction": np.zeros(0) if self.common.u is None else self.common.u}

    def _check_unchanged(self) -> None:
        if self.source.stamp() != self.stamp:
            raise InvalidParameter(
                f"the word vectors of {self.source.name!r} have changed since it was fitted: fit it again"
            )


def _read(source: WordSource, texts: Sequence[str]) -> Means:
    tokens = tokenize(texts)
    return word_means(tokens, source.table(tokens), sif=source.sif)
