"""The measures of a run: where they are null, that they are kept and resumed, and how they are told."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import wilcoxon

from unit.comparisons import ROWS
from visavis.cli.evaluate import _as_record
from visavis.comparing.documents import DocumentOptions
from visavis.errors import VisavisError
from visavis.evaluate import Evaluation, Grid, Plan, Result, across_tasks, evaluate, read_evaluation
from visavis.evaluate.journal import NAME
from visavis.evaluate.material import load_material
from visavis.evaluate.measured import means, measured, measures_of
from visavis.evaluate.measures import MEASURES
from visavis.evaluate.results import sorted_results
from visavis.evaluate.tables import summary, table_md, table_tex
from visavis.evaluate.variety_figure import variety_spec
from visavis.shared.figures import draw

GRID = Grid(gammas=(1.0, 2.0), contrasts=(0.3,), sharpness=(8.0,), costs=(1.0,))
PLAN = Plan(methods=("mmd-diff-greedy", "kmeans"), sizes=(1, 2), splits=3, grid=GRID, dataset="fruit")
LASTING = ("results.csv", "run.json", "wins.csv", "tests.csv", "means.csv", "table.md", "table.tex")
RNG = np.random.default_rng(5)
GROUPS = np.arange(48) % 2
VECTORS = RNG.normal(size=(48, 3)) + 2.0 * GROUPS[:, None]
TEXTS = [" ".join(RNG.choice(["apple", "pear", "plum", "train", "tram", "bus"], 4)) + f" n{n}" for n in range(48)]
AIDS = {"texts": TEXTS, "worthy": np.arange(48) % 3 > 0}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    return evaluate(VECTORS, GROUPS, PLAN, folder=folder, **AIDS), folder


@pytest.fixture
def undrawn(monkeypatch):
    """Figures take most of the time, and are not what is tested."""
    monkeypatch.setattr("visavis.evaluate.output.can_draw", lambda: False)


def contents(folder):
    return {name: (folder / name).read_bytes() for name in LASTING}


def test_every_pick_is_measured_and_single_ones_have_no_variety(whole):
    for result in whole[0].results:
        values = [getattr(result, name) for name in MEASURES]
        if result.method == "everything":
            assert values == [None] * 4
        else:
            assert (result.variety is None) == (result.size == 1)
            assert all(0 <= value <= 1 for value in (result.typicality, result.set_aside, result.variety or 0))
            assert result.stability <= 1


def test_accuracy_does_not_depend_on_what_is_measured(whole):
    bare = evaluate(VECTORS, GROUPS, PLAN)
    nothing = dict.fromkeys(("variety", "set_aside"))
    assert [replace(result, **nothing) for result in whole[0].results] == list(bare.results)
    assert measures_of(bare) == ("typicality", "stability")
    assert variety_spec(bare) is None


def test_one_split_has_no_stability():
    found = evaluate(VECTORS, GROUPS, Plan(**{**vars(PLAN), "splits": 1}))
    assert measures_of(found) == ("typicality",)


@pytest.mark.usefixtures("undrawn")
def test_an_interrupted_run_ends_with_the_same_bytes(whole, tmp_path):
    def interrupt(done, *_):
        if done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate(VECTORS, GROUPS, PLAN, folder=tmp_path, progress=interrupt, **AIDS)
    evaluate(VECTORS, GROUPS, PLAN, folder=tmp_path, jobs=2, **AIDS)
    assert contents(tmp_path) == contents(whole[1])
    assert read_evaluation(tmp_path).results == whole[0].results


def test_other_texts_or_marks_are_another_run(whole):
    for aids in ({**AIDS, "texts": TEXTS[::-1]}, {**AIDS, "worthy": ~AIDS["worthy"]}, {"texts": TEXTS}, {}):
        with pytest.raises(VisavisError, match="another evaluation"):
            evaluate(VECTORS, GROUPS, PLAN, folder=whole[1], **aids)


@pytest.mark.usefixtures("undrawn")
def test_a_journal_of_before_is_continued_with_nulls(tmp_path):
    evaluate(VECTORS, GROUPS, PLAN, folder=tmp_path)
    head, *lines = (tmp_path / NAME).read_text().splitlines()
    old = [json.loads(line) for line in lines]
    for record in old:
        record["rows"] = [{k: v for k, v in row.items() if k not in ("picks", "measures")} for row in record["rows"]]
    (tmp_path / NAME).write_text("\n".join([head, *map(json.dumps, old)]) + "\n")
    found = evaluate(VECTORS, GROUPS, PLAN, folder=tmp_path)
    assert measures_of(found) == ()
    assert "reader" not in table_md(found)
    (tmp_path / NAME).write_text("\n".join([head, *map(json.dumps, old[:4])]) + "\n")
    mixed = evaluate(VECTORS, GROUPS, PLAN, folder=tmp_path)
    assert {result.typicality is None for result in mixed.results if result.method != "everything"} == {True, False}
    assert [r.balanced_accuracy for r in mixed.results] == [r.balanced_accuracy for r in found.results]
    assert "reader" in table_md(mixed)


def test_results_of_before_are_read(whole, tmp_path):
    rows = list(csv.DictReader(io.StringIO((whole[1] / "results.csv").read_text())))
    kept = [name for name in rows[0] if name not in MEASURES]
    with (tmp_path / "results.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, kept, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    (tmp_path / "run.json").write_text((whole[1] / "run.json").read_text())
    old = read_evaluation(tmp_path)
    assert measures_of(old) == ()
    assert old.cells() == whole[0].cells()


def test_documents_are_read_by_their_texts_and_pictures_are_not(tmp_path):
    from PIL import Image

    bare = [{key: row[key] for key in ("id", "title", "text", "place")} for row in ROWS]
    plan = {"methods": ("mmd+greedy",), "sizes": (2,), "splits": 2, "ceilings": False}
    material = load_material(bare, DocumentOptions(by="place"))
    assert material.worthy is not None
    found = evaluate(material.vectors, material.groups, material.plan(**plan))
    assert measures_of(found) == ("variety", "typicality", "stability")
    for n in range(24):
        place = tmp_path / "ab"[n % 2]
        place.mkdir(exist_ok=True)
        Image.new("L", (8, 8), 40 + 80 * (n % 2) + n).save(place / f"{n}.png")
    pictures = load_material(tmp_path, DocumentOptions(by="folder"))
    found = evaluate(pictures.vectors, pictures.groups, pictures.plan(**plan))
    assert measures_of(found) == ("typicality", "stability")


def run_of(values, dataset="task"):
    """A run with these varieties at one classifier, size 2: {method: one for each split}; accuracy is half of each."""
    plan = Plan(methods=tuple(values), sizes=(2,), splits=len(next(iter(values.values()))), classifiers=("1-nn",))
    rows = [
        Result(dataset, method, "1-nn", 2, split, None, None, None, value / 2, variety=value, stability=value)
        for method, by_split in values.items()
        for split, value in enumerate(by_split)
    ]
    facts = {"test_to_train": 0.25, "splits_key": "s", "version": "1", "groups": {"a": 9, "b": 9}, "documents": 18}
    return Evaluation(sorted_results(rows), {**plan.describe(), "dataset": dataset}, facts)


def test_means_have_both_intervals_and_stability_that_of_the_jackknife():
    values = [0.2, 0.4, 0.9, 0.5]
    found = run_of({"kmeans": values})
    told = measured(found, "variety", "kmeans", 2)
    assert told.mean == pytest.approx(0.5)
    assert told.corrected_half_width == pytest.approx(told.half_width * np.sqrt(1 + 4 * 0.25))
    # pairs a(i, j) whose means by split are given; leaving each split out in turn gives the jackknife's values
    rng = np.random.default_rng(0)
    pairs = np.triu(rng.random((4, 4)), 1)
    pairs += pairs.T
    stable = measured(run_of({"kmeans": (pairs.sum(axis=1) / 3).tolist()}), "stability", "kmeans", 2)
    overall = pairs.sum() / 12
    without = [np.delete(np.delete(pairs, k, 0), k, 1).sum() / 6 for k in range(4)]
    pseudo = [4 * overall - 3 * one for one in without]
    assert stable.mean == pytest.approx(overall)
    assert stable.half_width == pytest.approx(np.std(pseudo, ddof=1) / 2 * 3.182446305284263)
    assert stable.corrected_half_width is None
    assert measured(run_of({"kmeans": [0.1, 0.1]}), "stability", "kmeans").half_width is None
    assert measured(found, "set_aside", "kmeans", 2) is None


def test_tables_tell_what_there_is(whole):
    found = whole[0]
    markdown = table_md(found)
    assert "| method | picks per group | variety | typicality | stability | set aside |" in markdown
    (row,) = [line for line in markdown.splitlines() if line.startswith("| kmeans | 1 |")]
    assert row.split("|")[3].strip() == "–"
    told = measured(found, "typicality", "kmeans", 1)
    assert row.split("|")[4].strip() == f"{told.mean:.3f} ± {told.corrected_half_width:.3f}".replace("± 0.", "± .")
    tex = table_tex(found)
    assert tex.count(r"\begin{tabular}") == tex.count(r"\end{tabular}") == 2
    assert "method & picks & variety & typicality & stability & set aside" in tex
    (line,) = [line for line in summary(found).splitlines() if line.startswith("kmeans")]
    assert f"{measured(found, 'set_aside', 'kmeans').mean:.3f}" in line
    assert table_tex(run_of({"kmeans": [0.5]})).count("tabular") == 4


def test_means_as_a_table_and_as_json_have_every_measure(whole):
    rows = list(csv.DictReader(io.StringIO((whole[1] / "means.csv").read_text())))
    assert len(rows) == len(list(means(whole[0]))) == 2 * 2 * 2 * 5 - 2 * 2  # no variety at size 1
    record = json.loads(json.dumps(_as_record(whole[0])))
    cells = {(cell["method"], cell["classifier"], cell["size"]): cell for cell in record["cells"]}
    assert cells["kmeans", "svm", 1]["variety"] is None
    assert cells["kmeans", "svm", 2]["variety"]["mean"] == measured(whole[0], "variety", "kmeans", 2, "svm").mean
    assert cells["everything", "svm", 0]["typicality"] is None
    assert all(cell["corrected_half_width"] >= cell["half_width"] for cell in record["cells"])
    assert all(test["corrected_half_width"] >= 0 for test in record["tests"])


def test_accuracy_against_variety_has_a_panel_for_each_classifier_and_size_that_has_one(whole):
    spec = variety_spec(whole[0])
    titles = [panel["title"] for row in spec["vconcat"] for panel in row["hconcat"]]
    assert titles == ["1-nn, 2 picks per group", "svm, 2 picks per group"]
    assert draw(spec, ".png").startswith(b"\x89PNG")
    assert (whole[1] / "variety.pdf").read_bytes().startswith(b"%PDF")


def test_tasks_and_not_splits_are_the_unit_of_the_last_test():
    ahead = [0.1, 0.2, 0.05, -0.02, 0.15, 0.0]
    tasks = [run_of({"kmeans": [0.5 + d, 0.3 + d], "random": [0.5, 0.3]}, f"task {n}") for n, d in enumerate(ahead)]
    found = across_tasks(tasks, "kmeans", "random", "variety")
    assert found.differences == pytest.approx(ahead)
    assert found.tasks[:2] == ("task 0", "task 1")
    assert found.mean == pytest.approx(np.mean(ahead))
    assert found.half_width == pytest.approx(2.5705818366147395 * np.std(ahead, ddof=1) / np.sqrt(6))
    assert found.sign_p == pytest.approx(2 * (1 + 5) / 32)
    assert found.wilcoxon_p == pytest.approx(wilcoxon([d for d in ahead if d]).pvalue)
    by_accuracy = across_tasks(tasks, "kmeans", "random")
    assert by_accuracy.mean == pytest.approx(np.mean(ahead) / 2)
    equal = across_tasks(tasks[-1:], "kmeans", "random")
    assert (equal.mean, equal.half_width, equal.sign_p, equal.wilcoxon_p) == (0.0, None, 1.0, 1.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([], "kmeans", "random"), "no task"),
        (([run_of({"kmeans": [0.5]})], "kmeans", "random"), "has no balanced_accuracy of 'random'"),
        (([run_of({"kmeans": [0.5]})], "kmeans", "kmeans", "set_aside"), "has no set_aside"),
        (([run_of({"kmeans": [0.5]})], "kmeans", "kmeans", "beauty"), "there is no measure 'beauty'"),
    ],
)
def test_what_tasks_do_not_have_is_told(arguments, message):
    with pytest.raises(VisavisError, match=message):
        across_tasks(*arguments)
