"""All pairs of documents on a card, for any kernel, from its own tiles."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import torch

from visavis.contracts import Kernel, Operation
from visavis.engines.card.fusing import fused_tile
from visavis.engines.card.keeping import KeptTensors, room_of
from visavis.errors import Incompatible
from visavis.kernel.operations import placed
from visavis.kernel.threads import blocks
from visavis.kernel.ties import leading
from visavis.kernel.tiling import count, part_of
from visavis.records import Array, Booleans, Compute, Floats, Integers, Rows

STARTS = {"add": 0.0, "least": np.inf}


class CardPairs:
    """Answers everything from `tile`, in float64; answers come back as NumPy arrays."""

    resolution = 1e-12
    climbs = False

    def __init__(self, kernel: Kernel, rows: Any, compute: Compute) -> None:
        self.kernel, self.rows, self.compute = kernel, rows, compute
        self.n_documents, self.abilities = len(rows), kernel.abilities
        self.diagonal = self._own_similarity()
        self.at_once = room_of(rows.device)
        self._kept = KeptTensors(rows.device)

    def tile(self, of: str, rows: Rows, columns: Rows) -> Any:
        """Similarity or proximity of rows with columns, on the card, as precise as the search."""
        ask = self.kernel.similarity if of == "similarity" else self.kernel.proximity
        left, right = self._take(rows), self._take(columns)
        wide = max(1, self.at_once // (max(1, len(right)) * self.rows.shape[1]))  # a kernel may hold all differences
        parts = [ask(torch, left[part], right) for part in blocks(len(left), wide)]
        return torch.cat(parts) if parts else self.rows.new_zeros((0, len(right)))

    def exact_tile(self, of: str, rows: Rows, columns: Rows) -> Any:
        """The same in float64."""
        return self.tile(of, rows, columns)

    def block(self, rows: Rows, columns: Rows, *, exact: bool = False) -> Array:
        """k(rows, columns)."""
        return self._answer("similarity", rows, columns, exact)

    def proximity(self, rows: Rows, columns: Rows, *, exact: bool = False) -> Array:
        """Minus the distance where the kernel belongs to one, else the kernel itself."""
        return self._answer("proximity", rows, columns, exact)

    def columns(self, documents: Integers, *, exact: bool = False) -> Array:
        """k of all documents with these."""
        return self.block(documents, slice(0, self.n_documents), exact=exact).T  # so that each lies in one piece

    def gram(self, rows: Integers, *, exact: bool = False) -> Array:
        """k among these documents."""
        return self.block(rows, rows, exact=exact)

    def best(self, gains: Floats, open_: Booleans, count: int = 1) -> Integers:
        """Places of the largest gains that are open, best first, the lowest place winning ties."""
        return leading(gains, open_, self.resolution, count)

    def sums(self, weights: Floats, gammas: Sequence[float] | None = None) -> Floats:
        """K @ weights; (N, C) → (N, C), or (γ, N, C), by powers of a tile."""
        powers = [1.0] if gammas is None else self._powers(gammas)
        there = torch.as_tensor(weights).to(self.rows.device)
        total = torch.zeros((len(powers), self.n_documents, weights.shape[1]), dtype=torch.float64, device=there.device)
        for rows, columns in self._cut(slice(0, self.n_documents), slice(0, self.n_documents)):
            tile = self.exact_tile("similarity", rows, columns)
            for index, power in enumerate(powers):
                total[index, rows] += (tile if power == 1.0 else tile**power) @ there[columns]
        found: Floats = total.cpu().numpy()
        return np.asarray(found[0]) if gammas is None else found

    def reduce(self, operation: Operation, candidates: Rows, documents: Rows) -> tuple[Floats, ...]:
        """What the operation says of each candidate, over all these documents."""
        candidates, documents = _together(candidates), _together(documents)
        there: Any = placed(operation, self._send)
        tile = fused_tile(there, self.rows.device)
        key = (operation.reads, _key(candidates), _key(documents)) if operation.keeps else None
        totals: list[Any] = []
        everyone = slice(0, count(candidates)), slice(0, count(documents))
        for part, strip in self._cut(*everyone):
            values = self._read(operation, key, (candidates, part), (documents, strip))
            found = [torch.as_tensor(one, dtype=torch.float64) for one in tile(values, strip)]
            if not totals:
                totals = [
                    one.new_full((count(candidates), *one.shape[1:]), STARTS[how])
                    for how, one in zip(operation.combine, found, strict=True)
                ]
            for how, whole, one in zip(operation.combine, totals, found, strict=True):
                whole[part] = whole[part] + one if how == "add" else torch.minimum(whole[part], one)
        return tuple(whole.cpu().numpy() for whole in totals) or tuple(np.zeros(0) for _ in operation.combine)

    def _read(self, operation: Operation, key: Hashable, left: tuple[Rows, slice], right: tuple[Rows, slice]) -> Any:
        """What a tile holds, from what is kept of it where it will be read again."""

        def compute() -> Any:
            tile = self.tile(operation.reads.of, part_of(*left), part_of(*right))
            return operation.reads.apply(torch, tile)

        if key is None:
            return compute()
        place = (left[1].start, left[1].stop, right[1].start, right[1].stop)
        return self._kept.recall((key, place), compute, operation.keeps * 4)

    def _cut(self, rows: slice, columns: slice) -> list[tuple[slice, slice]]:
        """Tiles that fit, all columns of a few rows where that is possible."""
        n_columns = max(1, columns.stop)
        wide = min(n_columns, max(1, self.at_once // 64))
        high = max(1, self.at_once // wide)
        return [(part, strip) for part in blocks(rows.stop, high) for strip in blocks(n_columns, wide)]

    def _answer(self, of: str, rows: Rows, columns: Rows, exact: bool) -> Array:
        read = self.exact_tile if exact else self.tile
        high = max(1, self.at_once // max(1, count(columns)))
        parts = [read(of, part_of(rows, part), columns).cpu().numpy() for part in blocks(count(rows), high)]
        if len(parts) == 1:
            return np.asarray(parts[0])
        return np.concatenate(parts) if parts else np.zeros((0, count(columns)))

    def _take(self, rows: Rows) -> Any:
        return self.rows[rows if isinstance(rows, slice) else self._send(rows)]

    def _send(self, array: Array) -> Any:
        return torch.as_tensor(array).to(self.rows.device)

    def _own_similarity(self) -> Floats:
        one = torch.vmap(lambda row: self.kernel.similarity(torch, row[None, :], row[None, :])[0, 0])
        found: Floats = one(self.rows).cpu().numpy()
        return found

    def _powers(self, gammas: Sequence[float]) -> list[float]:
        """What to raise the kernel to for each γ. Raises Incompatible for one whose powers are another kernel."""
        if not self.abilities.widths:
            raise Incompatible(f"this kernel has one width: it gives no sums at {len(gammas)} of them")
        return [gamma / float(self.kernel.gamma) for gamma in gammas]  # type: ignore[attr-defined]


def _together(rows: Rows) -> Rows:
    """Rows that lie together, as a slice."""
    if isinstance(rows, slice) or len(rows) == 0:
        return rows
    first, last = int(rows[0]), int(rows[-1])
    return slice(first, last + 1) if last - first + 1 == len(rows) and np.all(np.diff(rows) == 1) else rows


def _key(rows: Rows) -> Hashable:
    if isinstance(rows, slice):
        return rows.start, rows.stop
    return hashlib.blake2b(np.ascontiguousarray(rows).tobytes(), digest_size=16).digest()
