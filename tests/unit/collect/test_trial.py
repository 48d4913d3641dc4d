from __future__ import annotations

import re
import socket

import pytest
from click.testing import CliRunner

from visavis.cli.collect import collect
from visavis.cli.main import main
from visavis.collect.trial.content import TRAPS, posts, routes, stories
from visavis.collect.trial.web import serving
from visavis.collect.web.guard import Problem
from visavis.collect.web.net import Client
from visavis.corpus import read_corpus


@pytest.mark.usefixtures("one_reader", "few_resamples")
def test_the_whole_way_is_walked_in_one_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    looked_up, find = [], socket.getaddrinfo
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda host, *rest, **more: looked_up.append(host) or find(host, *rest, **more)
    )
    monkeypatch.setattr("visavis.collect.trial.content.A_MONTH", 8)
    result = CliRunner().invoke(collect, ["try", "here"])
    assert result.exit_code == 0, result.output
    said = result.stdout
    steps = ["A little web", "Posts", "Queries", "Pages", "A corpus", "A comparison"]
    assert re.findall(r"^(\S.*):$", said, re.M) == steps
    assert set(looked_up) == {"127.0.0.1"}
    assert len(re.findall("with a topic of your own: visavis co", said)) == 5
    for reason in ("social", "address", "robots", "status 500", "off-topic", "duplicate", "paywall", "error"):
        assert f"1 {reason}" in said
    assert all(trap in said for trap in TRAPS)
    texts = [document.text for document in read_corpus(tmp_path / "here" / "climate.jsonl").documents]
    assert 24 <= len(texts) <= 32
    assert not any("the ball went" in text or "for members" in text for text in texts)
    made = {path.name for path in (tmp_path / "here").iterdir()}
    assert made >= {"climate.datasheet.md", "status.html", "comparison.html"}
    again = CliRunner().invoke(collect, ["try", "here"])
    assert "is there already" in str(again.exception)


@pytest.mark.parametrize("name", ["posts.jsonl", "status.html", "comparison.html", "notes.txt"])
def test_a_folder_that_holds_something_is_refused_and_left_as_it_is(tmp_path, monkeypatch, capsys, name):
    (tmp_path / name).write_text("my own", encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["visavis", "collect", "try", str(tmp_path)])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    said = capsys.readouterr().err
    assert f"{name!r} is there already" in said
    assert said.count("\n") == 1
    assert [(path.name, path.read_text(encoding="utf-8")) for path in tmp_path.iterdir()] == [(name, "my own")]


def test_the_allowance_reaches_one_server_by_its_names_and_nothing_else():
    pages = routes(stories())
    with serving(pages) as allowance:
        assert len(set(allowance.hosts.values())) == 1
        (address, port) = next(iter(allowance.hosts.values()))
        client = Client(allowance=allowance)
        assert client.get(stories()[0].url).status == 200
        for url in (f"http://{address}/", f"http://{address}:{port}/", "http://localhost/", "http://[::1]/"):
            with pytest.raises(Problem):
                client.get(url)
    with pytest.raises(Problem):
        Client(allowance=allowance).get(stories()[0].url)  # the server ends with its block


def test_posts_lead_to_every_page_and_every_trap():
    told = stories()
    linked = " ".join(post["text"] for post in posts(told))
    assert all(one.url in linked for one in told)
    assert all(link.format(host=told[0].host) in linked for link in TRAPS.values())
