from __future__ import annotations

import contextlib
import logging
import socket
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from sqlalchemy import event

from unit.study import studies
from unit.study.databases import SHARED
from unit.study.visiting import Site
from visavis.study.app import guard
from visavis.study.store import Store
from visavis.web.local import running
from visavis.web.patience import ImpatientProtocol

pytest_plugins = ("unit.study.fixtures",)
CHUNK = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"


def connect(address: str) -> socket.socket:
    return socket.create_connection((urlsplit(address).hostname, urlsplit(address).port), 10)


def test_a_chunked_body_cannot_pass_the_limit_behind_a_small_length(tmp_path: Path) -> None:
    with running(Site(tmp_path).app) as address, connect(address) as raw:
        raw.sendall(
            b"POST /w/start HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\nTransfer-Encoding: chunked\r\n"
            b"Content-Type: application/x-www-form-urlencoded\r\n\r\n"
        )
        sent = 0
        try:
            for _ in range(400):
                raw.sendall(CHUNK)
                sent += 1
                if sent > 4:
                    time.sleep(0.002)
        except OSError:
            pass
        assert sent < 400  # the server hung up
        with contextlib.suppress(ConnectionError):
            assert raw.recv(100).split()[1:2] in ([], [b"413"])


def test_slow_headers_and_slow_bodies_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ImpatientProtocol, "headers_within", 0.3)
    monkeypatch.setattr(guard, "BODY_WITHIN", 0.3)
    with running(Site(tmp_path).app) as address:
        with connect(address) as silent, connect(address) as slow, connect(address) as dripping:
            slow.sendall(b"GET /w HTTP/1.1\r\nHost: x\r\n")
            dripping.sendall(b"POST /w/start HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nab")
            assert silent.recv(10) == b""
            assert slow.recv(10) == b""
            assert b" 408 " in dripping.recv(100)
        with connect(address) as second:  # a second request on one connection is waited for no longer
            second.sendall(b"GET /w HTTP/1.1\r\nHost: x\r\n\r\n")
            found = b""
            while b"</html>" not in found:
                found += second.recv(100_000)
            second.sendall(b"GET /w HTTP/1.1\r\nHo")
            assert second.recv(10) == b""


SECRET = "my diagnosis"


def check_silence(site: Site, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
    """A failing database tells the log what failed and where, and nobody what was to be written."""
    worker = site.worker("participant-77")
    form = worker.form()

    @event.listens_for(site.store.engine, "before_cursor_execute", retval=True)
    def spoil(_connection, _cursor, statement, parameters, _context, _many):  # type: ignore[no-untyped-def]
        if "INSERT INTO judgement" in statement:
            statement = statement.replace("INTO judgement", "INTO nowhere")
        return statement, parameters

    with caplog.at_level(logging.WARNING):
        answer = worker.post(worker.unit, {**form, "comment": SECRET})
    told = caplog.text + "".join(capfd.readouterr()) + answer.text
    assert answer.status_code == 500
    assert "nothing was lost" in answer.text
    assert "Error" in caplog.text
    assert "POST /w/unit/{token}" in caplog.text
    hidden = [SECRET, "participant-77", form["item"], worker.unit.rsplit("/", 1)[1], *site.worker_secrets()]
    assert [word for word in hidden if word in told] == []


def test_database_errors_print_no_parameters(
    make_site: Callable[..., Site], caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    check_silence(make_site(), caplog, capfd)


def test_a_restart_of_postgresql_loses_neither_answers_nor_the_lock() -> None:
    url = SHARED.url_to_be()
    check_one_server(url, studies.make_study(url))


def check_one_server(url: str, store: Store) -> None:
    """After a restart the first server goes on, unless a second was quicker: then it writes nothing and stops."""
    from visavis.shared.locks import InUse
    from visavis.study.store import open_store, read_facts, set_fact
    from visavis.study.store.alone import alone

    server = SHARED.running_server()
    second = open_store(url)
    with alone(store):
        server.stop()
        server.start()
        with store.writing() as connection:  # takes the lock again
            set_fact(connection, "note", "first")
        with pytest.raises(InUse), alone(second):
            pass
        server.stop()
        server.start()
        with alone(second):
            stopped: list[bool] = []
            site_store_writes(store, stopped)
            assert stopped == [True]
    with second.reading() as connection:
        assert read_facts(connection)["note"] == "first"
    second.close()
    store.close()


def site_store_writes(store: Store, stopped: list[bool]) -> None:
    from fastapi.testclient import TestClient

    from unit.study.visiting import HERE, form_of
    from visavis.study.app import ServeOptions, create_app
    from visavis.study.fieldwork.keys import make_keys

    app = create_app(store, make_keys(), ServeOptions(rate=0))
    app.state.stop = lambda: stopped.append(True)
    visitor = TestClient(app, base_url=HERE, follow_redirects=False)
    answer = visitor.post("/w/start", data={**form_of(visitor.get("/w").text), "consent": "yes"})
    assert answer.status_code == 503
