"""Every CSV file the project writes passes foreign text through the one guard."""

from __future__ import annotations

import ast
import csv
import io
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

import visavis
from unit.report.summaries import news, with_first_document
from unit.study.visiting import Site
from visavis.collect.records import Article, Cleaned, Extracted, Query
from visavis.collect.state.store import Store
from visavis.collect.steps.export import ExportOptions, export_corpus
from visavis.evaluate import Evaluation, Result
from visavis.evaluate.output import write_evaluation
from visavis.evaluate.results import read_evaluation
from visavis.report import render
from visavis.study.fieldwork.export import as_csv
from visavis.study.fieldwork.payments import as_csv as payments_csv
from visavis.study.fieldwork.payments import exit_answers_csv, payment_rows
from visavis.study.store import schema
from visavis.study.store.payments import add_exit_answers

pytestmark = pytest.mark.usefixtures("figures_undrawn")
HOSTILE = {
    "=1+1": "'=1+1",
    " =1+1": "' =1+1",
    "＝1+1": "'＝1+1",
    "-1": "'-1",
    "ok;=HYPERLINK(1)": "ok;'=HYPERLINK(1)",
    "ok\t@x": "ok\t'@x",
    "ok;\u200b+1": "ok;'\u200b+1",
}


def report(texts: list[str], _folder: Path) -> str:
    return "".join(render(with_first_document(news(), title=text), ".csv") for text in texts)


def collected(texts: list[str]) -> Store:
    store, moment = Store(":memory:"), datetime(2026, 1, 1, tzinfo=UTC)
    for text in texts:
        url = f"http://a.test/{texts.index(text)}"
        store.set_queries(text, [Query(text, "a query")])
        store.set_articles(text, [Article(text, url, moment, 1)])
        store.add_documents([Extracted(url, text, "Some words.", moment, text, "en", text)])
        store.set_cleaned(text, [Cleaned(text, url, text, moment, 1)], [])
    return store


def corpus(texts: list[str], folder: Path) -> str:
    with collected(texts) as store:
        export_corpus(store, ExportOptions(folder / "c.csv"))
    return (folder / "c.csv").read_text(encoding="utf-8")


def corpus_table(texts: list[str], folder: Path) -> str:
    with collected(texts) as store:
        export_corpus(store, ExportOptions(folder / "c.jsonl", table=folder / "t.csv"))
    return (folder / "t.csv").read_text(encoding="utf-8")


def judgements(texts: list[str], folder: Path) -> str:
    site, found = Site(folder), ""
    site.worker("one").answer()
    for text in texts:
        with site.store.writing() as connection:
            connection.execute(schema.item.update().values(comment=text))
        found += as_csv(site.store)
    return found


def payments(texts: list[str], folder: Path) -> str:
    site = Site(folder)
    site.worker("one")
    with site.store.reading() as connection:
        [row] = payment_rows(connection, site.keys)
    return payments_csv([{**row, "participant": text} for text in texts])


def exit_answers(texts: list[str], folder: Path) -> str:
    site = Site(folder)
    site.worker("one")
    with site.store.writing() as connection:
        add_exit_answers(connection, 1, {f"question{place}": text for place, text in enumerate(texts)}, 0.0)
    return exit_answers_csv(site.store)


def evaluation(name: str) -> Callable[[list[str], Path], str]:
    def written(texts: list[str], folder: Path) -> str:
        about = {"dataset": texts[0], "methods": texts, "classifiers": ["1-nn"], "sizes": [2], "splits": 2}
        rows = [Result(texts[0], m, "1-nn", 2, s, 0.5, None, None, 0.1 * s) for m in texts for s in (0, 1)]
        timings = tuple({"method": text, "split": 0, "seconds": 1.0, "cpu_seconds": 1.0} for text in texts)
        facts = {"groups": {"a": 9}, "test_to_train": 0.25, "documents": 9, "version": "1", "splits_key": "x"}
        write_evaluation(Evaluation(tuple(rows), about, facts, timings=timings), folder)
        assert {result.method for result in read_evaluation(folder).results} == set(texts)
        return (folder / name).read_text(encoding="utf-8")

    return written


WRITERS = {
    "the report": report, "a collected corpus": corpus, "its table": corpus_table, "a study's judgements": judgements,
    "its payments": payments, "its last answers": exit_answers,
    **{name: evaluation(name) for name in ("results.csv", "wins.csv", "tests.csv", "timings.csv")},
}  # fmt: skip


@pytest.mark.parametrize("writer", WRITERS)
def test_no_table_holds_a_formula(writer: str, tmp_path: Path) -> None:
    written = WRITERS[writer](list(HOSTILE), tmp_path)
    cells = {cell for row in csv.reader(io.StringIO(written, newline="")) for cell in row}
    assert cells >= set(HOSTILE.values())
    assert not cells & set(HOSTILE)


def test_no_table_is_written_past_the_guard() -> None:
    root = Path(visavis.__file__).parent
    allowed = {"shared/spreadsheet.py", "comparing/demos.py"}  # the demo writes the bundled articles alone
    found = {
        str(path.relative_to(root))
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in ("writer", "DictWriter", "writerow", "writerows")
    }
    assert found == allowed
