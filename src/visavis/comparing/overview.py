"""What can be said of a grouping before anything is picked: words, map, timeline. Made once for a session."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from visavis.comparing.session import DocumentSession
from visavis.corpus.fields import role_column
from visavis.corpus.periods import read_moments
from visavis.explain.telling import Provenance
from visavis.explain.views import plane, timeline
from visavis.explain.words import GroupWords
from visavis.records import Document, DocumentMap, Timeline
from visavis.shared.text import line

AUTHORS = frozenset({"author", "authors", "byline", "creator", "screenname", "speaker", "user", "username", "writer"})

_SEPARATORS = re.compile(r"[\W_]+")


@dataclass(frozen=True, eq=False)
class Overview:
    """The words that tell groups apart, the documents on a plane, and over time (None where they have no dates)."""

    words: GroupWords
    map: DocumentMap
    timeline: Timeline | None


def overview(session: DocumentSession) -> Overview:
    """The overview of a session's groups."""
    documents, codes, n_groups = session.documents, session.codes, len(session.names)
    ids, titles = tuple(d.id for d in documents), tuple(d.title for d in documents)
    return Overview(
        words=GroupWords(session.texts, codes, n_groups, _provenance(session)),
        map=DocumentMap(plane(session.points.vectors), codes, ids, titles),
        timeline=timeline(_moments(documents), codes, n_groups),
    )


def _provenance(session: DocumentSession) -> Provenance:
    """Sources and authors as far as known; of copies in one group, one counts."""
    points, documents = session.points, session.documents
    kinds = (tuple(line(d.source) for d in documents), tuple(_author(d) for d in documents))
    own = points.families * len(session.names) + session.codes
    counted = np.zeros(len(documents), np.bool_)
    there = np.flatnonzero(points.weights > 0)
    counted[there[np.unique(own[there], return_index=True)[1]]] = True
    return Provenance(tuple(kind for kind in kinds if any(kind)), counted, session.names)


def _author(document: Document) -> str:
    """Who wrote a document, by the first column that is called so; blank if none is."""
    for name, value in document.fields.items():
        if _SEPARATORS.sub("", name.casefold()) in AUTHORS and isinstance(value, str) and line(value):
            return line(value)
    return ""


def _moments(documents: Sequence[Document]) -> list[datetime | None]:
    """The documents' dates, without those that grouping would call implausible."""
    found = read_moments(documents, role_column("date"), None, None).found
    return [moment if isinstance(moment, datetime) else None for moment in found]
