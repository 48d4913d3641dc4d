"""The statistics of preferences: shares with intervals, strengths of methods, and how often readers agree.

A comparison is the unit: its readers see the same two summaries and mostly agree, so that their answers are not
independent. Every comparison counts once, whatever the number of its readers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit
from scipy.stats import binom, t

from visavis.records import Floats
from visavis.study.analysis.intervals import LEVEL, share_interval

FEWEST = 10  # comparisons below which drawing them anew says nothing about others
DRAWN = 0.5  # imaginary comparisons between two methods that were compared; they end in a draw
STEPS, LONGEST_STEP, CLOSE = 100, 2.0, 1e-9


def preference_interval(shares: Sequence[float], answers: int) -> tuple[float, float] | None:
    """Where the mean of the comparisons' shares lies, with 95 % confidence; None below two comparisons.

    There are at most as many tosses as `answers`, and n − 1 of n where all comparisons have the same share.
    """
    n = len(shares)
    if n < 2:
        return None
    values = np.asarray(shares, dtype=np.float64)
    return share_interval(float(values.mean()), float(values.var(ddof=1)) / n, n, most=answers, alike=n - 1)


def sign_test(wins: int, losses: int) -> float:
    """Two-sided: how likely a split at least as uneven is where neither is preferred; 1 where nothing was decided."""
    return float(min(1.0, 2 * binom.sf(max(wins, losses) - 1, wins + losses, 0.5))) if wins + losses else 1.0


def agreement(counts: Sequence[tuple[int, int]]) -> float | None:
    """How often two readers of one comparison prefer the same summary; None where no comparison had two."""
    pairs = [(n * (n - 1) / 2, (a * (a - 1) + b * (b - 1)) / 2) for a, b in counts if (n := a + b) > 1]
    return sum(same for _, same in pairs) / sum(all_ for all_, _ in pairs) if pairs else None


def pooled_kappa(by_methods: Sequence[Sequence[tuple[int, int]]]) -> float | None:
    """Agreement beyond chance over several pairs of methods, each with a chance of its own: Fleiss κ, stratified.

    κ = (P − P_e) / (1 − P_e), P and P_e the means over comparisons of two readers' agreement, found and expected from
    the shares of their pair of methods. None where no comparison had two readers, or chance explains everything.
    """
    found, expected = [], []
    for counts in by_methods:
        several = [(a, b) for a, b in counts if a + b > 1]
        share = sum(a for a, _ in several) / max(1, sum(a + b for a, b in several))
        expected += [share**2 + (1 - share) ** 2] * len(several)
        found += [(a * (a - 1) + b * (b - 1)) / ((a + b) * (a + b - 1)) for a, b in several]
    if not found or np.mean(expected) >= 1 - CLOSE:
        return None
    return float((np.mean(found) - np.mean(expected)) / (1 - np.mean(expected)))


@dataclass(frozen=True, eq=False)
class Strengths:
    """How often each method would be preferred to another one of these, and where that lies in the resamples."""

    shares: Floats
    intervals: tuple[tuple[float, float] | None, ...]


def bradley_terry(wins: Floats, resamples: int, rng: np.random.Generator) -> Strengths | None:
    """Strengths of methods, P(i is preferred to j) = 1 / (1 + exp(θ_j − θ_i)), and their bootstrap over materials.

    wins[u, i, j] is how many comparisons on material u method i won against j, shared ones in parts. A draw takes
    materials anew, each with all its comparisons; intervals are Student's on the scale of log odds, with the spread of
    the draws: the draws' own quantiles would cover too little where there are few materials. Two methods that were
    compared also have DRAWN imaginary comparisons that end in a draw, so that a method which always wins has a finite
    strength. None where some methods are not linked by comparisons; no intervals below FEWEST materials.
    """
    total = wins.sum(axis=0)
    met = (total + total.T) > 0
    if not _linked(met):
        return None
    prior = np.where(met, DRAWN / 2, 0.0)
    shares = _average(_fit((total + prior)[None]))[0]
    units = len(wins)
    if units < FEWEST:
        return Strengths(shares, (None,) * len(shares))
    draws = rng.multinomial(units, np.full(units, 1.0 / units), size=resamples).astype(np.float64)
    drawn = (draws @ wins.reshape(units, -1)).reshape(resamples, *total.shape) + prior
    spread = logit(_average(_fit(drawn))).std(axis=0, ddof=1) * np.sqrt(units / (units - 1))
    half = float(t.ppf((1 + LEVEL) / 2, units - 1)) * spread
    ends = expit(logit(shares) - half), expit(logit(shares) + half)
    return Strengths(shares, tuple((float(low), float(high)) for low, high in zip(*ends, strict=True)))


def _linked(met: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> bool:
    """Whether every method is linked to every other by comparisons."""
    reached = np.linalg.matrix_power(met.astype(np.int64) + np.eye(len(met), dtype=np.int64), max(1, len(met) - 1))
    return bool((reached > 0).all())


def _fit(wins: Floats) -> Floats:
    """The θ of every table of wins, by Newton's method; each row adds up to 0."""
    n_methods = wins.shape[-1]
    games = wins + wins.transpose(0, 2, 1)
    theta = np.zeros(wins.shape[:2])
    for _ in range(STEPS):
        expected = 1.0 / (1.0 + np.exp(theta[:, None, :] - theta[:, :, None]))
        slope = (wins - games * expected).sum(axis=2)
        weights = games * expected * (1 - expected)
        curve = np.eye(n_methods) * weights.sum(axis=2)[:, None, :] - weights + 1.0 / n_methods
        step = np.clip(np.linalg.solve(curve, slope[..., None])[..., 0], -LONGEST_STEP, LONGEST_STEP)
        theta += step
        if np.abs(step).max() < CLOSE:
            break
    return np.asarray(theta - theta.mean(axis=1, keepdims=True))


def _average(theta: Floats) -> Floats:
    """For each method the mean over the others of the probability that it is preferred."""
    n_methods = theta.shape[1]
    if n_methods < 2:
        return np.full(theta.shape, 0.5)
    ahead = 1.0 / (1.0 + np.exp(theta[:, None, :] - theta[:, :, None]))
    return np.asarray((ahead.sum(axis=2) - 0.5) / (n_methods - 1))
