"""Checks at the edge: what callers hand over becomes arrays we can rely on, or one clear error."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from visavis.errors import InvalidParameter
from visavis.records import Array, Compute, Floats, Integers


@dataclass(frozen=True)
class Grouped:
    """Group labels as numbers: `codes` index `labels`, which are sorted."""

    labels: Array
    codes: Integers


def check_vectors(X: ArrayLike) -> Any:
    """X as a float32 or float64 array, or CSR, never copied without need. Raises ValueError for NaN and infinity."""
    from sklearn.utils import check_array  # scikit-learn takes a while, and what comes as records needs none of it

    return check_array(X, accept_sparse="csr", dtype=[np.float64, np.float32], input_name="X")


def check_groups(groups: ArrayLike, n_documents: int, name: str = "groups") -> Grouped:
    """Labels of the documents' groups. Raises InvalidParameter if there are none, or not one per document."""
    from sklearn.utils import column_or_1d

    labels = column_or_1d(groups)
    if len(labels) != n_documents:
        raise InvalidParameter(f"{name} has {len(labels)} labels but X has {n_documents} documents")
    if np.any(labels != labels) or (labels.dtype.kind == "f" and not np.all(np.isfinite(labels))):
        raise InvalidParameter(f"{name} holds missing or infinite labels: drop those documents or name their group")
    try:
        found, codes = np.unique(labels, return_inverse=True)
    except TypeError as error:
        raise InvalidParameter(
            f"{name} mixes labels of different kinds, or has missing ones: make all of them text"
        ) from error
    if len(found) == 0:
        raise InvalidParameter(f"{name} is empty: there must be at least one group")
    return Grouped(found, codes.astype(np.intp))


def check_weights(sample_weight: ArrayLike | None, n_documents: int) -> Floats:
    """One weight ≥ 0 per document, 1 by default. Raises InvalidParameter for anything else."""
    if sample_weight is None:
        return np.ones(n_documents)
    try:
        weights = np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidParameter(f"sample_weight must be numbers: {error}") from error
    if weights.ndim == 0:
        weights = np.full(n_documents, float(weights))
    if weights.shape != (n_documents,):
        raise InvalidParameter(f"sample_weight has shape {weights.shape} but X has {n_documents} documents")
    if not np.all(np.isfinite(weights)) or np.any(weights < 0):
        raise InvalidParameter("sample_weight must be finite and not negative")
    with np.errstate(over="ignore"):
        if not np.isfinite(weights.sum()):
            raise InvalidParameter("sample_weight is so large that its sum overflows: scale it down")
    if not np.any(weights > 0):
        raise InvalidParameter("every sample_weight is zero: no document counts")
    return weights


def check_compute(dtype: object, n_jobs: object, memory_mb: object) -> Compute:
    """The precision, threads and memory to use; n_jobs as joblib reads it (None is 1, −1 is all cores)."""
    if dtype not in ("float32", "float64"):
        raise InvalidParameter(f"dtype must be 'float32' or 'float64', got {dtype!r}")
    if n_jobs is not None and (not isinstance(n_jobs, Integral) or isinstance(n_jobs, bool) or n_jobs == 0):
        raise InvalidParameter(f"n_jobs must be None or a whole number other than 0, got {n_jobs!r}")
    if not isinstance(memory_mb, Integral) or isinstance(memory_mb, bool) or int(memory_mb) < 1:
        raise InvalidParameter(f"memory_mb must be a whole number of at least 1, got {memory_mb!r}")
    threads = 1 if n_jobs is None else int(n_jobs)
    if threads < 0:
        from joblib import cpu_count

        threads = max(1, cpu_count() + 1 + threads)
    return Compute(str(dtype), threads, int(memory_mb))


def as_finite(value: object) -> float | None:
    """The value as a finite float, or None if it is none."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if np.isfinite(number) else None


def check_number(name: str, value: object, *, low: float, high: float = np.inf, above: bool = False) -> float:
    """A finite number of at least `low` (greater than it, with `above`) and at most `high`."""
    number = as_finite(value)
    if number is None:
        raise InvalidParameter(f"{name} must be a finite number, got {value!r}")
    if number < low or (above and number == low) or number > high:
        limit = f"greater than {low:g}" if above else f"at least {low:g}"
        raise InvalidParameter(
            f"{name} must be {limit}{f' and at most {high:g}' if high < np.inf else ''}, got {value!r}"
        )
    return number


def check_whole(name: str, value: object, *, low: int) -> int:
    """A whole number of at least `low`."""
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < low:
        raise InvalidParameter(f"{name} must be a whole number of at least {low}, got {value!r}")
    return int(value)
