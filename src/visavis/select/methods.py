"""The named methods, one row each: where objectives, optimizers and baselines meet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import FunctionType
from typing import Any, cast

import numpy as np

from visavis.contracts import Draws, Objective, Optimizer, Selector
from visavis.errors import UnknownName
from visavis.records import Parameter, Quota
from visavis.registry import Registry, Row, from_outside
from visavis.select.optimizers.greedy import greedy_picks
from visavis.select.problem import Beginning, Outcome, Problem

OBJECTIVES = Registry(
    "objective",
    {
        "mmd-diff": Row("visavis.select.objectives.mmd:MMDDiff", "difference of two MMD²"),
        "mmd-div": Row("visavis.select.objectives.mmd:MMDDiv", "MMD with contrast and full diversity"),
        "mmd": Row("visavis.select.objectives.mmd:MMDPlain", "MMD of each group on its own"),
        "nearest": Row("visavis.select.objectives.nearest:Nearest", "similarity with the nearest pick"),
        "between-prototypes": Row("visavis.select.objectives.between:BetweenPrototypes", "MMD, apart from other picks"),
        "softmin": Row("visavis.select.objectives.softmin:Softmin", "log-likelihood of a soft nearest-pick classifier"),
    },
)

OPTIMIZERS = Registry(
    "optimizer",
    {
        "greedy": Row("visavis.select.optimizers.greedy:Greedy", "largest gain first"),
        "gradient": Row("visavis.select.optimizers.gradient:Gradient", "L-BFGS, then snapping to documents"),
        "exchange": Row("visavis.select.optimizers.exchange:Exchange", "swaps from a greedy start"),
    },
)

CALIBRATION = {"contrast": 0.5}  # of the mmd-diff picks on which an open parameter is chosen
CALIBRATION_PICKS = 4  # of each group


def settle(objective: Objective, problem: Problem) -> Objective:
    """The objective with nothing left open: what it must see picks to choose, it chooses on a few greedy ones.

    These are mmd-diff's, so that the choice depends on the documents alone.
    """
    if not objective.is_open:
        return objective
    if objective.abilities.scans:
        problem.similarity_sums()  # it will ask for them: whoever climbs now need not make rough ones first
    room = zip(problem.room().tolist(), problem.pinned, strict=True)
    sizes = tuple(max(min(CALIBRATION_PICKS, n), len(pins)) for n, pins in room)
    few = greedy_picks(create_objective("mmd-diff", CALIBRATION), problem, Quota(sizes=sizes))
    return objective.calibrated(problem, few)


@dataclass(frozen=True)
class Searched:
    """A method made of an objective and an optimizer; `init` says where to begin, by the greedy picks of `start`."""

    objective: Objective
    optimizer: Optimizer
    start: Objective | None = None
    init: str = "auto"

    def select(self, problem: Problem, quota: Quota, draws: Draws) -> Outcome:
        """Begin where told, then search; by a sample, and where gains are dear, among the leading candidates alone."""
        objective = settle(self.objective, problem)
        start = objective if self.start is None else settle(self.start, problem)
        searched = problem
        if problem.sample is not None and objective.abilities.scans:
            from visavis.select.leading import on_leading  # which asks for a method itself

            searched = on_leading(problem, quota)
        found = self.optimizer.run(objective, searched, quota, lambda: self._begin(start, searched, quota, draws))
        return replace(found, n_tried=int(searched.allowed.sum()))

    def _begin(self, start: Objective, problem: Problem, quota: Quota, draws: Draws) -> Beginning:
        """Greedy picks, or k-means centers of as many documents; a budget is always divided by greedy gains."""
        if self.init == "kmeans" and quota.sizes is not None:
            sizes = quota.sizes
        else:
            sequence = greedy_picks(start, problem, quota)
            owner = problem.owners(sequence)
            if self.init != "kmeans":
                return Beginning(sequence, problem.vectors.take(np.array(sequence, np.intp)), owner)
            sizes = tuple(np.bincount(owner, minlength=problem.n_groups).tolist())
        from visavis.select.baselines.kmeans import kmeans_beginning  # scikit-learn's clustering, only where asked for

        return kmeans_beginning(problem, sizes, draws)


@dataclass(frozen=True)
class Pair:
    """An objective with an optimizer, by their names or as objects.

    `start` is the objective whose greedy picks the search begins with, told nothing; None for the objective itself.
    """

    objective: Any
    optimizer: Any
    about: str = ""
    start: Any = None

    @cached_property
    def _parts(self) -> tuple[Any, Any]:
        return _part(OBJECTIVES, self.objective), _part(OPTIMIZERS, self.optimizer)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What its parts declare, each name once; a part that is made already can be told nothing more."""
        parameters: dict[str, Parameter] = {}
        for part in filter(_is_open, self._parts):
            for parameter in part.parameters:
                parameters.setdefault(parameter.name, parameter)
        return tuple(parameters.values())

    @property
    def decisive(self) -> tuple[Parameter, ...]:
        """What its objective declares: parameters that decide which picks are best, not how they are found."""
        return tuple(self._parts[0].parameters) if _is_open(self._parts[0]) else ()

    @property
    def uses_kernel(self) -> bool:
        """Whether the kernel's own parameters decide what is picked."""
        return bool(self._parts[0].abilities.kernel)

    @property
    def moves_points(self) -> bool:
        """Whether the search leaves the documents for points of the space, and must begin somewhere."""
        return bool(self._parts[1].moves_points)

    @property
    def is_nested(self) -> bool:
        """Whether the first m rounds are the answer for size m."""
        return bool(self._parts[1].nested)

    def build(self, values: Mapping[str, Any]) -> Selector:
        """The method, told its parameters. Raises Incompatible if the parts do not go together."""
        objective: Objective = _made(self._parts[0], values)
        optimizer: Optimizer = _made(self._parts[1], values)
        optimizer.check(objective)
        start = None if self.start is None else create_objective(self.start, {})
        return Searched(objective, optimizer, start, str(_settings(optimizer).get("init", "auto")))


@dataclass(frozen=True)
class Baseline:
    """A method of its own; `score` names the objective its picks are valued by."""

    target: Row
    score: str

    @property
    def about(self) -> str:
        """What it is, in a few words."""
        return self.target.about

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What it declares."""
        return tuple(self._kind.parameters)

    @property
    def decisive(self) -> tuple[Parameter, ...]:
        """The same: all of them decide what is picked."""
        return self.parameters

    @property
    def uses_kernel(self) -> bool:
        """Whether the kernel's own parameters decide what is picked."""
        return bool(self._kind.kernel)

    def build(self, values: Mapping[str, Any]) -> Selector:
        """The method, told its parameters."""
        declared = {p.name: values[p.name] for p in self._kind.parameters if p.name in values}
        selector: Selector = self._kind(score=create_objective(self.score, values), **declared)
        return selector

    @property
    def _kind(self) -> Any:
        return self.target.load("method", "baseline")


METHODS: dict[str, Pair | Baseline] = {
    "kmeans": Baseline(Row("visavis.select.baselines.kmeans:KMeansSelector", "k-means, then snapping"), "nearest"),
    "kmedoids": Pair("nearest", "exchange", "k-medoids"),
    "mmd-critic": Baseline(
        Row("visavis.select.baselines.critic:CriticSelector", "prototypes and criticisms, groups unseen"), "mmd"
    ),
    "nn-comp-greedy": Pair("nearest", "greedy", "nearest neighbor, greedy"),
    "mmd-diff-greedy": Pair("mmd-diff", "greedy", "difference of MMDs, greedy"),
    "mmd-diff-grad": Pair("mmd-diff", "gradient", "difference of MMDs, gradient and snapping"),
    "mmd-div-greedy": Pair("mmd-div", "greedy", "diverse MMD, greedy"),
    "mmd-div-grad": Pair("mmd-div", "gradient", "diverse MMD, gradient and snapping"),
    "mmd-diff-exchange": Pair("mmd-diff", "exchange", "difference of MMDs, greedy then swaps"),
    "mmd-between-greedy": Pair("between-prototypes", "greedy", "MMD between prototypes, greedy"),
    "softmin-exchange": Pair("softmin", "exchange", "likelihood of the nearest picks, swaps", start="mmd-diff"),
    "random": Baseline(Row("visavis.select.baselines.random:RandomSelector", "random documents"), "mmd"),
}


def row_of(method: Any) -> Pair | Baseline:
    """The row of a method's name, the pair that "objective+optimizer" names, or a Pair itself. Raises UnknownName."""
    if isinstance(method, str) and method not in METHODS and "+" in method:
        objective, _, optimizer = method.partition("+")
        OBJECTIVES.load(objective)
        OPTIMIZERS.load(optimizer)
        return Pair(objective, optimizer)
    if isinstance(method, str):
        method = METHODS[method] if method in METHODS else from_outside("method", method, METHODS)
    if not isinstance(method, Pair | Baseline):
        raise UnknownName(f"method must be one of {', '.join(METHODS)}, or 'objective+optimizer', got {method!r}")
    return method


def create_objective(objective: Any, values: Mapping[str, Any]) -> Objective:
    """The objective of that name, told those of the values that it declares; an object is taken as it is."""
    return cast(Objective, _made(_part(OBJECTIVES, objective), values))


def _is_open(part: Any) -> bool:
    """Whether a part is a class or function that has still to make it."""
    return isinstance(part, type | FunctionType)


def _settings(part: Any) -> dict[str, Any]:
    """The values of what a part declares."""
    return {parameter.name: getattr(part, parameter.name) for parameter in part.parameters}


def _part(table: Registry, part: Any) -> Any:
    """What a name stands for, or the caller's own object."""
    return table.load(part) if isinstance(part, str) else part


def _made(part: Any, values: Mapping[str, Any]) -> Any:
    """A part made with its declared parameters; an object that is made already is left as it is."""
    if not _is_open(part):
        return part
    return part(**{p.name: p.check(values[p.name]) for p in part.parameters if p.name in values})
