"""The word vectors that come with visavis, averaged: with SIF weights (the default), or plainly as in the paper."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from visavis.embed.averaging import Average, describe
from visavis.embed.tokens import Tokens
from visavis.embed.wordvectors import BUNDLED, WordVectors, bundled_vectors


@dataclass(frozen=True)
class Glove(Average):
    """Average of GloVe vectors (6B, 100 numbers, the 50,000 most frequent English words)."""

    name: str = "glove"
    sif: bool = True

    def table(self, tokens: Tokens) -> WordVectors:  # noqa: ARG002 (all words are at hand)
        """All bundled vectors."""
        return bundled_vectors()

    def stamp(self) -> str:
        """Always the same: the bundled file does not change."""
        return ""

    def identity(self) -> tuple[str, str]:
        """Its name, and a digest of the bundled file."""
        return self.name, _bundled_digest()

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
