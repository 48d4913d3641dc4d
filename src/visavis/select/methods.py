"""The named methods, one row each: where objectives, optimizers and baselines meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from visavis.contracts import Objective, Optimizer, Selector
from visavis.errors import InvalidParameter, UnknownName
from visavis.inputs import check_number, check_whole
from visavis.records import Beginning, Problem, Quota, Selection, Settings
from visavis.registry import Registry, Row
from visavis.select.optimizers.greedy import greedy

DEFAULT_METHOD = "mmd-diff-grad"

OBJECTIVES = Registry(
    "objective",
    {
        "mmd-diff": Row("visavis.select.objectives.mmd:mmd_diff", "difference of two MMD²"),
        "mmd-div": Row("visavis.select.objectives.mmd:mmd_div", "MMD with contrast and full diversity"),
        "mmd": Row("visavis.select.objectives.mmd:mmd_plain", "MMD of each group on its own"),
        "nearest": Row("visavis.select.objectives.nearest:Nearest", "similarity with the nearest pick"),
        "between-prototypes": Row(
            "visavis.select.objectives.between:BetweenPrototypes", "MMD, picks kept apart from other groups' picks"
        ),
        "likelihood": Row("visavis.select.objectives.likelihood:Likelihood", "log-likelihood of a soft classifier"),
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


@dataclass(frozen=True)
class Pair:
    """An objective with an optimizer; `start` names the objective whose greedy picks the search begins with."""

    objective: str
    optimizer: str
    about: str = ""
    start: str | None = None

    def build(self, settings: Settings) -> Selector:
        """The method, told its settings."""
        return Searched(self, settings)


@dataclass(frozen=True)
class Baseline:
    """A method of its own; `score` names the objective its picks are valued by."""

    target: Row
    score: str

    @property
    def about(self) -> str:
        """What it is, in a few words."""
        return self.target.about

    def build(self, settings: Settings) -> Selector:
        """The method, told its settings."""
        selector: Selector = Registry("baseline", {"it": self.target}).create(
            "it", score=create_objective(self.score, settings)
        )
        return selector


METHODS: dict[str, Pair | Baseline] = {
    "kmeans": Baseline(
        Row("visavis.select.baselines.kmeans:KMeansSelector", "k-means, snapped to documents"), "nearest"
    ),
    "kmedoids": Baseline(Row("visavis.select.baselines.kmedoids:KMedoidsSelector", "k-medoids"), "nearest"),
    "mmd-critic": Baseline(
        Row("visavis.select.baselines.critic:CriticSelector", "prototypes and criticisms, groups unseen"), "mmd"
    ),
    "nn-comp-greedy": Pair("nearest", "greedy", "nearest neighbor, greedy"),
    "mmd-diff-greedy": Pair("mmd-diff", "greedy", "difference of MMDs, greedy"),
    "mmd-diff-grad": Pair("mmd-diff", "gradient", "difference of MMDs, gradient and snapping"),
    "mmd-div-greedy": Pair("mmd-div", "greedy", "diverse MMD, greedy"),
    "mmd-div-grad": Pair("mmd-div", "gradient", "diverse MMD, gradient and snapping"),
    "mmd-diff-exchange": Pair("mmd-diff", "exchange", "difference of MMDs, greedy then swaps"),
    "mmd-div-exchange": Pair("mmd-div", "exchange", "diverse MMD, greedy then swaps"),
    "mmd-between-greedy": Pair("between-prototypes", "greedy", "MMD between prototypes, greedy"),
    "mmd-between-exchange": Pair("between-prototypes", "exchange", "MMD between prototypes, greedy then swaps"),
    "likelihood-exchange": Pair("likelihood", "exchange", "likelihood of a soft classifier, swaps", start="mmd-diff"),
    "random": Baseline(Row("visavis.select.baselines.random:RandomSelector", "random documents"), "mmd"),
}


def create_method(settings: Settings) -> Selector:
    """The selector for a method's name, for "objective+optimizer", or for a Pair.

    Raises UnknownName for anything else.
    """
    method = settings.method
    if isinstance(method, str) and method not in METHODS and "+" in method:
        objective, _, optimizer = method.partition("+")
        method = Pair(objective, optimizer)
    if isinstance(method, str):
        table = Registry("method", {name: Row("", row.about) for name, row in METHODS.items()})
        row = METHODS.get(method)
        return row.build(settings) if row is not None else table.load(method).build(settings)
    if not isinstance(method, Pair | Baseline):
        raise UnknownName(f"method must be one of {', '.join(METHODS)}, or 'objective+optimizer', got {method!r}")
    return method.build(settings)


def create_objective(name: str, settings: Settings) -> Objective:
    """The objective of that name, told what it can be told. Raises UnknownName or InvalidParameter."""
    told: dict[str, Any] = {}
    if name == "likelihood":
        told = {} if settings.sharpness == "auto" else {"sharpness": _sharpness(settings)}
    elif name != "nearest":
        told = {"contrast": settings.contrast}
    objective: Objective = OBJECTIVES.create(name, **told)
    return objective


def _sharpness(settings: Settings) -> float:
    if isinstance(settings.sharpness, str):
        raise InvalidParameter(f"sharpness must be a positive number or 'auto', got {settings.sharpness!r}")
    return check_number("sharpness", settings.sharpness, low=0.0, above=True)


class Searched:
    """A method made of an objective and an optimizer."""

    def __init__(self, pair: Pair, settings: Settings) -> None:
        if settings.init not in ("auto", "greedy", "kmeans"):
            raise InvalidParameter(f"init must be 'auto', 'greedy' or 'kmeans', got {settings.init!r}")
        limits = {
            "max_iter": check_whole("max_iter", settings.max_iter, low=1),
            "tol": check_number("tol", settings.tol, low=0.0),
        }
        self.objective = create_objective(pair.objective, settings)
        told = limits if pair.optimizer == "gradient" else {}
        self.optimizer: Optimizer = OPTIMIZERS.create(pair.optimizer, **told)
        self.start = self.objective if pair.start is None else create_objective(pair.start, settings)
        self.init = settings.init

    def select(self, problem: Problem, quota: Quota, rng: np.random.Generator) -> Selection:
        """Begin where told, then search."""
        outcome = self.optimizer.run(self.objective, problem, quota, lambda: self._begin(problem, quota, rng))
        return Selection(outcome.sequence, outcome.values, outcome.trace, self.objective.name, outcome.n_iter)

    def _begin(self, problem: Problem, quota: Quota, rng: np.random.Generator) -> Beginning:
        """Greedy picks, or k-means centers of as many documents; a budget is always divided by greedy gains."""
        if self.init == "kmeans" and quota.sizes is not None:
            sizes = quota.sizes
        else:
            sequence = greedy(self.start, problem, quota)
            owner = np.array([problem.group_of(document) for document in sequence], np.intp)
            if self.init != "kmeans":
                points = problem.vectors.take(np.array(sequence, np.intp))
                return Beginning(sequence, points, owner)
            sizes = tuple(int(n) for n in np.bincount(owner, minlength=problem.n_groups))
        from visavis.select.baselines.kmeans import kmeans_beginning  # scikit-learn's clustering, only where asked for

        return kmeans_beginning(problem, sizes, rng)
