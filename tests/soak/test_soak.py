"""What takes minutes: `make soak` runs it, with VISAVIS_SOAK=1."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from conftest import require
from unit.study import databases, studies
from unit.study.crashes import check_nothing_lost, kill, play_through_kills, start_server
from unit.study.papers_design import N_PAIRS, play
from visavis.study.rehearsal.crowd import Crowd, simulate

KILLS, JUDGEMENTS = 100, 24
SLOWEST = 0.3  # seconds that 95 % of the answers stay below, on a machine that does nothing else

pytestmark = pytest.mark.skipif(os.environ.get("VISAVIS_SOAK") != "1", reason="takes minutes: make soak")


def test_a_hundred_kills_under_load_lose_no_acknowledged_judgement_and_double_none(tmp_path: Path) -> None:
    database, played = play_through_kills(tmp_path, KILLS, JUDGEMENTS, think=(0.2, 2.0), up=(0.3, 3.0))
    assert len(played.acknowledged) > 1000
    assert check_nothing_lost(database, played.acknowledged, JUDGEMENTS) >= len(set(played.acknowledged))


def test_fifty_workers_at_once_are_answered_quickly(tmp_path: Path) -> None:
    timings = play(studies.make_study(tmp_path / "s.db", n_pairs=N_PAIRS))
    slow = timings[int(0.95 * len(timings))]
    print(f"{len(timings)} answers: half within {timings[len(timings) // 2]:.3f} s, 95 % within {slow:.3f} s")
    assert slow < SLOWEST


def test_judgements_are_synced_to_disk_before_they_are_acknowledged(tmp_path: Path) -> None:
    tracer = shutil.which("strace")
    require(tracer is not None, "strace")
    database, log, port = tmp_path / "s.db", tmp_path / "calls", databases.free_port()
    store = studies.make_study(database, n_pairs=2)
    calls = "trace=fsync,fdatasync,recvfrom,recv,read,sendto,send,write,writev,sendmsg"
    server = start_server(database, port, before=[tracer, "-f", "-y", "-s", "60", "-o", str(log), "-e", calls])
    try:
        played = simulate(f"http://127.0.0.1:{port}", store, Crowd(workers=3, concurrency=1))
    finally:
        kill(server)
    assert synced_before_answering(log.read_text(errors="replace").splitlines()) == len(played.acknowledged) > 10


def synced_before_answering(lines: list[str]) -> int:
    """How many submissions were answered, all after a sync of the log; one visitor at a time."""
    answered, waiting, synced = 0, False, False
    for line in lines:
        if re.search(r'(recv|recvfrom|read)\(.*"POST /w/unit/', line) or '"POST /w/unit/' in line:
            waiting, synced = True, False
        elif re.search(r"f(data)?sync\(.*-wal>?\)?", line):
            synced = True
        elif waiting and '"HTTP/1.1 303' in line:
            assert synced, f"acknowledged before it was on disk: {line}"
            answered, waiting = answered + 1, False
    return answered
