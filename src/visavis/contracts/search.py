"""What a search asks: objectives, optimizers, methods, and what judges their picks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from visavis.records import Abilities, Climb, Floats, Integers, Parameter, Quota

if TYPE_CHECKING:
    from visavis.evaluate.classifiers.contract import Geometry, Option
    from visavis.select.problem import Beginning, Outcome, Problem

State = Any  # an objective's own; optimizers hand it back unread


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

    def values(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """Each group's value of these picks, as at the end of their trace, without what came before; shape (G,)."""

    def shares(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """What each pick contributes; a group's add up to its value less that of no picks; shape (picks,)."""

    def losses(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """How far the total would fall if each pick were left out; negative where it would rise; shape (picks,)."""

    def sampling_error(self, problem: Problem, sequence: Sequence[int]) -> tuple[float, float] | None:
        """How much more picks found by a sample seem worth than they are, and its standard error; None if unknown."""


class Lazy(Objective, Protocol):
    """Gains never grow as picks are added, and groups do not touch: old gains bound new ones from above."""

    def gains_among(self, state: State, group: int, candidates: Integers) -> Floats:
        """`gains` of these documents alone."""


class Exchangeable(Objective, Protocol):
    """Picks can be swapped one for another."""

    def swap_gains(self, state: State, leaving: int, candidates: Integers) -> Floats:
        """What the total would gain if `leaving` made room for each of these documents of its group."""

    def swap(self, state: State, leaving: int, entering: int) -> State:
        """The state after that swap."""


class Tabled(Exchangeable, Protocol):
    """Groups do not touch, and one pass over documents tells all swaps of some candidates with the picks of a group."""

    def swap_table(self, state: State, group: int, candidates: Integers) -> Floats:
        """What each swap would gain, the picks in the order they joined; shape (candidates, picks of the group)."""


class Smooth(Objective, Protocol):
    """Defined at any points of the space, with a gradient, so picks can be sought among meta-prototypes."""

    def value_and_gradient(
        self, problem: Problem, points: Floats, owner: Integers, *, exact: bool = False
    ) -> tuple[Floats, Floats]:
        """Each group's value, and the gradient of their sum; shapes (G,) and (L, d); `exact` means float64."""


class Climbing(Objective, Protocol):
    """Its greedy search can be told in a record, so that an engine can search where the documents lie."""

    def climb(self, problem: Problem, sizes: tuple[int, ...]) -> Climb:
        """That search."""


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
    def name(self) -> str:
        """What it goes by."""

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


class Selector(Protocol):
    """A complete method: a problem in, picks out."""

    def select(self, problem: Problem, quota: Quota, draws: Draws) -> Outcome:
        """The documents picked for each group."""


class Classifier(Protocol):
    """Trained on examples, asked about unseen documents."""

    name: str

    def options(self, gammas: Sequence[float], costs: Sequence[float]) -> tuple[Option, ...]:
        """The grid of its own parameters."""

    def predict(self, geometry: Geometry, options: Sequence[Option]) -> Integers:
        """The groups it tells for each option, trained on all examples of the geometry; shape (options, rows)."""
