"""What is taken away gives the same picks elsewhere."""

from __future__ import annotations

import io
import json
import re
import shlex

import pyarrow.parquet as pq
import pytest

from unit.desks import put_articles
from unit.explore.exploring import ask, exploring, read
from unit.pages import parse
from visavis.cli.main import main

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
    with exploring(str(desk / "articles.csv")) as found:
        found.workspace._loaded = found.workspace.loaded.__class__(
            **{**vars(found.workspace.loaded), "source": ("articles.csv",)}
        )
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
