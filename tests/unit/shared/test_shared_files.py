from __future__ import annotations

import errno
import os
import sqlite3
import stat
from pathlib import Path

import pytest

from visavis.errors import VisavisError
from visavis.shared.files import create_private_file, private_file, put_in_place, replace_file, write_all


def full(*_: object) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def fail() -> str:
    raise RuntimeError("half way")


def test_a_file_is_replaced_whole_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    for content in ("old ü", b"\x00new"):
        replace_file(tmp_path / "a", lambda content=content: content)
        assert (tmp_path / "a").read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_full_disk_names_the_file_and_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_text("old")
    monkeypatch.setattr(os, "write", full)
    with pytest.raises(VisavisError, match=r"cannot write '.*a': No space left on device"):
        replace_file(tmp_path / "a", lambda: "new")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a", "old")]


def test_what_cannot_be_written_is_not_even_made(tmp_path: Path) -> None:
    with pytest.raises(VisavisError, match="there is no folder"):
        replace_file(tmp_path / "nowhere" / "a", fail)
    with pytest.raises(VisavisError, match="it is a folder"):
        replace_file(tmp_path, fail)


def test_a_write_that_the_system_cuts_short_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, data[:3]))
    descriptor = os.open(tmp_path / "a", os.O_WRONLY | os.O_CREAT)
    write_all(descriptor, b"0123456789")
    os.close(descriptor)
    assert (tmp_path / "a").read_bytes() == b"0123456789"


def test_a_database_takes_its_place_without_what_stood_beside_it(tmp_path: Path) -> None:
    with put_in_place(tmp_path / "s.db") as beside:
        database = sqlite3.connect(beside)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE t (a)")
        database.commit()
        assert not (tmp_path / "s.db").exists()
        database.close()
    assert [path.name for path in tmp_path.iterdir()] == ["s.db"]


def test_a_block_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def interrupted() -> None:
        with put_in_place(tmp_path / "s.db") as beside:
            for companion in ("", "-wal", "-shm"):
                Path(f"{beside}{companion}").write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(tmp_path.iterdir()) == []


def test_private_files_are_for_nobody_else(tmp_path: Path) -> None:
    with private_file(tmp_path / "cached") as descriptor:
        write_all(descriptor, b"x")
    create_private_file(tmp_path / "keys", "secret")
    for path in tmp_path.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(FileExistsError):
        create_private_file(tmp_path / "keys", "other")
    assert (tmp_path / "keys").read_text() == "secret"


def test_half_a_file_of_keys_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space left"):
        create_private_file(tmp_path / "keys", "secret")
    assert list(tmp_path.iterdir()) == []
