"""Why these picks: their scores, shares and words, and the documents they stand for. Nothing is assessed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from visavis.comparing.holders import terms_of_groups
from visavis.comparing.overview import Overview, overview
from visavis.comparing.session import DocumentSession
from visavis.explain.common import common_ground
from visavis.explain.scores import nearest_picks, pick_scores, stands_for
from visavis.records import STAGES, Document, GroupSummary, Pick
from visavis.select.search import Selection


@dataclass(frozen=True, eq=False)
class Description:
    """The groups with their picks, and documents typical of every group; `order` has the picks as they were made."""

    groups: tuple[GroupSummary, ...]
    common: tuple[Document, ...]
    order: tuple[Pick, ...]


def describe(session: DocumentSession, selection: Selection, about: Overview | None = None) -> Description:
    """What can be said of each pick without picking again; `about` is the session's overview, if there is one."""
    known = overview(session) if about is None else about
    picks = _picks(session, selection, known)
    values, stages = selection.values, selection.stages
    terms = terms_of_groups(session, selection, known)
    groups = tuple(
        GroupSummary(
            name=name,
            n_documents=int(np.sum(session.codes == group)),
            picks=tuple(pick for pick, owner in zip(picks, selection.owner, strict=True) if owner == group),
            value=float(values[group]),
            stages={
                stage: float(stages[stage][group]) if stage in stages else None
                for stage in dict.fromkeys((*STAGES, *stages))
            },
            terms=terms[group],
        )
        for group, name in enumerate(session.names)
    )
    shared = common_ground(selection.problem, selection.sequence, session.points.stories[selection.order])
    return Description(groups, tuple(known.called(session.documents, int(selection.order[i])) for i in shared), picks)


def _picks(session: DocumentSession, selection: Selection, about: Overview) -> tuple[Pick, ...]:
    problem, sequence, order = selection.problem, selection.sequence, selection.order
    scores = pick_scores(problem, sequence, session.names)
    shares = selection.objective.shares(problem, sequence)
    losses = selection.objective.losses(problem, sequence)
    gains, nearest = selection.gains, nearest_picks(problem, sequence)
    inside, outside = stands_for(problem, sequence)
    ranks, ids = np.zeros(len(session.names), np.intp), about.map.ids
    found = []
    for k, (row, group) in enumerate(zip(selection.rows.tolist(), selection.owner.tolist(), strict=True)):
        ranks[group] += 1
        covered = np.sort(order[np.flatnonzero(nearest == k)])
        found.append(
            Pick(
                document=about.called(session.documents, row),
                rank=int(ranks[group]),
                scores=scores[k],
                share=float(shares[k]),
                gain=float(gains[k]),
                loss=float(losses[k]),
                stability=None,
                words=about.words.of_document(row, group),
                covers=tuple(map(ids.__getitem__, covered.tolist())),
                stands_for=float(inside[k]),
                stands_for_rest=None if outside is None else float(outside[k]),
            )
        )
    return tuple(found)
