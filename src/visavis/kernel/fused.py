"""Operations that this machine's threads do faster than tile by tile in plain array code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from visavis.contracts import Operation
from visavis.kernel.operations import LogSums, Rise
from visavis.kernel.threads import Scratch, blocks
from visavis.records import Array, Integers

FLOAT32_LIMIT, FLOAT64_LIMIT = 60.0, 500.0  # exponents that either precision can hold
MOST_HALVINGS = 4  # so up to sixteen terms, and the odd one out, share one logarithm
AT_ONCE = 256  # documents, so that their terms stay near at hand in memory
FEW_CANDIDATES = 512  # of fewer, more documents at once
LEAST_OF_RUN = 128  # documents in a run of equal weight, on average, for which that pays


def lies_by_document(operation: Operation) -> bool:
    """Whether what an operation reads is best laid out document by document rather than candidate by candidate."""
    return isinstance(operation, LogSums)


class FusedLogSums:
    """Σ_x v_x log(rest_x + own_x P_cx), several terms of one weight sharing a logarithm, in a buffer of each thread.

    Tiles are read document by document, which is quickest where they lie so in memory: see `lies_by_document`.
    """

    def __init__(self, operation: LogSums, scratch: Scratch) -> None:
        self._dtype: type[Any] = np.float32 if operation.reads.single else np.float64
        self._rest, self._own, self._weights = (
            part.astype(self._dtype, copy=False)[:, None] for part in (operation.rest, operation.own, operation.weights)
        )
        edges = np.flatnonzero(np.diff(operation.weights)) + 1
        pays = len(operation.weights) >= LEAST_OF_RUN * (len(edges) + 1)
        self._runs = _between(edges, len(operation.weights)) if pays else []
        self._halvings = _halvings(operation) if pays else 0
        self._scratch = scratch

    def __call__(self, powers: Array) -> Array:
        """The sums of some candidates over all documents; shape (candidates,)."""
        n_candidates, n_documents = powers.shape
        if n_candidates == 1:  # a single column would be added up in another order than one of several
            return self(np.repeat(powers, 2, axis=0))[:1]
        total = np.zeros(n_candidates)
        size = AT_ONCE * max(1, FEW_CANDIDATES // n_candidates)
        for run in self._runs or [slice(0, n_documents)]:
            for part in blocks(run.stop - run.start, size):
                rows = slice(run.start + part.start, run.start + part.stop)
                for found in self._sums(self._terms(powers, rows), rows):
                    total += self._weights[run.start] * found if self._runs else found
        return total

    def _sums(self, terms: Array, documents: slice) -> Iterator[Array]:
        """Σ log of AT_ONCE documents after the other, times their weights unless these are all one; terms are lost."""
        if not self._runs:  # no product of matrices: its last bits depend on how many candidates there are
            np.multiply(np.log(terms, out=terms), self._weights[documents], out=terms)
        whole = len(terms) - len(terms) % AT_ONCE
        parts = [terms[:whole].reshape(-1, AT_ONCE, terms.shape[1]), terms[None, whole:]]
        for part in (part for part in parts if part.size):
            yield from _sum_of_logs(part, self._halvings) if self._runs else part.sum(axis=1, dtype=np.float64)

    def _terms(self, powers: Array, documents: slice) -> Array:
        """rest + own·P for some documents; shape (documents, candidates)."""
        of_documents = powers.T[documents]
        terms = self._scratch.get("log sums", of_documents.shape, self._dtype)
        np.multiply(of_documents, self._own[documents], out=terms)
        np.add(terms, self._rest[documents], out=terms)
        return terms


class FusedRise:
    """Σ_x w_x max(0, v(c, x) − best_x), in a buffer of each thread, whichever way a tile lies in memory."""

    def __init__(self, operation: Rise, scratch: Scratch) -> None:
        self._best, self._weights, self._scratch = operation.best, operation.weights, scratch

    def __call__(self, values: Array, documents: slice) -> Array:
        """What some documents add to each candidate; shape (candidates,)."""
        best, weights = (part[documents].astype(values.dtype, copy=False) for part in (self._best, self._weights))
        across = values.flags.c_contiguous
        lying = values if across else values.T
        rise = self._scratch.get("rise", lying.shape, lying.dtype.type)
        np.subtract(lying, best if across else best[:, None], out=rise)
        np.maximum(rise, 0.0, out=rise)
        return np.asarray(rise @ weights if across else weights @ rise)


def _halvings(operation: LogSums) -> int:
    """How often the halves of a row can be multiplied with each other before a product might overflow.

    Every term has a highest value of its own, and none is below 1; runs are folded alike.
    """
    highest = operation.rest + operation.own
    limit = FLOAT32_LIMIT if operation.reads.single else FLOAT64_LIMIT
    most = min(len(highest), 2**MOST_HALVINGS)
    leading = np.log(np.sort(np.partition(highest, len(highest) - most)[len(highest) - most :]))
    for halvings in range(MOST_HALVINGS, 0, -1):
        if (2**halvings + 1) * float(leading[-(2**halvings) :].mean()) <= limit:
            return halvings
    return 0


def _between(edges: Integers, end: int) -> list[slice]:
    """The runs that edges part: one a group, unless documents are weighted."""
    return [slice(a, b) for a, b in zip([0, *edges.tolist()], [*edges.tolist(), end], strict=True)]


def _sum_of_logs(terms: Array, halvings: int) -> Array:
    """Σ log over documents, after multiplying halves of them with each other a few times; the terms are overwritten.

    (parts, documents, candidates) → (parts, candidates)
    """
    for _ in range(halvings):
        half = terms.shape[1] // 2
        if half == 0:
            break
        np.multiply(terms[:, :half], terms[:, half : 2 * half], out=terms[:, :half])
        if terms.shape[1] % 2:
            terms[:, 0] *= terms[:, -1]
        terms = terms[:, :half]
    return np.asarray(np.log(terms, out=terms).sum(axis=1, dtype=np.float64))
