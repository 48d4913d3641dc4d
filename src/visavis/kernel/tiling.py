"""How an operation is carried out tile by tile, here or elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from visavis.contracts import Operation
from visavis.kernel.threads import blocks
from visavis.records import Array, Floats, Rows

Tile = Callable[[Any, slice], tuple[Any, ...]]  # values and their documents → what these contribute
Read = Callable[[slice, slice], Any]  # candidates and documents, by their places → what the operation reads of them


def count(rows: Rows) -> int:
    """How many documents these are."""
    return rows.stop - rows.start if isinstance(rows, slice) else len(rows)


def part_of(rows: Rows, part: slice) -> Rows:
    """Some of these documents, by their places among them."""
    return slice(rows.start + part.start, rows.start + part.stop) if isinstance(rows, slice) else rows[part]


def reduce_candidates(
    operation: Operation, xp: Any, read: Read, candidates: slice, n_documents: int, tile: Tile | None = None
) -> list[Any]:
    """The results of some candidates over all documents, strip by strip, by the operation's tile or a faster one."""
    found: list[Any] = []
    for strip in blocks(n_documents, operation.shape[1] or max(n_documents, 1)):
        values = read(candidates, strip)
        parts = operation.tile(xp, values, strip) if tile is None else tile(values, strip)
        if found:
            found = [_joined(how, xp, old, new) for how, old, new in zip(operation.combine, found, parts, strict=True)]
        else:
            found = [xp.asarray(part, dtype=xp.float64) for part in parts]
    return found


def _joined(how: str, xp: Any, old: Any, new: Any) -> Any:
    new = xp.asarray(new, dtype=xp.float64)
    return old + new if how == "add" else xp.minimum(old, new)


class Totals:
    """Results of all candidates, filled tile by tile in any division of the candidates."""

    def __init__(self, operation: Operation, n_candidates: int) -> None:
        self._combine, self._n = operation.combine, n_candidates
        self._found: list[Floats] = []

    def join(self, candidates: slice, parts: Iterable[Array]) -> None:
        """Add one tile's results of these candidates."""
        parts = list(parts)
        if not self._found:
            starts = [0.0 if how == "add" else np.inf for how in self._combine]
            self._found = [np.full((self._n, *p.shape[1:]), s) for p, s in zip(parts, starts, strict=True)]
        for how, whole, part in zip(self._combine, self._found, parts, strict=True):
            whole[candidates] = whole[candidates] + part if how == "add" else np.minimum(whole[candidates], part)

    def results(self) -> tuple[Floats, ...]:
        """All of them, in float64."""
        return tuple(self._found) or tuple(np.zeros(0) for _ in self._combine)
