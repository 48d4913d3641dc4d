"""Too many pairs to look at all: a sample of each group stands for it, drawn by hash and never by position."""

from __future__ import annotations

import numpy as np

from visavis.contracts import Pairs
from visavis.errors import InvalidParameter
from visavis.kernel.operations import GroupSums
from visavis.records import Floats, Integers, Sample
from visavis.shared.hashing import Keys, draw_by_key

EXACT = ("auto", "yes", "no")
SAMPLE = 4096  # documents of a group that stand for it


def check_exact(exact: object) -> str:
    """ "auto", "yes" or "no"; True and False are taken for the last two. Raises InvalidParameter for anything else."""
    word = {True: "yes", False: "no"}.get(exact, exact) if isinstance(exact, bool) else exact
    if word not in EXACT:
        raise InvalidParameter(f"exact must be one of {', '.join(EXACT)}, got {exact!r}")
    return str(word)


def is_too_much(n_documents: int, n_features: int, reach: float) -> bool:
    """Whether so many documents have more pairs, times dimensions, than an engine looks at unasked."""
    return float(n_documents) ** 2 * n_features > reach


def draw_sample(keys: Keys, parts: Integers, weights: Floats, size: int) -> Sample:
    """Of each part (a group, or a fold of it) `size` documents, which together count as much as the whole part."""
    drawn = draw_by_key(keys, parts, size)
    n_parts = int(parts.max()) + 1
    totals, seen = (np.bincount(parts[of], weights[of], n_parts) for of in (slice(None), drawn))
    return Sample(drawn, weights[drawn] * (totals[parts[drawn]] / seen[parts[drawn]]))


def indicators(codes: Integers, weights: Floats, n_columns: int) -> Floats:
    """The weight of each document in the column of its code, 0 elsewhere; shape (N, columns)."""
    columns = np.zeros((len(codes), n_columns))
    columns[np.arange(len(codes)), codes] = weights
    return columns


def sums_of(pairs: Pairs, sample: Sample | None, codes: Integers, weights: Floats, n_columns: int) -> Floats:
    """Σ_{j in column} w_j k(x_i, x_j), over all documents or over those that stand for them; shape (N, columns)."""
    if sample is None:
        return np.asarray(pairs.sums(indicators(codes, weights, n_columns)))
    columns = indicators(codes[sample.rows], sample.weights, n_columns)
    largest = float(columns.max(initial=0.0)) or 1.0  # float32 holds any weights once the largest is 1
    (found,) = pairs.reduce(GroupSums(columns / largest), slice(0, pairs.n_documents), sample.rows)
    return found * largest
