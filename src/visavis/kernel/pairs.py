"""All pairs of a fixed set of documents on this machine's threads, for any kernel that can be asked for blocks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from visavis.contracts import Kernel, Operation, Vectors
from visavis.errors import Incompatible
from visavis.kernel.fused import FusedLogSums, FusedRise, lies_by_document
from visavis.kernel.kept import KeptTiles, Matrix
from visavis.kernel.operations import LogSums, Rise
from visavis.kernel.threads import Scratch, blocks, ordered_map, upper_tiles
from visavis.kernel.ties import leading
from visavis.kernel.tiling import Tile, Totals, count, part_of, reduce_candidates
from visavis.records import Array, Booleans, Compute, Floats, Integers, KernelAbilities, Rows

TILE = 512
WIDEST = 1024  # candidates at a time of what lies document by document


class ThreadedPairs(ABC):
    """Answers everything from `block` and `proximity`; results do not depend on the number of threads."""

    resolution = 1e-13
    climbs = False

    def __init__(self, n_documents: int, diagonal: Floats, compute: Compute, abilities: KernelAbilities) -> None:
        self.n_documents = n_documents
        self.diagonal = diagonal
        self.compute = compute
        self.abilities = abilities
        self._kept = KeptTiles(compute)
        self._scratch = Scratch()

    @abstractmethod
    def block(self, rows: Rows, columns: Rows, *, exact: bool = False) -> Array:
        """k(rows, columns), in float64 if `exact`."""

    def proximity(self, rows: Rows, columns: Rows, *, exact: bool = False) -> Array:
        """The kernel itself, for want of a distance."""
        return self.block(rows, columns, exact=exact)

    def columns(self, documents: Integers, *, exact: bool = False) -> Array:
        """k of all documents with these."""
        return self.block(slice(0, self.n_documents), documents, exact=exact)

    def gram(self, rows: Integers, *, exact: bool = False) -> Array:
        """k among these documents, strip by strip."""
        found = np.zeros((0, 0))
        parts = blocks(len(rows), TILE)
        strips = ordered_map(lambda part: self.block(rows[part], rows, exact=exact), parts, self.compute.threads)
        for part, strip in zip(parts, strips, strict=True):
            found = found if len(found) else np.empty((len(rows), len(rows)), strip.dtype)
            found[part] = strip
        return found

    def sums(self, weights: Floats, gammas: Sequence[float] | None = None) -> Floats:
        """K @ weights, half the tiles serving both sides; (N, C) → (N, C), or (γ, N, C), by powers of a tile."""
        powers = [1.0] if gammas is None else self._powers(gammas)
        total = np.zeros((len(powers), self.n_documents, weights.shape[1]))
        pairs = upper_tiles(self.n_documents, TILE)

        def work(pair: tuple[slice, slice]) -> list[tuple[Floats, Floats | None]]:
            rows, columns = pair
            block = self.block(rows, columns, exact=True)
            tiles = [block if power == 1.0 else block**power for power in powers]
            return [(t @ weights[columns], None if rows == columns else t.T @ weights[rows]) for t in tiles]

        for (rows, columns), found in zip(pairs, ordered_map(work, pairs, self.compute.threads), strict=True):
            for index, (right, below) in enumerate(found):
                total[index, rows] += right
                if below is not None:
                    total[index, columns] += below
        return total[0] if gammas is None else total

    def _powers(self, gammas: Sequence[float]) -> list[float]:
        """What to raise the kernel to for each γ. Raises Incompatible for one whose powers are another kernel."""
        raise Incompatible(f"this kernel has one width: it gives no sums at {len(gammas)} of them")

    def best(self, gains: Floats, open_: Booleans, count: int = 1) -> Integers:
        """Places of the largest gains that are open, best first, the lowest place winning ties."""
        return leading(gains, open_, self.resolution, count)

    def reduce(self, operation: Operation, candidates: Rows, documents: Rows) -> tuple[Floats, ...]:
        """What the operation says of each candidate, over all these documents; there must be some."""
        if (
            operation.symmetric
            and isinstance(candidates, slice)
            and isinstance(documents, slice)
            and candidates == documents
        ):
            return self._reduce_square(operation, candidates)
        totals = Totals(operation, count(candidates))
        square = self._kept.square(operation.reads, candidates, documents)
        matrix = None if square is not None else self._kept_matrix(operation, candidates, documents)
        n_documents = count(documents)

        def read(part: slice, strip: slice) -> Array:
            if square is not None and isinstance(documents, slice):
                return np.asarray(square.values[_places(part_of(candidates, part), documents), strip])
            if matrix is not None:
                return self._filled(operation, matrix, part, candidates, documents)[:, strip]
            return self._read(operation, part_of(candidates, part), part_of(documents, strip))

        tile = self._fused(operation)

        def work(part: slice) -> list[Any]:
            return reduce_candidates(operation, np, read, part, n_documents, tile)

        wide = WIDEST if matrix is not None and lies_by_document(operation) else 0
        size = max(operation.shape[0], min(wide, -(-count(candidates) // self.compute.threads)))
        parts = blocks(count(candidates), size)
        for part, found in zip(parts, ordered_map(work, parts, self.compute.threads), strict=True):
            totals.join(part, found)
        return totals.results()

    def _reduce_square(self, operation: Operation, documents: slice) -> tuple[Floats, ...]:
        """The same where candidates and documents are one: a tile serves the pairs on both sides of the diagonal."""
        n = count(documents)
        totals = Totals(operation, n)
        matrix = self._kept_matrix(operation, documents, documents)
        pairs = upper_tiles(n, TILE)

        def work(pair: tuple[slice, slice]) -> tuple[tuple[Array, ...], tuple[Array, ...] | None]:
            left, right = pair
            tile = self._read(operation, part_of(documents, left), part_of(documents, right))
            if matrix is not None:
                matrix.values[left, right] = tile
                matrix.values[right, left] = tile.T
            below = None if left == right else operation.tile(np, tile.T, left)
            return operation.tile(np, tile, right), below

        for (left, right), (across, below) in zip(pairs, ordered_map(work, pairs, self.compute.threads), strict=True):
            totals.join(left, across)
            if below is not None:
                totals.join(right, below)
        if matrix is not None:
            matrix.done[:] = True
        return totals.results()

    def _fused(self, operation: Operation) -> Tile:
        """The operation's own tile, or a faster one."""
        if isinstance(operation, LogSums) and operation.shape[1] is None:
            log_sums = FusedLogSums(operation, self._scratch)
            return lambda values, _: (log_sums(values),)
        if isinstance(operation, Rise):
            rise = FusedRise(operation, self._scratch)
            return lambda values, documents: (rise(values, documents),)
        return lambda values, documents: operation.tile(np, values, documents)

    def _read(self, operation: Operation, candidates: Rows, documents: Rows) -> Array:
        """What a tile holds; rows that lie together are read where they are, and the fewer others copied."""
        ask = self.proximity if operation.reads.of == "proximity" else self.block
        turned = isinstance(documents, slice) and count(documents) > count(candidates)
        values = ask(documents, candidates).T if turned else ask(candidates, documents)
        return np.asarray(operation.reads.apply(np, values))

    def _kept_matrix(self, operation: Operation, candidates: Rows, documents: Rows) -> Matrix | None:
        if not operation.keeps or 0 in (count(candidates), count(documents)):
            return None
        first = part_of(candidates, slice(0, 1)), part_of(documents, slice(0, 1))
        order: Literal["C", "F"] = "F" if lies_by_document(operation) else "C"
        return self._kept.find(operation, candidates, documents, lambda: self._read(operation, *first).dtype, order)

    def _filled(self, operation: Operation, matrix: Matrix, part: slice, candidates: Rows, documents: Rows) -> Array:
        if not matrix.done[part].all():
            matrix.values[part] = self._read(operation, part_of(candidates, part), documents)
            matrix.done[part] = True
        return matrix.values[part]


def _places(candidates: Rows, documents: slice) -> Rows:
    """Where these candidates stand among the documents of a square."""
    first = documents.start
    if isinstance(candidates, slice):
        return slice(candidates.start - first, candidates.stop - first)
    return np.asarray(candidates - first)


class PlainPairs(ThreadedPairs):
    """The pairs of any kernel that keeps the contract, from its own tiles, in float64."""

    def __init__(self, kernel: Kernel, vectors: Vectors, compute: Compute) -> None:
        self._kernel, self._vectors = kernel, vectors
        numbers = blocks(vectors.n_documents, 1)
        own = [float(self._ask(kernel.similarity, row, row)[0, 0]) for row in numbers]
        super().__init__(vectors.n_documents, np.array(own), compute, kernel.abilities)

    def _powers(self, gammas: Sequence[float]) -> list[float]:
        if not self.abilities.widths:
            return super()._powers(gammas)
        return [gamma / float(self._kernel.gamma) for gamma in gammas]  # type: ignore[attr-defined]

    def block(self, rows: Rows, columns: Rows, *, exact: bool = False) -> Array:  # noqa: ARG002 (it is float64 anyway)
        """k(rows, columns)."""
        return self._ask(self._kernel.similarity, rows, columns)

    def proximity(self, rows: Rows, columns: Rows, *, exact: bool = False) -> Array:  # noqa: ARG002
        """As the kernel has it."""
        return self._ask(self._kernel.proximity, rows, columns)

    def squared_distances(self, rows: Integers, points: Floats) -> Floats:
        """‖x − p‖² in float64; shape (rows, points)."""
        return self._vectors.squared_distances(rows, points)

    def _ask(self, tile: Any, rows: Rows, columns: Rows) -> Array:
        return np.asarray(tile(np, self._vectors.take(rows), self._vectors.take(columns)), np.float64)
