"""Figures are an extra: without it everything else is written, and the command that installs it is told."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from unit.study.crowd_table import golden_judgements
from visavis.collect.records import Article, Cleaned, Extracted, Query
from visavis.collect.state.store import Store
from visavis.collect.steps.export import ExportOptions, export_corpus
from visavis.errors import InvalidParameter, MissingExtra, NoFigures
from visavis.evaluate import Evaluation, Result
from visavis.evaluate.output import FIGURES, FILES, VARIETY, write_evaluation
from visavis.shared.figures import can_draw, draw
from visavis.study.analysis import Options, analyze
from visavis.study.analysis.output import as_html

COMMAND = r"pip install 'visavis\[figures\]'"
SPEC = {"data": {"values": [{"a": 1}]}, "mark": "bar", "encoding": {"y": {"field": "a", "type": "quantitative"}}}
BLOCKED = """
import sys
sys.modules["altair"] = sys.modules["vl_convert"] = None
from visavis.cli import main
main(sys.argv[1:])
"""


@pytest.fixture(params=["altair", "vl_convert"])
def missing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setitem(sys.modules, request.param, None)
    monkeypatch.delitem(sys.modules, "visavis.evaluate.figures", raising=False)
    monkeypatch.delitem(sys.modules, "visavis.study.analysis.figures", raising=False)
    return request.param


def test_nothing_is_warned_of_where_all_is_installed(recwarn: pytest.WarningsRecorder) -> None:
    assert can_draw()
    assert [warning.category for warning in recwarn if warning.category is NoFigures] == []


def test_a_format_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidParameter, match=r"'\.gif'; there are: \.svg, \.html, \.png, \.pdf"):
        draw(SPEC, ".gif")
    assert "<svg" in str(draw(SPEC, ".SVG"))


def test_drawing_all_the_same_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(MissingExtra, match=COMMAND):
        draw(SPEC, ".png")


def test_an_evaluation_is_written_without_its_figures(missing: str, tmp_path: Path) -> None:
    about = {"dataset": "x", "methods": ["a", "b"], "classifiers": ["1-nn"], "sizes": [2], "splits": 2}
    rows = tuple(Result("x", m, "1-nn", 2, s, 0.5, None, None, 0.1 * s) for m in "ab" for s in (0, 1))
    facts = {"groups": {"a": 9}, "test_to_train": 0.25, "documents": 9, "version": "1", "splits_key": "x"}
    with pytest.warns(NoFigures, match=f"needs {missing}, which is not installed: {COMMAND}") as told:
        write_evaluation(Evaluation(rows, about, facts), tmp_path)
    assert len(told) == 1
    assert {path.name for path in tmp_path.iterdir()} == set(FILES) - {*FIGURES, *VARIETY}


def test_a_study_is_analyzed_without_its_figures(missing: str) -> None:
    with pytest.warns(NoFigures, match=f"{missing}.*{COMMAND}") as told:
        page = as_html(analyze(golden_judgements(), Options(resamples=20)))
    assert len(told) == 1
    assert "<svg" not in page
    assert "<figure" not in page
    assert page.count("<table") > 3


def test_a_corpus_is_exported_without_its_chart(missing: str, tmp_path: Path) -> None:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    with Store(":memory:") as store:
        store.set_queries("t", [Query("t", "a query")])
        store.set_articles("t", [Article("t", "http://a.test/", moment, 1)])
        store.add_documents([Extracted("http://a.test/", "Title", "Some words.", moment, "", "en", "a.test")])
        store.set_cleaned("t", [Cleaned("t", "http://a.test/", "Some words.", moment, 1)], [])
        paths = {"table": tmp_path / "t.md", "chart": tmp_path / "v.svg"}
        with pytest.warns(NoFigures, match=f"{missing}.*{COMMAND}") as told:
            export_corpus(store, ExportOptions(tmp_path / "c.jsonl", **paths))
    assert len(told) == 1
    assert {path.name for path in tmp_path.iterdir()} == {"c.jsonl", "c.datasheet.md", "t.md"}


def test_the_command_evaluates_without_figures_and_says_so_once(tmp_path: Path) -> None:
    words = ["evaluate", "--dataset", "digits", "--methods", "random", "--sizes", "2", "--splits", "2", "--no-ceilings"]
    words += ["--classifiers", "1-nn", "--jobs", "1", "--out", str(tmp_path / "run"), "--json"]
    done = subprocess.run([sys.executable, "-c", BLOCKED, *words], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("pip install 'visavis[figures]'") == 1
    assert "visavis: figures are left out: drawing figures needs altair" in done.stderr
    assert json.loads(done.stdout)["wins"] == {"random": 1}
    assert {path.name for path in (tmp_path / "run").iterdir()} == {*FILES, "journal.jsonl"} - {*FIGURES, *VARIETY}
