"""The articles of a study: documents that came through the doors, what workers read of them, and the one split."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from visavis.comparing.copies import Copies
from visavis.comparing.embed import embed
from visavis.comparing.prepare import Prepared, group_documents, notes_on, prepare, regroup
from visavis.corpus.lead import lead_text
from visavis.kernel.threads import limited_to
from visavis.records import Document, Integers
from visavis.shared.progress import Progress
from visavis.shared.text import storable
from visavis.study.design.experiment import Parts, split
from visavis.study.design.plan import StudyPlan
from visavis.study.gold import Text
from visavis.study.masking import masks_of


@dataclass(frozen=True, eq=False)
class Articles:
    """The documents that take part: their groups, what workers read of them, and their vectors.

    `written` holds the texts before anything is hidden.
    """

    documents: tuple[Document, ...]
    names: tuple[str, ...]
    texts: tuple[Text, ...]
    written: tuple[Text, ...]
    parts: Parts
    notes: tuple[str, ...]


def prepare_articles(source: Any, plan: StudyPlan, tell: Progress) -> Articles:
    """Documents that have a text and a vector, without copies: one of a test article must not be a prototype.

    Raises VisavisError for anything the caller can put right.
    """
    groups = plan.grouping  # what is wrong with it is said before anything is read
    tell("reading")
    prepared = prepare(source, plan.reading)
    grouping = group_documents(prepared, groups)
    rows = prepared.rows_of(grouping.corpus)
    kept = Copies.DROP.unless_kept(plan.duplicates).rows(prepared, _with_text(prepared, rows))
    tell("embedding")
    with limited_to(1, "blas"):  # with more threads, the last digits of an embedding would depend on their number
        points = embed(prepared, plan.embedder, kept, tell=tell)
    smaller = regroup(prepared, grouping, points)
    train, test = split(smaller.codes, plan.test_share, np.random.default_rng([plan.seed, 1]))
    documents = smaller.corpus.documents
    names = tuple(map(storable, smaller.names))
    masks = masks_of(plan.describe(), names)
    written = tuple(shown_text(prepared.cleaned_document(row), plan) for row in points.rows.tolist())
    return Articles(
        documents,
        names,
        tuple(map(masks.hide, written)),
        written,
        Parts(points.vectors, smaller.codes, train, test),
        notes_on(grouping, smaller, points, len(rows) - len(kept), "near-duplicates or empty texts"),
    )


def _with_text(prepared: Prepared, rows: Integers) -> Integers:
    return np.asarray(rows[np.array([bool(text) for text in prepared.texts(rows)])])


def shown_text(document: Document, plan: StudyPlan) -> Text:
    """Title and lead as workers read them, apart; nothing else of a document reaches a worker."""
    lead = lead_text(replace(document, title=""), plan.lead)
    title = " ".join(document.title.split())
    if not title:
        title = lead_text(document, 1)
        lead = lead.removeprefix(title).strip()
    elif lead.startswith(title):
        lead = lead_text(replace(document, title=title), plan.lead).removeprefix(title).strip()
    return Text(storable(title), storable(lead))
