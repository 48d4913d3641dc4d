"""Blocks dealt anew to the groups, and how far apart the groups then are: what a permutation test stands on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from visavis.explain.blocks import is_pure
from visavis.explain.contrasts import Contrasts, Strengths
from visavis.kernel.threads import blocks as parts_of
from visavis.records import Array, Booleans, Floats, Integers

if TYPE_CHECKING:
    from visavis.contracts import Engine

CHUNK = 64  # deals of a task
AT_ONCE = 2**16  # entries: of few units, so many deals are a task
HANDICAP = 0.5  # standard deviations that words must be ahead of kernels (research/verdicts.md, "Words and kernels")
TIE = 1e-5  # standard deviations within which two deals do the same: sums in single precision differ by less
FEW = 6  # groups up to which a product of matrices is quicker than looking up the pairs within each


@dataclass(frozen=True, eq=False)
class Scale:
    """How far apart a statistic says that the groups are, `reached`, in standard deviations of what dealing gives.

    Each has an entry for each test. `dealt` (tests, deals) are those after each deal; `center` and `spread` lead back
    to the statistic's own numbers.
    """

    reached: Floats
    dealt: Floats
    center: Floats
    spread: Floats

    @classmethod
    def of(cls, values: Floats) -> Scale:
        """From the values (tests, 1 + deals), of which the first are what was observed."""
        center, spread = values.mean(axis=1, keepdims=True), values.std(axis=1, keepdims=True)
        spread = np.where(spread > 0, spread, 1.0)
        scaled = (values - center) / spread
        return cls(scaled[:, 0], scaled[:, 1:], center[:, 0], spread[:, 0])


@dataclass(frozen=True, eq=False)
class DealtTests:
    """The tests of all groups at once and of each against the rest: `mmd2` at the kernel's own width, and p-values.

    `reached` is how far apart the groups are, `dealt` (tests, deals) how far they are after each deal: the larger of
    what the kernels and the words say. `widths` (widths, groups) has standard deviations of MMD², `kernels` and
    `words` the scales of their statistics. `strengths` are those of words, None where there are none.
    """

    mmd2: Floats
    p_values: Floats
    reached: Floats
    dealt: Floats
    widths: Floats
    kernels: Scale
    words: Scale | None
    strengths: Strengths | None


@dataclass(frozen=True, eq=False)
class Dealt:
    """Similarities between units, at several widths, and which group each unit is in.

    `grams` (widths, U, U) are sums over pairs of documents, 0 on the diagonal: what a unit shares with itself tells
    nothing about its group. `plain` is each unit's sum with itself, at the first width, for MMD² as it is known.
    `words` are the terms that units hold, None where nothing is known of them.
    """

    grams: Array
    plain: Floats
    sizes: Floats
    strata: Integers
    groups: Integers
    engine: Engine
    words: Contrasts | None = None

    @classmethod
    def of(
        cls,
        gram: Array,
        codes: Integers,
        dealt: tuple[Integers, Integers],
        widths: Sequence[int],
        engine: Engine,
        held: Any = None,
    ) -> Dealt:
        """From the similarities of documents; `codes` are their groups, `dealt` their units and strata.

        `held` (documents, terms), sparse, says which terms each holds.
        """
        order = np.argsort(dealt[0], kind="stable")
        _, first = np.unique(dealt[0][order], return_index=True)
        grams = np.empty((len(widths), len(first), len(first)), gram.dtype if len(first) == len(order) else np.float64)
        power = gram
        for number, summed in enumerate(grams):
            if number:  # K_{4γ} = K_γ⁴; so large that all but what was given is changed where it lies
                power = np.square(power, out=None if number == 1 else power)
                np.square(power, out=power)
            summed[:] = _summed(power, order, first)
        plain = grams[0].diagonal().astype(np.float64)
        for summed in grams:
            np.fill_diagonal(summed, 0.0)
        rows = order[first]
        sizes = np.diff(np.append(first, len(order))).astype(np.float64)
        words = None if held is None else Contrasts.of(held, dealt[0], codes, dealt[1])
        return cls(grams, plain, sizes, dealt[1][rows], codes[rows], engine, words)

    def among(self, groups: Sequence[int]) -> Dealt:
        """The same for some of the groups alone, numbered in this order."""
        units = np.flatnonzero(np.isin(self.groups, groups))
        return replace(
            self,
            grams=self.grams[:, units[:, None], units],
            plain=self.plain[units],
            sizes=self.sizes[units],
            strata=self.strata[units],
            groups=np.searchsorted(np.array(groups), self.groups[units]),
            words=None if self.words is None else self.words.among(groups),
        )

    @property
    def n_groups(self) -> int:
        """How many groups there are."""
        return int(self.groups.max()) + 1

    def mmd2(self) -> Floats:
        """MMD² as it is known, at the kernel's own width: of all groups at once, then of each against the rest."""
        gram = self.grams[0].astype(np.float64, copy=False)
        member = (self.groups[:, None] == np.arange(self.n_groups)).astype(np.float64)
        own = np.einsum("ig,ij,jg->g", member, gram, member, optimize=True) + self.plain @ member
        rows = (gram.sum(axis=1) + self.plain) @ member
        total, inside = float(gram.sum() + self.plain.sum()), self.sizes @ member
        every = self.sizes.sum()
        each = _mmd2((own, rows, total), (inside**2, inside * every, every**2))
        return np.concatenate([[inside @ each / inside.sum()], each])

    def run(self, rng: np.random.Generator, rounds: int) -> DealtTests:
        """The tests of all groups at once, then of each against the rest.

        Kernels: each width's MMD² is measured in standard deviations of what dealing gives, and the largest counts. A
        wide kernel sees that groups differ in general, a narrow one that a few documents of one have no like in
        another. Words: the largest strength counts. Both are measured once more, in standard deviations of what dealing
        gives, and the larger one, words less HANDICAP, is how far apart the groups are.
        """
        orders = np.concatenate([self.groups[:, None], deal_units(self.groups, self.strata, rng, rounds)], axis=1)
        task = Apart(self.grams, self.sizes, orders, self.n_groups)
        columns = parts_of(rounds + 1, max(CHUNK, AT_ONCE // len(orders)))
        values = np.concatenate(list(self.engine.each(task, columns)), axis=2)
        spread = values.std(axis=2, keepdims=True)
        spread = np.where(spread > 0, spread, 1.0)
        kernels = Scale.of(((values - values.mean(axis=2, keepdims=True)) / spread).max(axis=0))
        reached, dealt, words, strengths = kernels.reached, kernels.dealt, None, None
        if self.words is not None and len(self.words.terms):
            strengths = self.words.deal(orders[self._with_words], self.engine)
            words = Scale.of(np.vstack([strengths.largest.max(axis=0), strengths.largest]))
            reached = np.maximum(reached, words.reached - HANDICAP)
            dealt = np.maximum(dealt, words.dealt - HANDICAP)
        as_far = np.sum(dealt >= reached[:, None] - TIE, axis=1)
        p_values = (1 + as_far) / (1 + rounds)
        return DealtTests(self.mmd2(), p_values, reached, dealt, spread[:, 1:, 0], kernels, words, strengths)

    @property
    def _with_words(self) -> Booleans:
        """The units that words are counted in: those that can change places."""
        return ~is_pure(self.strata, self.groups)

    def oddest_first(self, tests: DealtTests) -> list[int]:
        """The groups in the order in which they are to be taken away: always the one furthest from those left.

        How far is measured as in these tests of all groups.
        """
        member = (self.groups[:, None] == np.arange(self.n_groups)).astype(np.float64)
        sums = np.stack([member.T @ gram.astype(np.float64, copy=False) @ member for gram in self.grams])
        sizes = self.sizes @ member
        pairs = np.outer(sizes, sizes) - np.diag(self.sizes**2 @ member)
        remaining, order = list(range(self.n_groups)), []
        while len(remaining) > 1:
            apart = [(_apart(sums, pairs, remaining, group) / tests.widths[:, group]).max() for group in remaining]
            tested = 1 + np.array(remaining)
            scaled = (np.array(apart) - tests.kernels.center[tested]) / tests.kernels.spread[tested]
            if tests.words is not None and self.words is not None:
                strongest = self.words.apart(remaining)
                strongest = (strongest - tests.words.center[tested]) / tests.words.spread[tested]
                scaled = np.maximum(scaled, strongest - HANDICAP)
            order.append(remaining.pop(int(np.argmax(scaled))))
        return [*order, *remaining]


def deal_units(groups: Integers, strata: Integers, rng: np.random.Generator, rounds: int) -> Integers:
    """The groups of all units after each deal; shape (U, rounds). Units of one stratum change places."""
    if np.all(strata == strata[0]):
        return np.asarray(rng.permuted(np.tile(groups, (rounds, 1)), axis=1).T)
    places = np.argsort(strata, kind="stable")
    order = np.argsort(strata + rng.random((rounds, len(places))), axis=1)
    found = np.empty(order.shape, groups.dtype)
    np.put_along_axis(found, order, np.broadcast_to(groups[places], order.shape), axis=1)
    return np.asarray(found.T)


def _apart(sums: Floats, pairs: Floats, groups: list[int], one: int) -> Floats:
    """MMD² at every width of one group against the others, from sums over units and the numbers of their pairs."""
    alike, count = sums[:, groups][:, :, groups], pairs[np.ix_(groups, groups)]
    place = groups.index(one)
    found = alike[:, place, place], alike[:, place].sum(axis=1), alike.sum(axis=(1, 2))
    return _mmd2(found, (count[place, place], count[place].sum(), count.sum()))


def _mmd2(sums: tuple[Any, Any, Any], pairs: tuple[Any, Any, Any]) -> Floats:
    """MMD² of groups against the rest: mean similarity within, less twice that across, plus that of the others.

    `sums` of similarities within a group, of its members with everyone, and of everyone with everyone; and of how many
    `pairs` these are.
    """
    (own, rows, total), (inside, reached, every) = sums, pairs
    return np.asarray(
        own / inside
        - 2.0 * (rows - own) / (reached - inside)
        + (total - 2.0 * rows + own) / (every - 2.0 * reached + inside)
    )


def _summed(gram: Array, order: Integers, first: Integers) -> Array:
    """Σ k_ij over the documents of every two units; `order` sorts documents by unit."""
    if len(first) == len(order):
        return gram[np.ix_(order, order)]
    unit = np.repeat(np.arange(len(first)), np.diff(np.append(first, len(order))))
    more = np.setdiff1d(np.arange(len(order)), first)  # all but the first documents of units: often few
    rows = gram[order[first]].astype(np.float64)
    for place in more:
        rows[unit[place]] += gram[order[place]]
    found = rows.T[order[first]]
    for place in more:
        found[unit[place]] += rows[:, order[place]]
    return found


@dataclass(frozen=True, eq=False)
class Apart:
    """How far apart groups are if units are dealt as some columns of `orders` say: a task of its own."""

    grams: Array
    sizes: Floats
    orders: Integers
    n_groups: int

    def __call__(self, part: slice) -> Floats:
        """MMD² without what units share with themselves: of all groups, then of each against the rest.

        Shape (widths, 1 + groups, columns).
        """
        orders = self.orders[:, part]
        sums = self._sums
        own = self._looked_up(orders) if self.n_groups > FEW else self._multiplied(orders, sums)
        inside, squares = self._added(orders, self.sizes), self._added(orders, self.sizes**2)
        rows = np.stack([self._added(orders, row) for row in sums])
        totals = np.array([row.sum() for row in sums])[:, None, None]
        every = self.sizes.sum()
        pairs = (inside**2 - squares, inside * every - squares, every**2 - np.sum(self.sizes**2))
        each = _mmd2((own, rows, totals), pairs)
        every_group = np.sum(inside * each, axis=1, keepdims=True) / self.sizes.sum()
        return np.concatenate([every_group, each], axis=1)

    @cached_property
    def _sums(self) -> list[Floats]:
        """Σ_j k_ij of every unit, at every width."""
        return [gram.sum(axis=1, dtype=np.float64) for gram in self.grams]

    def _added(self, orders: Integers, values: Floats) -> Floats:
        """Σ over the units of each group; shape (groups, columns)."""
        if self.n_groups <= FEW:
            return np.stack([values @ (orders == group).astype(np.float64) for group in range(self.n_groups)])
        columns = [np.bincount(order, weights=values, minlength=self.n_groups) for order in orders.T]
        return np.stack(columns, axis=1)

    def _multiplied(self, orders: Integers, sums: Sequence[Floats]) -> Floats:
        """Σ over pairs within each group, by products of matrices; shape (widths, groups, columns)."""
        found = np.empty((len(self.grams), self.n_groups, orders.shape[1]))
        for width, (gram, row) in enumerate(zip(self.grams, sums, strict=True)):
            left = np.repeat(row[:, None], orders.shape[1], axis=1)
            for group in range(self.n_groups):
                member = orders == group
                last = group == self.n_groups - 1
                across = left if last else gram @ member.astype(gram.dtype)  # the last has what the others leave
                left = left if last else left - across
                found[width, group] = np.einsum("ij,ij->j", member, across, dtype=np.float64)
        return found

    def _looked_up(self, orders: Integers) -> Floats:
        """The same, pair by pair: of many groups each holds few. Dealing leaves every group as many units as it has."""
        counts = np.bincount(orders[:, 0], minlength=self.n_groups)
        starts = np.concatenate(([0], np.cumsum(counts)[:-1]))
        pairs = [np.stack(np.triu_indices(count, 1)) + start for start, count in zip(starts, counts, strict=True)]
        first, second = np.concatenate(pairs, axis=1)
        bounds = np.concatenate(([0], np.cumsum([part.shape[1] for part in pairs])[:-1])).astype(np.intp)
        flat = self.grams.reshape(len(self.grams), -1)
        found = np.empty((len(flat), self.n_groups, orders.shape[1]))
        for column in range(orders.shape[1]):
            order = np.argsort(orders[:, column], kind="stable")
            places = order[first] * len(order) + order[second]
            for width, gram in enumerate(flat):
                alike = gram.take(places)  # far quicker than by rows and columns
                found[width, :, column] = 2.0 * np.add.reduceat(alike, bounds, dtype=np.float64)
        return found
