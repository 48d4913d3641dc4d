from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.metrics import balanced_accuracy_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from visavis.evaluate.grid import Grid, Setting, settings_of
from visavis.evaluate.picking import picks_of
from visavis.evaluate.plan import Plan
from visavis.evaluate.search import evaluate_everything, evaluate_method
from visavis.evaluate.sharing import Shared
from visavis.evaluate.source import Source
from visavis.evaluate.splits import make_splits
from visavis.kernel import mean_similarity
from visavis.select import ComparativeSummarizer
from visavis.select.baselines import kmeans
from visavis.select.methods import METHODS, row_of

X, y = load_digits(return_X_y=True)
X, y = X[y < 4], y[y < 4].astype(np.intp)
GRID = Grid(gammas=(0.5, 2.0), contrasts=(0.05, 0.3), sharpness=(8.0, "auto"), costs=(0.1, 10.0))


def shared_for(**told):
    plan = Plan(**{"sizes": (2, 3), "splits": 1, "grid": GRID, **told})
    return Shared(Source(X, y, tuple("0123"), make_splits(y, plan, None)), plan, 0)


@pytest.fixture(scope="module")
def shared():
    return shared_for()


def rows_of(shared, part):
    return np.sort(shared.train[shared.places(part)])


@pytest.mark.parametrize("part", [0, 1, 2, 3])
def test_the_sums_of_every_part_are_those_computed_alone(shared, part):
    problem = shared.session.problem(frame=1, part=shared.cells(part))
    rows = shared.train[shared.places(part)]
    assert shared.session.part_order(shared.cells(part)).tolist() == rows.tolist()
    alone = mean_similarity(X[rows], y[rows], gamma=shared.gammas[1]) * np.bincount(y[rows])
    assert problem.similarity_sums() == pytest.approx(alone, rel=1e-5)


def test_parts_and_what_they_are_asked_about_do_not_touch(shared):
    for part in range(4):
        assert not np.intersect1d(rows_of(shared, part), shared.unseen(part)).size
    held_out = np.concatenate([shared.unseen(part) for part in shared.parts])
    assert sorted(held_out) == sorted(shared.train)


DETERMINED = [*(m for m in METHODS if m not in ("kmeans", "random")), "softmin+greedy"]


@pytest.mark.parametrize("method", DETERMINED)
def test_shared_picks_are_those_of_the_estimator_on_the_part_alone(shared, method):
    settings = settings_of(method, GRID)
    usual = {p.name: p.default for p in row_of(method).parameters if p.name == "contrast"}  # the estimator has its own
    for part in (1, 3):
        rows = rows_of(shared, part)
        for setting, found in zip(settings, picks_of(shared, method, part, settings, (2, 3)), strict=True):
            for size in (2, 3):
                gamma = shared.gammas[setting.gamma or 0]
                alone = ComparativeSummarizer(method, size, gamma=gamma, parameters={**usual, **setting.parameters})
                alone.fit(X[rows], y[rows])
                assert sorted(found[size]) == sorted(rows[alone.prototype_indices_])


def test_draws_depend_on_what_they_are_for_and_not_on_what_was_drawn_before():
    first, second = shared_for(), shared_for()
    picks_of(second, "kmedoids", 2, [Setting()], (3,))
    picks_of(second, "random", 0, [Setting()], (2,))
    for method in ("kmeans", "random"):
        (a,), (b,) = (picks_of(s, method, 1, [Setting()], (2, 3)) for s in (first, second))
        assert {k: v.tolist() for k, v in a.items()} == {k: v.tolist() for k, v in b.items()}
        (other,) = picks_of(first, method, 0, [Setting()], (3,))
        assert a[3].tolist() != other[3].tolist()


def test_gradient_search_starts_where_the_plan_says_and_centers_serve_every_setting(monkeypatch):
    made = []
    honest = kmeans.group_centers
    monkeypatch.setattr(kmeans, "group_centers", lambda *told: made.append(told[1:3]) or honest(*told))
    settings = settings_of("mmd-diff-grad", GRID)
    picks_of(shared_for(init="greedy"), "mmd-diff-grad", 0, settings, (2,))
    assert made == []
    begun = shared_for(init="kmeans")
    picks_of(begun, "mmd-diff-grad", 0, settings, (2,))
    picks_of(begun, "mmd-div-grad", 0, settings, (2,))
    assert len(settings) == 4
    assert made == [(group, 2) for group in range(4)]


def loop(shared, method, size, make):
    """The protocol written out for one classifier and size: every setting, every fold, then the test part."""
    best = (-1.0, None, None)
    for setting in settings_of(method, GRID):
        gamma = shared.gammas[setting.gamma]
        for cost in make.costs:
            scores = []
            for part in range(3):
                rows = rows_of(shared, part)
                model = ComparativeSummarizer(method, size, gamma=gamma, **setting.parameters).fit(X[rows], y[rows])
                classifier = make(gamma, cost).fit(model.prototypes_, model.prototype_groups_)
                asked = shared.unseen(part)
                scores.append(balanced_accuracy_score(y[asked], classifier.predict(X[asked])))
            if np.round(np.mean(scores), 12) > np.round(best[0], 12):
                best = (float(np.mean(scores)), setting, cost)
    _, setting, cost = best
    gamma, rows = shared.gammas[setting.gamma], rows_of(shared, 3)
    model = ComparativeSummarizer(method, size, gamma=gamma, **setting.parameters).fit(X[rows], y[rows])
    classifier = make(gamma, cost).fit(model.prototypes_, model.prototype_groups_)
    accuracy = balanced_accuracy_score(y[shared.test], classifier.predict(X[shared.test]))
    return gamma, setting.parameters, cost, accuracy


class Nearest:
    costs = (None,)

    def __new__(cls, gamma, cost):  # noqa: ARG004
        return KNeighborsClassifier(1)


class Machine:
    costs = GRID.costs

    def __new__(cls, gamma, cost):
        return SVC(C=cost, gamma=gamma, class_weight="balanced")


@pytest.mark.parametrize(("name", "make"), [("1-nn", Nearest), ("svm", Machine)])
def test_the_outcome_is_that_of_the_protocol_written_out(shared, name, make):
    found = evaluate_method(shared, "mmd-diff-greedy")
    for size in (2, 3):
        (chosen,) = [c for c in found if (c.classifier, c.size) == (name, size)]
        gamma, parameters, cost, accuracy = loop(shared, "mmd-diff-greedy", size, make)
        assert (chosen.gamma, chosen.parameters, chosen.cost) == (gamma, parameters, cost)
        assert chosen.balanced_accuracy == pytest.approx(accuracy, abs=1e-12)


def test_the_ceilings_are_the_classifiers_trained_on_everything(shared):
    found = {chosen.classifier: chosen for chosen in evaluate_everything(shared)}
    data, labels = X[shared.train], y[shared.train]
    nearest = KNeighborsClassifier(1).fit(data, labels)
    machine = SVC(C=found["svm"].cost, gamma=found["svm"].gamma, class_weight="balanced").fit(data, labels)
    for name, model in (("1-nn", nearest), ("svm", machine)):
        truth, told = y[shared.test], model.predict(X[shared.test])
        assert found[name].balanced_accuracy == pytest.approx(balanced_accuracy_score(truth, told), abs=1e-12)
