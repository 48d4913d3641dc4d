"""The word vectors that come with visavis, averaged: with SIF weights (the default), or plainly as in the paper."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from visavis.embed.averages import FEWEST_TO_FIT, SMOOTHING, average
from visavis.embed.rows import check_fit_rows
from visavis.embed.tokens import tokenize
from visavis.embed.wordvectors import BUNDLED, bundled_vectors
from visavis.records import Embedded, Integers

VERSION = 1  # one more whenever the same texts would get other vectors


def describe(name: str, *, sif: bool) -> dict[str, object]:
    """What made the vectors: which averages, with which numbers."""
    weights: dict[str, object] = {"smoothing": SMOOTHING, "common direction removed from": FEWEST_TO_FIT} if sif else {}
    return {"embedder": name, "average": "sif" if sif else "mean", **weights, "version": VERSION}


@dataclass(frozen=True)
class Glove:
    """Average of GloVe vectors (6B, 100 numbers, the 50,000 most frequent English words)."""

    name: str = "glove"
    sif: bool = True

    def embed(self, texts: Sequence[str], fit_on: Integers | None = None) -> Embedded:
        """A vector for every text with a known word; the common direction is fitted on `fit_on`."""
        fit_rows = check_fit_rows(fit_on, len(texts))
        embedded = average(tokenize(texts), bundled_vectors(), fit_rows, sif=self.sif)
        return replace(embedded, parameters=describe(self.name, sif=self.sif))

    def fingerprint(self, texts: Sequence[str]) -> str:  # noqa: ARG002 (the texts are hashed elsewhere)
        """The version and the numbers of the method, and the file of vectors."""
        return f"{describe(self.name, sif=self.sif)} {_bundled_digest()}"


@cache
def _bundled_digest() -> str:
    return hashlib.sha256(BUNDLED.read_bytes()).hexdigest()


def glove() -> Glove:
    """SIF-weighted."""
    return Glove()


def glove_mean() -> Glove:
    """The plain mean."""
    return Glove("glove-mean", sif=False)
