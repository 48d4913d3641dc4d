"""The frozen records that cross from one stage to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from visavis.contracts import FittedEmbedder, Kernel

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]
Booleans = NDArray[np.bool_]
Array = NDArray[Any]
Rows = slice | Integers


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
    the others, each with the reason. `parameters` is what made them, in JSON's types; `fitted` embeds later texts the
    same way (None for vectors that were given, or taken from the cache).
    """

    vectors: NDArray[np.float32]
    kept: Integers
    missing: tuple[tuple[int, str], ...] = ()
    notes: tuple[str, ...] = ()
    parameters: Mapping[str, object] = field(default_factory=dict)
    fitted: FittedEmbedder | None = None


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
class Parameter:
    """Something a part of a method can be told: whoever has it declares it, and everybody else reads that.

    `check` returns the value as it is used, or raises InvalidParameter. `grid` are the values worth trying; a
    parameter without any is not tuned.
    """

    name: str
    default: Any
    check: Callable[[Any], Any]
    grid: tuple[Any, ...] = ()
    help: str = ""


@dataclass(frozen=True)
class Abilities:
    """What an objective can do beyond telling gains: data of the instance, so a mixture has what all its parts have.

    `swaps`: picks can be exchanged one for another. `gradient`: it is defined at any points of the space, with a
    slope. `lazy`: gains never grow as picks are added, so old ones bound new ones. `separable`: groups do not touch.
    `kernel`: its values depend on the kernel's own parameters, not on the order of distances alone.
    """

    swaps: bool = False
    gradient: bool = False
    lazy: bool = False
    separable: bool = False
    kernel: bool = True

    def shared_with(self, other: Abilities) -> Abilities:
        """What both can do; a mixture depends on the kernel if one of its parts does."""
        return Abilities(
            swaps=self.swaps and other.swaps,
            gradient=self.gradient and other.gradient,
            lazy=self.lazy and other.lazy,
            separable=self.separable and other.separable,
            kernel=self.kernel or other.kernel,
        )


@dataclass(frozen=True)
class KernelAbilities:
    """What a kernel can do: take `sparse` rows; be differentiated (`smooth`); give itself at a multiple of γ when it is
    raised to a power (`widths`); be a matrix the caller worked out (`precomputed`), where there are no coordinates.
    """

    sparse: bool = False
    smooth: bool = False
    widths: bool = False
    precomputed: bool = False


@dataclass(frozen=True, eq=False)
class Frame:
    """The geometry of a comparison: a kernel at its γ, the center of the documents (None: their mean), the precision.

    `median` is the median distance that γ was derived from, None where γ was given.
    """

    kernel: Kernel
    gamma: float
    median: float | None = None
    center: Floats | None = None
    precision: str = "float32"


@dataclass(frozen=True)
class Quota:
    """How many documents to pick: a number for each group, or a total that the gains divide among them."""

    sizes: tuple[int, ...] | None = None
    budget: int | None = None


STAGES = ("start", "optimized", "snapped", "exchanged")  # of the searches that come along; others may have their own


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

    `share` of the group's objective (shares add up to its value less that of no picks), `gain` when it was picked,
    `loss` if it were left out, `stability` the fraction of resamples that pick it or a near neighbor, `words` that set
    its group apart and occur in it, `covers` the ids of the group's documents that are nearest to it.
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
class Assessment:
    """How far picks can be trusted; None for what was not asked, or cannot be known.

    `stability` is the fraction of resamples in which each pick, or a near neighbor, is picked again, in pick order.
    """

    tests: tuple[TwoSampleTest, ...] | None = None
    accuracy: float | None = None
    ceiling: float | None = None
    stability: tuple[float, ...] | None = None
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


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
