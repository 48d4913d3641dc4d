"""What chance would do: an exact test of two shares, which tests can decide anything, and how many may be false."""

from __future__ import annotations

import numpy as np

from visavis.records import Booleans, Floats


def exceeds_by_chance(inside: Floats, outside: Floats, n_inside: Floats, n_outside: Floats) -> Floats:
    """Fisher's exact test, one-sided: how likely chance puts at least so many of the hits inside.

    p = P(X ≥ inside), X hypergeometric: n_inside draws from n_inside + n_outside documents of which inside + outside
    are hits. Whole numbers all, which broadcast; each four of them are looked at once, as many terms share theirs.
    """
    from scipy.stats import hypergeom  # slow to import

    numbers = np.broadcast_arrays(inside, outside, n_inside, n_outside)
    cases = np.zeros(numbers[0].size, np.intp)
    for column in numbers:
        values, codes = np.unique(column, return_inverse=True)
        cases = np.unique(cases * len(values) + codes.ravel(), return_inverse=True)[1]
    first = np.unique(cases, return_index=True)[1]
    inside, outside, n_inside, n_outside = (column.ravel()[first] for column in numbers)
    found = hypergeom.sf(inside - 1, n_inside + n_outside, inside + outside, n_inside)
    return np.asarray(found, np.float64)[cases].reshape(numbers[0].shape)


def least_possible(hits: Floats, n_inside: Floats, n_outside: Floats) -> Floats:
    """The smallest p that so many hits could have: all of them inside, or all of the inside hits."""
    most = np.minimum(hits, n_inside)
    return exceeds_by_chance(most, hits - most, n_inside, n_outside)


def can_decide(least: Floats, level: float) -> Booleans:
    """Tarone's rule: which tests can be passed at all once the others are corrected for.

    With k the smallest number such that at most k tests can reach level / k, these are the tests; the others could
    never be passed, and need no correction. The rule looks at how frequent a term is, never at where it occurs.
    """
    ranked = np.sort(least, axis=None)
    counts = np.arange(1, len(ranked) + 1)
    reach = np.searchsorted(ranked, level / counts, side="right")  # how many can reach level / k
    enough = np.flatnonzero(reach <= counts)
    k = int(counts[enough[0]]) if len(enough) else len(ranked)
    return np.asarray(least <= level / max(1, k))


def discoveries(p: Floats, level: float) -> Booleans:
    """Benjamini and Hochberg: which tests are passed so that on average at most `level` of those passed are false.

    If nothing differs at all, anything is passed with a probability of at most `level`.
    """
    ranked = np.sort(p, axis=None)
    below = np.flatnonzero(ranked <= level * np.arange(1, len(ranked) + 1) / max(1, len(ranked)))
    return np.asarray(p <= ranked[below[-1]] if len(below) else np.zeros(p.shape, np.bool_), np.bool_)


def surprise(inside: Floats, outside: Floats, n_inside: Floats, n_outside: Floats, prior: float) -> Floats:
    """z = (log-odds inside − outside) / its standard deviation, both with the corpus as a prior of that weight."""
    hits, n = inside + outside, n_inside + n_outside
    have, lack = prior * hits + 0.5, prior * (n - hits) + 0.5
    cells = [inside + have, n_inside - inside + lack, outside + have, n_outside - outside + lack]
    log_odds = np.log(cells[0] / cells[1]) - np.log(cells[2] / cells[3])
    return np.asarray(log_odds / np.sqrt(sum(1.0 / cell for cell in cells)), np.float64)
