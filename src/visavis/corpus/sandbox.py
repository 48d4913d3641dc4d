"""Binary formats are parsed in a child process with little memory and little time; its death is one clear error.

`python -m visavis.corpus.sandbox FORMAT PATH` reads a request (a JSON line) on stdin, leaves in the folder it names
`head.json`, `rows.jsonl` (one JSON list a row) and `*.npy`, and answers with a JSON line: `problem` is null, or what
is wrong with the file. Nothing that comes back can run code.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from visavis.corpus.errors import Unreadable, one_line
from visavis.corpus.readers.base import Limits, Refusal, Source
from visavis.records import Array
from visavis.shared.child import Child, Death, answer, answer_channel, confine
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


class Sink:
    """Where a parser in the child puts what it finds, within the limits."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self._folder, self._limits = folder, limits
        self._rows = (folder / "rows.jsonl").open("w", encoding="utf-8")
        self.count = 0
        self._size = 0
        self.columns: list[str] = []
        self.notes: list[str] = []
        self.dropped: list[tuple[str, int]] = []

    def row(self, cells: Iterable[Any]) -> None:
        """Add a row. Raises Refusal when there are too many, or too much in them."""
        line = json.dumps([_plain(cell) for cell in cells], allow_nan=False)
        self.count += 1
        self._size += len(line)
        if self.count > self._limits.rows:
            raise Refusal(f"row {self.count}: more than {self._limits.rows:,} rows")
        if self._size > self._limits.text_bytes:
            raise Refusal(f"row {self.count}: more than {self._limits.text_bytes:,} bytes of text")
        self._rows.write(line + "\n")

    def array(self, name: str, shape: tuple[int, ...], dtype: str, pieces: Iterable[Array]) -> None:
        """Add an array of numbers that comes in pieces, so that it never stands in memory whole."""
        with (self._folder / f"{name}.npy").open("wb") as file:
            head = {"descr": np.lib.format.dtype_to_descr(np.dtype(dtype)), "fortran_order": False, "shape": shape}
            np.lib.format.write_array_header_1_0(file, head)
            for piece in pieces:
                file.write(np.ascontiguousarray(piece, dtype=dtype).tobytes())

    def close(self) -> None:
        """Write the head: only a file that was read to its end has one."""
        self._rows.close()
        head = {"columns": self.columns, "rows": self.count, "notes": self.notes, "dropped": self.dropped}
        (self._folder / "head.json").write_text(json.dumps(head), encoding="utf-8")


def parse_apart(form: str, source: Source, limits: Limits) -> Parsed:
    """Have a child process parse a file. Raises Unreadable naming the file, whatever the child dies of."""
    reader = importlib.import_module(f"visavis.corpus.readers.{form}")
    require(*reader.MODULES, extra="tables", what=f"reading {source.name}")
    if source.path.is_file() and source.path.stat().st_size > limits.file_bytes:
        raise Unreadable(source.name, f"is larger than {limits.file_bytes:,} bytes")
    with tempfile.TemporaryDirectory(prefix="visavis-") as name:
        request = {"out": name, "part": source.part, "members": [str(m) for m in source.members]}
        child = Child(["-m", "visavis.corpus.sandbox", form, str(source.path.absolute())], _QUIET)
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


def _plain(value: Any) -> Any:
    """A value as JSON has it: dates in ISO form, NaN as null, bytes as text where they are text."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case datetime() | date():
            return value.isoformat()
        case Decimal():
            return _plain(float(value))
        case bytes():
            try:
                return value.decode()
            except UnicodeDecodeError:
                return None
        case dict():
            return {str(key): _plain(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_plain(inner) for inner in value]
    return str(value)


def _parse(form: str, path: str, request: dict[str, Any]) -> str | None:
    """Parse the file into the folder; None, or what is wrong with it."""
    limits = Limits(**request["limits"])
    reader = importlib.import_module(f"visavis.corpus.readers.{form}")
    for module in reader.MODULES:
        importlib.import_module(module)
    members = tuple(map(Path, request["members"]))
    source = Source(path, Path(path).stem, "", Path(path), request["part"], members=members)
    try:
        confine(limits.memory_mb, math.ceil(limits.seconds), 2 * limits.file_bytes)
        sink = Sink(Path(request["out"]), limits)
        reader.parse(source, limits, sink)
        sink.close()
        return None
    except MemoryError:
        return f"needs more than {limits.memory_mb:,} MB of memory to be read as {reader.CALLED}"
    except Refusal as error:
        return str(error)
    except BaseException as error:  # a panic in a compiled parser is no Exception
        return f"cannot be read as {reader.CALLED} ({one_line(str(error))[:200] or type(error).__name__})"


if __name__ == "__main__":
    channel = answer_channel()
    problem = _parse(sys.argv[1], sys.argv[2], json.loads(sys.stdin.readline()))
    answer(channel, json.dumps({"problem": problem}).encode())
