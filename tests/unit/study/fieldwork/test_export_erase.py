from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import select

from unit.study.visiting import Site
from visavis.cli.study import study as command
from visavis.errors import InvalidParameter, UnknownName
from visavis.shared.locks import InUse
from visavis.study.analysis.run import Options, analyze_source
from visavis.study.fieldwork.export import as_csv, as_jsonl
from visavis.study.fieldwork.keys import load_keys
from visavis.study.store import database, open_store, schema
from visavis.study.store.alone import alone
from visavis.study.store.erase import NotErased, erase, scrub

pytest_plugins = ("unit.study.fixtures",)
COMMENT = '=HYPERLINK("http://evil.example","click"),"quoted"\nsecond line'


@pytest.fixture
def site(tmp_path: Path) -> Site:
    found = Site(tmp_path)
    for name in ("first", "second"):
        worker = found.worker(name)
        worker.answer()
        worker.answer()
        worker.answer(comment=f"{COMMENT} by {name}")
        worker.finish()
    return found


def test_the_table_has_every_judgement_and_what_was_shown(site: Site) -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(site.store))))
    assert len(rows) == 2 * 6 * 3
    assert all(not row["comment"].startswith("=") for row in rows)
    assert sum(row["comment"].startswith("'=HYPERLINK") for row in rows) == 6
    own = [row for row in rows if row["gold"] == "0"]
    assert all(row["left_group"] in (row["group_a"], row["group_b"]) for row in own)
    assert all(row["chosen"] == row["truth"] for row in own)
    sides = {(row["shown_side"] == "left") == (row["left_group"] == row["chosen"]) for row in own}
    assert sides == {True}
    assert {row["flags"] for row in rows} == {"speed"}


def test_the_lines_lose_nothing_but_what_would_let_somebody_in(site: Site) -> None:
    lines = [json.loads(line) for line in as_jsonl(site.store).splitlines()]
    by_table: dict[str, list[dict]] = {}
    for line in lines:
        by_table.setdefault(line.pop("table"), []).append(line)
    with site.store.reading() as connection:
        for table in schema.metadata.sorted_tables:
            if table.name in ("payment", "resume_code"):  # who is paid, and what lets another device in
                assert table.name not in by_table
                continue
            rows = connection.execute(select(table).order_by(*table.primary_key.columns)).all()
            assert len(by_table.get(table.name, [])) == len(rows)
            for exported, row in zip(by_table.get(table.name, []), rows, strict=True):
                kept = {name: value for name, value in row._mapping.items() if name in exported}
                assert {**kept, "vector": 0} == {**exported, "vector": 0}
                assert set(row._mapping) - set(exported) <= {"session", "token"}
    assert any(COMMENT in (row["comment"] or "") for row in by_table["item"])


def test_the_command_exports_by_suffix(site: Site, tmp_path: Path) -> None:
    for name in ("j.csv", "j.jsonl"):
        run = CliRunner().invoke(command, ["export", str(site.path), "-o", str(tmp_path / name)])
        assert run.exit_code == 0, run.output
    assert (tmp_path / "j.csv").read_text() == as_csv(site.store)
    assert isinstance(
        CliRunner().invoke(command, ["export", str(site.path), "-o", "x.txt"]).exception, InvalidParameter
    )


def test_an_erased_worker_leaves_no_byte_and_their_cells_reopen(site: Site, tmp_path: Path) -> None:
    name, other = site.keys.pseudonym("first"), site.keys.pseudonym("second")
    with site.store.reading() as connection:
        worker = connection.execute(select(schema.worker).where(schema.worker.c.pseudonym == name)).one()
        items = connection.execute(select(schema.item).where(schema.item.c.worker_id == worker.id)).all()
        units = connection.execute(select(schema.unit).where(schema.unit.c.worker_id == worker.id)).all()
    traces = [name, worker.session, "by first", *(one.token for one in (*items, *units)), *(one.shown for one in items)]
    before = content(tmp_path)
    assert all(trace.encode() in before for trace in traces)
    found = erase(site.store, name)
    assert (found.judgements, found.questionnaires) == (18, 6)
    after = content(tmp_path)
    assert [trace for trace in traces if trace.encode() in after] == []
    assert other.encode() in after
    raw = sqlite3.connect(site.path)
    assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert raw.execute("SELECT COUNT(*) FROM item WHERE state = 'done' AND sheet_id IS NOT NULL").fetchone() == (3,)
    raw.close()
    with pytest.raises(UnknownName):
        erase(site.store, name)


@pytest.mark.parametrize("in_log", [True, False], ids=["a reader of the log", "a reader of the file"])
def test_erasing_beside_a_reader_can_be_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_log: bool
) -> None:
    monkeypatch.setattr(database, "WAIT", 0.1)
    site = Site(tmp_path)
    worker = site.worker("first")
    worker.answer(comment="SECRET")
    if not in_log:
        scrub(site.store)
    other = sqlite3.connect(site.path)
    other.execute("BEGIN")
    other.execute("SELECT COUNT(*) FROM item").fetchall()
    name = site.keys.pseudonym("first")
    with pytest.raises(NotErased, match="erase again"):
        erase(site.store, name)
    with site.store.reading() as connection:
        assert bool(connection.execute(select(schema.worker)).all()) is in_log  # refused before anything was deleted
    other.close()
    if in_log:
        assert erase(site.store, name).judgements == 3
    else:
        with pytest.raises(UnknownName, match="no byte is left"):
            erase(site.store, name)
    assert b"SECRET" not in content(tmp_path)
    assert name.encode() not in content(tmp_path)


def content(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()) if path.name.startswith("s.db"))


def test_the_command_erases_by_participant_not_while_a_server_runs_and_says_what_it_cannot_reach(
    make_site: Callable[..., Site], tmp_path: Path
) -> None:
    site = make_site(n_pairs=2, ask=("usefulness",))
    keys, _ = load_keys(tmp_path / "k")
    site.app.state.shared.keys = keys
    site.worker("first").finish(usefulness="4")
    ratings = analyze_source(site.where, Options(classifiers=False)).readings[0].ratings
    assert {(one.scale, one.mean) for one in ratings} == {("usefulness", 4.0)}
    words = ["erase", site.where, "--participant", "first", "--yes", "--keys", str(tmp_path / "k")]
    store = open_store(site.where)
    with alone(store):
        assert isinstance(CliRunner().invoke(command, words).exception, InUse)
    store.close()
    run = CliRunner().invoke(command, words)
    assert run.exit_code == 0, run.output
    assert "18 judgements" in run.stdout
    assert "not reached: files exported before, backups, and what you kept of payments" in run.stderr
    assert ("write-ahead log, replicas" in run.stderr) is not site.store.is_sqlite
    with site.store.reading() as connection:
        for table in (schema.worker, schema.judgement, schema.item, schema.payment):
            assert connection.execute(select(table)).all() == []
    site.store.close()
