"""Which of the leading documents a page carries, and what is known of the others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from visavis.records import Floats, Integers
from visavis.select.leading import Walk


def best_ranked(walked: Sequence[Walk], always: Sequence[int], count: int) -> Integers:
    """Of a group's documents the `count` that came nearest to being picked at some step, in their order.

    What was picked comes before what was second, and of those what was picked early; some are `always` among them.
    """
    documents, ranks, steps = [np.array(always, np.intp)], [np.full(len(always), -1)], [np.zeros(len(always), np.intp)]
    for walk in walked:
        for n, step in enumerate(walk):
            others = step.leading[step.leading != step.pick]
            documents.append(np.concatenate([[step.pick], others]))
            ranks.append(np.arange(len(others) + 1))
            steps.append(np.full(len(others) + 1, n))
    every = np.concatenate(documents)
    order = np.lexsort([every, np.concatenate(steps), np.concatenate(ranks)])
    _, first = np.unique(every[order], return_index=True)
    return np.sort(every[order][np.sort(first)[:count]])


def paths(walked: Sequence[Walk], chosen: Integers) -> Integers:
    """Where the picks of each walk stand among the chosen, −1 from the first that is not chosen; (contrasts, steps)."""
    found = np.full(_shape(walked), -1, np.intp)
    for at, walk in enumerate(walked):
        picks = np.array([step.pick for step in walk], np.intp)
        lost = np.flatnonzero(~np.isin(picks, chosen))
        known = picks[: lost[0] if len(lost) else None]
        found[at, : len(known)] = np.searchsorted(chosen, known)
    return found


def challengers(walked: Sequence[Walk], chosen: Integers) -> Floats:
    """The largest gain at each step of a document that was not chosen, −∞ where there is none; (contrasts, steps)."""
    found = np.full(_shape(walked), -np.inf)
    for at, walk in enumerate(walked):
        for n, step in enumerate(walk):
            others = step.gains[~np.isin(step.leading, chosen)]
            found[at, n] = others.max(initial=-np.inf)
    return found


def _shape(walked: Sequence[Walk]) -> tuple[int, int]:
    return len(walked), max(map(len, walked), default=0)
