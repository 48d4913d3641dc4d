"""What the lines of a page find on the desk: a corpus, gold questionnaires, posts and what they link to, people."""

from __future__ import annotations

import contextlib
import csv
import gzip
import json
import os
import signal
import subprocess
import sys
import time
from functools import partial

from conftest import ROOT
from unit.chat.local_model import chat, local_model
from unit.collect.local_web import LocalWeb, page
from unit.collect.prose import article, html_page
from unit.pages import blocks
from unit.study.databases import free_port
from visavis.chat import Endpoint
from visavis.collect.steps import fetch
from visavis.datasets import sample_path
from visavis.study.rehearsal.crowd import AnswerKey
from visavis.study.rehearsal.page import read_page
from visavis.study.rehearsal.visitor import Unreachable, Visitor
from visavis.study.store import open_store

CONSENT = "I am of age and agree to take part."
GOLDS = 12
ARTICLES = 8
HOST = "paper-{}.test"


def put_articles(folder):
    """articles.csv, the bundled sample."""
    _put_rows(folder / "articles.csv", _sample())


def put_week(folder, monkeypatch):  # noqa: ARG001 (every page's desk is set alike)
    """articles.csv without the articles of the last days, which are new.csv."""
    rows = sorted(_sample(), key=lambda row: row["published"])
    _put_rows(folder / "articles.csv", rows[:-30])
    _put_rows(folder / "new.csv", rows[-30:])
    return contextlib.nullcontext()


def _sample():
    return [json.loads(line) for line in sample_path().read_text(encoding="utf-8").splitlines()]


def _put_rows(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


# --- studies ----------------------------------------------------------------------------------------------------------
@contextlib.contextmanager
def put_study(folder, monkeypatch):
    """Gold questionnaires like the one of the page, a text to agree to, and a model that likes the left."""
    shown, _ = blocks(ROOT / "docs" / "study.md", "json")
    golds = [shown.replace('"title": "', f'"title": "No. {number}: ') for number in range(GOLDS)]
    (folder / "gold.json").write_text(f"[{','.join(golds)}]", encoding="utf-8")
    (folder / "consent.txt").write_text(CONSENT, encoding="utf-8")
    (exit_questions,) = blocks(ROOT / "docs" / "study.md", "toml")
    (folder / "exit.toml").write_text(exit_questions, encoding="utf-8")
    (folder / "ids.txt").write_text("first\nsecond\n", encoding="utf-8")
    with local_model(chat('{"choice": "X", "clearness": 2, "reasons": ["worth"]}')) as model:
        monkeypatch.setattr(Endpoint, "port", property(lambda _: int(model.url.rpartition(":")[2])))
        yield
        assert len(model.requests) > 9


def serve(words, folder):
    """A server in a process of its own, at a free port, until two people have worked: one is to be erased later."""
    port = free_port()
    call = [sys.executable, "-m", "visavis", *words[1:], "--port", str(port)]
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(call, stdout=log, stderr=log, cwd=folder, start_new_session=True)
    try:
        _wait_for(server, port, folder / "server.log")
        store = open_store(folder / "study.db")
        for name in ("PROLIFIC_ID", "SOMEBODY_ELSE"):
            _work(f"http://127.0.0.1:{port}", AnswerKey(store), name)
        store.close()
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGTERM)
        server.wait(30)


def explore(words, folder):
    """A page that opens at the address that is printed; then it is ended, quietly."""
    call = [sys.executable, "-m", "visavis", *words[1:], "--port", "0", "--no-browser"]
    server = subprocess.Popen(
        call, stdout=subprocess.PIPE, cwd=folder, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    )
    try:
        address = server.stdout.readline().removeprefix("Explore: ").strip()
        answer = Visitor(address.partition("/open")[0]).get("/open" + address.partition("/open")[2])
        assert "visavis" in answer.page
    finally:
        server.terminate()
    assert server.wait(30) == 0


def _wait_for(server, port, log):
    until = time.monotonic() + 60
    while server.poll() is None and time.monotonic() < until:
        with contextlib.suppress(Unreachable):
            Visitor(f"http://127.0.0.1:{port}").get("/w")
            return
        time.sleep(0.05)
    raise AssertionError(f"the server did not start: {log.read_text()}")


def _work(url, key, name, questionnaires=6):
    """Somebody who agrees, passes the quiz and the screening, and answers the first unit."""
    visitor = Visitor(url)
    first = visitor.get(f"/w?PROLIFIC_PID={name}")
    assert CONSENT in first.page
    answer = visitor.post("/w/start", {**read_page(first.page).fields, "consent": "yes", "screen_country": "IN"})
    for _ in range(questionnaires):
        assert "usefulness" in answer.page
        sheet = read_page(answer.page)
        sides = {f"q{place}": side for place, side in enumerate(key.sides(sheet))}
        answer = visitor.post(answer.path.partition("?")[0], {**sheet.fields, **sides})
        assert answer.status == 200, answer
    assert "C1DONE" in answer.page
    last = {**read_page(answer.page).fields, "exit_age": "30 to 49", "exit_remarks": "None."}
    assert "Thank you for your answers" in visitor.post("/w/exit", last).page
    visitor.close()


# --- collecting -------------------------------------------------------------------------------------------------------
def put_posts(folder, monkeypatch):
    """Posts under the name of the page, and a web on loopback that has the articles they link to."""
    posts = [f"gun control #neveragain #parkland http://{HOST.format(n)}/story.html" for n in range(ARTICLES)]
    posts += ["gun control, live: http://c-span.org/", "#neveragain http://bit.ly/Short", "lovely weather"]
    lines = [
        json.dumps({"id": str(number), "time": f"2018-02-{14 + number:02}T10:00:00Z", "text": text})
        for number, text in enumerate(posts)
    ]
    with gzip.open(folder / "congress-2018.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write("\n".join(lines))
    routes = {
        (HOST.format(n), "/story.html"): page(html_page(f"Story {n}", article(f"story {n}"))) for n in range(ARTICLES)
    }
    web = LocalWeb(routes)
    monkeypatch.setattr(fetch, "FetchOptions", partial(fetch.FetchOptions, allowance=web.allowance))
    return web


# --- headlines --------------------------------------------------------------------------------------------------------
@contextlib.contextmanager
def put_model(folder, monkeypatch):  # noqa: ARG001 (every page's desk is set alike)
    """A model in the place of the page's, whatever may listen there; it must be asked once."""
    with local_model(chat("[]")) as model:
        monkeypatch.setattr(Endpoint, "port", property(lambda _: int(model.url.rpartition(":")[2])))
        yield
        assert len(model.requests) == 1


DESKS = {"study.md": put_study, "collect.md": put_posts, "headlines.md": put_model, "update.md": put_week}
