"""What answers questions about pairs of documents: vectors, kernels, operations, engines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol, runtime_checkable

from visavis.records import Array, Booleans, Climb, Floats, Frame, Integers, KernelAbilities, Parameter, Rows


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
    """A similarity function, before it meets documents; its tiles are written against an array namespace `xp`.

    One that declares `gamma` among its parameters also has `lengths(rows)`, what γ multiplies, and `gamma` itself.
    """

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What it can be told."""

    @property
    def abilities(self) -> KernelAbilities:
        """What it can do."""

    def similarity(self, xp: Any, left: Any, right: Any) -> Any:
        """k of every row on the left with every row on the right."""

    def proximity(self, xp: Any, left: Any, right: Any) -> Any:
        """Minus the distance where the kernel belongs to one, else the kernel itself: larger is nearer."""

    def distances(self, points: Array, prototypes: Array) -> Floats:
        """How far each point lies from each prototype in the geometry of the kernel; shape (points, prototypes)."""


class TileContent(Protocol):
    """What the tiles of an operation hold: the similarity or the proximity of pairs, or a function of one of them."""

    @property
    def of(self) -> str:
        """ "similarity" or "proximity"."""

    def apply(self, xp: Any, values: Any) -> Any:
        """That function, of every value."""


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


class Pairs(Protocol):
    """The pairwise similarity of a fixed set of documents, answered in whole operations, never as the N × N matrix.

    `diagonal` is k(x_i, x_i); differences of mean similarity below `resolution`, relative to the largest value in
    play, are rounding noise. `abilities` are the kernel's. `climbs` says whether it is also a `ClimbingPairs`.
    """

    climbs: bool
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

    def squared_distances(self, rows: Integers, points: Floats) -> Floats:
        """‖x − p‖² in float64; shape (rows, points)."""


class ClimbingPairs(Pairs, Protocol):
    """Pairs that can search by themselves, where the documents lie, without telling the gains of all of them."""

    def climb(self, steps: Climb) -> tuple[int, ...]:
        """The picks of a greedy search, in the order they were made, as a search in float64 makes them."""


class Engine(Protocol):
    """Where operations run: threads here, a card, a cluster.

    `reach` is how many pairs, times dimensions, it looks at unasked: beyond that a sample stands for the documents.
    """

    @property
    def name(self) -> str:
        """What it goes by."""

    @property
    def device(self) -> str:
        """What it computes on: "cpu", or the name of a card."""

    @property
    def reach(self) -> float:
        """N² · d up to which all pairs are looked at."""

    def place(self, vectors: Any, order: Integers) -> Any:
        """The documents' vectors, in this order, where the work will be done."""

    def bind(self, kernel: Kernel, placed: Any, frame: Frame) -> Pairs:
        """The pairs of placed documents in a frame."""

    def each(self, task: Callable[[Any], Any], items: Iterable[Any], *, long: bool = False) -> Iterator[Any]:
        """A task that can be pickled, done for each item on its own; answers in the order of the items.

        `long` ones may take seconds each, and carry little: they may go to other processes, or be done one after
        another.
        """
