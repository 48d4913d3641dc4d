"""What embedders share: fitting and embedding in one call, and a look at arrays that come from a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import DTypeLike

from visavis.embed.rows import check_fit_rows
from visavis.errors import InvalidParameter
from visavis.records import Array, Embedded, Integers

if TYPE_CHECKING:
    from visavis.contracts import Embedder


def fit_then_embed(embedder: Embedder, texts: Sequence[str], fit_on: Integers | None = None) -> Embedded:
    """`fit` on the texts `fit_on` (None means all), then `embed` all of them.

    An embedder whose `fit` has read its texts anyway may do better, and give the same. Raises InvalidParameter for
    rows that are not there.
    """
    rows = check_fit_rows(fit_on, len(texts))
    fitted = embedder.fit([texts[int(row)] for row in rows] if embedder.needs_fitting else ())
    return replace(fitted.embed(texts), fitted=fitted)


def check_arrays(arrays: Mapping[str, Array], expected: Mapping[str, tuple[DTypeLike, int]]) -> None:
    """Refuse anything but these arrays, each with its type and its number of axes, all numbers finite."""
    if set(arrays) != set(expected):
        raise InvalidParameter(f"the arrays are {sorted(arrays)}, they must be {sorted(expected)}")
    for name, (dtype, axes) in expected.items():
        found = arrays[name]
        if found.dtype != np.dtype(dtype) or found.ndim != axes:
            wanted = f"it must be {np.dtype(dtype)} with {axes} axes"
            raise InvalidParameter(f"{name!r} is of type {found.dtype} and shape {found.shape}, {wanted}")
        if not np.all(np.isfinite(found)):
            raise InvalidParameter(f"{name!r} holds NaN or infinity")
