"""Summaries whose pages are live: vectors at random, the picks being those of the summary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from visavis.comparing.session import DocumentSession, pose
from visavis.comparing.shortlist import make_shortlist
from visavis.records import Compute, Document, Points, Summary


class Untold:
    """An overview that has nothing to say of any document."""

    words = SimpleNamespace(of_document=lambda *_: ())

    def called(self, documents: Sequence[Document], row: int) -> Document:
        return documents[row]


def session_of(summary: Summary, documents: Sequence[Document]) -> DocumentSession:
    """The documents with vectors at random, in the groups of the summary's map."""
    assert summary.map is not None
    codes = summary.map.codes
    vectors = np.random.default_rng(5).normal(size=(len(documents), 4)) + 0.5 * codes[:, None]
    return pose(
        Points.of(vectors), tuple(group.name for group in summary.groups), codes, documents=documents,
        texts=[document.text for document in documents], candidates=np.ones(len(documents), np.bool_),
        compute=Compute("float32", 1),
    )  # fmt: skip


def live(summary: Summary, documents: Sequence[Document], **told: Any) -> Summary:
    """The summary with a shortlist, as if its own picks had been made by k-means."""
    session = session_of(summary, documents)
    place = {documents[row].id: at for at, row in enumerate(session.part_order().tolist())}
    made = SimpleNamespace(
        problem=session.problem(), order=session.part_order(), parameters={}, request=SimpleNamespace(method="kmeans"),
        sequence=tuple(place[pick.document.id] for group in summary.groups for pick in group.picks), **told,
    )  # fmt: skip
    return replace(summary, shortlist=make_shortlist(session, made, Untold()))  # type: ignore[arg-type]
