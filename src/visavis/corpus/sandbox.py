"""Binary formats are parsed in a child process with little memory and little time; its death is one clear error."""

from __future__ import annotations

import importlib
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from visavis.corpus.errors import Unreadable
from visavis.corpus.readers.base import Limits, Source
from visavis.records import Array
from visavis.shared.child import Child, Death
from visavis.shared.extras import require
from visavis.shared.texts import MOST_IN_MEMORY

_QUIET = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "HDF5_PLUGIN_PRELOAD": "::",  # no filter plugins from the disk
    "HDF5_USE_FILE_LOCKING": "FALSE",
}


@dataclass(frozen=True)
class Parsed:
    """What the child found: column names, rows in their order, notes, rows it set aside, and arrays by name."""

    columns: tuple[str, ...]
    rows: Sequence[list[Any]]
    notes: tuple[str, ...] = ()
    dropped: tuple[tuple[str, int], ...] = ()
    arrays: dict[str, Array] = field(default_factory=dict)


class StreamedRows(Sequence[list[Any]]):
    """The rows of a file that is open, and may have been removed since: parsed anew whenever they are gone through."""

    def __init__(self, file: TextIO, count: int) -> None:
        self._file, self._count = file, count

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[list[Any]]:
        self._file.seek(0)
        return map(json.loads, self._file)

    def __getitem__(self, index: Any) -> Any:
        return list(self)[index]

    def __reduce__(self) -> tuple[Any, ...]:
        """The rows themselves: a file cannot go to another process."""
        return list, (list(self),)

    def __del__(self) -> None:
        self._file.close()


def parse_apart(form: str, source: Source, limits: Limits) -> Parsed:
    """Have a child process parse a file. Raises Unreadable naming the file, whatever the child dies of."""
    reader = importlib.import_module(f"visavis.corpus.readers.{form}")
    require(*reader.MODULES, extra="tables", what=f"reading {source.name}")
    if source.path.is_file() and source.path.stat().st_size > limits.file_bytes:
        raise Unreadable(source.name, f"is larger than {limits.file_bytes:,} bytes")
    with tempfile.TemporaryDirectory(prefix="visavis-") as name:
        request = {"out": name, "part": source.part, "members": [str(m) for m in source.members]}
        child = Child(["-m", "visavis.corpus.parsing", form, str(source.path.absolute())], _QUIET)
        try:
            said = child.ask_record({**request, "limits": asdict(limits)}, limits.seconds)
        finally:
            child.close()
        _check(source.name, reader.CALLED, said, limits)
        return _collect(Path(name))


def _check(name: str, called: str, said: dict[str, Any] | Death, limits: Limits) -> None:
    if not isinstance(said, Death):
        if said.get("problem") is not None:
            raise Unreadable(name, str(said["problem"]))
        return
    if said.late:
        raise Unreadable(name, f"could not be read as {called} in {limits.seconds:g} s")
    by = f"signal {said.cause}" if said.status < 0 else said.cause
    allowed = f"{limits.memory_mb:,} MB of memory and {limits.seconds:g} s"
    raise Unreadable(name, f"could not be read as {called} within {allowed} (the reader ended with {by})")


def _collect(folder: Path) -> Parsed:
    head = json.loads((folder / "head.json").read_text(encoding="utf-8"))
    rows: Sequence[list[Any]] = StreamedRows((folder / "rows.jsonl").open(encoding="utf-8"), int(head["rows"]))
    if len(rows) <= MOST_IN_MEMORY or os.name != "posix":  # elsewhere a file that is open cannot be removed
        rows = list(rows)
    arrays = {file.stem: np.load(file, allow_pickle=False) for file in sorted(folder.glob("*.npy"))}
    dropped = tuple((str(reason), int(number)) for reason, number in head["dropped"])
    return Parsed(tuple(head["columns"]), rows, tuple(head["notes"]), dropped, arrays)
