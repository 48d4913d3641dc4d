"""A server in a process of its own, killed at random moments under load."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from unit.study import databases, studies
from visavis.study.rehearsal.crowd import Crowd, RehearsalLog, simulate

LEAST = 12  # questionnaires answered before each kill
SERVE = "from visavis.cli.study import study; study()"


def start_server(
    database: Path, port: int, *, before: Sequence[str] = (), more: Sequence[str] = (), log: IO[bytes] | None = None
) -> subprocess.Popen[bytes]:
    """`visavis study serve` in a process of its own, leases of three seconds; it is there when this returns."""
    words = [*before, sys.executable, "-c", SERVE, "serve", str(database), "--port", str(port), "--rate", "0"]
    words += ["--lease", "0.05", *more]
    told = log or subprocess.DEVNULL
    found = subprocess.Popen(words, stdout=told, stderr=told, start_new_session=True)
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return found
        if found.poll() is not None:
            break
        time.sleep(0.02)
    raise RuntimeError("the server did not start")


def kill(server: subprocess.Popen[bytes]) -> None:
    """kill -9 of the server and of whatever it runs under."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(server.pid, signal.SIGKILL)
    server.wait()


def answered(database: Path) -> int:
    """How many questionnaires have been answered."""
    with contextlib.closing(sqlite3.connect(database, timeout=60)) as raw:
        return int(raw.execute("SELECT COUNT(*) FROM item WHERE answered IS NOT NULL").fetchone()[0])


def wait_for_answers(database: Path, count: int) -> None:
    """Return once so many questionnaires have been answered, or after a minute."""
    until = time.monotonic() + 60
    while time.monotonic() < until and answered(database) < count:
        time.sleep(0.05)


@contextlib.contextmanager
def killed_at_random(database: Path, port: int, kills: int, up: tuple[float, float]) -> Iterator[threading.Event]:
    """Run the block while the server is killed and started again; the event says that it is over."""
    rng = random.Random(kills)
    with contextlib.ExitStack() as stack:
        server = start_server(database, port)
        stack.callback(lambda: kill(server))
        over = threading.Event()

        def crash() -> None:
            nonlocal server
            for _ in range(kills):
                before = answered(database)
                time.sleep(rng.uniform(*up))
                wait_for_answers(database, before + LEAST)
                kill(server)
                server = start_server(database, port)
            over.set()

        thread = threading.Thread(target=crash)
        thread.start()
        try:
            yield over
        finally:
            thread.join()
            assert over.is_set(), "the server could not be started again"


def play_through_kills(
    folder: Path, kills: int, judgements: int, *, think: tuple[float, float], up: tuple[float, float]
) -> tuple[Path, RehearsalLog]:
    """The crowd of the paper's design at work while the server dies `kills` times; leases pass in three seconds.

    The server stays up for `up` seconds at a time, and until something has been answered, so that it dies under load.
    """
    database, port = folder / "s.db", databases.free_port()
    store = studies.make_study(database, n_pairs=21, golds=14, judgements=judgements)
    with killed_at_random(database, port, kills, up) as over:
        crowd = Crowd(
            workers=100 * kills, concurrency=50, think=think, abandon=0.3, double_click=0.1, late=0.05, away=4.0
        )
        played = simulate(f"http://127.0.0.1:{port}", store, crowd, forgiving=True, enough=over.is_set)
    store.close()
    return database, played


def check_nothing_lost(database: Path, acknowledged: Sequence[str], judgements: int) -> int:
    """Every acknowledged questionnaire is there once and whole; the file is sound; no cell is overfull."""
    raw = sqlite3.connect(database)
    assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert raw.execute("PRAGMA foreign_key_check").fetchall() == []
    rows = raw.execute(
        "SELECT i.token, i.answered IS NOT NULL, COUNT(j.id), COUNT(DISTINCT j.place) FROM item i "
        "LEFT JOIN judgement j ON j.item_id = i.id GROUP BY i.id"
    ).fetchall()
    answered = {token for token, done, *_ in rows if done}
    assert all((n, places) == ((3, 3) if done else (0, 0)) for _, done, n, places in rows)
    lost = set(acknowledged) - answered
    assert not lost, f"{len(lost)} acknowledged questionnaires are gone"
    cells = raw.execute(
        "SELECT COUNT(*), COUNT(DISTINCT worker_id) FROM item WHERE sheet_id IS NOT NULL AND state IN ('done', 'open') "
        "GROUP BY sheet_id, method"
    ).fetchall()
    assert all(n == workers <= judgements for n, workers in cells)
    raw.close()
    return len(answered)
