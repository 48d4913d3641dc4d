"""Whether the frozen embedder still sees what new documents are about."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from visavis.records import Floats
from visavis.records.changes import Drift
from visavis.report.text import percent
from visavis.updating.documents import Item

FEWEST = 10  # documents, to say anything of them
RECENT = 50  # of the documents that came last, to be looked at where fewer are new
LESS_KNOWN = 0.05  # of the words fewer than usual are known
FARTHER = 0.1  # of the usual squared distance from the center
WITHOUT = 0.1  # of the documents more than usual have no vector
ERRORS = 3.0  # standard errors, beyond which it is no chance

ADVICE = "the embedding was fitted on the first documents and may miss what is new; make a new state of all documents"


def find_drift(items: Sequence[Item], fresh: Sequence[int], center: Floats) -> Drift | None:
    """How new documents lie to the embedder, held against those it was fitted on; None where none are new.

    Words say most: what of a text is unknown is not in its vector. Where an embedder cannot tell what it knows, the
    distance from the center has to do; of an embedder that was fitted it would say little, since documents that it was
    fitted on always lie farther out than others.
    """
    seen = [item for item in items if item.vector is not None or item.missing]
    first, later = ([item for item in seen if (item.batch == 1) == begun] for begun in (True, False))
    if not any(items[row].vector is not None or items[row].missing for row in fresh) or not first or not later:
        return None
    later.sort(key=lambda item: -item.batch)
    recent = later[: max(RECENT, sum(item.batch == later[0].batch for item in later))]
    known, usual = (_told([item.known for item in part]) for part in (recent, first))
    far, near = (_distances(part, center) for part in (recent, first))
    missing = sum(item.vector is None for item in recent)
    drift = Drift(len(recent), missing, _mean(known), _mean(usual), _mean(far), _mean(near))
    without = sum(item.vector is None for item in first) / len(first)
    return replace(drift, warning=_warning(drift, without, (known, usual), (far, near)))


def _warning(drift: Drift, without: float, words: tuple[Floats, Floats], distances: tuple[Floats, Floats]) -> str:
    signs = []
    if _shifted(words[1], words[0], LESS_KNOWN):
        now, usual = (percent(float(part.mean())) for part in words)
        signs.append(f"{now} of their words are known to the embedder, usually {usual}")
    if not len(words[0]) and len(distances[1]) and _shifted(*distances, FARTHER * float(distances[1].mean())):
        signs.append(
            f"they lie {percent(distances[0].mean() / distances[1].mean() - 1)} farther from the center than usual"
        )
    if drift.missing / drift.n > without + WITHOUT:
        signs.append(f"{drift.missing} of {drift.n} have nothing that it knows")
    if drift.n < FEWEST or not signs:
        return ""
    return f"new documents are unlike those of the state ({'; '.join(signs)}): {ADVICE}"


def _shifted(larger: Floats, smaller: Floats, least: float) -> bool:
    """Whether the first mean lies above the second by more than that, and more than chance would do."""
    if len(larger) < 2 or len(smaller) < 2:
        return False
    error = math.sqrt(larger.var() / len(larger) + smaller.var() / len(smaller))
    return bool(larger.mean() - smaller.mean() > max(least, ERRORS * error))


def _told(shares: Sequence[float | None]) -> Floats:
    return np.array([share for share in shares if share is not None], np.float64)


def _mean(values: Floats) -> float | None:
    return float(values.mean()) if len(values) else None


def _distances(items: Sequence[Item], center: Floats) -> Floats:
    """Squared distances from the center."""
    vectors = [item.vector for item in items if item.vector is not None]
    return np.asarray(((np.stack(vectors) - center) ** 2).sum(axis=1)) if vectors else np.zeros(0)
