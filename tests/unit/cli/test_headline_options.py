"""`visavis compare` with a model: what is sent and said, and that the key is nowhere to be seen."""

from __future__ import annotations

import json
from functools import partial

import pytest

from unit.chat.local_model import chat, local_model
from unit.comparing.by_model import FINE, SENTENCES, item
from unit.comparisons import ROWS
from visavis.chat import Client, Limits
from visavis.cli.main import main
from visavis.comparing.by_model import model as model_of_headlines
from visavis.comparing.by_model.editor import ROUNDS

pytestmark = pytest.mark.usefixtures("brief_assessment")
HUSH = "sk-hush-9f8e7d6c5b4a"
QUICK = ("--by", "place", "--embedder", "column:vector", "--candidates", "all", "--method", "mmd-diff-greedy")
TOLD = (*QUICK, "--size", "2", "--jobs", "1", "--headline-model", "parrot")


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Runs `visavis compare` on rows.jsonl, with a key in the environment: exit status, stdout, stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VISAVIS_API_KEY", HUSH)
    half = [row | {"half": "first" if n % 6 < 3 else "second"} for n, row in enumerate(ROWS * 2)]
    rows = [row | {"id": f"{row['id']}-{n}", "text": f"{row['text']} in {n}"} for n, row in enumerate(half)]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")

    def call(*words):
        monkeypatch.setattr("sys.argv", ["visavis", "compare", "rows.jsonl", *words])
        with pytest.raises(SystemExit) as done:
            main()
        found = capsys.readouterr()
        return done.value.code, found.out, found.err

    return call


def test_every_report_tells_the_headline_and_none_the_key(run, tmp_path):
    outputs = [f"report{suffix}" for suffix in (".html", ".md", ".json", ".csv", ".sqlite")]
    answer = [*FINE[:2], item("west", "Cattle <img src=x> drought and the ranch.")]
    with local_model(chat(json.dumps(answer))) as model:
        words = [word for name in outputs for word in ("-o", name)]
        status, out, err = run(*TOLD, "--headline-endpoint", model.url, *words, "--json")
        ((_, headers, body),) = model.requests
    host = model.url.removeprefix("http://")
    assert status == 0
    assert err.startswith(f"headline: 6 texts were sent to {host} (model parrot); 2 of 3 sentences passed the checks\n")
    assert (headers["Authorization"], body["model"]) == (f"Bearer {HUSH}", "parrot")
    found = json.loads(out)
    assert found["parameters"]["headline"] == {"host": host, "model": "parrot"}
    assert [one["text"] for one in found["headline"]["sentences"]] == [SENTENCES["east"], SENTENCES["north"]]
    assert [(one["text"], one["reason"]) for one in found["headline"]["dropped"]] == [(None, "it holds markup")]
    for name in ("report.html", "report.md"):
        page = (tmp_path / name).read_text(encoding="utf-8")
        assert SENTENCES["east"] in page
        assert "6 texts were sent to" in page
        assert "src=x" not in page
    written = [(tmp_path / name).read_bytes() for name in outputs]
    assert not any(HUSH.encode() in content for content in (*written, out.encode(), err.encode()))


def test_each_value_of_a_facet_has_its_own_headline_up_to_a_limit(run, monkeypatch):
    monkeypatch.setattr(model_of_headlines, "Client", partial(Client, limits=Limits(calls=1)))
    with local_model(chat(json.dumps(FINE))) as model:
        status, out, err = run(*TOLD, "--headline-endpoint", model.url, "--facet", "half", "--json")
        assert len(model.requests) == 1
    assert status == 0
    first, second = (facet["headline"] for facet in json.loads(out)["facets"].values())
    assert (len(first["sentences"]), second["sentences"]) == (3, [])
    assert "was asked 1 times, which is the most" in second["missing"]
    assert "headline of first: 6 texts were sent" in err
    assert "headline of second: nothing was sent" in err


def test_a_model_that_cannot_be_reached_leaves_the_rest_of_the_report(run):
    with local_model(b"") as model:
        pass
    status, out, err = run(*TOLD, "--headline-endpoint", model.url)
    assert status == 0
    assert "cannot be reached" in out
    assert "The groups differ" in out
    assert "nothing was sent to 127.0.0.1" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--headline-endpoint", "http://localhost"), "go together"),
        (("--headline-model", "parrot"), "go together"),
        (("--headline-model", "m", "--headline-endpoint", "http://192.168.0.9"), "plain http"),
        (("--headline-model", "m", "--headline-endpoint", f"https://me:{HUSH}@h.test"), "VISAVIS_API_KEY alone"),
        (("--headline-model", HUSH, "--headline-endpoint", "http://localhost"), "holds the key"),
    ],
)
def test_what_may_not_be_asked_is_refused_before_anything_is_read(run, words, said):
    status, out, err = run(*QUICK, *words)
    assert (status, out) == (2, "")
    assert said in err
    assert HUSH not in err


def test_a_model_that_reads_picks_is_told_of_in_every_report(run, tmp_path):
    outputs = [f"report{suffix}" for suffix in (".html", ".md", ".json", ".csv", ".sqlite")]
    answer = {"odd": [{"key": "A1", "why": "a notice of a sale"}], "same": []}
    words = [word for name in outputs for word in ("-o", name)]
    asked = ("--editor-model", "parrot", "--editor-endpoint")
    with local_model(chat(json.dumps(answer))) as model:
        status, out, err = run(*TOLD[:-2], *asked, model.url, *words, "--json")
        assert 1 < len(model.requests) <= ROUNDS
    host = model.url.removeprefix("http://")
    assert status == 0
    found = json.loads(out)
    refused = found["picks_read"]["refused"]
    assert f"texts were sent to {host} (model parrot); {len(refused)} documents refused" in err
    assert {one["why"] for one in refused} == {"a notice of a sale"}
    assert found["not_candidates"] == [{"reason": "refused by the model that read the picks", "count": len(refused)}]
    for name in ("report.html", "report.md"):
        assert "a notice of a sale" in (tmp_path / name).read_text(encoding="utf-8")
    written = [(tmp_path / name).read_bytes() for name in outputs]
    assert not any(HUSH.encode() in content for content in (*written, out.encode(), err.encode()))


def test_an_editor_that_cannot_be_reached_leaves_the_picks(run):
    plain = json.loads(run(*TOLD[:-2], "--json")[1])
    with local_model(b"") as model:
        pass
    status, out, err = run(*TOLD[:-2], "--editor-model", "parrot", "--editor-endpoint", model.url, "--json")
    found = json.loads(out)
    assert status == 0
    assert [group["picks"] for group in found["groups"]] == [group["picks"] for group in plain["groups"]]
    assert "cannot be reached" in found["picks_read"]["missing"]
    assert "picks: nothing was sent to 127.0.0.1" in err


def test_an_editor_needs_an_address_and_a_name(run):
    status, out, err = run(*QUICK, "--editor-endpoint", "http://localhost")
    assert (status, out) == (2, "")
    assert "--editor-endpoint and --editor-model go together" in err


def test_an_editor_is_asked_for_each_value_of_a_facet_up_to_a_limit(run, monkeypatch):
    monkeypatch.setattr(model_of_headlines, "Client", partial(Client, limits=Limits(calls=1)))
    asked = ("--editor-model", "parrot", "--editor-endpoint")
    with local_model(chat(json.dumps({"odd": [], "same": []}))) as model:
        status, out, err = run(*TOLD[:-2], *asked, model.url, "--facet", "half", "--json")
        assert len(model.requests) == 1
    assert status == 0
    first, second = (facet["picks_read"] for facet in json.loads(out)["facets"].values())
    assert (first["missing"], first["unread"]) == (None, 0)
    assert "was asked 1 times, which is the most" in second["missing"]
    assert second["unread"] == 6
    assert "picks of first: " in err
    assert "picks of second: nothing was sent" in err
