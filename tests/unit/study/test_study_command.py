from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from conftest import ROOT
from unit.study import databases, studies
from unit.study.crashes import kill, start_server
from unit.study.stage import Stage
from visavis.cli import study_serve
from visavis.cli.study import study as command
from visavis.errors import InvalidParameter
from visavis.study.app.options import read_screen
from visavis.study.fieldwork.dispatch import Dispatcher
from visavis.study.fieldwork.keys import BadKeys, load_keys
from visavis.study.fieldwork.machines import unit_for
from visavis.study.gold import to_json
from visavis.study.rehearsal import run as rehearsal
from visavis.study.rehearsal.crowd import RehearsalLog
from visavis.study.rehearsal.page import read_page
from visavis.study.rehearsal.visitor import Visitor
from visavis.study.store import open_store
from visavis.study.store.machines import add_machine, machine_by_name


def test_the_group_lists_its_commands_in_the_order_of_the_work() -> None:
    run = CliRunner().invoke(command, ["--help"])
    places = [run.output.index(f"  {name} ") for name in ("design", "gold", "serve", "simulate", "export", "analyze",
                                                         "erase")]  # fmt: skip
    assert places == sorted(places)


def test_a_rehearsal_completes_a_copy_and_leaves_the_study_untouched(tmp_path: Path) -> None:
    path, copy = tmp_path / "s.db", tmp_path / "copy.db"
    studies.make_study(path, n_pairs=1).close()
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    words = ["simulate", str(path), "--workers", "60", "--concurrency", "5", "--accuracy", "1", "--out", str(copy)]
    run = CliRunner().invoke(command, [*words, "--double-click", "0.2", "--json"])
    assert run.exit_code == 0, (run.output, run.exception)
    found = json.loads(run.output)
    assert found["failures"] == []
    assert found["counted"] == found["needed"] == 2 * 4 * 3
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before
    store = open_store(copy)
    studies.check_balanced(store)
    store.close()
    again = CliRunner().invoke(command, words)
    assert isinstance(again.exception, InvalidParameter)


def test_bad_options_are_refused_by_name(tmp_path: Path) -> None:
    studies.make_study(tmp_path / "s.db").close()
    for words in (["simulate", "--accuracy", "2"], ["simulate", "--think", "x"], ["serve", "--ask", "mood"],
                  ["serve", "--screen", "country"], ["simulate", "--url", "ftp://x"]):  # fmt: skip
        run = CliRunner().invoke(command, [words[0], str(tmp_path / "s.db"), *words[1:]])
        assert isinstance(run.exception, InvalidParameter), (words, run.output, run.exception)
    assert read_screen(("country=IN, PK",)) == (("country", ("IN", "PK")),)
    assert read_screen(("country=IN", "age=9", "country=PK")) == (("country", ("IN", "PK")), ("age", ("9",)))


@pytest.mark.parametrize(
    "words",
    [["--rate", "-1"], ["--lease", "-1"], ["--lease", "0"], ["--lease", "nan"], ["--lease", "inf"], ["--port", "99999"],
     ["--port", "0"]],
)  # fmt: skip
def test_impossible_numbers_are_refused_before_anything_is_made(tmp_path: Path, words: list[str]) -> None:
    studies.make_study(tmp_path / "s.db").close()
    run = CliRunner().invoke(command, ["serve", str(tmp_path / "s.db"), *words])
    assert run.exit_code == 2 or isinstance(run.exception, InvalidParameter)
    assert not (tmp_path / "s.db.keys").exists()


def test_lost_keys_are_not_made_anew_for_a_study_with_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    served = []
    monkeypatch.setattr(study_serve, "run_server", lambda *_, **__: served.append(True))
    store = studies.make_study(tmp_path / "s.db")
    words = ["serve", str(tmp_path / "s.db")]
    with store.writing() as connection:  # a machine that was asked before people are
        add_machine(connection, "robot", 1, 0.0)
        unit_for(Dispatcher(), connection, machine_by_name(connection, "robot"), 0.0)
    assert CliRunner().invoke(command, words).exit_code == 0
    Stage(store).worker()
    store.close()
    (tmp_path / "s.db.keys").unlink()
    run = CliRunner().invoke(command, words)
    assert isinstance(run.exception, BadKeys)
    assert "--new-keys" in str(run.exception)
    assert CliRunner().invoke(command, [*words, "--new-keys"]).exit_code == 0
    assert len(served) == 2


def test_a_rehearsal_that_cannot_work_is_refused_and_says_why(tmp_path: Path) -> None:
    studies.make_study(tmp_path / "s.db").close()
    store = studies.make_study(tmp_path / "paused.db")
    with store.writing() as connection:
        studies.set_fact(connection, "paused", True)
    store.close()
    studies.make_study(tmp_path / "few.db", golds=7).close()
    nobody = f"http://127.0.0.1:{databases.free_port()}"
    for name, more, why in (
        ("paused.db", [], "is paused"),
        ("few.db", [], "7 gold questionnaires in use and 8 are needed"),
        ("s.db", ["--url", nobody], "no server answers"),
        ("s.db", ["--url", nobody, "--late", "1"], "--late"),
        ("s.db", ["--out", str(tmp_path / "nowhere" / "x.db")], "cannot write the rehearsal"),
    ):
        run = CliRunner().invoke(command, ["simulate", str(tmp_path / name), *more])
        assert isinstance(run.exception, InvalidParameter), (name, more, run.output)
        assert why in str(run.exception)


def test_a_rehearsal_with_failures_ends_with_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    studies.make_study(tmp_path / "s.db").close()
    monkeypatch.setattr(rehearsal, "simulate", lambda *_: RehearsalLog(workers=1, acknowledged=["x"], failures=["503"]))
    assert CliRunner().invoke(command, ["simulate", str(tmp_path / "s.db")]).exit_code == 1
    monkeypatch.setattr(rehearsal, "simulate", lambda *_: RehearsalLog(workers=1))
    assert CliRunner().invoke(command, ["simulate", str(tmp_path / "s.db")]).exit_code == 1


def test_a_gold_file_brought_in_twice_adds_nothing(tmp_path: Path) -> None:
    studies.make_study(tmp_path / "s.db", golds=2).close()
    (tmp_path / "g.jsonl").write_text("\n".join(to_json(studies.gold(number)) for number in range(5)))
    words = ["gold", "import", str(tmp_path / "s.db"), str(tmp_path / "g.jsonl")]
    assert CliRunner().invoke(command, words).output == "3 added, 2 there already, 5 in use\n"
    assert CliRunner().invoke(command, words).output == "0 added, 5 there already, 5 in use\n"


def test_erase_names_one_worker_one_way(tmp_path: Path) -> None:
    studies.make_study(tmp_path / "s.db").close()
    assert CliRunner().invoke(command, ["erase", str(tmp_path / "s.db")]).exit_code == 2
    run = CliRunner().invoke(command, ["erase", str(tmp_path / "s.db"), "--participant", "x", "--yes"])
    assert "no keys" in str(run.exception)


def test_the_guide_names_only_options_that_there_are() -> None:
    text = (ROOT / "docs" / "study.md").read_text(encoding="utf-8").replace("\\\n", " ")
    used = re.findall(r"visavis study (\w+)((?: [^\n`]*)?)", text)
    checked = 0
    for name, rest in used:
        found = command.get_command(None, name)
        if isinstance(found, click.Group):
            found = found.get_command(None, rest.split()[0])
        known = {option for parameter in found.params for option in parameter.opts}
        for option in re.findall(r"(?<!\S)--?[a-z][a-z-]*", rest):
            assert option in known, (name, option)
            checked += 1
    assert checked > 15
    for option in re.findall(r"^\| `(--[a-z-]+)", text, re.MULTILINE):
        assert option in {one for parameter in command.get_command(None, "serve").params for one in parameter.opts}


def test_the_server_runs_in_postgresql_says_its_password_once_and_logs_no_request(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    studies.make_study(path).close()
    said = []
    url = databases.SHARED.empty_url()
    for number in range(2):
        with (tmp_path / f"log{number}").open("wb") as log:
            port = databases.free_port()
            server = start_server(path, port, more=["--database", url], log=log)
            browser = Visitor(f"http://127.0.0.1:{port}")
            page = browser.get(f"/w?PROLIFIC_PID=somebody-special-{number}")
            started = browser.post("/w/start", {**read_page(page.page).fields, "consent": "yes"})
            browser.close()
            kill(server)
        assert started.path.startswith("/w/unit/")
        said.append((tmp_path / f"log{number}").read_text())
    keys, fresh = load_keys(tmp_path / "s.db.keys")
    assert not fresh
    assert (keys.admin in said[0], keys.admin in said[1]) == (True, False)
    assert not any("somebody-special" in text or "/w/start" in text for text in said)
    assert b"somebody-special" not in path.read_bytes()
