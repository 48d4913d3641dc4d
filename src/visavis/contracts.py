"""All protocols on one page: what a stage may ask of another, and nothing about how it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from visavis.records import (
    Abilities,
    Array,
    Booleans,
    Embedded,
    Floats,
    Frame,
    Integers,
    KernelAbilities,
    Parameter,
    Quota,
    Rows,
    Summary,
)

if TYPE_CHECKING:
    from visavis.corpus.readers.base import ReadOptions, Source, Table
    from visavis.select.problem import Beginning, Outcome, Problem

State = Any  # an objective's own; optimizers hand it back unread


@runtime_checkable
class Embedder(Protocol):
    """A way to turn texts (or pictures, by path) into vectors."""

    @property
    def name(self) -> str:
        """What it is asked for by."""

    @property
    def needs_fitting(self) -> bool:
        """Whether the vectors depend on the texts it is fitted on."""

    def fit(self, texts: Sequence[str]) -> FittedEmbedder:
        """The embedder once it has seen these texts; they are not read where nothing depends on them."""

    def embed(self, texts: Sequence[str], fit_on: Integers | None = None) -> Embedded:
        """A vector for every text that can have one, in one call, with what was fitted.

        `fit_on` are the texts on which whatever must be fitted is fitted; None means all of them.
        """


class FittedEmbedder(Protocol):
    """An embedder that has seen its texts: it embeds later ones the same way, and can be kept in a file."""

    @property
    def parameters(self) -> Mapping[str, object]:
        """All that must be the same for it to be made again, in JSON's types; `embedder` is the name it goes by."""

    def embed(self, texts: Sequence[str]) -> Embedded:
        """A vector for every text that can have one; nothing is fitted."""

    def arrays(self) -> Mapping[str, Array]:
        """All that was fitted, as arrays of numbers (text is its bytes): with `parameters`, enough to make it again."""


@runtime_checkable
class Restorable(Embedder, Protocol):
    """An embedder that can be made again as it was fitted; every one that is found by name should be."""

    def restore(self, parameters: Mapping[str, object], arrays: Mapping[str, Array]) -> FittedEmbedder:
        """What was fitted, from its own `parameters` and `arrays`, which may come from a stranger's file.

        Raises InvalidParameter for what no fitting gives, or if something it rests on has changed.
        """


@runtime_checkable
class Cacheable(Embedder, Protocol):
    """An embedder that gives the same vectors for the same texts, and can say what else they depend on."""

    def fingerprint(self, texts: Sequence[str]) -> str:
        """All that decides the vectors apart from the texts and the rows it is fitted on."""


class Vectors(Protocol):
    """The documents' vectors, sorted by group, whatever they are stored as."""

    data: Any
    n_documents: int
    n_features: int
    is_sparse: bool
    order: Integers

    def take(self, rows: Rows) -> Floats:
        """Dense float64 rows, as given."""

    def center(self) -> Floats:
        """The mean vector; shape (d,)."""

    def raw(self, rows: Rows) -> Any:
        """Rows as they are stored, sparse rows staying sparse."""

    def squared_distances(self, rows: Integers, points: Floats) -> Floats:
        """‖x − p‖² in float64; shape (rows, points)."""


@runtime_checkable
class Kernel(Protocol):
    """A similarity function, before it meets documents; its tiles are written against an array namespace `xp`."""

    @property
    def abilities(self) -> KernelAbilities:
        """What it can do."""

    def similarity(self, xp: Any, left: Any, right: Any) -> Any:
        """k of every row on the left with every row on the right."""

    def proximity(self, xp: Any, left: Any, right: Any) -> Any:
        """Minus the distance where the kernel belongs to one, else the kernel itself: larger is nearer."""

    def distances(self, points: Array, prototypes: Array) -> Floats:
        """How far each point lies from each prototype in the geometry of the kernel; shape (points, prototypes)."""


class Operation(Protocol):
    """A unit of work on all pairs of candidates and documents: a plain record that can be pickled.

    `reads` says what a tile holds; `combine` how each of its results from several tiles of one candidate is joined
    ("add" or "least"). With `symmetric`, candidates and documents may be the same, and a pair counts for both. `keeps`
    tells an engine that the same tiles will be asked for again, and how many values they and their likes hold in all
    (0: not asked again). `shape` is a hint: candidates and documents of a tile.
    """

    @property
    def reads(self) -> TileContent:
        """What a tile holds."""

    @property
    def combine(self) -> tuple[str, ...]:
        """How results are joined."""

    @property
    def symmetric(self) -> bool:
        """Whether a tile serves the pairs on both sides of the diagonal."""

    @property
    def keeps(self) -> int:
        """How many values it may pay to keep."""

    @property
    def shape(self) -> tuple[int, int | None]:
        """Candidates and documents of a tile; None for all documents."""

    def tile(self, xp: Any, values: Any, documents: slice) -> tuple[Any, ...]:
        """What some documents contribute to each candidate; `values` (candidates, documents) must not be changed."""


class TileContent(Protocol):
    """What the tiles of an operation hold: the similarity or the proximity of pairs, or a function of one of them."""

    @property
    def of(self) -> str:
        """ "similarity" or "proximity"."""

    def apply(self, xp: Any, values: Any) -> Any:
        """That function, of every value."""


class Pairs(Protocol):
    """The pairwise similarity of a fixed set of documents, answered in whole operations, never as the N × N matrix.

    `diagonal` is k(x_i, x_i); differences of mean similarity below `resolution`, relative to the largest value in
    play, are rounding noise. `abilities` are the kernel's.
    """

    n_documents: int
    diagonal: Floats
    resolution: float
    abilities: KernelAbilities

    def sums(self, weights: Floats, gammas: Sequence[float] | None = None) -> Floats:
        """K @ weights, (N, C) → (N, C); for several γ in one pass, shape (γ, N, C)."""

    def block(self, rows: Rows, columns: Rows, *, exact: bool = False) -> Array:
        """k(rows, columns) at the precision of the search, or in float64."""

    def proximity(self, rows: Rows, columns: Rows, *, exact: bool = False) -> Array:
        """Minus the distance where the kernel belongs to one, else the kernel itself: larger is nearer."""

    def columns(self, documents: Integers, *, exact: bool = False) -> Array:
        """k of all documents with these; shape (N, len(documents))."""

    def gram(self, rows: Integers, *, exact: bool = False) -> Array:
        """k among these documents."""

    def reduce(self, operation: Operation, candidates: Rows, documents: Rows) -> tuple[Floats, ...]:
        """What the operation says of each candidate, over all these documents; each result (candidates, …)."""

    def best(self, gains: Floats, open_: Booleans, count: int = 1) -> Integers:
        """Places of the largest gains that are open, best first, the lowest place winning ties."""


class SmoothPairs(Pairs, Protocol):
    """Pairs of a kernel that can be differentiated at points that are no documents.

    `unit` is the length at which similarity falls off: search steps are measured in it.
    """

    unit: float

    def field(self, points: Floats, owner: Integers, weights: Floats, *, exact: bool = False) -> tuple[Floats, Floats]:
        """v_l = Σ_j weights[owner_l, j] k(a_l, x_j) and ∂v_l/∂a_l; shapes (L,) and (L, d)."""

    def beyond(self, points: Floats) -> int:
        """How many points lie outside the ball around the mean that holds all documents."""

    def interaction(self, points: Floats, coefficients: Floats) -> tuple[Floats, Floats]:
        """r_l = Σ_m c_lm k(a_l, a_m), and the gradient of Σ_l r_l; shapes (L,) and (L, d)."""


class Engine(Protocol):
    """Where operations run: threads here, a card, a cluster."""

    @property
    def name(self) -> str:
        """What it goes by."""

    def place(self, vectors: Any, order: Integers) -> Any:
        """The documents' vectors, in this order, where the work will be done."""

    def bind(self, kernel: Kernel, placed: Any, frame: Frame) -> Pairs:
        """The pairs of placed documents in a frame."""

    def each(self, task: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        """A task that can be pickled, done for each item on its own; answers in the order of the items."""


class Objective(Protocol):
    """What a set of picks is worth, answered step by step: `start`, then `gains` and `add` in turn.

    Objectives are frozen and hashable: equal ones answer alike. What is declared in `abilities` must be there.
    """

    @property
    def name(self) -> str:
        """What it goes by."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What it can be told."""

    @property
    def abilities(self) -> Abilities:
        """What else it can do."""

    @property
    def is_open(self) -> bool:
        """Whether a parameter is still to be chosen by looking at picks."""

    def settings(self) -> Mapping[str, Any]:
        """The values of its parameters."""

    def calibrated(self, problem: Problem, picks: Sequence[int]) -> Objective:
        """The same with nothing left open."""

    def start(self, problem: Problem) -> State:
        """The state in which nothing is picked."""

    def gains(self, state: State, group: int) -> Floats:
        """What each document of the group would add to the total, were it picked next; shape (N_g,)."""

    def add(self, state: State, document: int) -> State:
        """The state after that pick."""

    def trace(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """Each group's value with nothing picked and after each pick, in float64; shape (picks + 1, G)."""

    def shares(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """What each pick contributes; a group's add up to its value less that of no picks; shape (picks,)."""

    def losses(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """How far the total would fall if each pick were left out; negative where it would rise; shape (picks,)."""


class Lazy(Objective, Protocol):
    """Gains never grow as picks are added, and groups do not touch: old gains bound new ones from above."""

    def gains_among(self, state: State, group: int, candidates: Integers) -> Floats:
        """`gains` of these documents alone."""


class Exchangeable(Objective, Protocol):
    """Picks can be swapped one for another."""

    def swap_gains(self, state: State, leaving: int) -> Floats:
        """What the total would gain if `leaving` made room for each document of its group; shape (N_g,)."""

    def swap(self, state: State, leaving: int, entering: int) -> State:
        """The state after that swap."""


class Smooth(Objective, Protocol):
    """Defined at any points of the space, with a gradient, so picks can be sought among meta-prototypes."""

    def value_and_gradient(
        self, problem: Problem, points: Floats, owner: Integers, *, exact: bool = False
    ) -> tuple[Floats, Floats]:
        """Each group's value, and the gradient of their sum; shapes (G,) and (L, d); `exact` means float64."""


class Draws(Protocol):
    """Where randomness comes from; hashable. If `repeatable`, the same purpose draws the same, whatever came before."""

    @property
    def repeatable(self) -> bool:
        """Whether the same purpose draws the same again."""

    def rng(self, what: str, size: int) -> np.random.Generator:
        """The generator for one purpose and number of picks."""


class Optimizer(Protocol):
    """A way to search, for any objective that offers what it needs.

    `nested`: the first m rounds are the answer for size m. `moves_points`: it leaves the documents for points of the
    space.
    """

    @property
    def nested(self) -> bool:
        """Whether a longer run holds the answers for smaller sizes."""

    @property
    def moves_points(self) -> bool:
        """Whether it searches among points of the space."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What it can be told."""

    def check(self, objective: Objective) -> None:
        """Raises Incompatible if the objective lacks what it takes."""

    def run(self, objective: Objective, problem: Problem, quota: Quota, begin: Callable[[], Beginning]) -> Outcome:
        """Picks, and each group's value after each stage. Raises Incompatible, as `check` does."""


class Reader(Protocol):
    """A file format that documents are read from."""

    def __call__(self, source: Source, options: ReadOptions, /) -> Table:
        """The rows of the file. Raises Unreadable, naming the file, if it holds something else."""


class Renderer(Protocol):
    """A report format."""

    def __call__(self, summary: Summary, /) -> str | bytes:
        """The whole report."""


class Selector(Protocol):
    """A complete method: a problem in, picks out."""

    def select(self, problem: Problem, quota: Quota, draws: Draws) -> Outcome:
        """The documents picked for each group."""
