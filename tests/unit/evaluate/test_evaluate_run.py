from __future__ import annotations

import csv
import signal
import subprocess
import sys

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA

import visavis.evaluate
from visavis.errors import Incompatible, InvalidParameter, TooFewDocuments, VisavisError
from visavis.evaluate import Evaluation, Grid, Plan, evaluate, read_evaluation

pytestmark = pytest.mark.usefixtures("figures_undrawn")
X, y = load_digits(return_X_y=True)
X, y = X[y < 3], y[y < 3]
SMALL = Grid(gammas=(0.5, 1.0), contrasts=(0.1,), sharpness=(8.0,), costs=(0.1, 10.0))
PLAN = Plan(methods=("kmeans", "mmd-diff-greedy", "mmd-critic"), sizes=(2, 3), splits=2, grid=SMALL, dataset="digits")
LASTING = ("results.csv", "run.json", "wins.csv", "tests.csv", "means.csv", "table.md", "table.tex")


def contents(folder):
    return {name: (folder / name).read_bytes() for name in LASTING}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    return evaluate(X, y, PLAN, folder=folder), contents(folder), folder


def test_every_method_classifier_size_and_split_has_one_row(whole):
    evaluation, _, folder = whole
    with (folder / "results.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    keys = {(r["method"], r["classifier"], r["size"], r["split"]) for r in rows}
    assert len(rows) == len(keys) == len(evaluation.results) == 3 * 2 * 2 * 2 + 2 * 2
    assert {r["dataset"] for r in rows} == {"digits"}
    by_method = {r["method"]: r for r in rows if r["classifier"] == "svm"}
    assert by_method["kmeans"]["contrast"] == ""
    assert float(by_method["kmeans"]["C"]) in SMALL.costs
    assert float(by_method["mmd-diff-greedy"]["contrast"]) == 0.1
    assert by_method["everything"]["size"] == "all"
    assert all(r["C"] == "" for r in rows if r["classifier"] == "1-nn")


def test_more_processes_change_nothing(whole, tmp_path):
    evaluate(X, y, PLAN, folder=tmp_path, jobs=2)
    assert contents(tmp_path) == whole[1]


def test_without_a_folder_the_results_are_the_same(whole):
    assert evaluate(X, y, PLAN).results == whole[0].results


def test_the_package_itself_can_be_called(whole):
    found = visavis.evaluate(X, y, PLAN)
    assert isinstance(found, Evaluation)
    assert found.results == whole[0].results


def test_what_is_read_back_is_what_was_found(whole):
    evaluation, _, folder = whole
    again = read_evaluation(folder)
    assert again.results == evaluation.results
    assert again.tests() == evaluation.tests()
    assert again.cells() == evaluation.cells()


KILLED = """
import os, signal, sys
sys.path.insert(0, {tests!r})
from test_evaluate_run import PLAN, X, y
from visavis.evaluate import evaluate
def die(done, total, what):
    if done == at:
        os.kill(os.getpid(), signal.SIGKILL)
for at in (1, 4, 7):
    child = os.fork()  # importing all this again would take longest
    if not child:
        evaluate(X, y, PLAN, folder={folder!r}, progress=die)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), os.path.exists({folder!r} + "/results.csv"))
"""


def test_a_killed_run_ends_with_the_same_bytes(whole, tmp_path, request):
    code = KILLED.format(tests=str(request.path.parent), folder=str(tmp_path))
    done = subprocess.run([sys.executable, "-uc", code], capture_output=True, text=True, timeout=360)
    assert done.stdout.splitlines() == [f"{-signal.SIGKILL} False"] * 3, done.stderr
    with pytest.raises(VisavisError, match="not finished"):
        read_evaluation(tmp_path)
    asked: list[int] = []
    evaluate(X, y, PLAN, folder=tmp_path, progress=lambda done, *_: asked.append(done))
    assert asked[0] == 7
    assert contents(tmp_path) == whole[1]


def test_an_interrupted_run_goes_on_where_it_stopped(whole, tmp_path):
    def interrupt(done, *_):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate(X, y, PLAN, folder=tmp_path, progress=interrupt)
    told: list[str] = []
    evaluate(X, y, PLAN, folder=tmp_path, progress=lambda _, __, what: told.append(what))
    assert len(told) == 1 + 8 - 3
    assert contents(tmp_path) == whole[1]


@pytest.mark.parametrize("what", ["vectors", "groups", "plan"])
def test_a_folder_of_another_run_is_refused(whole, what):
    vectors = X + 1.0 if what == "vectors" else X
    groups = 2 - y if what == "groups" else y
    plan = Plan(**{**vars(PLAN), "seed": 1}) if what == "plan" else PLAN
    with pytest.raises(VisavisError, match="another evaluation"):
        evaluate(vectors, groups, plan, folder=whole[2])


def test_an_embedding_is_fitted_on_each_training_part():
    fitted: list[tuple[int, ...]] = []

    def embed(train):
        fitted.append(tuple(train))
        return PCA(10, svd_solver="full").fit(X[train]).transform(X)

    plan = Plan(methods=("random",), sizes=(2,), splits=2, ceilings=False)
    evaluate(embed, y, plan)
    assert len(set(fitted)) == 2
    assert all(len(rows) < len(y) for rows in fitted)


def test_pca_sees_the_training_part_alone():
    """Test documents far away in one direction would draw the first component to themselves."""
    far = X.copy()
    test = np.arange(0, len(y), 5)
    train = np.setdiff1d(np.arange(len(y)), test)
    far[test, 0] += 1e6 * (1 + np.arange(len(test)) % 7)
    plan = Plan(methods=("kmeans",), sizes=(4,), splits=1, variance=0.85, ceilings=False, classifiers=("1-nn",))
    found = evaluate(far, y, plan, splits=[(train, test)])
    fine = evaluate(X, y, plan, splits=[(train, test)])
    assert X[train, 0].std() == 0.0
    assert found.results == fine.results


def test_a_method_that_misses_groups_is_counted_and_told(tmp_path):
    rng = np.random.default_rng(0)
    groups = np.repeat([0, 1, 2], [200, 15, 15])
    vectors = np.where(groups[:, None] == 0, rng.normal(size=(230, 5)), 0.01 * rng.normal(size=(230, 5)))
    plan = Plan(methods=("mmd-critic",), sizes=(1,), splits=2, grid=SMALL, ceilings=False)
    found = evaluate(vectors, groups, plan, folder=tmp_path)
    assert sum(r.missing_groups for r in found.results) > 0
    assert "picked nothing of some groups" in (tmp_path / "table.md").read_text()


def test_one_group_and_too_few_documents_are_refused():
    with pytest.raises(InvalidParameter, match="one group only"):
        evaluate(X, np.zeros(len(X)), PLAN)
    with pytest.raises(TooFewDocuments, match="lower sizes"):
        evaluate(X, y, Plan(sizes=(200,), methods=("random",)))
    with pytest.raises(InvalidParameter, match="labels but vectors of shape"):
        evaluate(X[:-1], y, PLAN)
    with pytest.raises(InvalidParameter, match="NaN"):
        evaluate(np.where(X == 0, np.nan, X), y, PLAN)


def test_results_do_not_depend_on_which_methods_ran_before():
    rng = np.random.default_rng(3)
    binary, labels = rng.integers(0, 2, (150, 24)).astype(float), np.arange(150) % 2  # full of ties
    told = {"sizes": (1, 4), "splits": 2, "ceilings": False}
    both = evaluate(binary, labels, Plan(methods=("mmd-diff-exchange", "mmd-diff-greedy"), **told))
    alone = evaluate(binary, labels, Plan(methods=("mmd-diff-greedy",), **told))
    assert [r for r in both.results if r.method == "mmd-diff-greedy"] == list(alone.results)


def test_what_cannot_work_is_said_before_anything_is_done():
    with pytest.raises(Incompatible):
        Plan(methods=("kmeans", "nearest+gradient"))
    with pytest.raises(InvalidParameter, match="contrast"):
        Plan(methods=("mmd-diff-greedy",), grid=Grid(contrasts=(0.5, 1.5)))


def test_plans_and_splits_may_come_as_arrays():
    plan = Plan(methods=("random",), sizes=np.array([2, 3]), splits=np.int64(1), ceilings=False)
    assert plan.sizes == (2, 3)
    splits = np.arange(len(X)).reshape(1, -1)
    parts = ((splits[0, ::2], splits[0, 1::2]) for _ in range(1))
    assert evaluate(X, y, plan, splits=parts).facts["train"] == [len(X[::2])]
    assert Grid(gammas=np.geomspace(0.5, 2, 3)).gammas == pytest.approx((0.5, 1.0, 2.0))
    with pytest.raises(InvalidParameter):
        Plan(sizes=5)


def test_with_nothing_to_choose_every_row_has_the_given_parameters():
    found = evaluate(X, y, Plan(methods=("softmin-exchange",), grid="fixed", sizes=(2,), splits=1, ceilings=False))
    assert {(r.sharpness, r.C) for r in found.results} == {("auto", None), ("auto", 10.0)}
    assert not any("sharpness" in r.parameters for r in found.results)
