"""The rows an embedder is fitted on."""

from __future__ import annotations

import numpy as np

from visavis.errors import InvalidParameter
from visavis.records import Booleans, Integers


def check_fit_rows(fit_on: Integers | None, n_texts: int) -> Integers:
    """The rows to fit on, ascending, each once; all of them for None. Raises InvalidParameter for rows not there."""
    if fit_on is None:
        return np.arange(n_texts)
    rows = np.asarray(fit_on)
    if rows.ndim != 1 or (rows.size and rows.dtype.kind not in "iu"):
        raise InvalidParameter(f"fit_on must be row numbers, got an array of {rows.dtype} of shape {rows.shape}")
    if rows.size == 0 and n_texts:
        raise InvalidParameter(f"fit_on is empty: name at least one of the {n_texts} texts, or None for all")
    if rows.size and (rows.min() < 0 or rows.max() >= n_texts):
        raise InvalidParameter(f"fit_on reaches from {rows.min()} to {rows.max()} but there are {n_texts} texts")
    return np.unique(rows).astype(np.intp)


def set_missing(has_vector: Booleans, reason: str) -> tuple[tuple[int, str], ...]:
    """The places without a vector, all for the same reason."""
    return tuple((int(place), reason) for place in np.flatnonzero(~has_vector))
