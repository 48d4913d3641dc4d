"""Embedders that keep account of what is asked of them."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from visavis.records import Array, Embedded, Integers


@dataclass(frozen=True)
class Drawn:
    """Random vectors by text."""

    name: str

    @property
    def parameters(self) -> Mapping[str, object]:
        return {"embedder": self.name}

    def embed(self, texts: Sequence[str]) -> Embedded:
        drawn = [np.random.default_rng(zlib.crc32(text.encode())).normal(size=3) for text in texts]
        return Embedded(np.array(drawn, np.float32).reshape(len(texts), 3), np.arange(len(texts)))

    def arrays(self) -> Mapping[str, Array]:
        return {}


class Counting:
    """Random vectors by text; `fitted` holds the rows of every call. It says that it must be fitted."""

    name = "counting"
    needs_fitting = True

    def __init__(self) -> None:
        self.fitted: list[Integers | None] = []

    def fit(self, texts: Sequence[str]) -> Drawn:  # noqa: ARG002
        return Drawn(self.name)

    def embed(self, texts: Sequence[str], fit_on: Integers | None = None) -> Embedded:
        self.fitted.append(fit_on)
        fitted = self.fit(texts)
        return replace(fitted.embed(texts), fitted=fitted)


class Known(Counting):
    """The same, and it can say what else its vectors depend on."""

    name = "known"

    def fingerprint(self, texts: Sequence[str]) -> str:  # noqa: ARG002
        return "1"


class Settled(Counting):
    """The same, and nothing is fitted."""

    name = "settled"
    needs_fitting = False
