"""Where documents come from: their sources and authors, as far as known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from visavis.records import Document, Integers
from visavis.shared.text import line

AUTHORS = frozenset({"author", "authors", "byline", "creator", "screenname", "speaker", "user", "username", "writer"})

KNOWN = 4096  # names that are remembered: most documents share theirs with others

_SEPARATORS = re.compile(r"[\W_]+")


def sources(documents: Sequence[Document]) -> tuple[str, ...]:
    """The source of each document, blank where it is not known."""
    return tuple(_cleaned(document.source) for document in documents)


def authors(documents: Sequence[Document]) -> tuple[str, ...]:
    """Who wrote each document, by the first column that is called so; blank where none is."""
    return tuple(_author(document) for document in documents)


def codes_of(labels: Sequence[str | None]) -> Integers:
    """A number for each label, −1 for those that are blank or None."""
    known = {label: code for code, label in enumerate(dict.fromkeys(label for label in labels if label))}
    return np.array([known[label] if label else -1 for label in labels], np.intp)


def _author(document: Document) -> str:
    for name in filter(_names_authors, document.fields):
        value = document.fields[name]
        if isinstance(value, str) and _cleaned(value):
            return _cleaned(value)
    return ""


_cleaned = lru_cache(KNOWN)(line)


@lru_cache(KNOWN)
def _names_authors(column: str) -> bool:
    return _SEPARATORS.sub("", column.casefold()) in AUTHORS
