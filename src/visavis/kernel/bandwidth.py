"""How wide the kernel is, chosen from the documents."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from visavis.errors import InvalidParameter
from visavis.inputs import as_finite
from visavis.kernel.vectors import DocumentVectors, check_finite_norms
from visavis.records import Floats, Parameter

Lengths = Callable[[Floats], Floats]  # what γ multiplies, among some rows

SAMPLE = 2000
LARGEST = 1e300


def check_gamma(gamma: object) -> float | str:
    """γ as a positive number or one of its rules. Raises InvalidParameter for anything else."""
    if isinstance(gamma, str) and gamma in ("median", "scale"):
        return gamma
    number = as_finite(gamma)
    if number is None or not 1.0 / LARGEST <= number <= LARGEST:
        raise InvalidParameter(f"gamma must be a positive number, 'median' or 'scale', got {gamma!r}")
    return number


GAMMA = Parameter(
    "gamma", "median", check_gamma, (0.25, 0.5, 1.0, 2.0, 4.0),
    "how soon similarity falls off: a number, 'median' (1 / the median distance) or 'scale'; the grid holds multiples",
)  # fmt: skip


def resolve_gamma(gamma: object, lengths: Lengths, vectors: DocumentVectors, weights: Floats) -> float:
    """γ as a number: given, or "median" (1 / the median of the kernel's own lengths), or "scale" (1 / (d · variance)).

    Raises InvalidParameter for anything that is not positive and finite.
    """
    rule = check_gamma(gamma)
    if isinstance(rule, str):
        return _median_rule(lengths, vectors, weights) if rule == "median" else _scale_rule(vectors)
    return rule


def _scale_rule(vectors: DocumentVectors) -> float:
    with np.errstate(over="ignore"):
        variance = float(check_finite_norms(np.atleast_1d(vectors.take(slice(None)).var()))[0])
    return 1.0 / (vectors.n_features * variance) if variance > 0 else 1.0


def _median_rule(lengths: Lengths, vectors: DocumentVectors, weights: Floats) -> float:
    """1 / weighted median over pairs of at most 2,000 evenly spaced documents.

    A document of weight w counts as w copies of itself: w_i·w_j pairs with another, ½w(w − 1) at distance 0.
    """
    n = min(vectors.n_documents, SAMPLE)
    picked = np.empty(n, np.intp)  # evenly spaced in the caller's order, not in ours
    picked[:] = np.argsort(vectors.order, kind="stable")[np.arange(n) * vectors.n_documents // n]
    rows, weight = vectors.take(picked), weights[picked]
    upper = ~np.tri(n, dtype=bool)
    values = lengths(rows)[upper]
    mass = np.ones(1)
    if np.all(weight == 1.0):
        middle = float(np.median(values)) if len(values) else 0.0
    else:
        unit = 1.0 / float(weight.max())  # so that squares of any weights stay in range
        weight = weight * unit
        copies = np.maximum(0.5 * weight * (weight - unit), 0.0)
        mass = np.append(np.outer(weight, weight)[upper], copies)
        values = np.append(values, np.zeros(n))
        middle = _weighted_median(values, mass)
    if middle <= 0.0:
        mass = np.where(values > 0, mass, 0.0)
        middle = float(np.average(values, weights=mass)) if mass.any() else 1.0
    return float(np.clip(1.0 / middle, np.finfo(float).tiny, LARGEST)) if middle > 1e-300 else 1.0


def _weighted_median(values: Floats, weights: Floats) -> float:
    """The middle value if each were repeated as often as its weight says; two middle ones are averaged."""
    order = np.argsort(values, kind="stable")
    values, running = values[order], np.cumsum(weights[order])
    half = 0.5 * running[-1]
    low = int(np.searchsorted(running, half * (1 - 1e-12), side="left"))
    high = min(int(np.searchsorted(running, half * (1 + 1e-12), side="right")), len(values) - 1)
    return float(0.5 * (values[low] + values[high]))
