from __future__ import annotations

import errno
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from visavis.cli.main import main
from visavis.datasets import sample_path

pytestmark = pytest.mark.usefixtures("brief_assessment")

WORDS = ["compare", str(sample_path()), "--by", "outlet", "--size", "1", "--method", "mmd-diff-greedy", "--jobs", "1"]
WORDS += ["--only", "Tideline,Meridian Post"]  # two groups are sooner compared
TESTS = Path(__file__).parents[2]

WRITERS = """
import os, sys
from dataclasses import replace
sys.path.insert(0, sys.argv[1])
from unit.report.summaries import news
from visavis.report import render, write

versions = [replace(news(), seed=seed, map=None, timeline=None) for seed in range(2)]
for suffix in (".json", ".html"):
    render(versions[0], suffix)  # loads what it needs, for all writers

def write_forever(folder):
    count = 0
    while True:
        for suffix in ("json", "html"):
            write(versions[count % 2], folder + "/report." + suffix)
        count += 1
        if count == 1:
            print(os.getpid(), flush=True)

for line in sys.stdin:
    child = os.fork()
    if not child:
        write_forever(line.strip())
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.fixture(scope="module")
def writers() -> Iterator[subprocess.Popen[str]]:
    """A process that is told folders: for each it forks one that writes reports there until it is killed."""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", WRITERS, str(TESTS)], stdin=pipe, stdout=pipe, text=True) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


def whole(folder: Path) -> bool:
    record = json.loads((folder / "report.json").read_text())
    page = (folder / "report.html").read_text()
    return record["seed"] in (0, 1) and page.rstrip().endswith("</html>")


@pytest.mark.parametrize("moment", range(10))
def test_killed_at_any_moment_the_reports_on_disk_are_whole(
    tmp_path: Path, moment: int, writers: subprocess.Popen[str]
) -> None:
    assert writers.stdin is not None
    assert writers.stdout is not None
    print(tmp_path, file=writers.stdin, flush=True)
    writer = int(writers.stdout.readline())  # it has written both, and goes on
    try:
        time.sleep(random.Random(moment).uniform(0.0, 0.15))
    finally:
        os.kill(writer, signal.SIGKILL)
    assert int(writers.stdout.readline()) == -signal.SIGKILL
    assert whole(tmp_path)
    assert len([path for path in tmp_path.iterdir() if not path.name.startswith(".")]) == 2


LIMITED = """
import resource, sys
from visavis.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
main(sys.argv[1:])
"""


@pytest.mark.parametrize("suffix", ["html", "json", "sqlite"])
def test_a_report_that_does_not_fit_is_told_and_leaves_the_old_one(tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("resource")
    old = tmp_path / f"report.{suffix}"
    old.write_text("old")
    words = [sys.executable, "-c", LIMITED, *WORDS, "-o", str(old)]
    environment = {**os.environ, "VISAVIS_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert str(old) in done.stderr
    assert old.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cache", old.name]
    assert not list((tmp_path / "cache").rglob("*.part")), "a cache that does not fit leaves nothing behind either"


def test_a_full_disk_is_told_and_leaves_the_old_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "report.html"
    old.write_text("old")

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("visavis.shared.files.write_all", full)
    with pytest.raises(SystemExit) as done:
        main([*WORDS, "-o", str(old)])
    assert done.value.code == 2
    told = capsys.readouterr().err
    assert told == f"visavis: cannot write {str(old)!r}: No space left on device\n"
    assert old.read_text() == "old"
    assert list(tmp_path.iterdir()) == [old]


def test_a_fault_of_ours_is_exit_1_one_line_and_leaves_the_old_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "report.html"
    old.write_text("old")

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("first line\nsecond line")

    monkeypatch.setattr("visavis.comparing.run.describe", fail)
    with pytest.raises(SystemExit) as done:
        main([*WORDS, "-o", str(old)])
    assert done.value.code == 1
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert told.startswith("visavis: first line second line (")
    assert old.read_text() == "old"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_standard_output_that_is_full_is_no_success() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "visavis", *WORDS, "--json"], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode in (1, 2)
    assert done.stderr.count("\n") == 1
    assert "No space left on device" in done.stderr


def test_a_reader_that_goes_away_is_met_in_silence() -> None:
    words = [sys.executable, "-m", "visavis", *WORDS, "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
