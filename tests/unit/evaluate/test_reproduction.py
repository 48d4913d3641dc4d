from __future__ import annotations

import csv
import importlib.util
from pathlib import Path

import pytest

import visavis.evaluate
from visavis.evaluate import Evaluation, Plan, Result
from visavis.evaluate.output import write_evaluation
from visavis.evaluate.results import sorted_results

pytestmark = pytest.mark.usefixtures("figures_undrawn")
SCRIPT = Path(__file__).parents[3] / "scripts" / "reproduction.py"
PUBLISHED = Path(visavis.evaluate.__file__).parent / "data" / "published.csv"


@pytest.fixture(scope="module")
def script():
    import sys

    spec = importlib.util.spec_from_file_location("reproduction", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules["reproduction"] = module
    spec.loader.exec_module(module)
    return module


def published(dataset="USPS"):
    with PUBLISHED.open(newline="") as file:
        return [row for row in csv.DictReader(file) if row["dataset"] == dataset]


def run_with(shift):
    """A run of ten splits whose means are the published ones, moved by shift(method)."""
    rows, facts = [], {"test_to_train": 0.2, "splits_key": "s", "version": "1", "groups": {}, "documents": 9298}
    for row in published():
        mean = float(row["balanced_accuracy"]) + shift(row["method"])
        key = "USPS", row["method"], row["classifier"].lower(), int(row["prototypes_per_group"])
        rows += [Result(*key, split, None, None, None, mean + 0.001 * (-1) ** split) for split in range(10)]
    methods = tuple(dict.fromkeys(row["method"] for row in published()))
    plan = Plan(methods=methods, dataset="USPS", splits=10)
    return Evaluation(sorted_results(rows), plan.describe(), facts)


def test_all_published_cells_are_kept():
    with PUBLISHED.open(newline="") as file:
        rows = list(csv.DictReader(file))
    keys = {(r["dataset"], r["method"], r["classifier"], r["prototypes_per_group"]) for r in rows}
    assert len(rows) == len(keys) == 256
    assert len(published()) == 64


def test_cells_are_held_against_the_sum_of_both_intervals(script):
    evaluation = run_with(lambda method: {"kmeans": -0.05, "kmedoids": 0.05, "mmd-critic": -0.0005}.get(method, 0.0))
    pairs = script.pairs_of(evaluation, "USPS")
    verdicts = {(pair.ours.method, pair.verdict) for pair in pairs}
    assert len(pairs) == 64
    assert {method for method, verdict in verdicts if verdict == "below"} == {"kmeans"}
    assert {method for method, verdict in verdicts if verdict == "above"} == {"kmedoids"}
    text = script.page(evaluation, pairs)
    assert "**56 of 64 cells hold**" in text
    assert text.count("- kmeans, ") == 8
    assert "no reproduction yet" not in text


@pytest.mark.parametrize(("lost", "status"), [(("kmeans",), 0), (("kmeans", "kmedoids"), 1)])
def test_the_script_fails_where_too_few_cells_hold(script, tmp_path, lost, status):
    write_evaluation(run_with(lambda method: -0.1 if method in lost else 0.0), tmp_path)
    assert script.main(str(tmp_path), str(tmp_path / "page.md")) == status
    assert "# Reproduction" in (tmp_path / "page.md").read_text()
