"""What users see stays what it was; `scripts/goldens.py` makes the files anew where a change is meant."""

from __future__ import annotations

import csv
import io
import json
from itertools import zip_longest

import pytest

from conftest import require
from golden.cases import (
    COMPARISONS,
    EVALUATIONS,
    FOLDER,
    KERNELS,
    estimator_record,
    evaluate,
    evaluate_until_killed,
    file_of,
    study_record,
)

pytestmark = pytest.mark.usefixtures("figures_undrawn")
MEASURED = ("gamma", "balanced_accuracy", "variety", "typicality", "stability", "set_aside")


def differences(golden, now, tolerance=1e-6, where=""):
    """Where two records differ, and how: text, lists' order and whole numbers exactly, other numbers by tolerance."""
    if isinstance(golden, dict) and isinstance(now, dict):
        missing = [f"{where}.{key}: in one record only" for key in golden.keys() ^ now.keys()]
        both = golden.keys() & now.keys()
        return missing + [
            line for key in both for line in differences(golden[key], now[key], tolerance, f"{where}.{key}")
        ]
    if isinstance(golden, list) and isinstance(now, list) and len(golden) == len(now):
        pairs = enumerate(zip(golden, now, strict=True))
        return [line for at, (old, new) in pairs for line in differences(old, new, tolerance, f"{where}[{at}]")]
    if isinstance(golden, float) and isinstance(now, (int, float)) and not isinstance(now, bool):
        same = now == pytest.approx(golden, rel=tolerance, abs=tolerance)
    else:
        same = golden == now and type(golden) is type(now)
    return [] if same else [f"{where}: {golden!r} became {now!r}"]


def kept(kind, name):
    return json.loads(file_of(kind, name).read_text(encoding="utf-8"))


def as_read(record):
    """A record as JSON gives it back."""
    return json.loads(json.dumps(record))


@pytest.mark.parametrize("name", COMPARISONS)
def test_a_comparison_is_what_it_was(name, request):
    comparison, data = COMPARISONS[name], None
    if not comparison.is_ours:
        data = request.getfixturevalue("data_folder")
        require((data / comparison.source).is_file(), comparison.source)
    assert differences(kept("compare", name), as_read(comparison.record(data))) == []


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_estimator_picks_what_it_picked(kernel):
    assert differences(kept("estimator", "prototypes")[kernel], as_read(estimator_record(kernel))) == []


def test_a_study_is_designed_as_it_was():
    assert differences(kept("study", "sample"), as_read(study_record())) == []


def changed_rows(name, now):
    """Rows of results.csv that differ from the golden's: keys exactly, what was measured to 1e-9."""
    tables = [csv.DictReader(io.StringIO(text)) for text in (file_of("evaluate", name).read_text(), now.decode())]
    assert tables[0].fieldnames == tables[1].fieldnames
    return [(old, new) for old, new in zip_longest(*tables) if old is None or new is None or row_differs(old, new)]


def row_differs(old, new):
    return any(not same_value(column, old[column], new[column]) for column in old)


def same_value(column, old, new):
    if column in MEASURED and old and new:
        return float(new) == pytest.approx(float(old), rel=1e-9, abs=1e-9)
    return old == new


def test_an_evaluation_of_documents_is_what_it_was(tmp_path):
    assert changed_rows("sample", evaluate("sample", tmp_path, jobs=2)) == []


def test_an_evaluation_of_vectors_is_what_it_was_however_it_is_run(tmp_path):
    results = evaluate("digits", tmp_path / "one", jobs=1)
    assert changed_rows("digits", results) == []
    evaluate_until_killed("digits", tmp_path / "killed", pieces=1)  # nearly all is left to two processes
    assert not (tmp_path / "killed" / "results.csv").exists()
    assert evaluate("digits", tmp_path / "killed", jobs=2) == results


def test_every_golden_has_its_case():
    there = {path.relative_to(FOLDER) for path in FOLDER.glob("*/*.*") if path.suffix in (".json", ".csv")}
    cases = [("compare", name) for name in COMPARISONS] + [("evaluate", name) for name in EVALUATIONS]
    cases += [("estimator", "prototypes"), ("study", "sample")]
    assert there == {file_of(*case).relative_to(FOLDER) for case in cases}


def test_a_difference_is_seen():
    golden = {"id": ["a", "b"], "gain": 0.5, "n": 2, "loss": None}
    assert differences(golden, golden | {"gain": 0.5 + 5e-7}) == []
    for change in ({"id": ["b", "a"]}, {"id": ["a"]}, {"gain": 0.50001}, {"gain": None}, {"n": 3}, {"loss": 0.0}):
        assert differences(golden, golden | change) != []
    assert differences(golden, {"id": ["a", "b"]}) != []
    assert differences(golden, golden | {"more": 1}) != []
