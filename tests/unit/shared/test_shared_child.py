from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from visavis.shared import child as module
from visavis.shared.child import Child, Death

LONG = 600.0  # seconds: no answer here waits for the machine to be idle
SCRIPT = """
import os, signal, sys, time
from visavis.shared.child import READY, answer, answer_channel, confine

channel = answer_channel()
confine(200, 1)
print("a library greets the world")
answer(channel, READY)
for line in sys.stdin:
    word = line.strip()
    if word == "sleep":
        time.sleep(60)
    elif word == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif word == "leave":
        sys.exit(7)
    elif word == "half":
        channel.write(b"half an answer")
        channel.flush()
        sys.exit(0)
    elif word == "silent":
        os.close(channel.fileno())
        time.sleep(60)
    elif word == "fill":
        try:
            word = str(len(bytearray(10**9)))
        except MemoryError:
            word = "no memory"
    elif word == "write":
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        try:
            with open(sys.argv[1], "w") as file:
                file.write("x")
        except OSError:
            word = "no file"
    elif word == "spin":
        while True:
            pass
    answer(channel, word.encode())
"""


@pytest.fixture
def child(tmp_path: Path) -> Iterator[Child]:
    (tmp_path / "script.py").write_text(SCRIPT)
    found = Child([str(tmp_path / "script.py"), str(tmp_path / "file")])
    assert found.starts()
    yield found
    found.close()


def test_answers_come_line_by_line_and_no_print_is_taken_for_one(child: Child) -> None:
    assert [child.ask(word + b"\n", LONG) for word in (b"one", b"two")] == [b"one", b"two"]


def test_a_child_that_is_late_is_stopped(child: Child) -> None:
    assert child.ask(b"sleep\n", 0.3) == Death(late=True, status=-signal.SIGKILL)


@pytest.mark.parametrize(
    ("word", "status", "cause"),
    [(b"crash", -signal.SIGSEGV, "SIGSEGV"), (b"leave", 7, "status 7"), (b"half", 0, "status 0")],
)
def test_death_is_told_from_an_answer(child: Child, word: bytes, status: int, cause: str) -> None:
    death = child.ask(word + b"\n", LONG)
    assert death == Death(late=False, status=status)
    assert death.cause == cause


def test_the_dead_are_dead_to_every_further_question(child: Child) -> None:
    child.ask(b"leave\n", LONG)
    assert isinstance(child.ask(b"one\n", LONG), Death)


def test_a_child_that_closes_its_mouth_is_ended(child: Child, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_GRACE", 0.1)
    assert child.ask(b"silent\n", LONG) == Death(late=False, status=-signal.SIGKILL)


def test_an_answer_without_end_is_none(child: Child, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST", 3)
    monkeypatch.setattr(module, "_GRACE", 0.1)
    assert isinstance(child.ask(b"long words\n", LONG), Death)


def test_memory_files_and_time_are_limited(child: Child) -> None:
    pytest.importorskip("resource")
    assert child.ask(b"fill\n", LONG) == b"no memory"
    assert child.ask(b"write\n", LONG) == b"no file"
    assert child.ask(b"spin\n", LONG) in (Death(False, -signal.SIGXCPU), Death(False, -signal.SIGKILL))


def test_records_are_lines_of_json_and_anything_else_is_no_answer(child: Child) -> None:
    assert child.ask_record({"a": "ü"}, LONG) == {"a": "ü"}
    assert child.ask_record({"a": 1}, LONG, b'{"b": 2}\n') == {"a": 1}
    assert child.ask(b"", LONG) == b'{"b": 2}'


@pytest.mark.parametrize("body", [b"[1]", b"no json"])
def test_an_answer_that_is_no_record_is_a_death(child: Child, body: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_GRACE", 0.1)
    child.ask_record({}, LONG, body + b"\n")
    assert isinstance(child.ask_record({}, LONG), Death)


def test_a_script_that_is_not_there_does_not_start() -> None:
    found = Child(["nowhere.py"])
    assert not found.starts()
    found.close()


NO_NETWORK = """
import socket, subprocess, sys, urllib.request
from visavis.shared.child import READY, answer, answer_channel, confine

channel = answer_channel()
confine(200, 5, network=False)
answer(channel, READY)
tries = {
    "socket": lambda: socket.socket(),
    "name": lambda: socket.getaddrinfo("localhost", 80),
    "page": lambda: urllib.request.urlopen("http://127.0.0.1:9/", timeout=1),
    "program": lambda: subprocess.run(["true"]),
}
for line in sys.stdin:
    try:
        tries[line.strip()]()
        word = "done"
    except OSError as error:
        word = str(error)
    answer(channel, word.encode())
"""


def test_a_child_without_network_opens_no_connection_and_starts_no_program(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(NO_NETWORK)
    child = Child([str(tmp_path / "script.py")])
    try:
        assert child.starts()
        for word in (b"socket", b"name", b"page", b"program"):
            assert b"this process has no network" in child.ask(word + b"\n", LONG)
    finally:
        child.close()
