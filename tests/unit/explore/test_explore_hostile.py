"""Hostile requests and corpora: nothing fails, nothing outside the corpus is read, and nobody else gets in."""

from __future__ import annotations

import gzip
import io
import json
import stat
import threading
import time
import zipfile
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient

from unit.explore.exploring import HOST, ORIGIN, PORT, ask, exploring, read, sample_rows
from visavis.comparing import prepare
from visavis.explore.app import guard

ROWS = sample_rows(8)
SCRIPT = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>${7*7}{{7*7}}\u202e"
QUERIES = {  # what is asked → words of the refusal
    "an unknown parameter": ({"nonsense": "1"}, "unknown parameter"),
    "a parameter twice": ({"by": ["outlet", "published"]}, "twice"),
    "no contrast": ({"contrast": "nan"}, "number"),
    "an endless contrast": ({"contrast": "inf"}, "number"),
    "a contrast beyond all": ({"contrast": "1e999"}, "number"),
    "a contrast below none": ({"contrast": "-1"}, "contrast"),
    "a contrast that is none": ({"contrast": "0x10"}, "number"),
    "a size of none": ({"size": "0"}, "size"),
    "a size of words": ({"size": "4;drop"}, "number"),
    "a size of a thousand digits": ({"size": "9" * 1000}, "number"),
    "a size of a group that is not": ({"size": "x=3"}, "size names"),
    "a seed below none": ({"seed": "-1"}, "seed"),
    "a lead below none": ({"lead": "-3"}, "lead"),
    "a width of nothing": ({"gamma": "-1"}, "gamma"),
    "a list of ids from a file": ({"group": "a=@/etc/passwd"}, "names a file"),
    "the same with a blank": ({"group": "a= @/etc/passwd"}, "names a file"),
    "an embedder's file": ({"embedder": "/etc/passwd"}, "embedder"),
    "an embedder's array": ({"embedder": "../../vectors.npy"}, "embedder"),
    "an embedder's folder": ({"embedder": "/tmp"}, "embedder"),
    "an embedder's model": ({"embedder": "somebody/model"}, "embedder"),
    "an embedder's words": ({"embedder": "vectors.txt:mean"}, "embedder"),
    "an embedder's column": ({"embedder": "column:nothing"}, "column"),
    "an unknown method": ({"method": "os.system"}, "method"),
    "a method by path": ({"method": "../../etc"}, "method"),
    "an unknown column": ({"by": "../../etc/passwd"}, "column"),
    "an unknown period": ({"by": "published:fortnight"}, "period"),
    "periods without number": ({"by": "published:spans=0"}, "whole number"),
    "a filter without end": ({"filter": "(" * 200 + "outlet"}, "deeper"),
    "a filter that is giant": ({"filter": "outlet == 'x' or " * 500}, "characters"),
    "a filter that is code": ({"filter": "__import__('os').system('id')"}, "filter"),
    "a filter by pattern": ({"filter": "outlet contains '" + "a" * 3900 + "'"}, "matches none"),
    "a pin that is none": ({"pin": "/etc/passwd"}, "pin"),
    "a ban that is none": ({"ban": SCRIPT}, "ban"),
    "a nought in a name": ({"ban": "a\x00b"}, "character"),
    "pins beyond number": ({"pin": ["x"] * 400}, "too often"),
    "blocks of nothing": ({"blocks": "nothing"}, "column"),
    "given nothing": ({"given": "nothing"}, "column"),
    "spread over nothing": ({"spread": "nothing"}, "column"),
    "candidates of no kind": ({"candidates": "some"}, "candidates"),
    "sets of one": ({"set": "a~search~x", "compare_sets": "1"}, "two"),
    "sets of one name": ({"set": ["a~search~x", "a~search~y"]}, "name of its own"),
    "a set of no shape": ({"set": "a~file~/etc/passwd"}, "written"),
    "a lasso of an older link": ({"set": "a~lasso~0,0,1,1,0,1"}, "draw it anew"),
    "a lasso on sets": ({"set": "a~lasso~0,0,1,1,0,1~set=b~search~x"}, "parameter of a map"),
    "a lasso on picks": ({"set": "a~lasso~0,0,1,1,0,1~pin=x"}, "parameter of a map"),
    "a lasso on a file": ({"set": "a~lasso~0,0,1,1,0,1~group=a%3D@/etc/passwd"}, "names a file"),
    "a lasso on a giant": ({"set": "a~lasso~0,0,1,1,0,1~filter=" + "a" * 5000}, "characters"),
    "a lasso on no map": ({"set": "a~lasso~0,0,1,1,0,1~lead=x"}, "number"),
    "a lasso without end": ({"set": "a~lasso~" + "0,0," * 1500 + "1,1"}, "corners"),
    "no group": ({"group": "=.."}, "group"),
    "groups beyond time": ({"group": "a=9999999-01-01.."}, "date"),
    "a group that is not": ({"only": "nowhere"}, "group"),
    "versus nobody": ({"versus": "nobody"}, "group"),
}  # fmt: skip
ROUTES = ("/api/view", "/api/picks", "/api/summary", "/export/summary.json")


@pytest.fixture(scope="module")
def client():
    with exploring(ROWS) as found:
        read(found, "/api/view")
        yield found


@pytest.mark.parametrize("name", QUERIES)
def test_what_cannot_be_is_refused_in_one_line(client, name):
    query, words = QUERIES[name]
    for route in ROUTES:
        answer = ask(client, route, **query)
        assert answer.status_code == 400, (route, answer.status_code, answer.text[:200])
        assert words in answer.json()["error"]
        assert "root:" not in answer.text
        assert "\n" not in answer.json()["error"]


@pytest.mark.parametrize(
    ("route", "query"),
    [
        ("/api/document", {}), ("/api/document", {"id": "../../etc/passwd"}), ("/api/document", {"id": ["a", "b"]}),
        ("/api/whynot", {"id": "x" * 5000}), ("/api/stands", {"id": "nobody"}), ("/api/cost", {}),
        ("/api/cost", {"ban": "nobody"}), ("/api/titles", {"row": "-1"}), ("/api/titles", {"row": "999999"}),
        ("/api/titles", {"row": "１"}), ("/api/search", {}), ("/api/search", {"q": " "}),
        ("/api/shared", {"other": "nonsense=1"}), ("/api/shared", {"other": "group=a%3D@/etc/passwd"}),
        ("/api/shared", {}),
    ],
)  # fmt: skip
def test_questions_about_no_document_are_refused(client, route, query):
    answer = ask(client, route, **query)
    assert answer.status_code == 400
    assert answer.json()["error"]


@pytest.mark.parametrize(
    "path",
    ["/static/../../../pyproject.toml", "/static/..%2f..%2fserver.py", "/static//etc/passwd", "/export/..%2fserver.py",
     "/export/%2e%2e/x", "/api/nothing", "/.git/config", "/docs", "/openapi.json"],
)  # fmt: skip
def test_no_path_leads_out(client, path):
    answer = client.get(path)
    assert answer.status_code in (400, 404, 405)
    assert "import" not in answer.text


def visitor(client, **headers):
    """Somebody without a cookie."""
    return TestClient(client.app, f"http://{HOST}", headers=headers, follow_redirects=False)


@pytest.mark.parametrize(
    "path", ["/", "/api/corpus", "/api/view", "/export/report.html", "/static/about.txt", "/nothing"]
)
def test_nobody_gets_in_without_the_cookie(client, path):
    answer = visitor(client).get(path)
    assert answer.status_code == 403
    assert "open that one" in answer.text
    assert visitor(client).get(f"{path}?token=guess").status_code == 403
    assert visitor(client, cookie=f"visavis_explore_{PORT}=guess").get(path).status_code == 403


@pytest.mark.parametrize(
    "host", ["evil.test", f"evil.test:{PORT}", "127.0.0.1", "127.0.0.1:80", "", f"127.0.0.1:{PORT}.evil"]
)
def test_no_stranger_s_name_leads_here(client, host):
    assert client.get("/api/corpus", headers={"host": host}).status_code == 403
    assert client.get("/open", params={"token": client.keys.token}, headers={"host": host}).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [{}, {"origin": "null"}, {"origin": "http://evil.test"}, {"origin": f"http://127.0.0.1:{PORT + 1}"},
     {"origin": f"https://{HOST}"}, {**ORIGIN, "sec-fetch-site": "cross-site"},
     {**ORIGIN, "sec-fetch-site": "same-site"}],
)  # fmt: skip
def test_no_other_page_can_change_anything(client, headers):
    for path in ("/api/sample", "/api/upload"):
        assert client.post(path, content=b"a,b\n1,2\n", headers={"x-file-name": "a.csv", **headers}).status_code == 403


def test_the_token_opens_becomes_a_cookie_and_leaves_the_address(client):
    stranger = TestClient(client.app, f"http://{HOST}", follow_redirects=False)
    answer = stranger.get("/open", params={"token": client.keys.token, "by": "outlet", "pin": "a&b"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/?by=outlet&pin=a%26b")
    cookie = answer.headers["set-cookie"].lower()
    assert all(word in cookie for word in ("httponly", "samesite=strict", f"visavis_explore_{PORT}="))
    assert client.keys.token not in cookie + answer.headers["location"]
    replayed = visitor(client, cookie=f"visavis_explore_{PORT}={client.keys.token}")
    assert replayed.get("/").status_code == 403  # a token is no cookie
    assert stranger.get("/open", params={"token": client.keys.token + "x"}).status_code == 403
    for header, value in guard.HEADERS.items():
        assert client.get("/").headers[header] == value
    assert "unsafe" not in guard.POLICY


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("../../etc/passwd", b"root", "cannot be read"),
        ("", b"root", "without a name"),
        ("a.csv\x00.png", b"x", "cannot be read"),
        ("picture.png", b"\x89PNG", "cannot be read"),
        ("script.html", b"<script>", "cannot be read"),
        ("a.zip", b"PK", "cannot be read"),
        ("a.csv.zip", b"PK", "cannot be read"),
        ("empty.csv", b"", "is empty"),
    ],
)
def test_uploads_of_other_kinds_are_refused(client, name, content, words):
    answer = client.post("/api/upload", content=content, headers={**ORIGIN, "x-file-name": quote(name)})
    assert answer.status_code == 400
    assert words in answer.json()["error"]


def test_uploads_that_are_too_large_or_lie_about_it_are_refused(client, monkeypatch):
    headers = {**ORIGIN, "x-file-name": "a.csv"}
    monkeypatch.setattr(guard, "LARGEST_UPLOAD", 100)
    assert client.post("/api/upload", content=b"x" * 101, headers=headers).status_code == 413
    assert client.post("/api/upload", content=iter([b"x" * 10]), headers=headers).status_code == 411  # in chunks
    lying = {**headers, "content-length": "-5"}
    assert client.post("/api/upload", content=b"x" * 10, headers=lying).status_code == 411
    assert (
        client.post("/api/upload", content=b"x" * 10, headers={**headers, "content-length": "9" * 30}).status_code
        == 413
    )
    assert list(client.workspace.folder.iterdir()) == []


def bomb():
    """A spreadsheet whose one sheet is 300 MB of the same cell."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        with archive.open("xl/worksheets/sheet1.xml", "w") as sheet:
            for _ in range(300):
                sheet.write(b"<row><c><v>1</v></c></row>" * 40_000)
    return file.getvalue()


FILES = {
    "no text at all.csv": b"\xff\xfe\x00\x00\xd8\xd8",
    "one column.csv": b"a\n1\n2\n",
    "a bomb.xlsx": bomb,
    "a lie.parquet": b"id,title,text\n1,a,b\n",
    "another lie.db": b"SQLite format 3\x00" + b"\xff" * 200,
    "a third.xlsx": b"<script>alert(1)</script>",
    "an array.h5": b"\x89HDF\r\n\x1a\n" + b"\x00" * 64,
    "broken.jsonl.gz": gzip.compress(b'{"id": 1')[:-4],
    "deep.json": b"[" * 100_000,
    "nothing.json": b"[]",
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_files_that_cannot_be_read_are_told_and_leave_the_page_as_it_was(client, name):
    content = FILES[name]() if callable(FILES[name]) else FILES[name]
    before = client.get("/api/corpus").json()["documents"]
    assert client.post("/api/upload", content=content, headers={**ORIGIN, "x-file-name": name}).status_code == 202
    told = wait_for_reading(client)
    assert told["state"] == "ready"
    assert told["error"]
    assert "fault" not in told["error"]
    assert str(client.workspace.folder) not in told["error"]
    assert told["documents"] == before
    assert list(client.workspace.folder.iterdir()) == []


def wait_for_reading(client):
    until = time.monotonic() + 60
    while (told := client.get("/api/corpus").json())["state"] == "reading" and time.monotonic() < until:
        time.sleep(0.02)
    return told


def test_a_corpus_full_of_scripts_stays_text():
    rows = [
        {name: f"{SCRIPT} {name} {number}" for name in ("title", "text", "source", "url", SCRIPT)}
        | {"id": f"{SCRIPT}{number}", "side": f"{SCRIPT}{'left' if number % 2 else 'right'}", "published": SCRIPT}
        for number in range(12)
    ]
    body = json.dumps(rows).encode()
    with exploring() as client:
        assert client.get("/api/corpus").json()["state"] == "empty"
        assert ask(client, "/api/view").status_code == 400
        form = {"file": ("<img src=x>.json", body)}
        assert client.post("/api/upload", files=form, headers=ORIGIN).status_code == 202
        told = wait_for_reading(client)
        assert (told["state"], told["error"]) == ("ready", None)
        page = client.get("/")
        assert "<img src=x>" not in page.text
        column = next(c["name"] for c in client.get("/api/corpus").json()["columns"] if c["distinct"] == 2)
        for route in ("/api/view", "/api/picks", "/api/summary", "/api/path", "/api/assess", "/api/live"):
            answer = ask(client, route, by=column)
            assert answer.status_code == 200, answer.text
            assert answer.headers["content-type"] == "application/json"
            assert answer.headers["x-content-type-options"] == "nosniff"
        pick = read(client, "/api/picks", by=column)["groups"][0]["picks"][0]
        assert pick["url"] == ""
        document = read(client, "/api/document", by=column, id=pick["id"])
        assert document["id"] == pick["id"]
        assert any(SCRIPT.split("\u202e")[0] in value for value in document["more"].values())
        report = ask(client, "/export/report.html", by=column)
        assert "<script>alert" not in report.text


def test_the_folder_is_for_nobody_else_and_goes_with_the_server():
    with exploring() as client:
        folder = client.workspace.folder
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert client.post("/api/sample", headers=ORIGIN).status_code == 202
        assert wait_for_reading(client)["name"] == "articles.csv"
        assert list(folder.iterdir()) == []
    assert not folder.exists()


def test_a_fault_while_reading_is_told_in_one_line_and_an_empty_page_says_that_it_failed(monkeypatch):
    def fail(*_):
        raise RuntimeError("secret\nlines")

    monkeypatch.setattr("visavis.explore.workspace.prepare", fail)
    with exploring() as client:
        assert client.post("/api/upload", content=b"a,b", headers={**ORIGIN, "x-file-name": "a.csv"}).status_code == 202
        told = wait_for_reading(client)
        assert told["state"] == "failed"
        assert told["error"] == "a.csv cannot be read: a fault of visavis (RuntimeError)"
        assert list(client.workspace.folder.iterdir()) == []


def test_of_several_uploads_the_newest_stays(monkeypatch):
    begun, go_on, whole = threading.Event(), threading.Event(), []

    def slowly(path, reading):
        begun.set()
        go_on.wait(20)
        whole.append(path.read_bytes())
        return prepare(ROWS, reading)

    monkeypatch.setattr("visavis.explore.workspace.prepare", slowly)
    with exploring() as client:
        for name in ("first.csv", "second.csv", "third.csv"):
            client.post("/api/upload", content=name.encode(), headers={**ORIGIN, "x-file-name": name})
            begun.wait(20)
        go_on.set()
        assert wait_for_reading(client)["name"] == "third.csv"
        assert whole == [b"first.csv", b"third.csv"]
        assert list(client.workspace.folder.iterdir()) == []


def test_what_the_command_was_told_of_its_files_does_not_hold_for_others_but_an_embedder_by_name_does():
    for embedder, used in (("tfidf", "tfidf"), ("vectors.npy", "auto")):
        with exploring(embedder=embedder, lead=50, encoding="latin-1") as client:
            client.workspace.load_sample()
            told = wait_for_reading(client)
            assert (told["defaults"]["embedder"], told["defaults"]["lead"]) == (used, 50)
            assert "encoding" not in client.workspace.loaded.base
