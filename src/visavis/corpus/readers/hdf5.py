"""The layout of the published experiments in HDF5: vectors, labels, titles, texts and splits under fixed keys."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from visavis.corpus.errors import Unreadable, listed, shown
from visavis.corpus.readers.base import Limits, ReadOptions, Refusal, Source, Table, check_header
from visavis.records import Array, Integers

if TYPE_CHECKING:
    from visavis.corpus.parsing import Sink

MODULES = ("h5py",)
CALLED = "HDF5"
VECTORS = "data"
SPLITS = ("train_idxs", "val_idxs", "test_idxs")
_BATCH = 4096  # rows
_PIECE = 2**22  # values


def read(source: Source, options: ReadOptions) -> Table:
    """One document a row of `data`; train and validation rows of a split are taken together. Raises Unreadable."""
    from visavis.corpus.sandbox import parse_apart

    parsed = parse_apart("hdf5", source, options.limits)
    columns = check_header(source.name, parsed.columns) if parsed.columns else ()
    rows = [(number, dict(zip(columns, cells, strict=True))) for number, cells in enumerate(parsed.rows, start=1)]
    vectors = parsed.arrays.get(VECTORS)
    if vectors is not None and not np.isfinite(vectors).all():
        row = int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0]) + 1
        raise Unreadable(f"{source.name}: row {row}", "'data' holds a value that is not finite")
    splits = _splits(source.name, {key: parsed.arrays[key] for key in SPLITS if key in parsed.arrays}, len(rows))
    return Table(source.name, source.stem, columns, rows, vectors=vectors, splits=splits)


def parse(source: Source, limits: Limits, sink: Sink) -> None:
    """In the child: refuse links and everything too large before a value is read."""
    with importlib.import_module("h5py").File(str(source.path), "r") as file:
        found = {name: _checked(file, name, limits) for name in file}
        sets = {name: item for name, item in found.items() if item is not None}
        if not sets:
            raise Refusal(f"holds no arrays; {VECTORS!r}, 'title' and 'text' are expected")
        if sum(int(np.prod(item.shape, dtype=object)) for item in sets.values()) > limits.values:
            raise Refusal(f"declares more than {limits.values:,} values in all")
        named = {name: item for name, item in sets.items() if name not in (VECTORS, *SPLITS)}
        count = _count(sets)
        fields = {n: i for n, i in named.items() if i.ndim == 1 and (len(i) == count or n in _KNOWN)}
        for name, item in fields.items():
            if len(item) != count:
                raise Refusal(f"{shown(name)} has {len(item):,} rows but {_first(sets)!r} has {count:,}")
        sink.columns.extend(fields)
        for start in range(0, count, _BATCH):
            cells = [_cells(name, item, slice(start, start + _BATCH)) for name, item in fields.items()]
            for row in zip(*cells, strict=True) if cells else ([] for _ in range(min(_BATCH, count - start))):
                sink.row(row)
        for name, kinds, dtype in ((VECTORS, "fiu", "f8"), *((name, "iu", "i8") for name in SPLITS)):
            if name in sets:
                sink.array(name, sets[name].shape, dtype, _numbers(name, sets[name], kinds))


_KNOWN = ("title", "text", "datetime", "target", "target-month", "target-week")


def _checked(file: Any, name: str, limits: Limits) -> Any:
    link = type(file.get(name, getlink=True)).__name__
    if link != "HardLink":
        kind = {"SoftLink": "a soft link", "ExternalLink": "a link to another file"}.get(link, "a link")
        raise Refusal(f"{shown(name)} is {kind}, which is refused")
    item = file[name]
    if type(item).__name__ != "Dataset":
        return None
    if item.external or item.is_virtual:
        raise Refusal(f"{shown(name)} keeps its values in another file, which is refused")
    size = int(np.prod(item.shape or (0,), dtype=object))
    if size > limits.values:
        raise Refusal(f"{shown(name)} declares {size:,} values; the limit is {limits.values:,}")
    if item.dtype.itemsize * size > limits.file_bytes:
        raise Refusal(
            f"{shown(name)} declares {item.dtype.itemsize * size:,} bytes; the limit is {limits.file_bytes:,}"
        )
    return item if item.shape else None


def _first(sets: dict[str, Any]) -> str:
    keys = [key for key in (VECTORS, *_KNOWN) if key in sets] or [key for key in sets if key not in SPLITS]
    if not keys:
        raise Refusal(f"holds only {listed(sets)}; {VECTORS!r}, 'title' and 'text' are expected")
    return keys[0]


def _count(sets: dict[str, Any]) -> int:
    if VECTORS in sets and sets[VECTORS].ndim != 2:
        raise Refusal(f"{VECTORS!r} has {sets[VECTORS].ndim} dimensions; rows and columns are expected")
    if VECTORS in sets and sets[VECTORS].shape[1] == 0:
        raise Refusal(f"{VECTORS!r} has no columns")
    return int(sets[_first(sets)].shape[0])


def _numbers(name: str, item: Any, kinds: str) -> Iterator[Array]:
    if item.dtype.kind not in kinds:
        raise Refusal(f"{shown(name)} holds {item.dtype}, not {'numbers' if 'f' in kinds else 'whole numbers'}")
    step = max(1, _PIECE // max(1, int(np.prod(item.shape[1:]))))
    for start in range(0, len(item), step):
        yield item[start : start + step]


def _cells(name: str, item: Any, rows: slice) -> list[Any]:
    values = item[rows]
    if item.dtype.kind == "O":
        if item.dtype.metadata is None or item.dtype.metadata.get("vlen") not in (str, bytes):
            raise Refusal(f"{shown(name)} holds references or lists, not text or numbers")
    elif item.dtype.kind not in "fiubS":
        raise Refusal(f"{shown(name)} holds {item.dtype}, not text or numbers")
    return list(values.tolist())


def _splits(name: str, found: dict[str, Array], count: int) -> tuple[tuple[Integers, Integers], ...]:
    if not found:
        return ()
    if "train_idxs" not in found or "test_idxs" not in found:
        raise Unreadable(name, "'train_idxs' and 'test_idxs' must stand together")
    lists = {key: np.atleast_2d(values).astype(np.intp) for key, values in found.items()}
    for key, rows in lists.items():
        if rows.ndim != 2 or len(rows) != len(lists["train_idxs"]):
            raise Unreadable(name, f"{key!r} does not hold one split a row like 'train_idxs'")
        if rows.size and (rows.min() < 0 or rows.max() >= count):
            wrong = int(rows[(rows < 0) | (rows >= count)][0])
            raise Unreadable(name, f"{key!r} names row {wrong} of {count:,} (rows count from 0)")
    pairs = []
    for split, (train, test) in enumerate(zip(lists["train_idxs"], lists["test_idxs"], strict=True)):
        fitted = np.union1d(train, lists["val_idxs"][split]) if "val_idxs" in lists else np.unique(train)
        if np.intersect1d(fitted, test).size:
            raise Unreadable(name, f"'test_idxs' of split {split} shares rows with its training part")
        pairs.append((fitted.astype(np.intp), np.unique(test).astype(np.intp)))
    return tuple(pairs)
