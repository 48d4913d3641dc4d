"""What is taken away gives the same picks elsewhere."""

from __future__ import annotations

import io
import json
import re
import shlex
import time

import pyarrow.parquet as pq
import pytest

from unit.desks import put_articles
from unit.explore.exploring import ask, exploring, read, sample_rows
from unit.pages import parse
from visavis.cli.main import main
from visavis.errors import InvalidParameter
from visavis.explore.exports import command_line, command_or_why, parquet, python_lines, study_line
from visavis.explore.query import State, read_state

pytestmark = pytest.mark.usefixtures("brief_assessment")

STATE = {"by": "outlet", "only": ["Meridian Post", "Tideline"], "filter": "published >= '2024-03'", "size": 2,
         "method": "mmd-diff-greedy", "contrast": 0.35, "lead": "all"}  # fmt: skip
SETS = {"set": ["wet~search~flood", "hot's~search~heat"], "compare_sets": 1, "method": "mmd-diff-greedy"}


@pytest.fixture
def desk(tmp_path, monkeypatch):
    put_articles(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def client(desk):
    with exploring(str(desk / "articles.csv"), "articles.csv") as found:
        yield found


def export(client, name, **query):
    answer = client.get(f"/export/{name}", params=query)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    return answer


def picks_of(record):
    return [[pick["id"] for pick in group["picks"]] for group in record["groups"]]


@pytest.mark.parametrize("state", [STATE, SETS], ids=["groups", "sets"])
def test_the_command_and_the_python_give_the_same_picks(client, desk, capsys, state):
    shown = picks_of(read(client, "/api/picks", **state))
    script = export(client, "command.txt", **state).text
    for name, ids in re.findall(r"^cat > (\S+) <<'END-OF-IDS'\n(.*?)\nEND-OF-IDS$", script, re.M | re.S):
        (desk / name).write_text(ids, encoding="utf-8")
    words = shlex.split(script.strip().splitlines()[-1])
    parse(words)
    with pytest.raises(SystemExit):
        main([*words[1:-2], "--json"])
    assert picks_of(json.loads(capsys.readouterr().out)) == shown
    found = {}
    exec(compile(export(client, "compare.py", **state).text, "compare.py", "exec", dont_inherit=True), found)
    assert [[pick.document.id for pick in group.picks] for group in found["comparison"].groups] == shown
    assert (desk / "report.html").stat().st_size > 10_000


def test_the_table_opens_and_marks_the_picks(client):
    table = pq.read_table(io.BytesIO(export(client, "points.parquet", **STATE).content))
    assert {"x", "y", "group", "pick", "id", "title"} <= set(table.column_names)
    rows = table.to_pylist()
    shown = read(client, "/api/picks", **STATE)
    assert {row["id"] for row in rows if row["pick"]} == {id_ for group in picks_of(shown) for id_ in group}
    assert {row["group"] for row in rows} == {"Meridian Post", "Tideline"}


def test_the_study_is_designed_as_it_says(client, desk):
    words = shlex.split(export(client, "study.txt", by="published:month", size=2).text.strip().splitlines()[-1])
    parse(words)
    with pytest.raises(SystemExit) as done:
        main([*words[1:], "--min-accuracy", "0"])
    assert not done.value.code
    assert (desk / "study.db").exists()
    refused = client.get("/export/study.txt", params=SETS)
    assert refused.status_code == 400


def test_the_report_and_the_summary_are_those_of_compare(client):
    page = export(client, "report.html", **STATE).text
    summary = export(client, "summary.json", **STATE).json()
    assert summary == read(client, "/api/summary", wait=1, **STATE)
    assert all(f"{pick['headline']}"[:20] in page for group in summary["groups"] for pick in group["picks"])
    assert ask(client, "/export/passwd").status_code == 404


def test_a_file_of_one_s_own_is_never_written_over_by_the_sample():
    state = read_state([("by", "outlet")], {})
    for write in (command_line, python_lines, study_line):
        assert "demo" not in write(("articles.csv",), state)
        assert "sample" not in write(("articles.csv",), state)
        assert "demo" in write(("articles.csv",), state, is_sample=True)


def test_the_sample_alone_is_known_as_such(desk):
    with exploring(str(desk / "articles.csv"), "articles.csv") as client:
        assert client.workspace.loaded.is_sample is False
        client.workspace.load_sample()
        while client.workspace.stage:
            time.sleep(0.02)
        assert client.workspace.loaded.is_sample is True


def test_what_no_command_line_can_say_has_picks_and_a_report_all_the_same():
    rows = [{**row, "side": "left, or so" if at % 2 else "right"} for at, row in enumerate(sample_rows(6))]
    state = {"by": "side", "only": ["left, or so", "right"], "method": "mmd-diff-greedy"}
    with exploring(rows) as client:
        found = read(client, "/api/picks", quick=1, **state)
        assert found["command"] is None
        assert "comma" in found["command_said"]
        assert "left, or so" in export(client, "report.html", **state).text
        assert client.get("/export/command.txt", params=state).status_code == 400
        plain = read(client, "/api/picks", quick=1, by="side")
        assert plain["command"].startswith("visavis compare own.csv")
        assert plain["command_said"] is None


@pytest.mark.parametrize(("name", "id_"), [("a", "one\ntwo"), ("a", "one\u2028two"), ("a", " one"), ("a=b", "one")])
def test_sets_that_no_list_can_hold_are_told(name, id_):
    state, ids = State(read_state([("by", "outlet")], {}).options), {name: [id_], "other": ["three"]}
    command, why = command_or_why(("own.csv",), state, ids)
    assert command is None
    assert why
    with pytest.raises(InvalidParameter):
        python_lines(("own.csv",), state, ids)


def test_a_document_that_is_picked_in_two_groups_is_marked_in_both():
    rows = [{**row, "topics": ["rain", "heat"] if at < 3 else ["rain"] if at % 2 else ["heat"]}
            for at, row in enumerate(sample_rows(4))]  # fmt: skip
    with exploring(rows) as client:
        workspace = client.workspace
        ids = [rows[0]["id"], rows[1]["id"]]
        state = workspace.state([("by", "topics"), ("size", "2"), *(("pin", id_) for id_ in ids)])
        scene = workspace.scene(state, None)
        summary = scene.summary(workspace.pick(scene, state, None), None)
    table = pq.read_table(io.BytesIO(parquet(scene, scene, summary))).to_pylist()
    shown = {(row["id"], row["group"]) for row in table if row["pick"]}
    assert shown == {(pick.document.id, group.name) for group in summary.groups for pick in group.picks}
    assert len(shown) > len({id_ for id_, _ in shown})
