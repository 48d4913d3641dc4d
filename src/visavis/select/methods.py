"""The named methods, one row each: where objectives, optimizers and baselines meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from visavis.contracts import Calibrated, Objective, Optimizer, Selector
from visavis.errors import InvalidParameter, UnknownName
from visavis.inputs import check_number, check_whole
from visavis.records import Beginning, Problem, Quota, Selection, Settings
from visavis.registry import Registry, Row, from_outside
from visavis.select.optimizers.greedy import greedy

OBJECTIVES = Registry(
    "objective",
    {
        "mmd-diff": Row("visavis.select.objectives.mmd:mmd_diff", "difference of two MMD²"),
        "mmd-div": Row("visavis.select.objectives.mmd:mmd_div", "MMD with contrast and full diversity"),
        "mmd": Row("visavis.select.objectives.mmd:mmd_plain", "MMD of each group on its own"),
        "nearest": Row("visavis.select.objectives.nearest:nearest", "similarity with the nearest pick"),
        "between-prototypes": Row(
            "visavis.select.objectives.between:between_prototypes", "MMD, picks kept apart from other groups' picks"
        ),
        "likelihood": Row("visavis.select.objectives.likelihood:likelihood", "log-likelihood of a soft classifier"),
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
        selector: Selector = self.target.load("method", "baseline")(score=create_objective(self.score, settings))
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


def create_method(settings: Settings) -> Selector:
    """The selector for the settings' method.

    Raises UnknownName, and InvalidParameter for settings that no method could use.
    """
    check_settings(settings)
    return row_of(settings.method).build(settings)


_BY_OBJECTIVE = {"nearest": (), "mmd": ("gamma",), "likelihood": ("gamma", "sharpness")}
_BY_BASELINE = {"mmd-critic": ("gamma",)}


def tuned_by(method: Any) -> tuple[str, ...]:
    """Which of gamma, contrast and sharpness decide what a method picks. Raises UnknownName."""
    row = row_of(method)
    return decided_by(row.objective) if isinstance(row, Pair) else _BY_BASELINE.get(method, ())


def decided_by(objective: str) -> tuple[str, ...]:
    """Which of them an objective's values depend on."""
    return _BY_OBJECTIVE.get(objective, ("gamma", "contrast"))


def check_settings(settings: Settings) -> None:
    """Refuse what no method could use, whether or not the chosen one looks at it."""
    check_number("contrast", settings.contrast, low=0.0)
    if settings.sharpness != "auto":
        check_number("sharpness", settings.sharpness, low=0.0, above=True)
    if settings.init not in ("auto", "greedy", "kmeans"):
        raise InvalidParameter(f"init must be 'auto', 'greedy' or 'kmeans', got {settings.init!r}")
    check_whole("max_iter", settings.max_iter, low=1)
    check_number("tol", settings.tol, low=0.0)


def create_objective(name: str, settings: Settings) -> Objective:
    """The objective of that name, told the settings. Raises UnknownName or InvalidParameter."""
    objective: Objective = OBJECTIVES.create(name, settings)
    return objective


def settle(objective: Objective, problem: Problem) -> Objective:
    """The objective with nothing left open: what it must see picks to choose, it chooses on a few greedy ones.

    These are mmd-diff's at a contrast of 0.5, at most four a group, so that the choice depends on the documents alone.
    """
    if not isinstance(objective, Calibrated) or not objective.is_open:
        return objective
    room = [int(problem.allowed[problem.rows(g)].sum()) for g in range(problem.n_groups)]
    sizes = tuple(max(min(4, n), len(pins)) for n, pins in zip(room, problem.pinned, strict=True))
    few = greedy(create_objective("mmd-diff", Settings(contrast=0.5)), problem, Quota(sizes=sizes))
    return objective.calibrated(problem, few)


class Searched:
    """A method made of an objective and an optimizer."""

    def __init__(self, pair: Pair, settings: Settings) -> None:
        self.objective = create_objective(pair.objective, settings)
        self.optimizer: Optimizer = OPTIMIZERS.create(pair.optimizer, settings)
        self.optimizer.check(self.objective)
        self.start = None if pair.start is None else create_objective(pair.start, settings)
        self.init = settings.init

    def select(self, problem: Problem, quota: Quota, rng: np.random.Generator) -> Selection:
        """Begin where told, then search."""
        objective = settle(self.objective, problem)
        start = objective if self.start is None else self.start
        outcome = self.optimizer.run(objective, problem, quota, lambda: self._begin(start, problem, quota, rng))
        return Selection(outcome.sequence, outcome.values, outcome.trace, objective, outcome.n_iter)

    def _begin(self, start: Objective, problem: Problem, quota: Quota, rng: np.random.Generator) -> Beginning:
        """Greedy picks, or k-means centers of as many documents; a budget is always divided by greedy gains."""
        if self.init == "kmeans" and quota.sizes is not None:
            sizes = quota.sizes
        else:
            sequence = greedy(start, problem, quota)
            owner = np.array([problem.group_of(document) for document in sequence], np.intp)
            if self.init != "kmeans":
                points = problem.vectors.take(np.array(sequence, np.intp))
                return Beginning(sequence, points, owner)
            sizes = tuple(int(n) for n in np.bincount(owner, minlength=problem.n_groups))
        from visavis.select.baselines.kmeans import kmeans_beginning  # scikit-learn's clustering, only where asked for

        return kmeans_beginning(problem, sizes, rng)
