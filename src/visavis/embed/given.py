"""Vectors that the user brings: checked, never computed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from visavis.errors import InvalidParameter
from visavis.records import Array, Embedded

NO_VECTOR = "no vector was given"


def given_vectors(source: Any, n_documents: int | None = None) -> Embedded:
    """Vectors given outright: an array, the path of an .npy file, or a column with a vector (or its text) a row.

    A blank in a column leaves its document without a vector. Raises InvalidParameter unless there is one row for each
    of `n_documents`, all of one length and finite.
    """
    if isinstance(source, str | Path):
        rows, origin = _load(Path(source)), str(source)
    else:
        rows, origin = source, "the vectors"
    if not hasattr(rows, "__iter__"):
        raise InvalidParameter(f"{origin}: {rows!r} is no array of vectors")
    rows = rows if isinstance(rows, np.ndarray) else list(rows)
    kept = np.arange(len(rows))
    if not isinstance(rows, np.ndarray) or rows.dtype.kind in "OU":
        kept = np.array([place for place, row in enumerate(rows) if not _is_blank(row)], dtype=np.intp)
        values = _stack([rows[place] for place in kept], kept)
    else:
        values = rows
    if n_documents is not None and len(rows) != n_documents:
        raise InvalidParameter(f"{origin}: {len(rows)} rows but there are {n_documents} documents: one row each")
    missing = tuple((place, NO_VECTOR) for place in sorted(set(range(len(rows))) - set(kept.tolist())))
    return Embedded(_check(values, kept, origin), kept, missing, (), {"embedder": "given", "source": origin})


def _load(path: Path) -> Array:
    try:
        loaded = np.load(path, allow_pickle=False)
    except FileNotFoundError as error:
        raise InvalidParameter(f"there is no file {str(path)!r}") from error
    except (OSError, ValueError, EOFError) as error:
        raise InvalidParameter(f"{path} is no .npy file of numbers: {error}") from error
    if not isinstance(loaded, np.ndarray) or loaded.ndim == 0:
        raise InvalidParameter(f"{path} must hold one array of numbers: save it with numpy.save")
    return loaded


def _check(values: Array, kept: Array, origin: str) -> Array:
    if values.ndim != 2 or values.shape[1] == 0:
        raise InvalidParameter(f"{origin}: an array of shape {values.shape}, it must be (documents, dimensions)")
    if values.dtype.kind not in "fiub":
        raise InvalidParameter(f"{origin}: the numbers are of type {values.dtype}, they must be real")
    with np.errstate(over="ignore"):
        vectors = np.ascontiguousarray(values, dtype=np.float32)
    bad = ~np.isfinite(vectors).all(axis=1)
    if bad.any():
        first = int(kept[np.flatnonzero(bad)[0]])
        raise InvalidParameter(f"{origin}: {int(bad.sum())} rows hold NaN or infinity, the first is row {first}")
    return vectors


def _is_blank(row: Any) -> bool:
    return row is None or (isinstance(row, str) and not row.strip()) or (isinstance(row, float) and np.isnan(row))


def _stack(rows: Sequence[Any], kept: Array) -> Array:
    parsed = [_parse(row, int(place)) for row, place in zip(rows, kept, strict=True)]
    for row, place in zip(parsed, kept, strict=True):
        if len(row) != len(parsed[0]):
            raise InvalidParameter(f"vector {int(place)} has {len(row)} numbers, the first has {len(parsed[0])}")
    return np.array(parsed, dtype=np.float64).reshape(len(parsed), len(parsed[0]) if parsed else 1)


def _parse(row: Any, place: int) -> Array:
    """A vector from numbers, from JSON's "[0.1, 0.2]", or from numbers with blanks or commas between them."""
    try:
        if isinstance(row, str):
            row = json.loads(row) if row.lstrip().startswith("[") else row.replace(",", " ").split()
        values = np.asarray(row, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidParameter(f"vector {place} is not a list of numbers: {str(row)[:40]!r}") from error
    if values.ndim != 1 or len(values) == 0:
        raise InvalidParameter(f"vector {place} has shape {values.shape}, it must be a list of numbers")
    return values
