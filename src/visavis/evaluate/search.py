"""One method on one split: cross-validation over its grid, then the chosen settings on the test part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from visavis.contracts import Classifier
from visavis.evaluate.classifiers import CLASSIFIERS
from visavis.evaluate.classifiers.contract import Geometry, Option
from visavis.evaluate.grid import Setting, settings_of
from visavis.evaluate.metrics import balanced_accuracy
from visavis.evaluate.picking import picks_of
from visavis.evaluate.sharing import Shared
from visavis.records import Floats, Integers

MOST_EXAMPLES = 10_000  # for the ceilings, whose matrix of pairs is kept whole
NOISE = 12  # decimals in which equal scores are equal


@dataclass(frozen=True)
class Chosen:
    """What cross-validation chose for a classifier at a size, and how it does on the test part."""

    classifier: str
    size: int
    gamma: float | None
    parameters: Mapping[str, Any]
    cost: float | None
    balanced_accuracy: float
    missing: int
    picks: tuple[int, ...] = ()
    measures: Mapping[str, float | None] = field(default_factory=dict)

    def as_record(self) -> dict[str, Any]:
        """For the journal."""
        plain = {"parameters": dict(self.parameters), "picks": list(self.picks), "measures": dict(self.measures)}
        return {**vars(self), **plain}


def evaluate_method(shared: Shared, method: str) -> list[Chosen]:
    """Each classifier and size with its own best setting: the highest mean over folds, the first of equals.

    Where there is nothing to choose, nothing is cross-validated.
    """
    plan = shared.plan
    settings = settings_of(method, plan.search)
    classifiers: list[Classifier] = [CLASSIFIERS.create(name) for name in plan.classifiers]
    widths = {c.name: len(_options(c, shared, settings[0])) for c in classifiers}
    scores = {name: np.zeros((len(plan.sizes), len(settings), width)) for name, width in widths.items()}
    tuned = any(table[0].size > 1 for table in scores.values())
    for part in shared.parts if tuned else ():
        for place, picked in enumerate(picks_of(shared, method, part, settings, plan.sizes)):
            tried = _try(shared, part, picked, classifiers, settings[place])
            for name, found in tried.items():
                scores[name][:, place] += found / plan.folds
    wanted: dict[tuple[str, int], tuple[Setting, Option]] = {}
    for classifier in classifiers:
        for size, table in zip(plan.sizes, scores[classifier.name], strict=True):
            best, option = np.unravel_index(int(np.argmax(np.round(table, NOISE))), table.shape)
            setting = settings[int(best)]
            wanted[classifier.name, size] = setting, _options(classifier, shared, setting)[int(option)]
    return _test(shared, method, wanted, {c.name: c for c in classifiers})


def evaluate_everything(shared: Shared) -> list[Chosen]:
    """The ceilings: each classifier trained on the whole training part, its own parameters chosen the same way."""
    found = []
    classifiers: list[Classifier] = [CLASSIFIERS.create(name) for name in shared.plan.classifiers]
    grids = {c.name: _options(c, shared, Setting()) for c in classifiers}
    scores = {name: np.zeros(len(options)) for name, options in grids.items()}
    for part in shared.parts if any(len(options) > 1 for options in grids.values()) else ():
        geometry = shared.geometry(part, everyone(shared, part))
        for classifier in classifiers:
            predicted = classifier.predict(geometry, grids[classifier.name])
            scored = balanced_accuracy(shared.truth(part), predicted, shared.n_groups)
            scores[classifier.name] += scored / shared.plan.folds
        del geometry
    geometry = shared.geometry(shared.whole, everyone(shared, shared.whole))
    for classifier in classifiers:
        option = grids[classifier.name][int(np.argmax(np.round(scores[classifier.name], NOISE)))]
        predicted = classifier.predict(geometry, [option])
        accuracy = float(balanced_accuracy(shared.truth(shared.whole), predicted, shared.n_groups)[0])
        found.append(Chosen(classifier.name, 0, option.gamma, {}, option.cost, accuracy, 0))
    return found


def everyone(shared: Shared, part: int) -> Integers:
    """A part's documents; evenly spaced ones of each group where there are more than a matrix of pairs may hold."""
    rows = shared.train[shared.places(part)]
    if len(rows) <= MOST_EXAMPLES:
        return rows
    groups = [rows[shared.codes[rows] == group] for group in range(shared.n_groups)]
    takes = [max(1, len(own) * MOST_EXAMPLES // len(rows)) for own in groups]
    return np.concatenate([own[np.arange(take) * len(own) // take] for own, take in zip(groups, takes, strict=True)])


def _options(classifier: Classifier, shared: Shared, setting: Setting) -> tuple[Option, ...]:
    """A classifier's own grid: it shares the γ of the picks where they have one."""
    gamma = shared.gamma_of(setting)
    return classifier.options(shared.gammas if gamma is None else (gamma,), shared.plan.search.costs)


def _try(
    shared: Shared, part: int, picked: Mapping[int, Integers], classifiers: Sequence[Classifier], setting: Setting
) -> dict[str, Floats]:
    """Balanced accuracy on a fold, for each classifier (sizes, options).

    Neighboring contrasts, and methods that differ little, often pick the same documents: those are tried once.
    """
    tried: list[Mapping[str, Floats]] = []
    for picks in picked.values():
        if len(picks) == 0:  # none may be picked in this part: nothing is told rightly
            tried.append({c.name: np.zeros(len(_options(c, shared, setting))) for c in classifiers})
            continue
        key = ("tried", part, setting.gamma, picks.tobytes())
        if key not in shared.memo:  # what is kept must follow from the key alone, to the last bit
            geometry = shared.geometry(part, picks)
            shared.memo[key] = {c.name: _accuracies(shared, part, geometry, c, setting) for c in classifiers}
        tried.append(shared.memo[key])
    return {c.name: np.array([found[c.name] for found in tried]) for c in classifiers}


def _accuracies(shared: Shared, part: int, geometry: Geometry, classifier: Classifier, setting: Setting) -> Floats:
    predicted = classifier.predict(geometry, _options(classifier, shared, setting))
    return balanced_accuracy(shared.truth(part), predicted, shared.n_groups)


def _test(
    shared: Shared,
    method: str,
    wanted: Mapping[tuple[str, int], tuple[Setting, Option]],
    classifiers: Mapping[str, Classifier],
) -> list[Chosen]:
    """The chosen settings once more, on the whole training part, asked about the test part."""
    truth = shared.truth(shared.whole)
    found: dict[tuple[str, int], Chosen] = {}
    for setting in sorted({setting for setting, _ in wanted.values()}, key=_order):
        cells = [cell for cell, (chosen, _) in wanted.items() if chosen == setting]
        sizes = sorted({size for _, size in cells})
        (picked,) = picks_of(shared, method, shared.whole, [setting], sizes)
        measured = {size: shared.measure(picked[size], size) for size in sizes}
        for name, size in cells:
            option = wanted[name, size][1]
            predicted = classifiers[name].predict(shared.geometry(shared.whole, picked[size]), [option])
            accuracy = float(balanced_accuracy(truth, predicted, shared.n_groups)[0])
            missing = shared.n_groups - len(np.unique(shared.codes[picked[size]]))
            gamma = shared.gamma_of(setting) if setting.gamma is not None else option.gamma
            found[name, size] = Chosen(
                name, size, gamma, setting.parameters, option.cost, accuracy, missing,
                tuple(picked[size].tolist()), measured[size],
            )  # fmt: skip
    return [found[cell] for cell in wanted]


def _order(setting: Setting) -> tuple[float, str]:
    """γ by γ, so that each is bound once."""
    return -1.0 if setting.gamma is None else setting.gamma, repr(setting.values)
