"""Accuracy over groups of unequal size, intervals over splits, and whether a difference is more than noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import t as student

from visavis.records import Floats, Integers


def balanced_accuracy(truth: Integers, predicted: Integers, n_groups: int) -> Floats:
    """Mean over the groups in `truth` of the share of their documents named rightly; (answers, rows) → (answers,)."""
    counts = np.bincount(truth, minlength=n_groups)
    present = counts > 0
    right = np.zeros((len(truth), n_groups))
    right[np.arange(len(truth)), truth] = 1.0
    hits = (np.atleast_2d(predicted) == truth).astype(np.float64) @ right
    return np.asarray((hits[:, present] / counts[present]).mean(axis=1))


def mean_and_interval(values: Sequence[float]) -> tuple[float, float | None]:
    """The mean, and half the width of its 95 % interval: t with R − 1 degrees of freedom, None for a single value."""
    numbers = np.asarray(values, np.float64)
    if len(numbers) < 2:
        return float(numbers.mean()), None
    error = float(numbers.std(ddof=1) / np.sqrt(len(numbers)))
    return float(numbers.mean()), float(student.ppf(0.975, len(numbers) - 1)) * error


def corrected_half_width(values: Sequence[float], test_to_train: float) -> float | None:
    """Half the 95 % interval of a mean over splits whose training parts overlap; None for a single value.

    t · √((1/R + n_test/n_train)·var), R − 1 degrees of freedom (Nadeau and Bengio, 2003): always wider than the plain
    one, which takes splits of the same documents for independent.
    """
    numbers = np.asarray(values, np.float64)
    if len(numbers) < 2:
        return None
    error = np.sqrt((1.0 / len(numbers) + test_to_train) * numbers.var(ddof=1))
    return float(student.ppf(0.975, len(numbers) - 1) * error)


@dataclass(frozen=True)
class PairedTest:
    """Mean difference over splits, t statistic, two-sided p and half the corrected 95 % interval of the difference.

    t is None where the difference never varies.
    """

    difference: float
    t: float | None
    p_value: float
    half_width: float


def corrected_t_test(first: Sequence[float], second: Sequence[float], test_to_train: float) -> PairedTest | None:
    """The corrected resampled t-test (Nadeau and Bengio, 2003); None for fewer than two splits.

    t = mean d / √((1/R + n_test/n_train)·var d), R − 1 degrees of freedom. Training parts overlap, so the plain test
    would take noise for a result.
    """
    if len(first) != len(second):
        raise ValueError(f"splits are paired, but there are {len(first)} and {len(second)}")
    differences = np.asarray(first, np.float64) - np.asarray(second, np.float64)
    count = len(differences)
    if count < 2:
        return None
    mean, variance = float(differences.mean()), float(differences.var(ddof=1))
    if variance <= 1e-24:
        return PairedTest(mean, None, 1.0 if abs(mean) < 1e-12 else 0.0, 0.0)
    statistic = mean / np.sqrt((1.0 / count + test_to_train) * variance)
    half_width = corrected_half_width(differences.tolist(), test_to_train) or 0.0
    return PairedTest(mean, float(statistic), float(2.0 * student.sf(abs(statistic), count - 1)), half_width)
