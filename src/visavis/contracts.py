"""All protocols on one page: what a stage may ask of another, and nothing about how it is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from visavis.records import (
    Array,
    Beginning,
    Compute,
    Embedded,
    Floats,
    Integers,
    Outcome,
    Problem,
    Quota,
    Rows,
    Selection,
    Summary,
)

State = Any  # an objective's own; optimizers hand it back unread


@runtime_checkable
class Embedder(Protocol):
    """A way to turn texts (or pictures, by path) into vectors."""

    @property
    def name(self) -> str:
        """What it is asked for by."""
        ...

    def embed(self, texts: Sequence[str], fit_on: Integers | None = None) -> Embedded:
        """A vector for every text that can have one.

        `fit_on` are the texts on which whatever must be fitted is fitted; None means all of them.
        """
        ...


class FittedEmbedder(Protocol):
    """An embedder that has seen its texts: it embeds later ones the same way, and can be kept in a file."""

    @property
    def parameters(self) -> Mapping[str, object]:
        """What it is and how it was fitted, in JSON's types; `embedder` is the name it goes by."""
        ...

    def embed(self, texts: Sequence[str]) -> Embedded:
        """A vector for every text that can have one; nothing is fitted."""
        ...

    def arrays(self) -> Mapping[str, Array]:
        """All that was fitted, as arrays of numbers or text: with `parameters`, enough to make it again."""
        ...


@runtime_checkable
class Cacheable(Embedder, Protocol):
    """An embedder that gives the same vectors for the same texts, and can say what else they depend on."""

    def fingerprint(self, texts: Sequence[str]) -> str:
        """All that decides the vectors apart from the texts and the rows it is fitted on."""
        ...


class Vectors(Protocol):
    """The documents' vectors, sorted by group, whatever they are stored as."""

    data: Any
    n_documents: int
    n_features: int
    is_sparse: bool
    order: Integers

    def take(self, rows: Rows) -> Floats:
        """Dense float64 rows, as given."""
        ...

    def center(self) -> Floats:
        """The mean vector; shape (d,)."""
        ...

    def raw(self, rows: Rows) -> Any:
        """Rows as they are stored, sparse rows staying sparse."""
        ...

    def squared_distances(self, rows: Integers, points: Floats) -> Floats:
        """‖x − p‖² in float64; shape (rows, points)."""
        ...


@runtime_checkable
class KernelFamily(Protocol):
    """A similarity function, before it meets documents."""

    def bind(self, vectors: Vectors, compute: Compute) -> Kernel:
        """The same similarity, ready to answer questions about these documents."""
        ...

    def distances(self, points: Array, prototypes: Array) -> Floats:
        """How far each point lies from each prototype in the geometry of the kernel; shape (points, prototypes)."""
        ...


class Kernel(Protocol):
    """The pairwise similarity of a fixed set of documents, answered without handing out the N × N matrix.

    `diagonal` is k(x_i, x_i); differences of mean similarity below `resolution`, relative to the largest value in
    play, are rounding noise.
    """

    n_documents: int
    diagonal: Floats
    resolution: float

    def sums(self, weights: Floats) -> Floats:
        """K @ weights: weighted sums of similarity for every document; (N, C) → (N, C)."""
        ...

    def block(self, rows: Rows, columns: Rows) -> Array:
        """k(rows, columns) at the precision of the search."""
        ...

    def exact_block(self, rows: Rows, columns: Rows) -> Floats:
        """k(rows, columns) in float64."""
        ...

    def proximity(self, rows: Rows, columns: Rows) -> Array:
        """Minus the distance where the kernel belongs to one, else the kernel itself: larger is nearer."""
        ...

    def exact_proximity(self, rows: Rows, columns: Rows) -> Floats:
        """`proximity` in float64."""
        ...


@runtime_checkable
class SmoothKernel(Kernel, Protocol):
    """A kernel that can be differentiated at points that are no documents.

    `unit` is the length at which similarity falls off: search steps are measured in it.
    """

    unit: float

    def field(self, points: Floats, owner: Integers, weights: Floats, *, exact: bool = False) -> tuple[Floats, Floats]:
        """v_l = Σ_j weights[owner_l, j] k(a_l, x_j) and ∂v_l/∂a_l; shapes (L,) and (L, d)."""
        ...

    def beyond(self, points: Floats) -> int:
        """How many points lie outside the ball around the mean that holds all documents."""
        ...

    def interaction(self, points: Floats, coefficients: Floats) -> tuple[Floats, Floats]:
        """r_l = Σ_m c_lm k(a_l, a_m), and the gradient of Σ_l r_l; shapes (L,) and (L, d)."""
        ...


class Objective(Protocol):
    """What a set of picks is worth, answered step by step: `start`, then `gains` and `add` in turn."""

    name: str

    def start(self, problem: Problem) -> State:
        """The state in which nothing is picked."""
        ...

    def gains(self, state: State, group: int) -> Floats:
        """What each document of the group would add to the total, were it picked next; shape (N_g,)."""
        ...

    def add(self, state: State, document: int) -> State:
        """The state after that pick."""
        ...

    def trace(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """Each group's value with nothing picked and after each pick, in float64; shape (picks + 1, G)."""
        ...

    def shares(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """What each pick contributes; a group's shares add up to its value; shape (picks,)."""
        ...


@runtime_checkable
class Submodular(Objective, Protocol):
    """Gains never grow as picks are added, and groups do not touch: old gains bound new ones from above."""

    def gains_among(self, state: State, group: int, candidates: Integers) -> Floats:
        """`gains` of these documents alone."""
        ...


@runtime_checkable
class Exchangeable(Objective, Protocol):
    """Picks can be swapped one for another."""

    def swap_gains(self, state: State, leaving: int) -> Floats:
        """What the total would gain if `leaving` made room for each document of its group; shape (N_g,)."""
        ...

    def swap(self, state: State, leaving: int, entering: int) -> State:
        """The state after that swap."""
        ...


@runtime_checkable
class Calibrated(Objective, Protocol):
    """Has a parameter that it can choose by looking at picks; `is_open` while it has not."""

    @property
    def is_open(self) -> bool:
        """Whether the parameter is still to be chosen."""
        ...

    def calibrated(self, problem: Problem, picks: Sequence[int]) -> Objective:
        """The same with that parameter chosen, if it was left open."""
        ...


@runtime_checkable
class Smooth(Objective, Protocol):
    """Defined at any points of the space, with a gradient, so picks can be sought among meta-prototypes."""

    def value_and_gradient(
        self, problem: Problem, points: Floats, owner: Integers, *, exact: bool = False
    ) -> tuple[Floats, Floats]:
        """Each group's value, and the gradient of their sum; shapes (G,) and (L, d); `exact` means float64."""
        ...


class Optimizer(Protocol):
    """A way to search, for any objective that offers what it needs."""

    def check(self, objective: Objective) -> None:
        """Raises Incompatible if the objective lacks what it takes."""
        ...

    def run(self, objective: Objective, problem: Problem, quota: Quota, begin: Callable[[], Beginning]) -> Outcome:
        """Picks, and each group's value after each stage. Raises Incompatible, as `check` does."""
        ...


class Renderer(Protocol):
    """A report format."""

    def __call__(self, summary: Summary) -> str | bytes:
        """The whole report."""
        ...


class Selector(Protocol):
    """A complete method: a problem in, picks out."""

    def select(self, problem: Problem, quota: Quota, rng: np.random.Generator) -> Selection:
        """The documents picked for each group."""
        ...
