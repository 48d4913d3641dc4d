"""What chance would do: an exact test of two shares, which tests can decide anything, and how many may be false."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln

from visavis.records import Booleans, Floats

NOTHING = 1e-17  # of a sum: what adds less does not change it


def exceeds_by_chance(inside: Floats, outside: Floats, n_inside: Floats, n_outside: Floats) -> Floats:
    """Fisher's exact test, one-sided: how likely chance puts at least so many of the hits inside.

    p = P(X ≥ inside), X hypergeometric: n_inside draws from n_inside + n_outside documents of which inside + outside
    are hits. Whole numbers all, which broadcast.
    """
    found = np.broadcast_arrays(*(np.asarray(one, np.float64) for one in (inside, outside, n_inside, n_outside)))
    at, hits, draws, rest = found[0], found[0] + found[1], found[2], found[3]
    spare = rest - hits  # Pr(X = x) ∝ 1 / (x! (hits − x)! (draws − x)! (spare + x)!)
    upper = at * (draws + rest) > hits * draws
    start = np.where(upper, at, at - 1.0)
    possible = (start >= np.maximum(0.0, -spare)) & (start <= np.minimum(hits, draws))
    tail = np.zeros(at.shape)
    known = tuple(one[possible] for one in (start, hits, draws, spare))
    tail[possible] = np.exp(_log_chance(*known)) * _ratios(*known, upper[possible])
    return np.asarray(np.clip(np.where(upper, tail, 1.0 - tail), 0.0, 1.0))


def _log_chance(x: Floats, hits: Floats, draws: Floats, spare: Floats) -> Floats:
    """log Pr(X = x)."""
    ways = gammaln(hits + 1) + gammaln(draws + 1) + gammaln(spare + draws + 1) + gammaln(spare + hits + 1)
    same = gammaln(x + 1) + gammaln(hits - x + 1) + gammaln(draws - x + 1) + gammaln(spare + x + 1)
    return np.asarray(ways - same - gammaln(spare + hits + draws + 1))


def _ratios(x: Floats, hits: Floats, draws: Floats, spare: Floats, upper: Booleans) -> Floats:
    """Σ of Pr(X = y) / Pr(X = x) over all y from x on, upward or downward, which is away from the mean."""
    total, term, left = np.ones(len(x)), np.ones(len(x)), np.arange(len(x))
    step = 0.0
    while len(left):
        y = np.where(upper[left], x[left] + step, x[left] - step)
        h, d, s = hits[left], draws[left], spare[left]
        rise = (h - y) * (d - y) / np.maximum((y + 1.0) * (s + y + 1.0), 1.0)
        fall = y * (s + y) / np.maximum((h - y + 1.0) * (d - y + 1.0), 1.0)
        term[left] *= np.where(upper[left], rise, fall)
        total[left] += term[left]
        left = left[term[left] > NOTHING * total[left]]
        step += 1.0
    return total


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
