"""An objective with a parameter and a search with a stage, from outside, reach every application untouched."""

from __future__ import annotations

import csv
import json
from importlib.metadata import EntryPoint

import numpy as np
import pytest

import visavis
from outsiders import Cauchy, Eager, Polish, Tilted, tables
from visavis import registry
from visavis.cli import main
from visavis.datasets import sample_path
from visavis.errors import Incompatible, InvalidParameter, UnknownName
from visavis.evaluate import Plan, evaluate
from visavis.evaluate.grid import Grid, settings_of
from visavis.select import METHODS, OBJECTIVES, ComparativeSummarizer, Pair, objective_value
from visavis.select.parameters import tunable

pytestmark = pytest.mark.usefixtures("figures_undrawn", "brief_assessment")
METHOD = "tilted+polish"
RNG = np.random.default_rng(0)
Y = np.arange(60) % 3
X = RNG.normal(size=(60, 4)) + RNG.normal(size=(3, 4))[Y]


@pytest.fixture(autouse=True)
def installed(monkeypatch):
    entries = [EntryPoint(name, target, group) for group, rows in tables().items() for name, target in rows.items()]
    monkeypatch.setattr(registry, "entry_points", lambda group: [e for e in entries if e.group == group])


def run(*words):
    with pytest.raises(SystemExit) as done:
        main(list(words))
    return done.value.code or 0


def test_compare_takes_it_with_set_and_the_report_tells_it(tmp_path, capsys):
    words = ["compare", str(sample_path()), "--by", "outlet", "--method", METHOD, "--size", "2"]
    assert run(*words, "--set", "tilt=2", "--set", "rounds=3", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["method"] == METHOD
    assert found["parameters"]["parameters"] == {"tilt": 2.0, "rounds": 3}
    for group in found["groups"]:
        stages = group["objective"]["stages"]
        assert list(stages) == ["start", "optimized", "snapped", "exchanged", "polished"]
        assert stages["polished"] == stages["start"] == group["objective"]["value"]
        assert sum(pick["share"] for pick in group["picks"]) == pytest.approx(group["objective"]["value"], abs=1e-6)
    page, words_md = tmp_path / "report.html", tmp_path / "report.md"
    assert run(*words, "--set", "tilt=2", "-o", str(page), "-o", str(words_md)) == 0
    assert "tilt" in page.read_text(encoding="utf-8")
    assert "tilt" in words_md.read_text(encoding="utf-8")
    capsys.readouterr()
    assert run(*words) == 0
    assert "tilt 1" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("written", "said"), [("tilt=-1", "tilt must be at least 0"), ("tild=1", "no parameter 'tild'")]
)
def test_a_wrong_value_or_name_is_refused_before_anything_is_read(written, said, capsys):
    assert run("compare", "nowhere.csv", "--by", "outlet", "--method", METHOD, "--set", written) == 2
    assert said in capsys.readouterr().err


def test_tuning_tries_what_it_declares():
    found = visavis.compare(sample_path(), by="outlet", method=METHOD, size=2, tune=True)
    assert found.parameters["tuned"]
    assert found.parameters["parameters"]["tilt"] in (0.0, 1.0, 2.0)


def test_evaluate_tries_its_grid_and_writes_what_it_chose(tmp_path):
    assert [p.name for p in tunable(METHOD)] == ["tilt"]
    assert len(settings_of(METHOD, Grid(gammas=(1.0,)))) == 2
    assert [s.parameters for s in settings_of(METHOD, Grid(gammas=(1.0,), declared=False))] == [{"tilt": 1.0}]
    plan = Plan(methods=(METHOD, "kmeans"), sizes=(2,), splits=2, ceilings=False)
    evaluate(X, Y, plan, folder=tmp_path)
    with (tmp_path / "results.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["method"] == METHOD]
    assert len(rows) == 4
    assert all(json.loads(row["parameters"])["tilt"] in (0.0, 2.0) for row in rows)
    again = visavis.evaluate.read_evaluation(tmp_path)
    assert {json.loads(r.parameters)["tilt"] for r in again.results if r.method == METHOD} <= {0.0, 2.0}


def test_the_estimator_takes_it_by_name_and_as_an_object():
    by_name = ComparativeSummarizer(METHOD, 3, parameters={"tilt": 2.0}).fit(X, Y)
    objects = Pair(Tilted(tilt=2.0), Polish())
    as_object = ComparativeSummarizer(objects, 3).fit(X, Y)
    mixed = ComparativeSummarizer(Pair("tilted", Polish()), 3, parameters={"tilt": 2.0}).fit(X, Y)
    assert by_name.prototype_indices_.tolist() == as_object.prototype_indices_.tolist()
    assert by_name.prototype_indices_.tolist() == mixed.prototype_indices_.tolist()
    assert by_name.stages_[0]["polished"] == by_name.objective_values_[0]
    other = ComparativeSummarizer(METHOD, 3, parameters={"tilt": 0.0}).fit(X, Y)
    assert other.prototype_indices_.tolist() != by_name.prototype_indices_.tolist()
    with pytest.raises(InvalidParameter, match="tilt"):
        ComparativeSummarizer(METHOD, 3, parameters={"tilt": -1.0}).fit(X, Y)
    with pytest.raises(UnknownName, match="no parameter 'contrasts'"):
        ComparativeSummarizer(METHOD, 3, parameters={"contrasts": 1.0}).fit(X, Y)
    value = objective_value(X, Y, by_name.prototype_indices_, objective="tilted", parameters={"tilt": 2.0})
    assert sum(value.values()) == pytest.approx(by_name.objective_value_, rel=1e-6)


def test_what_a_class_happens_to_have_does_not_decide_how_it_is_searched():
    eager = ComparativeSummarizer("eager+greedy", 3).fit(X, Y)
    plain = ComparativeSummarizer("tilted+greedy", 3).fit(X, Y)
    assert eager.prototype_indices_.tolist() == plain.prototype_indices_.tolist()
    for optimizer, said in (("exchange", "cannot swap"), ("gradient", "no gradient")):
        with pytest.raises(Incompatible, match=said):
            ComparativeSummarizer(f"eager+{optimizer}", 3).fit(X, Y)
    assert Eager().abilities == Tilted().abilities


@pytest.mark.parametrize(
    "method", ["mmd-diff-exchange", "nn-comp-greedy", "softmin-exchange", "tilted+greedy", "kmedoids"]
)
def test_a_kernel_from_outside_serves_every_method_by_name_and_as_an_object(method):
    by_name = ComparativeSummarizer(method, 2, kernel="cauchy", random_state=0).fit(X, Y)
    as_object = ComparativeSummarizer(method, 2, kernel=Cauchy(), random_state=0).fit(X, Y)
    assert by_name.prototype_indices_.tolist() == as_object.prototype_indices_.tolist()
    assert by_name.predict(X).tolist() == as_object.predict(X).tolist()
    matrix = Cauchy().similarity(np, X, X)
    given = ComparativeSummarizer(method, 2, kernel="precomputed", random_state=0).fit(matrix, Y)
    assert by_name.prototype_indices_.tolist() == given.prototype_indices_.tolist()


def test_a_kernel_is_told_and_tuned_by_what_it_declares(capsys):
    wide = ComparativeSummarizer("mmd-diff-greedy", 3, kernel="cauchy", parameters={"width": 3.0}).fit(X, Y)
    as_object = ComparativeSummarizer("mmd-diff-greedy", 3, kernel=Cauchy(3.0)).fit(X, Y)
    assert wide.prototype_indices_.tolist() == as_object.prototype_indices_.tolist()
    assert wide.objective_value_ == as_object.objective_value_
    words = ["compare", str(sample_path()), "--by", "outlet", "--method", "mmd-diff-greedy", "--kernel", "cauchy"]
    assert run(*words, "--set", "width=0.7", "--json") == 0
    assert json.loads(capsys.readouterr().out)["parameters"]["parameters"]["width"] == 0.7
    assert run(*words, "--set", "width=0") == 2
    assert "width must be greater than 0" in capsys.readouterr().err
    assert run(*words, "--tune", "--size", "1", "--json") == 0
    assert json.loads(capsys.readouterr().out)["parameters"]["tuned"] is True


def test_compare_takes_a_kernel_object():
    found = visavis.compare(sample_path(), by="outlet", size=1, kernel=Cauchy(0.5), method="mmd-diff-greedy")
    assert found.parameters["kernel"] == "custom"
    assert all(len(group.picks) == 1 for group in found.groups)


def test_the_names_of_objectives_and_optimizers_are_disjoint():
    from visavis.select import OPTIMIZERS

    assert not set(OBJECTIVES) & set(OPTIMIZERS)
    assert not any("+" in name for name in (*OBJECTIVES, *OPTIMIZERS, *METHODS))
