"""The last questions, and all texts in another language."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import select

from unit.study.visiting import Site
from visavis.cli.study import study as command
from visavis.errors import InvalidParameter, UnknownName
from visavis.study.app.texts import english, read_texts
from visavis.study.fieldwork.exit_questions import ExitQuestion, read_exit_questions
from visavis.study.rehearsal.page import read_page
from visavis.study.store import schema
from visavis.study.store.erase import erase

pytest_plugins = ("unit.study.fixtures",)
CODES = {"code": "DONE", "screened_code": "OUT", "failed_code": "SORRY"}
BACK = "https://app.prolific.com/submissions/complete?cc="
AGE = ExitQuestion("age", "How old are you?", ("under 40", "40 or more"))
QUESTIONS = (AGE, ExitQuestion("note", "Anything else?"))


def check_last_questions(site: Site) -> None:
    worker = site.worker("abc")
    assert "How old" not in worker.get("/w/done").text
    worker.finish()
    page = worker.get("/w/done").text
    assert "How old are you?" in page
    form = worker.csrf("/w/done")
    assert worker.post("/w/exit", {**form, "exit_age": "12"}).status_code == 422
    assert worker.post("/w/exit", {**form, "exit_age": "under 40", "exit_note": "=SUM(1)"}).status_code == 303
    worker.post("/w/exit", {**form, "exit_age": "40 or more"})  # a second sending changes nothing
    page = worker.get("/w/done").text
    assert "How old are you?" not in page
    assert "Thank you for your answers" in page
    admin = site.admin()
    rows = list(csv.DictReader(io.StringIO(admin.get("/admin/export/exit-answers.csv").text)))
    assert [(row["question"], row["answer"]) for row in rows] == [("age", "under 40"), ("note", "'=SUM(1)")]
    name = site.keys.pseudonym("abc")
    worker.post("/w/device", worker.csrf("/w"))
    erase(site.store, name)
    with site.store.reading() as connection:
        for table in (schema.worker, schema.payment, schema.exit_answer, schema.resume_code, schema.judgement):
            assert connection.execute(select(table)).all() == []


def test_the_last_questions_are_asked_once_and_erased_with_payments(
    make_site: Callable[..., Site], tmp_path: Path
) -> None:
    site = make_site(exit_questions=QUESTIONS)
    check_last_questions(site)
    content = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert "SUM(1)" not in content.decode("latin-1") + str(site.rows())


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({}, "questions"),
        ({"questions": [{"name": "Age", "text": "?"}]}, "small letters"),
        ({"questions": [{"name": "age", "text": " "}]}, "what people are asked"),
        ({"questions": [{"name": "age", "text": "?", "choices": ["one"]}]}, "2 to 100"),
        ({"questions": [{"name": "age", "text": "?", "chioces": []}]}, "name, text"),
        ({"questions": [{"name": "age", "text": "?"}, {"name": "age", "text": "!"}]}, "same name"),
    ],
)
def test_last_questions_that_cannot_be_asked_are_refused(record: dict, said: str) -> None:
    with pytest.raises(InvalidParameter, match=said):
        read_exit_questions(record, "exit.toml")


def test_all_texts_can_be_given_in_another_language(tmp_path: Path) -> None:
    fields = {name: "".join(re.findall(r"\{\w+\}", text)) for name, text in english().items()}
    upside = {name: f"¡{name}! {fields[name]}" for name in english() if name not in ("language", "direction")}
    (tmp_path / "t.json").write_text(json.dumps({**upside, "language": "xx", "direction": "rtl"}), encoding="utf-8")
    site = Site(
        tmp_path, texts=read_texts(tmp_path / "t.json"), ask=("usefulness", "difficulty"), exit_questions=QUESTIONS,
        screen=(("country", ("IN",)),), **CODES, return_link=BACK + "{code}",
    )  # fmt: skip
    worker = site.visitor()
    seen = [worker.get("/w").text, worker.post("/w/start", read_page(worker.get("/w").text).fields).text]
    worker.start("abc", screen_country="IN")
    seen += [worker.get(worker.unit).text, site.visitor().start("abc", screen_country="IN").text]
    seen += [worker.get("/w/done").text, worker.post("/w/device", worker.csrf("/w")).text, worker.get("/w/resume").text]
    worker.finish()
    seen += [worker.get("/w/done?late=1").text, worker.get("/w/unit/none").text]
    own = {"Country", "How", "old", "are", "you", "Anything", "else", "under", "or", "more", "DONE", "abc", "None"}
    for page in seen:
        assert 'lang="xx" dir="rtl"' in page
        inner = r"<article>.*?</article>|<code>.*?</code>|<strong.*?</strong>|<[^>]*>|¡\w+!"
        shown = re.sub(inner, " ", page, flags=re.S)
        assert not set(re.findall(r"[A-Za-z]{3,}", shown)) - own, page


def test_a_text_that_is_none_or_lacks_its_braces_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    for content, error, said in (
        ('strat = "Los"', UnknownName, "did you mean 'start'"),
        ('progress = "Seite"', InvalidParameter, "number, total"),
        ("start = 3", InvalidParameter, "must be a text"),
        ('direction = "up"', InvalidParameter, "ltr or rtl"),
        ("start = ", InvalidParameter, "cannot read"),
    ):
        file.write_text(content, encoding="utf-8")
        with pytest.raises(error, match=said):
            read_texts(file)
    file.write_text('start = "Los"', encoding="utf-8")
    assert read_texts(file)["start"] == "Los"
    assert read_texts(file)["send"] == english()["send"]


def test_the_texts_of_the_pages_are_printed() -> None:
    assert CliRunner().invoke(command, ["texts"]).stdout.startswith("# Every text")
