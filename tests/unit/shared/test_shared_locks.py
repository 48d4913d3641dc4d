from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from visavis.shared.locks import FileLock, InUse, lock

HOLD = """
import sys, time
from pathlib import Path
from visavis.shared.locks import FileLock
held = FileLock(Path(sys.argv[1]), "taken")
print("held", flush=True)
time.sleep(60)
"""


def test_a_lock_has_one_holder_until_it_is_released(tmp_path: Path) -> None:
    first = FileLock(tmp_path / "a.lock", "taken")
    with pytest.raises(InUse, match="taken"):
        FileLock(tmp_path / "a.lock", "taken")
    first.release()
    first.release()
    with FileLock(tmp_path / "a.lock", "taken"), pytest.raises(InUse):
        FileLock(tmp_path / "a.lock", "taken")
    FileLock(tmp_path / "a.lock", "taken").release()


def test_a_lock_dies_with_a_process_that_is_killed(tmp_path: Path) -> None:
    words = [sys.executable, "-c", HOLD, str(tmp_path / "a.lock")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(InUse):
            FileLock(tmp_path / "a.lock", "taken")
        holder.kill()
        assert holder.wait() == -signal.SIGKILL
    FileLock(tmp_path / "a.lock", "taken").release()


def test_a_place_where_no_file_can_be_made_is_the_callers_to_tell(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        FileLock(tmp_path / "nowhere" / "a.lock", "taken")


def test_an_open_file_keeps_its_place_and_content_when_locked(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"0123")
    one, other = (os.open(tmp_path / "a", os.O_RDWR) for _ in range(2))
    os.lseek(one, 2, os.SEEK_SET)
    assert lock(one)
    assert not lock(other)
    assert os.read(one, 2) == b"23"
    assert os.read(other, 4) == b"0123"
    os.close(one)
    assert lock(other)
    os.close(other)
