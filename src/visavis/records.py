"""The frozen records that cross from one stage to the next."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from visavis.contracts import FittedEmbedder, Kernel, Objective, Vectors

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]
Booleans = NDArray[np.bool_]
Array = NDArray[Any]
Rows = slice | Integers

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Document:
    """One document as read. `fields` holds every column of its row as it stood, by the column's own name.

    `date` is in UTC (a date without a time is midnight, a time without a zone is UTC); `image` is a picture's path.
    """

    id: str
    title: str = ""
    text: str = ""
    date: datetime | None = None
    source: str = ""
    url: str = ""
    image: str = ""
    weight: float = 1.0
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class SetAside:
    """Documents or rows that were left out, and why; `where` names them (ids, or rows as "file:row")."""

    reason: str
    where: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many."""
        return len(self.where)


@dataclass(frozen=True, eq=False)
class Corpus:
    """Documents with distinct ids, what was set aside on the way, and remarks for the reader of the report.

    `columns` maps a role (id, title, text, date, source, url, weight) to the column it was read from. `vectors` are
    there when the file brings its own, a row per document; `splits` likewise (pairs of train and test row numbers).
    """

    documents: tuple[Document, ...]
    origin: str
    columns: Mapping[str, str] = field(default_factory=dict)
    set_aside: tuple[SetAside, ...] = ()
    notes: tuple[str, ...] = ()
    vectors: Floats | None = None
    splits: tuple[tuple[Integers, Integers], ...] = ()


@dataclass(frozen=True, eq=False)
class Grouping:
    """The documents of a comparison and their groups: `codes` index `names`, one code per document of `corpus`."""

    corpus: Corpus
    by: str
    names: tuple[str, ...]
    codes: Integers
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Embedded:
    """The vectors of those texts that have one.

    `vectors` is float32, shape (kept, d); `kept` holds the places of its rows in the texts, ascending; `missing` names
    the others, each with the reason. `parameters` is what made them, in JSON's types.
    """

    vectors: NDArray[np.float32]
    kept: Integers
    missing: tuple[tuple[int, str], ...] = ()
    notes: tuple[str, ...] = ()
    parameters: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Points:
    """Documents as vectors: what a session is posed on. Bare arrays enter the corridor here.

    `vectors` (N, d) are dense or CSR, `weights` (N,) not negative. `rows` says which document each point is, among
    those that were prepared; `families` names, for each point, the first point it is a copy of (itself if of none).
    `embedder` made the vectors and can make more of later texts; `parameters` says how, in JSON's types. `set_aside`
    names the documents that could not become points.
    """

    vectors: Any
    weights: Floats
    rows: Integers
    families: Integers
    embedder: FittedEmbedder | None = None
    parameters: Mapping[str, object] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    set_aside: tuple[SetAside, ...] = ()

    @classmethod
    def of(cls, vectors: Any, weights: Floats | None = None) -> Points:
        """Bare vectors: every point is a document of its own."""
        everyone = np.arange(vectors.shape[0])
        return cls(vectors, np.ones(len(everyone)) if weights is None else weights, everyone, everyone)

    @property
    def unique(self) -> Booleans:
        """One point of every family of copies."""
        return np.asarray(self.families == np.arange(len(self.families)))

    def take(self, places: Integers) -> Points:
        """These points alone, in this order; a family whose first point is left out is led by the first that stays."""
        _, families = np.unique(self.families[places], return_inverse=True)
        first = np.full(int(families.max(initial=-1)) + 1, len(places))
        np.minimum.at(first, families, np.arange(len(places)))
        return replace(
            self, vectors=self.vectors[places], weights=self.weights[places], rows=self.rows[places],
            families=first[families],
        )  # fmt: skip


@dataclass(frozen=True)
class Compute:
    """How much of the machine a computation may use, and at which precision its tiles run."""

    dtype: str = "float32"
    threads: int = 1
    memory_mb: int = 512

    @property
    def precision(self) -> type[np.floating[Any]]:
        """The NumPy type of the tiles."""
        return np.float32 if self.dtype == "float32" else np.float64

    def fits(self, n_values: int, itemsize: int = 4) -> bool:
        """Whether that many values may be kept in memory at once."""
        return n_values * itemsize <= self.memory_mb * 2**20


@dataclass(frozen=True)
class Quota:
    """How many documents to pick: a number for each group, or a total that the gains divide among them."""

    sizes: tuple[int, ...] | None = None
    budget: int | None = None


@dataclass(frozen=True, eq=False)
class Problem:
    """One comparison, ready for a search: the documents stand sorted by group, so every group is a slice.

    `weights` are positive. `allowed` marks the documents that may be picked, `pinned` holds those that must be.
    `memo` keeps facts that cost a pass over all pairs, so that several searches of one problem pay for them once.
    """

    kernel: Kernel
    vectors: Vectors
    names: tuple[str, ...]
    bounds: Integers
    weights: Floats
    allowed: Booleans
    compute: Compute
    pinned: tuple[tuple[int, ...], ...]
    memo: dict[Hashable, Any] = field(default_factory=dict, repr=False)

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

    def totals(self) -> Floats:
        """The weight of each group; shape (G,)."""
        return np.add.reduceat(self.weights, self.bounds[:-1])

    def indicators(self) -> Floats:
        """The weight of each document in the column of its group, 0 elsewhere; shape (N, G)."""
        columns = np.zeros((self.n_documents, self.n_groups))
        for group in range(self.n_groups):
            columns[self.rows(group), group] = self.weights[self.rows(group)]
        return columns

    def similarity_sums(self) -> Floats:
        """Σ_{j∈g} w_j k(x_i, x_j) for every document i and group g; shape (N, G)."""
        return self.remember("similarity sums", lambda: self.kernel.sums(self.indicators()))

    def remember(self, key: Hashable, compute: Callable[[], _T]) -> _T:
        """What `compute` returned the first time it was asked for under this key."""
        if key not in self.memo:
            self.memo[key] = compute()
        value: _T = self.memo[key]
        return value


STAGES = ("start", "optimized", "snapped", "exchanged")


@dataclass(frozen=True, eq=False)
class Beginning:
    """Where a search starts: documents in pick order, and points of the space with the groups they belong to."""

    sequence: tuple[int, ...]
    points: Floats
    owner: Integers


@dataclass(frozen=True, eq=False)
class Outcome:
    """Where a search ended: documents in pick order, each group's value after each stage, and the picks' trace."""

    sequence: tuple[int, ...]
    values: dict[str, tuple[float, ...]]
    trace: Floats
    n_iter: int = 1


@dataclass(frozen=True)
class Settings:
    """How to pick: a method and everything it can be told."""

    method: Any = "mmd-diff-grad"
    gamma: float | str = "median"
    contrast: float = 0.1
    kernel: Any = "rbf"
    sharpness: float | str = "auto"
    init: str = "auto"
    max_iter: int = 100
    tol: float = 1e-6


@dataclass(frozen=True)
class Selection:
    """What a method picked: documents in the order they were picked, and each group's value after each stage.

    `objective` is what the picks are valued by. `values` maps a stage to one value per group; `trace` holds the
    groups' values before the first pick and after each one, so that its differences are the gains. Both are evaluated
    in float64, whatever the search used.
    """

    sequence: tuple[int, ...]
    values: dict[str, tuple[float, ...]]
    trace: Floats
    objective: Objective
    n_iter: int = 1

    @property
    def gains(self) -> Floats:
        """What each pick added to the total, in the order of `sequence`."""
        return np.diff(self.trace.sum(axis=1))

    @property
    def final(self) -> tuple[float, ...]:
        """Each group's value at the last stage that took place."""
        return self.values[[stage for stage in STAGES if stage in self.values][-1]]


@dataclass(frozen=True)
class Scores:
    """How a pick does: `coverage` a_i, `discrimination` a_i − b_i, `versus` a_i − (mean with each other group).

    `diversity` is 1 − its mean similarity with the group's other picks, None where it is the only one.
    """

    coverage: float
    discrimination: float
    diversity: float | None
    versus: Mapping[str, float]


@dataclass(frozen=True)
class Pick:
    """One document picked for a group, and why.

    `share` of the group's objective (shares add up to its value), `gain` when it was picked, `loss` if it were left
    out, `stability` the fraction of resamples that pick it or a near neighbor, `words` that set its group apart and
    occur in it, `covers` the ids of the group's documents that are nearest to it.
    """

    document: Document
    rank: int
    scores: Scores
    share: float
    gain: float
    loss: float
    stability: float | None
    words: tuple[str, ...]
    covers: tuple[str, ...]


@dataclass(frozen=True)
class GroupSummary:
    """A group and its picks; `value` and `stages` are the objective's, `words` set the group apart."""

    name: str
    n_documents: int
    picks: tuple[Pick, ...]
    value: float
    stages: Mapping[str, float | None]
    words: tuple[str, ...]


@dataclass(frozen=True)
class TwoSampleTest:
    """Do these groups differ? MMD² with permutations; one group named means it against the rest, several all."""

    groups: tuple[str, ...]
    mmd2: float
    p_value: float
    adjusted: float


@dataclass(frozen=True, eq=False)
class DocumentMap:
    """Where every document of the comparison lies on a plane, and its group: `points` (N, 2), `codes` index groups."""

    points: Floats
    codes: Integers
    ids: tuple[str, ...]
    titles: tuple[str, ...]


@dataclass(frozen=True)
class Timeline:
    """Documents per period and group: counts[period][group]; empty where documents have no dates."""

    unit: str
    periods: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    first: date | None = None
    last: date | None = None


@dataclass(frozen=True, eq=False)
class Summary:
    """A whole comparison: everything a report tells."""

    title: str
    by: str
    groups: tuple[GroupSummary, ...]
    test: tuple[TwoSampleTest, ...]
    accuracy: float | None
    ceiling: float | None
    common: tuple[Document, ...]
    set_aside: tuple[SetAside, ...]
    folded: int
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    method: str
    parameters: Mapping[str, Any]
    seed: int
    version: str
    command: str = ""
    size_curve: tuple[tuple[int, float], ...] = ()
    timeline: Timeline | None = None
    map: DocumentMap | None = None

    def __getitem__(self, group: str) -> tuple[Pick, ...]:
        """The picks of a group, by its name."""
        for summary in self.groups:
            if summary.name == group:
                return summary.picks
        raise KeyError(f"no group {group!r}; there are {', '.join(repr(g.name) for g in self.groups)}")
