"""Whether the frozen embedder still sees what new documents are about."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from visavis.records import Floats
from visavis.records.changes import Drift
from visavis.updating.documents import Item

FEWEST = 10  # new documents, to say anything of them
LESS_KNOWN = 0.1  # of the words fewer than usual are known
FARTHER = 1.15  # times the usual squared distance from the center
WITHOUT = 0.1  # of the new documents more than usual have no vector

ADVICE = "the embedding was fitted on the first documents and may miss what is new; make a new state of all documents"


def find_drift(items: Sequence[Item], fresh: Sequence[int], center: Floats) -> Drift | None:
    """How the new documents lie to the embedder, held against those it was fitted on; None where there are none."""
    asked = [items[row] for row in fresh if items[row].vector is not None or items[row].missing]
    first = [item for item in items if item.batch == 1 and (item.vector is not None or item.missing)]
    if not asked or not first:
        return None
    known, usual = _mean([item.known for item in asked]), _mean([item.known for item in first])
    distance, near = _distance(asked, center), _distance(first, center)
    missing = sum(item.vector is None for item in asked)
    without = sum(item.vector is None for item in first) / len(first)
    drift = Drift(len(asked), missing, known, usual, distance, near)
    return Drift(**{**vars(drift), "warning": _warning(drift, without)})


def _warning(drift: Drift, without: float) -> str:
    signs = []
    if drift.known is not None and drift.usual_known is not None and drift.known < drift.usual_known - LESS_KNOWN:
        signs.append(f"{drift.known:.0%} of their words are known to the embedder, usually {drift.usual_known:.0%}")
    if drift.distance is not None and drift.usual_distance and drift.distance > FARTHER * drift.usual_distance:
        signs.append(f"they lie {drift.distance / drift.usual_distance - 1:.0%} farther from the center than usual")
    if drift.missing / drift.n > without + WITHOUT:
        signs.append(f"{drift.missing} of {drift.n} have nothing that it knows")
    if drift.n < FEWEST or not signs:
        return ""
    return f"new documents are unlike those of the state ({'; '.join(signs)}): {ADVICE}"


def _mean(shares: Sequence[float | None]) -> float | None:
    told = [share for share in shares if share is not None]
    return float(np.mean(told)) if told else None


def _distance(items: Sequence[Item], center: Floats) -> float | None:
    """Mean squared distance from the center."""
    vectors = [item.vector for item in items if item.vector is not None]
    return float(((np.stack(vectors) - center) ** 2).sum(axis=1).mean()) if vectors else None
