from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import require
from unit.study.crowd_table import golden_judgements, golden_rows, table_of
from visavis.study.analysis import Analysis, Options, analyze
from visavis.study.analysis.files import read_judgements
from visavis.study.analysis.output import as_html, as_json, as_record
from visavis.study.analysis.results import MethodResult, Reading, SignTest

METHODS = ("kmeans", "mmd-diff-grad", "nn-comp-greedy", "mmd-diff-greedy")
PUBLISHED = {
    "correct": (240, 270, 243, 235),
    "majority": (81, 94, 80, 83),
    "workers": (31, 25, 28, 29),
    "levels": ((54, 27, 24, 21), (67, 27, 15, 17), (57, 23, 26, 20), (53, 30, 16, 27)),
}
SHOWN = {"correct": (285, 291, 271, 276), "majority": (98, 103, 94, 94), "workers": (31, 25, 28, 29)}


@pytest.fixture(scope="module")
def study() -> Analysis:
    return analyze(golden_judgements(), Options(resamples=200))


@pytest.fixture(scope="module")
def crowd(data_folder: Path) -> Path:
    require((data_folder / "crowd" / "judgements.csv").is_file(), "the judgements of the paper's human study")
    return data_folder / "crowd"


def reading(study: Analysis, name: str) -> Reading:
    return next(one for one in study.readings if one.reading == name)


def methods(one: Reading) -> list[MethodResult]:
    by_name = {method.name: method for method in one.methods}
    return [by_name[name] for name in METHODS]


def lead_of_grad(one: Reading) -> list[SignTest]:
    tests = {(test.better, test.worse): test for test in one.sign_tests}
    return [tests["mmd-diff-grad", other] for other in ("kmeans", "nn-comp-greedy", "mmd-diff-greedy")]


@pytest.mark.parametrize(("name", "expected"), [("published", PUBLISHED), ("shown", SHOWN)])
def test_counts_of_the_published_study(study: Analysis, name: str, expected: dict[str, tuple[object, ...]]) -> None:
    found = methods(reading(study, name))
    for key, values in expected.items():
        assert tuple(getattr(method, key) for method in found) == values
    assert {(method.judgements, method.questions) for method in found} == {(378, 126)}
    assert reading(study, name).combined.workers == 40


@pytest.mark.parametrize(
    ("name", "each", "combined"),
    [("published", (0.418, 0.456, 0.435, 0.483), 0.451), ("shown", (0.273, 0.373, 0.361, 0.382), 0.349)],
)
def test_agreement_of_the_published_study(study: Analysis, name: str, each: tuple[float, ...], combined: float) -> None:
    found = reading(study, name)
    assert tuple(round(method.kappa_correct or 0, 3) for method in methods(found)) == each
    assert round(found.combined.kappa_correct or 0, 3) == combined


@pytest.mark.parametrize(
    ("name", "expected"), [("published", ("0.0044", "0.043", "0.042")), ("shown", ("0.23", "0.068", "0.11"))]
)
def test_sign_tests_of_the_published_study(study: Analysis, name: str, expected: tuple[str, ...]) -> None:
    found = lead_of_grad(reading(study, name))
    assert tuple(f"{test.p:.2g}" for test in found) == expected
    assert all(test.wins + test.losses + test.ties == 126 for test in found)
    assert len(reading(study, name).sign_tests) == 12


def test_times_of_the_published_study(study: Analysis) -> None:
    for one in study.readings:
        assert round(one.combined.seconds_per_questionnaire or 0, 1) == 151.9
        assert round(one.combined.seconds_per_question or 0, 1) == 50.6


def test_questionnaires_whose_recorded_order_contradicts_what_was_shown(study: Analysis) -> None:
    assert (study.contradicted, study.questionnaires, len(study.pairs)) == (41, 168, 21)


def test_golden_table_equals_the_real_data(crowd: Path) -> None:
    real = read_judgements(crowd / "judgements.csv", crowd / "questionnaires.csv")
    assert table_of(real) == golden_rows()


def test_real_file_gives_the_same_json_as_the_golden_table(crowd: Path, study: Analysis) -> None:
    found = analyze(crowd / "judgements.csv", Options(resamples=200))
    assert promised(found) == promised(study)
    named = analyze(crowd / "judgements.csv", Options(questionnaires=crowd / "questionnaires.csv", resamples=200))
    assert promised(named) == promised(study)
    assert as_record(named)["intervals"] == as_record(study)["intervals"]
    assert as_record(named)["gold"]["judgements"] == 75
    assert (named.gold, len(named.comments)) == (75, 91)


def test_real_articles_let_classifiers_answer_the_same_questions(crowd: Path) -> None:
    files = {"questionnaires": crowd / "questionnaires.csv", "articles": crowd / "articles.csv"}
    found = analyze(crowd / "judgements.csv", Options(**files, resamples=50))
    assert found.classifiers is not None
    for method in METHODS:
        for judge in ("svm", "1-nn"):
            own = [s.value for s in found.classifiers.scores if (s.judge, s.scope, s.method) == (judge, "same", method)]
            assert len(own) == 21
            assert 0.6 < sum(own) / 21 < 0.9
    assert found.classifiers.ceiling is None  # only what was shown is in the file
    page = as_html(found)
    assert page.count("<svg ") == 6
    assert "240 of 378" in page
    assert "285 of 378" in page


def promised(found: Analysis) -> dict[str, object]:
    return {name: as_record(found)[name] for name in ("schema", "readings", "contradicted")}


def test_json_has_the_promised_keys_as_promised_and_more_beside_them(study: Analysis) -> None:
    record = json.loads(as_json(study))
    assert {"schema", "readings", "contradicted", "planned", "gold", "set_aside", "intervals", "notes"} <= set(record)
    assert [one["reading"] for one in record["readings"]] == ["published", "shown"]
    for one in record["readings"]:
        assert list(one)[:4] == ["reading", "methods", "combined", "sign_tests"]
        assert set(one["combined"]) == {"kappa_correct", "workers"}
        assert set(one["sign_tests"][0]) == {"better", "worse", "wins", "losses", "ties", "p", "adjusted"}
        assert set(one["methods"][0]) == {
            "name", "judgements", "correct", "majority", "questions", "workers", "levels", "kappa_correct",
            "kappa_choice", "seconds_per_question",
        }  # fmt: skip
    for one, reading in zip(record["intervals"], study.readings, strict=True):
        assert [tuple(method["interval"]) for method in one["methods"]] == [
            pytest.approx(method.interval) for method in reading.methods
        ]
        assert [(d["one"], d["other"]) for d in one["differences"]] == [(d.one, d.other) for d in reading.differences]
        assert all(low <= d["value"] <= high for d in one["differences"] for low, high in [d["interval"]])
