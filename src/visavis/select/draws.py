"""Where the randomness of a selection comes from."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import ClassVar

import numpy as np


@dataclass(frozen=True)
class Seeded:
    """One seed for every purpose."""

    key: tuple[int, ...]
    repeatable: ClassVar[bool] = True

    def rng(self, what: str, size: int) -> np.random.Generator:  # noqa: ARG002 (the same for all)
        """A fresh generator of that seed."""
        return np.random.default_rng(list(self.key))


@dataclass(frozen=True)
class SeededByName:
    """A seed of its own for each purpose and size, so that no draw depends on what else is drawn."""

    before: tuple[int, ...]
    after: tuple[int, ...] = ()
    repeatable: ClassVar[bool] = True

    def rng(self, what: str, size: int) -> np.random.Generator:
        """A fresh generator for this purpose."""
        return np.random.default_rng([*self.before, zlib.crc32(what.encode()), *self.after, size])


@dataclass(frozen=True, eq=False)
class Given:
    """The caller's own generator, which goes on from draw to draw."""

    generator: np.random.Generator
    repeatable: ClassVar[bool] = False

    def rng(self, what: str, size: int) -> np.random.Generator:  # noqa: ARG002
        """That generator."""
        return self.generator
