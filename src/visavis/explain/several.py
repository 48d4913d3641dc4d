"""Several tests by dealing anew, adjusted for their number together: no number of them asks for more deals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from visavis.records import Floats


def adjust_together(reached: Sequence[float], dealt: Sequence[Floats], ties: float) -> list[float]:
    """p-values of tests that reached so much, each with what its own deals reached, adjusted for how many there are.

    With T_(1) ≥ T_(2) ≥ … and B deals of each: adjusted_(k) = max over j ≤ k of min(1, (1 + n_j) / (1 + B)), where n_j
    counts all deals, of the tests (j), (j + 1), …, that reach T_(j). n_j / B is how many of these tests chance alone
    would take so far, so at α one or more of those without a difference are rejected with a probability of about α or
    less, whatever they have in common; "about", since deals stand for chance (scripts/verdicts_pairs.py). It is Holm's
    way, with the small probabilities that a few deals cannot show for one test read off the deals of all. All tests
    must have been dealt equally often; `ties` is what counts as the same.
    """
    if not dealt:
        return []
    order = np.argsort(-np.asarray(reached), kind="stable")
    falling = -np.asarray(reached)[order]
    change = np.zeros(len(order) + 1)
    for place, test in enumerate(order.tolist()):
        first = np.searchsorted(falling, -(dealt[test] + ties))  # the largest T that each deal reaches
        first = first[first <= place]
        np.add.at(change, first, 1.0)
        change[place + 1] -= len(first)
    found = np.minimum(1.0, (1.0 + np.cumsum(change[:-1])) / (1.0 + len(dealt[0])))
    adjusted = np.empty(len(order))
    adjusted[order] = np.maximum.accumulate(found)
    return adjusted.tolist()
