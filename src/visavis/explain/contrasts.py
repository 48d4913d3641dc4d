"""Words while blocks are dealt anew: how much more frequent each is in a group than dealing makes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from visavis.explain.blocks import is_pure
from visavis.kernel.threads import blocks as slices_of
from visavis.records import Array, Booleans, Floats, Integers

if TYPE_CHECKING:
    from visavis.contracts import Engine

LEAST_UNITS = 3  # that hold a term: with fewer, it tells of single stories or authors
UNLIKELY = 0.01  # a term is left out if all units that hold it lie in the smallest group by chance more often than this
MOST_TERMS = 4_000  # of a test, those that most units hold: bounds its time (1,000 units, two groups: a second)
STRONG = 2.0  # standard deviations; below, a strength is not looked at closely
BIN_WIDTH = 0.05  # of strengths, where they are counted
N_BINS = 200  # the last has all above
FALSE_SHARE = 0.05  # of the telling words of a comparison, how many may be false
FEW_GROUPS = 6  # up to so many, a product of matrices is quicker than adding up what each document holds
VALUES_AT_ONCE = 2**20  # strengths held at a time: few enough to stay near the processor


@dataclass(frozen=True, eq=False)
class Strengths:
    """The `largest` strength in each group after each deal, shape (groups, deals), and how many lie in each bin.

    The first deal is what was observed: `observed` (groups, terms) are its strengths, and `counts` (groups, bins) those
    of all other deals together.
    """

    largest: Floats
    counts: Integers
    observed: Floats


@dataclass(frozen=True, eq=False)
class Contrasts:
    """Terms of units that are dealt to groups.

    `holders` (units, terms), sparse, says how many of each unit's documents hold a term, `sizes` how many there are;
    units are in `groups`, and change places within their `strata`. `terms` are the terms' numbers.

    The *strength* of a term in a group is the signed root of a likelihood ratio over its design effect:

        z² = 2 (x log(x/E) + (H − x) log((H − x)/(H − E))) · E (1 − E/H) / V

    with x of the H documents that hold the term in the group. Dealing puts E of them there on average, with variance V.
    Where E is large, z is about (x − E)/√V; where it is small, z is still nearly normal, which (x − E)/√V is not.
    What dealing adds to x by giving the group larger units is taken off.
    """

    holders: Any
    sizes: Floats
    groups: Integers
    strata: Integers
    terms: Integers
    n_groups: int

    @classmethod
    def of(cls, held: Any, units: Integers, groups: Integers, strata: Integers) -> Contrasts:
        """From what documents hold, `held` (documents, terms), sparse, and their units, groups and strata.

        Units that can change places with none of another group tell nothing, and are left out.
        """
        moving = np.flatnonzero(~is_pure(strata, groups))
        units, first, place = np.unique(units[moving], return_index=True, return_inverse=True)
        rows = moving[first]
        sizes = np.bincount(place, minlength=len(rows)).astype(np.float64)
        holders = _indicator(place, len(rows)) @ held[moving].astype(np.float64)
        n_groups = int(groups.max()) + 1
        return cls(holders, sizes, groups[rows], strata[rows], np.arange(held.shape[1]), n_groups)._decidable()

    def among(self, chosen: Sequence[int]) -> Contrasts:
        """The same for some of the groups alone, numbered in this order."""
        rows = np.flatnonzero(np.isin(self.groups, chosen))
        rows = rows[~is_pure(self.strata[rows], self.groups[rows])]
        part = replace(
            self,
            holders=self.holders[rows],
            sizes=self.sizes[rows],
            groups=np.searchsorted(np.array(chosen), self.groups[rows]),
            strata=self.strata[rows],
            n_groups=len(chosen),
        )
        return part._decidable()

    def _decidable(self) -> Contrasts:
        """Those terms that could decide something, wherever they occur; of very many those that most units hold."""
        units = self.holders.getnnz(axis=0)
        smallest = max(1, np.bincount(self.groups, minlength=self.n_groups).min()) / max(2, len(self.groups))
        usable = np.flatnonzero(units >= max(LEAST_UNITS, np.log(UNLIKELY) / np.log(smallest)))
        usable = np.sort(usable[np.argsort(-units[usable], kind="stable")[:MOST_TERMS]])
        return replace(self, holders=self.holders[:, usable], terms=self.terms[usable])

    @cached_property
    def dealt(self) -> DealtTerms:
        """What all deals make of the terms, from the means and variances of drawing without replacement."""
        stratum = np.unique(self.strata, return_inverse=True)[1]
        member = _indicator(stratum, int(stratum.max()) + 1)
        n_units = np.asarray(member.sum(axis=1)).ravel()
        table = member @ (self.groups[:, None] == np.arange(self.n_groups))  # (strata, groups)
        hits = np.asarray(self.holders.sum(axis=0)).ravel()
        shares = hits / self.sizes.sum()
        # A unit's excess is how many more of its documents hold a term than of all documents on average.
        excess = (member @ self.holders).toarray() - np.outer(member @ self.sizes, shares)
        squares = (member @ self.holders.power(2)).toarray() + np.outer(member @ self.sizes**2, shares**2)
        squares -= 2.0 * shares * (member @ self.holders.multiply(self.sizes[:, None]).tocsr()).toarray()
        squares -= excess**2 / n_units[:, None]
        drawn = table * (n_units[:, None] - table) / (n_units * np.maximum(n_units - 1.0, 1.0))[:, None]
        share_of_units = table / n_units[:, None]
        sizes = share_of_units.T @ (member @ self.sizes)
        return DealtTerms(
            hits,
            sizes,
            expected=np.outer(sizes, shares) + share_of_units.T @ excess,
            variances=np.maximum(drawn.T @ squares, 0.0),
        )

    def deal(self, orders: Integers, engine: Engine) -> Strengths:
        """The strengths after each deal; `orders` (units, deals) are the units' groups, the first as observed."""
        few = self.n_groups <= FEW_GROUPS
        holders = self.holders.toarray().astype(np.float32) if few else self.holders.tocoo()
        task = StrengthsOfDeals(self.dealt, holders, self.sizes, orders, self.n_groups)
        columns = slices_of(orders.shape[1] - 1, max(1, VALUES_AT_ONCE // max(1, self.n_groups * len(self.terms))))
        columns = [slice(0, 1), *(slice(part.start + 1, part.stop + 1) for part in columns)]
        parts = list(engine.each(task, columns))
        largest = np.concatenate([part[0] for part in parts], axis=1)
        return Strengths(largest, np.sum([part[1] for part in parts[1:]], axis=0), task.strengths(slice(0, 1))[:, 0])

    @cached_property
    def _held_by_groups(self) -> Floats:
        """How many documents of each group hold each term."""
        return np.asarray((_indicator(self.groups, self.n_groups) @ self.holders).toarray())

    def apart(self, chosen: Sequence[int]) -> Floats:
        """The largest strength of each of these groups against the others of them; shape (chosen groups,)."""
        inside, sizes = (
            self._held_by_groups[list(chosen)],
            np.bincount(self.groups, self.sizes, self.n_groups)[list(chosen)],
        )
        hits = inside.sum(axis=0)
        expected = np.outer(sizes / sizes.sum(), hits)
        effects = self.dealt.effects[list(chosen)]
        return np.asarray(signed_roots(inside, expected, hits, effects).max(axis=1, initial=0.0))


@dataclass(frozen=True, eq=False)
class DealtTerms:
    """What dealing makes of terms: `hits` documents hold each, and groups have so many of `sizes` on average.

    `expected` and `variances` (groups, terms) are those of how many documents of a group hold a term.
    """

    hits: Floats
    sizes: Floats
    expected: Floats
    variances: Floats

    @cached_property
    def effects(self) -> Floats:
        """The design effect: the variance over that of documents dealt one by one; infinite where nothing varies."""
        singly = self.expected * (1.0 - self.expected / self.hits)
        varies = (self.variances > 1e-9) & (singly > 1e-9)
        return np.divide(self.variances, singly, out=np.full_like(singly, np.inf), where=varies)


@dataclass(frozen=True, eq=False)
class StrengthsOfDeals:
    """Strengths where units are dealt as some columns of `orders` say: a task of its own."""

    dealt: DealtTerms
    holders: Any
    sizes: Floats
    orders: Integers
    n_groups: int

    def __call__(self, part: slice) -> tuple[Floats, Integers]:
        """The largest strength in each group, (groups, columns), and how many lie in each bin, (groups, bins)."""
        strengths = self.strengths(part)
        strong = np.nonzero(strengths > STRONG)
        bins = np.minimum((strengths[strong] - STRONG) / BIN_WIDTH, N_BINS - 1).astype(np.intp)
        counts = np.bincount(strong[0] * N_BINS + bins, minlength=self.n_groups * N_BINS)
        return strengths.max(axis=2, initial=0.0).astype(np.float64), counts.reshape(self.n_groups, N_BINS)

    def strengths(self, part: slice) -> Array:
        """All of them, shape (groups, columns, terms); weak ones are standard deviations."""
        dealt, orders = self.dealt, self.orders[:, part]
        strengths = self._multiplied(orders) if isinstance(self.holders, np.ndarray) else self._added(orders)
        sizes = np.stack([self.sizes @ (orders == group) for group in range(self.n_groups)])
        larger = (sizes - dealt.sizes[:, None]).astype(np.float32)
        if larger.any():
            shares = (dealt.hits / self.sizes.sum()).astype(np.float32)
            strengths -= larger[:, :, None] * shares
        strengths -= dealt.expected.astype(np.float32)[:, None]
        deviations = np.sqrt(dealt.variances)
        precision = np.where(np.isfinite(dealt.effects), 1.0 / np.maximum(deviations, 1e-9), 0.0)
        strengths *= precision.astype(np.float32)[:, None]
        flat = np.flatnonzero(strengths > STRONG)
        group, term = flat // (strengths.shape[1] * strengths.shape[2]), flat % strengths.shape[2]
        expected, hits = dealt.expected[group, term], dealt.hits[term]
        inside = expected + strengths.reshape(-1)[flat] * deviations[group, term]
        strengths.reshape(-1)[flat] = signed_roots(inside, expected, hits, dealt.effects[group, term])
        return strengths

    def _multiplied(self, orders: Integers) -> Array:
        """How many documents of each group hold each term, by products of matrices; whole numbers, so exact."""
        counts = np.empty((self.n_groups, orders.shape[1], self.holders.shape[1]), np.float32)
        for group in range(self.n_groups - 1):
            np.matmul((orders == group).T.astype(np.float32), self.holders, out=counts[group])
        counts[-1] = self.dealt.hits - counts[:-1].sum(axis=0)
        return counts

    def _added(self, orders: Integers) -> Array:
        """The same, document by document: of many groups each holds few."""
        n_terms = self.holders.shape[1]
        counts = np.empty((self.n_groups, orders.shape[1], n_terms), np.float32)
        for column in range(orders.shape[1]):
            cells = orders[self.holders.row, column] * n_terms + self.holders.col
            added = np.bincount(cells, weights=self.holders.data, minlength=self.n_groups * n_terms)
            counts[:, column] = added.reshape(self.n_groups, n_terms)
        return counts


def pass_together(strengths: Strengths, groups: Booleans) -> Booleans:
    """Which terms tell these groups: so strong that of all as strong at most FALSE_SHARE are to be expected of chance.

    How many are as strong by chance is counted over all deals. Shape (groups, terms).
    """
    observed = strengths.observed
    edges = STRONG + BIN_WIDTH * np.arange(N_BINS)
    n_deals = strengths.largest.shape[1] - 1
    by_chance = strengths.counts[groups].sum(axis=0)[::-1].cumsum()[::-1] / max(1, n_deals)
    reached = np.array([(observed[groups] >= edge).sum() for edge in edges])
    enough = np.flatnonzero((by_chance <= FALSE_SHARE * reached) & (reached > 0))
    if len(enough) == 0:
        return np.zeros(observed.shape, np.bool_)
    return np.asarray((observed >= edges[enough[0]]) & groups[:, None])


def signed_roots(inside: Floats, expected: Floats, hits: Floats, effects: Floats) -> Floats:
    """√(2 (x log(x/E) + (H − x) log((H − x)/(H − E))) / design effect), negative where x < E; x is `inside`."""
    tiny = 1e-9
    expected = np.clip(expected, tiny, np.maximum(hits - tiny, tiny))
    inside = np.clip(inside, 0.0, hits)
    outside = hits - inside
    ratio = inside * np.log(np.maximum(inside, tiny) / expected)
    ratio += outside * np.log(np.maximum(outside, tiny) / np.maximum(hits - expected, tiny))
    return np.asarray(np.sign(inside - expected) * np.sqrt(2.0 * np.maximum(ratio, 0.0) / effects))


def _indicator(codes: Integers, n_codes: int) -> Any:
    """A matrix that adds up what has the same code; shape (codes, places)."""
    return sparse.csr_matrix((np.ones(len(codes)), (codes, np.arange(len(codes)))), (n_codes, len(codes)))
