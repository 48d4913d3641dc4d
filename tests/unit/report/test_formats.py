"""JSON, CSV, Markdown and SQLite."""

from __future__ import annotations

import csv
import io
import json
import math
import sqlite3
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from unit.report.summaries import news, outlets, with_first_document
from visavis.records import Document
from visavis.report import as_record, render, write
from visavis.report.markdown import pick_line

KEYS = [
    "schema", "title", "verdict", "differences", "groups", "test", "accuracy", "accuracy_interval", "ceiling",
    "ceiling_interval", "common", "set_aside", "folded", "not_candidates", "boilerplate", "warnings", "notes", "method",
    "parameters", "seed", "version",
]  # fmt: skip
PICK_KEYS = [
    "id", "rank", "title", "headline", "date", "source", "url", "scores", "share", "gain", "loss", "stability",
    "stability_by_chance", "resamples", "stands_for", "stands_for_rest", "words", "covers",
]  # fmt: skip

SCORE_KEYS = ["coverage", "discrimination", "diversity", "versus", "typical", "distinct"]
TERM_KEYS = ["term", "documents", "share", "elsewhere", "share_elsewhere", "sources", "telling", "holders"]
TEST_KEYS = ["groups", "mmd2", "p_value", "adjusted", "blocks", "permutations", "why"]


def test_json_has_exactly_the_promised_keys() -> None:
    record = json.loads(render(news(), ".json"))
    assert list(record) == KEYS
    group = record["groups"][0]
    assert list(group) == ["name", "documents", "words", "terms", "objective", "picks"]
    assert list(group["objective"]) == ["value", "stages"]
    assert list(group["picks"][0]) == PICK_KEYS
    assert list(group["picks"][0]["scores"]) == SCORE_KEYS
    assert list(record["test"][0]) == TEST_KEYS
    assert list(record["test"][0]["blocks"]) == ["by", "count"]
    assert list(record["set_aside"][0]) == ["reason", "count"]
    assert record == as_record(news())
    assert record["notes"] == list(news().notes)
    assert group["words"] == [term["term"] for term in group["terms"]] == list(news().groups[0].words)
    assert list(group["terms"][0]) == TERM_KEYS


def test_json_numbers_have_ten_digits_and_what_is_no_number_is_null() -> None:
    summary = replace(news(), accuracy=math.nan, ceiling=1 / 3, parameters={"a": np.float32(2), "b": (math.inf, -0.0)})
    text = render(summary, ".json")
    record = json.loads(text)
    assert record["accuracy"] is None
    assert record["ceiling"] == 0.3333333333
    assert record["parameters"] == {"a": 2.0, "b": [None, 0.0]}
    assert math.copysign(1, record["parameters"]["b"][1]) == 1
    assert record["test"][0]["mmd2"] == 0.0123456789
    assert text.endswith("}\n")


def test_json_keeps_letters_as_they_are_and_survives_broken_ones() -> None:
    text = render(with_first_document(news(), title="Zoë \ud800 漢"), ".json")
    assert "Zoë \ufffd 漢" in text
    text.encode()


def test_csv_has_a_row_for_each_pick() -> None:
    rows = list(csv.DictReader(io.StringIO(render(news(), ".csv"))))
    picks = [(group.name, pick) for group in news().groups for pick in group.picks]
    assert [(row["group"], row["id"]) for row in rows] == [(name, pick.document.id) for name, pick in picks]
    assert float(rows[0]["coverage"]) == pytest.approx(picks[0][1].scores.coverage)
    assert rows[0]["date"] == "2024-02-12"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\x00=1", "＝1"])
def test_csv_text_never_begins_a_formula(text: str) -> None:
    rows = list(csv.DictReader(io.StringIO(render(with_first_document(news(), title=text), ".csv"))))
    assert rows[0]["title"].startswith("'")


def test_csv_numbers_may_be_negative() -> None:
    rows = list(csv.DictReader(io.StringIO(render(news(), ".csv"))))
    gains = [pick.gain for group in news().groups for pick in group.picks]
    assert min(gains) < 0
    assert [float(row["gain"]) for row in rows] == pytest.approx(gains)


def test_markdown_tells_the_verdict_before_the_picks_and_names_every_pick() -> None:
    text = render(outlets(), ".md")
    assert text.index("could be chance") < text.index("## Meridian Post")
    for group in outlets().groups:
        for pick in group.picks:
            assert pick.document.url in text


def test_markdown_links_only_to_web_addresses_and_keeps_them_closed() -> None:
    assert pick_line(Document("a", title="T", url="javascript:alert(1)")) == "**T**"
    assert pick_line(Document("a", title="T", url="https://e.org/a(b)")) == "[T](<https://e.org/a(b)>) — e.org"
    assert pick_line(Document("a", title="T", url="https://e.org/>)[x](y")) == "**T**"


@pytest.fixture
def database(tmp_path: Path) -> sqlite3.Connection:
    write(news(), tmp_path / "report.db")
    return sqlite3.connect(tmp_path / "report.db")


def test_sqlite_holds_every_document_with_foreign_keys_that_hold(database: sqlite3.Connection) -> None:
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    assert database.execute("SELECT count(*) FROM documents").fetchone() == (256,)
    assert database.execute("SELECT count(*) FROM picks").fetchone() == (16,)
    assert len(database.execute("PRAGMA foreign_key_list(picks)").fetchall()) == 2
    notes = database.execute("SELECT value FROM about WHERE key = 'notes'").fetchone()
    assert json.loads(notes[0]) == list(news().notes)


def test_sqlite_says_which_pick_each_document_belongs_to(database: sqlite3.Connection) -> None:
    query = (
        "SELECT belongs.document_id, p.document_id FROM belongs JOIN picks p ON p.id = belongs.pick_id "
        "JOIN documents d ON d.id = belongs.document_id WHERE d.group_id = p.group_id"
    )
    found = dict(database.execute(query).fetchall())
    assert len(found) == 256
    for group in news().groups:
        for pick in group.picks:
            assert found[pick.document.id] == pick.document.id


def test_sqlite_without_a_map_still_names_what_picks_cover() -> None:
    with sqlite3.connect(":memory:") as database:
        database.deserialize(render(replace(news(), map=None), ".sqlite"))
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        covered = {key for group in news().groups for pick in group.picks for key in pick.covers}
        assert {row[0] for row in database.execute("SELECT id FROM documents")} >= covered
