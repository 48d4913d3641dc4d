"""Ranks: those in which equals share their place, and those in which nobody does."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
LEAST, LEAST_COUNTS = 0.4, 0.7  # who ranks below this by its words counts for less still, by so much
DIGITS = 9  # to which values are told apart, as shares of the largest: sums differ in the last ones by chance


def mid_ranks(values: Numbers) -> Numbers:
    """The share of the values that each surpasses, from 0 to 1; equals share the mean of their places."""
    _, which, counts = np.unique(_told_apart(values), return_inverse=True, return_counts=True)
    places = np.cumsum(counts) - 0.5 * (counts + 1)
    return np.asarray(places[which] / max(1, len(values) - 1), np.float64)


def up_to(enough: float, ranks: Numbers) -> Numbers:
    """Ranks as shares of the one that is enough, 1 from there on."""
    return np.asarray(np.minimum(ranks / enough, 1.0))


def with_beside(values: Numbers, beside: Numbers) -> Numbers:
    """r + 0.7·min(r/0.4, 1) + b, r being the ranks of the values and b what counts beside them.

    Who is among the last by the values can hardly make up for it.
    """
    ranks = mid_ranks(values)
    return np.asarray(ranks + LEAST_COUNTS * up_to(LEAST, ranks) + beside)


def rank_beside(values: Numbers, beside: Numbers | None) -> Numbers:
    """Ranks from 0 to 1, all different, by the rank of the values and what counts beside it.

    Between equals the values decide, then who comes first.
    """
    place = mid_ranks(values) if beside is None else with_beside(values, beside)
    return in_order(np.lexsort((_told_apart(values), _told_apart(place))))


def _told_apart(values: Numbers) -> Numbers:
    return np.round(values / max(float(np.abs(values).max(initial=0.0)), np.finfo(np.float64).tiny), DIGITS)


def in_order(order: NDArray[Any]) -> Numbers:
    """From 0 for the first of an order to 1 for its last."""
    found = np.empty(len(order))
    found[order] = np.arange(len(order)) / max(1, len(order) - 1)
    return found
