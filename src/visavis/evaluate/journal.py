"""What is done stays done: a line for each finished piece of work, forced to disk before the next is begun."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from visavis.errors import VisavisError
from visavis.shared.files import write_all
from visavis.shared.locks import InUse, lock

NAME = "journal.jsonl"


class Journal:
    """An open journal: `done` holds the pieces found in it, by split and method."""

    def __init__(self, descriptor: int, done: dict[tuple[int, str], dict[str, Any]]) -> None:
        self._descriptor = descriptor
        self.done = done

    def append(self, record: Mapping[str, Any]) -> None:
        """Keep one piece; on return it is on disk."""
        _write(self._descriptor, record)
        self.done[int(record["split"]), str(record["method"])] = dict(record)


@contextlib.contextmanager
def open_journal(folder: Path, key: str, about: Mapping[str, Any]) -> Iterator[Journal]:
    """The journal of a folder, begun if there is none. A torn last line is cut off.

    Raises VisavisError if it belongs to another run, if another process is writing it, or if it cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder / NAME, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
    except OSError as error:
        raise VisavisError(f"cannot write to {str(folder)!r}: {error.strerror or error}") from error
    try:
        if not lock(descriptor):
            raise InUse(f"another evaluation is writing to {str(folder)!r}: wait for it, or name another")
        content = (folder / NAME).read_bytes()
        lines, length = _whole_lines(content)
        if not lines and b"\n" in content:
            raise VisavisError(f"{str(folder / NAME)!r} is no journal of an evaluation: name another folder")
        os.ftruncate(descriptor, length)
        os.lseek(descriptor, length, os.SEEK_SET)
        if lines:
            _check_key(lines[0], key, about, folder)
        else:
            os.ftruncate(descriptor, 0)
            os.lseek(descriptor, 0, os.SEEK_SET)
            _write(descriptor, {"key": key, "about": about})
        yield Journal(descriptor, {(int(line["split"]), str(line["method"])): line for line in lines[1:]})
    finally:
        os.close(descriptor)


def _write(descriptor: int, record: Mapping[str, Any]) -> None:
    write_all(descriptor, (json.dumps(record, sort_keys=True) + "\n").encode())
    os.fsync(descriptor)


def _whole_lines(content: bytes) -> tuple[list[dict[str, Any]], int]:
    """The records up to the first line that is not whole, and how many bytes they take."""
    found: list[dict[str, Any]] = []
    length = 0
    for line in content.splitlines(keepends=True):
        try:
            record = json.loads(line) if line.endswith(b"\n") else None
        except ValueError:
            record = None
        if not isinstance(record, dict) or not ({"key"} if not found else {"split", "method", "rows"}) <= set(record):
            break
        found.append(record)
        length += len(line)
    return found, length


def _check_key(header: Mapping[str, Any], key: str, about: Mapping[str, Any], folder: Path) -> None:
    if header["key"] == key:
        return
    told = header.get("about")
    before = told if isinstance(told, dict) else about
    changed = sorted(name for name in {*about, *before} if before.get(name) != about.get(name))
    what = f"it differs in {', '.join(changed)}" if changed else "of other documents, groups or splits"
    raise VisavisError(
        f"{str(folder)!r} holds another evaluation ({what}): name another folder, repeat the first command to continue "
        f"it, or delete {str(folder / NAME)!r} to begin anew"
    )
