"""Over how many sources or authors a term is spread: what one of them repeats says little about its group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from visavis.explain.tokens import name_words
from visavis.records import Floats, Integers

ENOUGH = 3  # sources that must have a term
HALF = 0.5  # ... or this share of a group's sources, where it has fewer
BLOCK = 2**18  # numbers held at a time: few enough to stay near the processor


@dataclass(frozen=True, eq=False)
class Spread:
    """How terms are spread over the origins (sources, say) of each group; shapes (groups, terms).

    `origins` have the term, and `enough` of them are needed, shape (groups, 1). `repetition` says how many documents
    count as one: 1 where all origins have the term alike, about n where n documents of one origin are all there is.
    """

    origins: Integers
    enough: Integers
    repetition: Floats


@dataclass(frozen=True, eq=False)
class Origins:
    """The origins of documents of one kind (sources, say): their `names`, and for each document the code of its own."""

    names: tuple[str, ...]
    codes: Integers

    def count_named(self, documents: Integers, words: frozenset[str]) -> int:
        """How many of these documents come from origins whose name has all these words."""
        named = set.intersection(*(self._with_word.get(word, set()) for word in words)) if words else set()
        return int(np.isin(self.codes[documents], list(named)).sum()) if named else 0

    @cached_property
    def _with_word(self) -> dict[str, set[int]]:
        found: dict[str, set[int]] = {}
        for code, name in enumerate(self.names):
            for word in name_words(name):
                found.setdefault(word, set()).add(code)
        return found


def measure_spread(found: Any, codes: Integers, n_groups: int, origins: Integers) -> Spread:
    """The spread of terms; `found` (documents, terms) sparse, `origins` a code for each document, −1 where unknown.

    A document of unknown origin counts as an origin of its own, but is not counted among the origins.
    """
    n_origins = int(origins.max(initial=-1)) + 1
    known = np.flatnonzero(origins >= 0)
    cell = origins[known] * n_groups + codes[known]
    sizes = np.bincount(cell, minlength=n_origins * n_groups).reshape(n_origins, n_groups)
    counts = (_sums(cell, n_origins * n_groups) @ found[known]).tocsc()
    alone = np.flatnonzero(origins < 0)
    lone = (_sums(codes[alone], n_groups) @ found[alone]).toarray(), np.bincount(codes[alone], minlength=n_groups)
    needed = np.ceil(HALF * (sizes > 0).sum(axis=0))[:, None]
    having, repetition = [], []
    step = max(1, BLOCK // max(1, n_origins * n_groups))
    for start in range(0, max(1, found.shape[1]), step):
        part = counts[:, start : start + step].toarray().reshape(n_origins, n_groups, -1)
        having.append((part > 0).sum(axis=0))
        repetition.append(_repetition(part, sizes, lone[0][:, start : start + step], lone[1]))
    return Spread(
        np.concatenate(having, axis=1), np.minimum(ENOUGH, needed).astype(np.intp), np.concatenate(repetition, axis=1)
    )


def _repetition(counts: Floats, sizes: Integers, lone: Floats, n_lone: Integers) -> Floats:
    """Rao and Scott's design effect of p − q, the share of a group's documents less that of the others; at least 1.

    With x_s of the n_s documents of origin s inside, y_s of its m_s documents outside, and n and m in all, origin s
    adds u_s = (x_s − p n_s) / n − (y_s − q m_s) / m to p − q: what it does on both sides cancels. The variance of p − q
    is S/(S−1) Σ u_s² for S origins; were documents independent, it would be p(1−p)/n + q(1−q)/m.
    """
    x, n = counts.sum(axis=0) + lone, (sizes.sum(axis=0) + n_lone)[:, None]
    y, m = x.sum(axis=0) - x, np.maximum(n.sum() - n, 1)
    p, q = x / n, y / m
    chance = p * (1 - p) / n + q * (1 - q) / m
    singly = lone * (1 - 2 * p) + p**2 * n_lone[:, None]
    others = (lone.sum(axis=0) - lone) * (1 - 2 * q) + q**2 * (n_lone.sum() - n_lone)[:, None]
    varies = singly / n**2 + others / m**2
    whole, size = counts.sum(axis=1), sizes.sum(axis=1, keepdims=True)
    for group in range(len(x)):
        inside, outside = counts[:, group], whole - counts[:, group]
        n_s, m_s = sizes[:, [group]], size - sizes[:, [group]]
        shift = (inside - p[group] * n_s) / n[group] - (outside - q[group] * m_s) / m[group]
        varies[group] += np.einsum("st,st->t", shift, shift)
    n_origins = len(counts) + int(n_lone.sum())
    varies *= n_origins / max(1, n_origins - 1)
    split = ((sizes > 0).sum(axis=0) + n_lone > 1)[:, None]  # a group of one origin has nothing to be spread over
    ratio = np.divide(varies, chance, out=np.ones_like(varies), where=(chance > 1e-12) & split)
    return np.asarray(np.clip(ratio, 1.0, np.maximum(x, 1.0)), np.float64)


def number_origins(names: Sequence[str]) -> Origins:
    """A code for every name, −1 for a blank one."""
    codes = {name: code for code, name in enumerate(dict.fromkeys(name for name in names if name))}
    return Origins(tuple(codes), np.array([codes.get(name, -1) for name in names], np.intp))


def _sums(codes: Integers, n: int) -> Any:
    """A matrix that adds up what has the same code; shape (n, codes)."""
    return sparse.csr_matrix((np.ones(len(codes)), (codes, np.arange(len(codes)))), (n, len(codes)))
