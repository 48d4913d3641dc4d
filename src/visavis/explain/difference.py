"""Do the groups differ at all? MMD² with permutations."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from visavis.kernel.threads import blocks
from visavis.records import Array, Booleans, Floats, Integers, TwoSampleTest
from visavis.shared.statistics import holm

if TYPE_CHECKING:
    from visavis.contracts import Engine
    from visavis.select.problem import Problem

PER_GROUP, IN_ALL, IN_MANY = 2000, 4000, 3000  # documents tested: of a group, of two, of more than two
PERMUTATIONS = 999
CHUNK = 64
WIDTHS = (1, 4, 16)  # times γ


def difference_tests(
    problem: Problem,
    engine: Engine,
    names: Sequence[str],
    keys: Sequence[str],
    rng: np.random.Generator,
    *,
    unique: Booleans | None = None,
    pairs: bool = False,
) -> tuple[tuple[TwoSampleTest, ...], bool]:
    """One test of all groups at once, then each against the rest, pairs on request; and whether a sample was tested.

    `keys` name the documents; `unique` marks those that enter, one of every family of copies. p = (1 + b)/(1 + B) with
    B ≥ 40 × the number of tests, at least 999; adjusted by Holm's rule.
    """
    if problem.n_groups < 2:
        return (), False
    rows, sampled = _tested_rows(problem, keys, np.ones(problem.n_documents, np.bool_) if unique is None else unique)
    codes = np.searchsorted(problem.bounds, rows, side="right") - 1
    groups = range(problem.n_groups)
    couples = list(combinations(groups, 2)) if pairs and problem.n_groups > 2 else []
    sets = [tuple(groups), *([(g,) for g in groups] if problem.n_groups > 2 else []), *couples]
    trial = _Trial(
        problem.pairs.gram(rows).astype(np.float64 if len(rows) <= IN_ALL // 4 else np.float32, copy=False),
        codes,
        max(PERMUTATIONS, 40 * len(sets)),
        WIDTHS if problem.pairs.abilities.widths else (1,),
        engine,
    )
    found = trial.run(rng)[: len(sets) - len(couples)]
    found += [trial.between(couple).run(rng)[0] for couple in couples]
    adjusted = holm([p for _, p in found])
    tests = tuple(
        TwoSampleTest(tuple(names[g] for g in chosen), mmd2, p, better)
        for chosen, (mmd2, p), better in zip(sets, found, adjusted, strict=True)
    )
    return tests, sampled


def _tested_rows(problem: Problem, keys: Sequence[str], unique: Booleans) -> tuple[Integers, bool]:
    """The marked documents, or a stratified sample of them chosen by the hash of their keys.

    A group of nothing but copies enters whole.
    """
    groups = [problem.rows(g) for g in range(problem.n_groups)]
    parts = [np.flatnonzero(unique[rows] if unique[rows].any() else ~unique[rows]) + rows.start for rows in groups]
    total = sum(min(len(part), PER_GROUP) for part in parts)
    shrink = min(1.0, (IN_ALL if problem.n_groups == 2 else IN_MANY) / total)
    sampled = False
    for g, part in enumerate(parts):
        keep = max(2, int(min(len(part), PER_GROUP) * shrink))
        if keep < len(part):
            sampled = True
            order = sorted(part, key=lambda i: hashlib.blake2b(keys[i].encode("utf-8", "replace")).digest())
            parts[g] = np.sort(np.array(order[:keep], np.intp))
    return np.concatenate(parts), sampled


@dataclass(frozen=True, eq=False)
class _Trial:
    """A Gram matrix with the groups of its rows, and how often and at which widths to permute them."""

    gram: Array
    codes: Integers
    rounds: int
    widths: tuple[int, ...]
    engine: Engine

    def between(self, couple: tuple[int, int]) -> _Trial:
        """The same for two of the groups alone."""
        inside = np.flatnonzero(np.isin(self.codes, couple))
        codes = np.searchsorted(couple, self.codes[inside])
        return replace(self, gram=self.gram[np.ix_(inside, inside)], codes=codes)

    def run(self, rng: np.random.Generator) -> list[tuple[float, float]]:
        """MMD² at the kernel's own width and p-value: of all groups at once, then of each against the rest.

        Each width's statistic is measured in standard deviations of its permutations, and the largest counts. A wide
        kernel sees that groups differ in general, a narrow one that a few documents of one have no like in another.
        """
        orders = np.stack([self.codes, *(rng.permuted(self.codes) for _ in range(self.rounds))], axis=1)
        sizes = np.bincount(self.codes)
        gram, values = self.gram, []
        for width in self.widths:
            if width > 1:  # K_{4γ} = K_γ⁴, by squaring in a matrix of our own
                gram = np.square(gram, out=None if gram is self.gram else gram)
                np.square(gram, out=gram)
            each = self._against_rest(gram, orders, sizes)
            values.append(np.vstack([sizes @ each / sizes.sum(), each]))
        stacked = np.array(values)  # (widths, tests, orders)
        spread = stacked.std(axis=2, keepdims=True)
        scaled = (stacked - stacked.mean(axis=2, keepdims=True)) / np.where(spread > 0, spread, 1.0)
        largest = scaled.max(axis=0)
        reached = np.sum(largest[:, 1:] >= largest[:, :1] - 1e-9, axis=1)
        return [
            (float(mmd2), (1 + int(b)) / (1 + self.rounds)) for mmd2, b in zip(values[0][:, 0], reached, strict=True)
        ]

    def _against_rest(self, gram: Array, orders: Integers, sizes: Integers) -> Floats:
        """MMD²(group, rest) of every group for every column of orders; shape (G, orders). Two groups share theirs."""
        task = Permuted(gram, gram.sum(axis=1, dtype=np.float64), orders, sizes)
        each = np.concatenate(list(self.engine.each(task, blocks(orders.shape[1], CHUNK))), axis=1)
        return each if len(sizes) > 2 else np.repeat(each, len(sizes), axis=0)


@dataclass(frozen=True, eq=False)
class Permuted:
    """MMD² of every group (of the first, of two) against the rest, for some columns of orders: a task of its own."""

    gram: Array
    row_sums: Floats
    orders: Integers
    sizes: Integers

    def __call__(self, part: slice) -> Floats:
        """Those of these columns; shape (groups, columns)."""
        left, found = np.repeat(self.row_sums[:, None], part.stop - part.start, axis=1), []
        n_groups = len(self.sizes)
        for group in range(n_groups if n_groups > 2 else 1):
            member = self.orders[:, part] == group
            last = group > 0 and group == n_groups - 1
            sums = left if last else self.gram @ member.astype(self.gram.dtype)  # the last has what the others leave
            left -= 0 if last else sums
            found.append(_mmd2(sums, self.row_sums, member, int(self.sizes[group])))
        return np.array(found)


def _mmd2(sums: Array, row_sums: Floats, member: Booleans, inside: int) -> Floats:
    """Σ k/n² within − 2 Σ k/(n·m) across + Σ k/m² outside, for each column of members; `sums` are K @ members."""
    outside = len(sums) - inside
    own = np.einsum("ij,ij->j", member, sums, dtype=np.float64)
    rows = row_sums @ member
    rest = row_sums.sum() - 2.0 * rows + own
    return np.asarray(own / inside**2 - 2.0 * (rows - own) / (inside * outside) + rest / outside**2)
