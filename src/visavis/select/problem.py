"""One search: the documents that take part, what may and must be picked, and where a search begins and ends."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from visavis.contracts import Pairs, Vectors
from visavis.records import Booleans, Compute, Floats, Integers, Quota, Rows, Sample
from visavis.select.facts import Facts, Sequences

SUMS = "similarity sums"  # among the facts
DENSE = 8  # numbers for each document: up to so many it is quicker to mark them all than to sort


@dataclass(frozen=True, eq=False)
class Problem:
    """Documents sorted by group, so every group is a slice; which of them may be picked, and which must be.

    `weights` are positive. Documents of one group with the same number in `stories` tell the same story: only one of
    them may be picked, unless more are pinned. Where there are `origins`, a pick is of one of those that its group's
    picks are of least often. `sums` tells Σ_{j∈g} w_j k(x_i, x_j), wherever it comes from. `facts` are shared by all
    searches among the same documents at the same width, `sequences` by all searches of a session, in which `key` tells
    which documents take part and may be picked, and `frame` the width. Where there is a `sample`, it stands for all
    documents while a search goes on, and is what `sums` are over; `within` makes a problem of it alone. What picks are
    worth in the end is told by all documents.
    """

    pairs: Pairs
    vectors: Vectors
    names: tuple[str, ...]
    bounds: Integers
    weights: Floats
    allowed: Booleans
    stories: Integers
    compute: Compute
    pinned: tuple[tuple[int, ...], ...]
    sums: Callable[[], Floats]
    facts: Facts = field(default_factory=Facts, repr=False)
    sequences: Sequences = field(default_factory=Sequences, repr=False)
    key: Hashable = None
    frame: int = 0
    origins: Integers | None = None
    sample: Sample | None = None
    within: Callable[[], Problem] | None = None

    @property
    def n_documents(self) -> int:
        """N."""
        return int(self.bounds[-1])

    @property
    def n_groups(self) -> int:
        """G."""
        return len(self.names)

    def rows(self, group: int) -> slice:
        """Where the documents of a group stand."""
        return slice(int(self.bounds[group]), int(self.bounds[group + 1]))

    def group_of(self, document: int) -> int:
        """The group of a document."""
        return int(np.searchsorted(self.bounds, document, side="right")) - 1

    def owners(self, sequence: Sequence[int]) -> Integers:
        """The group of each of these documents."""
        picks = np.asarray(sequence, np.intp)
        return np.asarray(np.searchsorted(self.bounds, picks, side="right") - 1, np.intp)

    def totals(self) -> Floats:
        """The weight of each group; shape (G,)."""

        def compute() -> Floats:
            totals = np.bincount(self._groups(), weights=self.weights, minlength=self.n_groups)
            return np.asarray(totals, np.float64)

        return self.facts.remember("totals", compute)

    def room(self) -> Integers:
        """How many documents of each group may be picked: one a story, and all that are pinned."""
        room = count_stories(self._groups(), self.allowed, self.stories, self.n_groups)
        pinned = [(len(pins), len(np.unique(self.stories[list(pins)]))) for pins in self.pinned]
        return np.asarray(room + [pins - stories for pins, stories in pinned])

    def open_beside(self, group: int, picks: Sequence[int]) -> Booleans:
        """Which documents of a group may be picked beside these of its picks; shape (N_g,)."""
        rows = self.rows(group)
        if len(picks) == 0:
            return self.allowed[rows].copy()
        stories = self.stories[rows]
        told = np.zeros(int(stories.max()) + 1, np.bool_)
        told[self.stories[list(picks)]] = True
        open_ = self.allowed[rows] & ~told[stories]
        if self.origins is not None and open_.any():
            origins, counts = np.unique(self.origins[list(picks)], return_counts=True)
            place = np.minimum(np.searchsorted(origins, self.origins[rows]), len(origins) - 1)
            used = np.where(origins[place] == self.origins[rows], counts[place], 0)
            open_ &= used == used[open_].min()
        return np.asarray(open_)

    def close(self, open_: Booleans, document: int, picks: Sequence[int]) -> None:
        """Mark, among all documents, what of its group may still be picked after a document that is now among picks."""
        group = self.group_of(document)
        rows = self.rows(group)
        open_[rows] = self.open_beside(group, [pick for pick in picks if rows.start <= pick < rows.stop])

    def judged(self, group: int) -> tuple[Rows, Floats]:
        """The documents of a group by which a search judges its picks, and their weights: all, or those drawn."""
        rows = self.rows(group)
        if self.sample is None:
            return rows, self.weights[rows]
        first, last = np.searchsorted(self.sample.rows, [rows.start, rows.stop])
        return self.sample.rows[first:last], self.sample.weights[first:last]

    def tried(self, group: int) -> Rows:
        """The documents of a group of which a search asks what they would add: where it samples, those it may pick."""
        rows = self.rows(group)
        return rows if self.sample is None else np.flatnonzero(self.allowed[rows]) + rows.start

    def sampled(self) -> Problem:
        """The sample as a problem of its own, made once; this one where all documents are looked at."""
        return self if self.within is None else self.facts.remember("sample", self.within)

    def _groups(self) -> Integers:
        return np.repeat(np.arange(self.n_groups), np.diff(self.bounds))

    @property
    def has_sums(self) -> bool:
        """Whether the sums are over a sample, or were told: then nobody need make them anew where documents lie."""
        return self.sample is not None or self.facts.knows(SUMS)

    def similarity_sums(self) -> Floats:
        """Σ_{j∈g} w_j k(x_i, x_j) for every document i and group g; shape (N, G)."""
        return self.facts.remember(SUMS, self.sums)

    def know_sums(self, sums: Floats) -> None:
        """Take these for the similarity sums; whoever has asked before keeps what he was told."""
        self.facts.remember(SUMS, lambda: sums)

    def group_column(self, document: int) -> Floats:
        """k of a document's own group with it, at the precision of the search; shape (N_g,)."""
        return self.facts.group_column(self.pairs, self.rows(self.group_of(document)), document)

    def columns(self, sequence: Sequence[int]) -> Floats:
        """k of all documents with these, in float64; shape (N, picks)."""
        found = self.each_column(sequence)
        return np.stack(found).T if found else np.zeros((self.n_documents, 0))  # each lying in one piece

    def each_column(self, sequence: Sequence[int]) -> list[Floats]:
        """The same one by one, each lying in one piece: for many documents that is quicker to read; shapes (N,)."""
        return self.facts.columns(self.pairs, [int(document) for document in sequence])

    def among(self, sequence: Sequence[int]) -> Floats:
        """k of these documents with each other, in float64; shape (picks, picks)."""
        picks = np.asarray(sequence, np.intp)
        found = [column[picks] for column in self.each_column(sequence)]
        return np.stack(found, axis=1) if found else np.zeros((0, 0))


@dataclass(frozen=True, eq=False)
class Beginning:
    """Where a search starts: documents in pick order, and points of the space with the groups they belong to."""

    sequence: tuple[int, ...]
    points: Floats
    owner: Integers


@dataclass(frozen=True, eq=False)
class Outcome:
    """Where a search ended: documents in pick order, and each group's value after each stage, in their order.

    A stage may also be told by the documents picked at it, to be valued when asked; None stands for the picks
    themselves. `objective` is what they are valued by; their `trace`
    (each group's value before the first pick and after each one) is None where nobody has asked for it yet. `n_tried`
    is how many documents could be picked, None for all that may be.
    """

    sequence: tuple[int, ...]
    stages: Mapping[str, Floats | tuple[int, ...] | None]
    objective: Any
    trace: Floats | None = None
    n_iter: int = 1
    n_tried: int | None = None


def count_stories(groups: Integers, allowed: Booleans, stories: Integers, n_groups: int) -> Integers:
    """How many stories there are to pick from in each group; shape (G,)."""
    codes = stories * n_groups + groups
    codes = codes if allowed.all() else codes[allowed]
    if codes.max(initial=0) < DENSE * len(groups):
        seen = np.zeros(-(-(int(codes.max(initial=0)) + 1) // n_groups) * n_groups, np.bool_)
        seen[codes] = True
        return np.asarray(seen.reshape(-1, n_groups).sum(axis=0))
    return np.bincount(np.unique(codes) % n_groups, minlength=n_groups)


def proportional_sizes(problem: Problem, quota: Quota) -> tuple[int, ...]:
    """Sizes for methods without gains: a budget is divided by the groups' weights, each getting at least one."""
    if quota.sizes is not None:
        return quota.sizes
    assert quota.budget is not None
    room = problem.room()
    sizes = np.maximum(1, [len(pins) for pins in problem.pinned])
    while sizes.sum() < quota.budget:  # the next pick goes where picks are scarcest for the weight
        scarcity = np.where(sizes < room, problem.totals() / (sizes + 1), -np.inf)
        sizes[int(np.argmax(scarcity))] += 1
    return tuple(int(size) for size in sizes)
