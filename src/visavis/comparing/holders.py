"""Which documents hold the words that set a group apart: a few of them for each word, the most typical first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from visavis.comparing.overview import Overview
from visavis.comparing.session import DocumentSession
from visavis.records import Floats, Term
from visavis.select.search import Selection

MOST_HOLDERS = 8  # documents kept for each word


def terms_of_groups(session: DocumentSession, selection: Selection, about: Overview) -> list[tuple[Term, ...]]:
    """The words of every group, each with its holders, which come without their texts; whatever is picked, the same."""
    return selection.problem.facts.recent("terms", about, lambda: _terms_of_groups(session, selection, about))


def _terms_of_groups(session: DocumentSession, selection: Selection, about: Overview) -> list[tuple[Term, ...]]:
    typical = _typicality(session, selection)
    found = []
    for group in range(len(session.names)):
        terms = []
        for term, rows in zip(about.words.of_group(group), about.words.holders(group), strict=True):
            best = rows[np.argsort(-typical[rows], kind="stable")][:MOST_HOLDERS].tolist()
            light = (replace(about.called(session.documents, row), text="", opening="", fields={}) for row in best)
            terms.append(replace(term, holders=tuple(light)))
        found.append(tuple(terms))
    return found


def _typicality(session: DocumentSession, selection: Selection) -> Floats:
    """How similar each document is to its own group; −∞ for those that do not count."""
    problem = selection.problem
    everyone = np.arange(problem.n_documents)
    found = np.full(len(session.codes), -np.inf)
    found[selection.order] = problem.similarity_sums()[everyone, problem.owners(everyone.tolist())]
    return found
