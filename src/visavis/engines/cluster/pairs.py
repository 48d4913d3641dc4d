"""All pairs of documents that lie in chunks on a cluster; what is asked and what is answered is small."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from visavis.contracts import Operation
from visavis.engines.cluster.rounds import Held, Rounds
from visavis.engines.cluster.tasks import (
    Chunk,
    Setting,
    block_of_chunks,
    describe_chunk,
    field_of_chunk,
    reduce_chunks,
    sum_chunks,
    widths,
)  # fmt: skip
from visavis.errors import Incompatible
from visavis.kernel.operations import restricted
from visavis.kernel.threads import blocks
from visavis.kernel.ties import leading
from visavis.kernel.tiling import count
from visavis.kernel.vectors import DocumentVectors, squared_norms
from visavis.records import Array, Booleans, Floats, Integers, Rows

MOST_GATHERED = 8  # selections of documents that stay on the cluster
STARTS = {"add": 0.0, "least": np.inf}

FEW = 64  # documents that are sent along with a question


class Piece(NamedTuple):
    """Some of the rows asked about, by their places among them; the chunk that holds them, and where in it."""

    at: slice
    chunk: Any
    inside: slice


class ClusterPairs:
    """Each question is one round: every pair of chunks answers, and answers are joined in the order of the chunks."""

    climbs = False

    def __init__(
        self, rounds: Rounds, setting: Setting, vectors: DocumentVectors, chunks: tuple[Held, ...], size: int
    ) -> None:
        self._rounds, self._setting, self._vectors, self._size = rounds, setting, vectors, size
        lie = blocks(vectors.n_documents, size)
        self._everyone = [Piece(at, chunk, slice(0, count(at))) for at, chunk in zip(lie, chunks, strict=True)]
        self._gathered: OrderedDict[Hashable, list[Held]] = OrderedDict()
        self.n_documents, self.abilities = vectors.n_documents, setting.kernel.abilities
        facts = list(rounds.ask((describe_chunk, (setting, chunk)) for chunk in chunks))
        self.diagonal: Floats = np.concatenate([diagonal for diagonal, _ in facts])
        self.resolution = max(resolution for _, resolution in facts)
        self._here: Any = setting.bind(vectors.raw(slice(0, min(1, self.n_documents))))  # what needs no documents
        if self.abilities.smooth:
            self.unit = float(self._here.unit)  # type: ignore[attr-defined]

    def block(self, rows: Rows, columns: Rows, *, exact: bool = False) -> Array:
        """k(rows, columns)."""
        return self._assemble("similarity", rows, columns, exact)

    def proximity(self, rows: Rows, columns: Rows, *, exact: bool = False) -> Array:
        """Minus the distance where the kernel belongs to one, else the kernel itself."""
        return self._assemble("proximity", rows, columns, exact)

    def columns(self, documents: Integers, *, exact: bool = False) -> Array:
        """k of all documents with these."""
        return self.block(slice(0, self.n_documents), documents, exact=exact)

    def gram(self, rows: Integers, *, exact: bool = False) -> Array:
        """k among these documents."""
        return self.block(rows, rows, exact=exact)

    def best(self, gains: Floats, open_: Booleans, count: int = 1) -> Integers:
        """Places of the largest gains that are open, best first, the lowest place winning ties."""
        return leading(gains, open_, self.resolution, count)

    def sums(self, weights: Floats, gammas: Sequence[float] | None = None) -> Floats:
        """K @ weights, each pair of chunks serving both sides; (N, C) → (N, C), or (γ, N, C)."""
        if gammas is not None and not self.abilities.widths:
            raise Incompatible(f"this kernel has one width: it gives no sums at {len(gammas)} of them")
        settings = widths(self._setting, gammas)
        largest = float(weights.max(initial=0.0)) or 1.0  # float32 holds any weights once the largest is 1
        scaled, total = weights / largest, np.zeros((len(settings), *weights.shape))
        pairs = [(one, other) for k, one in enumerate(self._everyone) for other in self._everyone[k:]]
        calls = ((sum_chunks, (settings, a.chunk, b.chunk, scaled[a.at], scaled[b.at])) for a, b in pairs)
        for (one, other), (across, below) in zip(pairs, self._rounds.ask(calls), strict=True):
            total[:, one.at] += across
            total[:, other.at] += below
        total *= largest
        return np.asarray(total[0]) if gammas is None else total

    def reduce(self, operation: Operation, candidates: Rows, documents: Rows) -> tuple[Floats, ...]:
        """What the operation says of each candidate, over all these documents."""
        pairs = list(product(self._pieces(candidates), self._pieces(documents)))
        parts = [restricted(operation, piece.at) for _, piece in pairs]
        calls = (
            (reduce_chunks, (self._setting, part, a.chunk, a.inside, b.chunk, b.inside))
            for part, (a, b) in zip(parts, pairs, strict=True)
        )
        totals: list[Floats] = []
        for ((at, _, _), _), found in zip(pairs, self._rounds.ask(calls), strict=True):
            for index, (how, part) in enumerate(zip(operation.combine, found, strict=True)):
                if len(totals) <= index:
                    totals.append(np.full((count(candidates), *part.shape[1:]), STARTS[how]))
                whole = totals[index]
                whole[at] = whole[at] + part if how == "add" else np.minimum(whole[at], part)
        return tuple(totals) or tuple(np.zeros(0) for _ in operation.combine)

    def field(self, points: Floats, owner: Integers, weights: Floats, *, exact: bool = False) -> tuple[Floats, Floats]:
        """v_l = Σ_j weights[owner_l, j] k(a_l, x_j) and ∂v_l/∂a_l; chunks add up."""
        values, slopes = np.zeros(len(points)), np.zeros(points.shape)
        calls = (
            (field_of_chunk, (self._setting, exact, points, owner, weights[:, one.at], one.chunk))
            for one in self._everyone
        )
        for value, slope in self._rounds.ask(calls):
            values += value
            slopes += slope
        return values, slopes

    def squared_distances(self, rows: Integers, points: Floats) -> Floats:
        """‖x − p‖² in float64, here."""
        return self._vectors.squared_distances(rows, points)

    def beyond(self, points: Floats) -> int:
        """How many points lie outside the ball around the mean that holds all documents."""
        middle: Any = self._setting.center
        parts = (self._vectors.take(part) - middle for part in blocks(self.n_documents, self._size))
        largest = max(float(squared_norms(part).max()) for part in parts)
        return int(np.sum(squared_norms(points - middle) > largest * (1.0 + 1e-9) ** 2))

    def interaction(self, points: Floats, coefficients: Floats) -> tuple[Floats, Floats]:
        """r_l = Σ_m c_lm k(a_l, a_m), and the gradient of Σ_l r_l: of points alone, so here."""
        found: tuple[Floats, Floats] = self._here.interaction(points, coefficients)
        return found

    def _assemble(self, of: str, rows: Rows, columns: Rows, exact: bool) -> Array:
        pairs = list(product(self._pieces(rows), self._pieces(columns)))
        calls = ((block_of_chunks, (self._setting, of, exact, a.chunk, a.inside, b.chunk, b.inside)) for a, b in pairs)
        parts = list(self._rounds.ask(calls))
        found: Array = np.zeros((count(rows), count(columns)), np.result_type(*parts) if parts else np.float64)
        for (one, other), part in zip(pairs, parts, strict=True):
            found[one.at, other.at] = part
        return found

    def _pieces(self, rows: Rows) -> list[Piece]:
        """The chunks that hold these rows: where they lie, if they lie together, else gathered for the purpose."""
        if not isinstance(rows, slice):
            return [Piece(at, chunk, slice(0, count(at))) for at, chunk in self._gather(rows)]
        found = []
        for lies, chunk, _ in self._everyone:
            start, stop = max(rows.start, lies.start), min(rows.stop, lies.stop)
            if start < stop:
                at = slice(start - rows.start, stop - rows.start)
                found.append(Piece(at, chunk, slice(start - lies.start, stop - lies.start)))
        return found

    def _gather(self, rows: Integers) -> list[tuple[slice, Any]]:
        """Documents that do not lie together: a few go with the question; more are sent once, the last such stay."""
        places = np.asarray(rows, np.intp)
        key = hashlib.blake2b(places.tobytes(), digest_size=16).digest()
        parts = blocks(len(places), self._size)
        if key not in self._gathered:
            made = [Chunk((key, k), places[part], self._vectors.raw(places[part])) for k, part in enumerate(parts)]
            if len(places) <= FEW:
                return list(zip(parts, made, strict=True))
            self._gathered[key] = [Held(chunk, everywhere=True) for chunk in made]
        self._gathered.move_to_end(key)
        while len(self._gathered) > MOST_GATHERED:
            self._gathered.popitem(last=False)
        return list(zip(parts, self._gathered[key], strict=True))
