"""Files become documents, and documents become groups."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from visavis.corpus.reading import ReadOptions, read_corpus

__all__ = ["ReadOptions", "read_corpus"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'visavis.corpus' has no attribute {name!r}")
    # imported when first asked for, so that a child process that parses a file starts quickly
    return getattr(importlib.import_module("visavis.corpus.reading"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
