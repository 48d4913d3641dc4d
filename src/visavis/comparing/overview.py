"""What can be said of a grouping before anything is picked: words, map, timeline. Made once for a session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from visavis.comparing.again import bonds_of
from visavis.comparing.headlines import headlines, titles
from visavis.comparing.moments import moments_of
from visavis.comparing.openings import opening_of
from visavis.comparing.origins import authors, sources
from visavis.comparing.session import DocumentSession
from visavis.explain.planes import group_plane
from visavis.explain.telling import Provenance
from visavis.explain.themes import find_themes
from visavis.explain.tokens import Tokens
from visavis.explain.views import timeline
from visavis.explain.words import GroupWords
from visavis.records import Document, DocumentMap, Floats, Timeline


@dataclass(frozen=True, eq=False)
class Overview:
    """The words that tell groups apart, the documents on a plane, and over time (None where they have no dates).

    `headlines` are for documents without a title, empty for the others; `texts` are what was read of each.
    """

    words: GroupWords
    headlines: Sequence[str]
    map: DocumentMap
    timeline: Timeline | None
    texts: Sequence[str]

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know of how it was made."""
        n_read, n_documents = len(self.words.read), len(self.headlines)
        if n_read == n_documents:
            return ()
        return (f"words were counted in a sample of the documents, {n_read:,} of {n_documents:,}; shares are theirs",)

    def tested(self, telling: Floats | None) -> Overview:
        """The same with the words that a test has shown to tell groups; `telling` is that of an assessment."""
        return self if telling is None else replace(self, words=self.words.tested(telling))

    def named(self, documents: Sequence[Document], row: int) -> Document:
        """A document with its headline, if it has one."""
        document = documents[row]
        return replace(document, headline=self.headlines[row]) if self.headlines[row] else document

    def called(self, documents: Sequence[Document], row: int) -> Document:
        """A document with its headline, if it has one, and with how its story begins, where that is not at once."""
        document = self.named(documents, row)
        opening = opening_of(document, self.texts[row])
        return replace(document, opening=opening) if opening else document


@dataclass(frozen=True, eq=False)
class Known:
    """What is known of documents before they are grouped: the tokens of their texts, and their places on a plane."""

    tokens: Tokens
    places: Floats | None = None


def overview(session: DocumentSession, known: Known | None = None) -> Overview:
    """The overview of a session's groups; what is `known` is not made again, and a map of known places is bare."""
    documents, codes, n_groups = session.documents, session.codes, len(session.names)
    words = GroupWords(
        session.texts, codes, n_groups, _provenance(session), tokens=None if known is None else known.tokens
    )
    telling = [[term.term for term in words.of_group(group)] for group in range(n_groups)]
    found = headlines(documents, session.texts, codes, telling)
    over_time = timeline(moments_of(documents), codes, n_groups)
    return Overview(words, found, _map(session, words, found, known), over_time, session.texts)


def _map(session: DocumentSession, words: GroupWords, headlines: Sequence[str], known: Known | None) -> DocumentMap:
    documents, codes = session.documents, session.codes
    ids, named = tuple(d.id for d in documents), titles(documents, headlines)
    if known is not None and known.places is not None:
        return DocumentMap(known.places, codes, ids, named)
    bonds = bonds_of(session)
    found = group_plane(session.points.vectors, codes, len(session.names), bonds, session.seed, session.strata)
    themes = find_themes(found.points, words, session.seed)
    return DocumentMap(found.points, codes, ids, named, found.axes, themes)


def _provenance(session: DocumentSession) -> Provenance:
    """Sources and authors as far as known; of copies in one group, one counts."""
    points, documents = session.points, session.documents
    kinds = (sources(documents), authors(documents))
    own = points.families * len(session.names) + session.codes
    counted = np.zeros(len(documents), np.bool_)
    there = np.flatnonzero(points.weights > 0)
    counted[there[np.unique(own[there], return_index=True)[1]]] = True
    return Provenance(tuple(kind for kind in kinds if any(kind)), counted, session.names)
