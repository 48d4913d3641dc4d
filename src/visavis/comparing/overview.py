"""What can be said of a grouping before anything is picked: words, map, timeline. Made once for a session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from visavis.comparing.session import DocumentSession
from visavis.corpus.fields import role_column
from visavis.corpus.periods import read_moments
from visavis.explain.views import plane, timeline
from visavis.explain.words import GroupWords
from visavis.records import Document, DocumentMap, Timeline


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
        words=GroupWords(session.texts, codes, n_groups),
        map=DocumentMap(plane(session.points.vectors), codes, ids, titles),
        timeline=timeline(_moments(documents), codes, n_groups),
    )


def _moments(documents: Sequence[Document]) -> list[datetime | None]:
    """The documents' dates, without those that grouping would call implausible."""
    found = read_moments(documents, role_column("date"), None, None).found
    return [moment if isinstance(moment, datetime) else None for moment in found]
