"""Whose words a document's are: its author, or the outlet it appeared in."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from visavis.records import Document, Integers
from visavis.shared.text import line

AUTHORS = frozenset({"author", "authors", "byline", "creator", "screenname", "speaker", "user", "username", "writer"})

_SEPARATORS = re.compile(r"[\W_]+")


def author_of(document: Document) -> str:
    """Who wrote a document, by the first column that is called so; blank if none is."""
    for name, value in document.fields.items():
        if _SEPARATORS.sub("", name.casefold()) in AUTHORS and isinstance(value, str) and line(value):
            return line(value)
    return ""


def find_voices(documents: Sequence[Document]) -> Integers:
    """For each document, the place of the first with the same author (or source, where no author is known)."""
    first: dict[str, int] = {}
    found = np.arange(len(documents))
    for place, document in enumerate(documents):
        name = author_of(document) or line(document.source)
        if name:
            found[place] = first.setdefault(name, place)
    return found
