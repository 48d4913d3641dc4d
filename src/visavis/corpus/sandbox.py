"""Binary formats are parsed in a child process with little memory and little time; its death is one clear error.

`python -m visavis.corpus.sandbox FORMAT PATH` reads a request (JSON) on stdin and leaves in the folder it names:
`head.json`, `rows.jsonl` (one JSON list a row), `*.npy`, or `problem.json`. Nothing that comes back can run code.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from visavis.corpus.errors import Unreadable, one_line
from visavis.corpus.readers.base import MIB, Limits, Refusal, Source, require
from visavis.records import Array

_QUIET = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "HDF5_PLUGIN_PRELOAD": "::",  # no filter plugins from the disk
    "HDF5_USE_FILE_LOCKING": "FALSE",
}


@dataclass(frozen=True)
class Parsed:
    """What the child found: column names, rows in their order, notes, rows it set aside, and arrays by name."""

    columns: tuple[str, ...]
    rows: list[list[Any]]
    notes: tuple[str, ...] = ()
    dropped: tuple[tuple[str, int], ...] = ()
    arrays: dict[str, Array] = field(default_factory=dict)


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
        head = {"columns": self.columns, "notes": self.notes, "dropped": self.dropped}
        (self._folder / "head.json").write_text(json.dumps(head), encoding="utf-8")


def parse_apart(form: str, source: Source, limits: Limits) -> Parsed:
    """Have a child process parse a file. Raises Unreadable naming the file, whatever the child dies of."""
    reader = importlib.import_module(f"visavis.corpus.readers.{form}")
    require(*reader.MODULES, why=f"reading {source.name}")
    if source.path.is_file() and source.path.stat().st_size > limits.file_bytes:
        raise Unreadable(source.name, f"is larger than {limits.file_bytes:,} bytes")
    with tempfile.TemporaryDirectory(prefix="visavis-") as name:
        folder = Path(name)
        request = {"out": name, "part": source.part, "members": [str(m) for m in source.members]}
        command = [sys.executable, "-P", "-m", "visavis.corpus.sandbox", form, str(source.path.absolute())]
        try:
            done = subprocess.run(
                command,
                input=json.dumps({**request, "limits": asdict(limits)}).encode(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, **_QUIET},
                timeout=limits.seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise Unreadable(source.name, f"could not be read as {reader.CALLED} in {limits.seconds:g} s") from None
        _check(source.name, reader.CALLED, folder, done.returncode, limits)
        return _collect(folder)


def _check(name: str, called: str, folder: Path, status: int, limits: Limits) -> None:
    problem = folder / "problem.json"
    if problem.exists() and problem.stat().st_size < MIB:
        raise Unreadable(name, str(json.loads(problem.read_text(encoding="utf-8"))))
    if status == 0 and (folder / "head.json").exists():
        return
    by = f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"
    allowed = f"{limits.memory_mb:,} MB of memory and {limits.seconds:g} s"
    raise Unreadable(name, f"could not be read as {called} within {allowed} (the reader ended with {by})")


def _collect(folder: Path) -> Parsed:
    head = json.loads((folder / "head.json").read_text(encoding="utf-8"))
    with (folder / "rows.jsonl").open(encoding="utf-8") as stream:
        rows = [json.loads(line) for line in stream]
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


def _confine(limits: Limits) -> None:
    try:
        import resource
    except ImportError:  # no such limits on this system; time and size limits still hold
        return
    statm = Path("/proc/self/statm")
    used = int(statm.read_text().split()[0]) * resource.getpagesize() if statm.exists() else 1024 * MIB
    seconds = math.ceil(limits.seconds)
    wanted = {
        resource.RLIMIT_AS: used + limits.memory_mb * MIB,
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_FSIZE: 2 * limits.file_bytes,
        resource.RLIMIT_CORE: 0,
    }
    for kind, limit in wanted.items():
        ceiling = resource.getrlimit(kind)[1]
        limit = limit if ceiling == resource.RLIM_INFINITY else min(limit, ceiling)
        resource.setrlimit(kind, (limit, limit))


def _child(form: str, path: str) -> int:
    request = json.load(sys.stdin)
    folder, limits = Path(request["out"]), Limits(**request["limits"])
    reader = importlib.import_module(f"visavis.corpus.readers.{form}")
    for module in reader.MODULES:
        importlib.import_module(module)
    source = Source(
        path, Path(path).stem, "", Path(path), request["part"], members=tuple(map(Path, request["members"]))
    )
    try:
        _confine(limits)
        sink = Sink(folder, limits)
        reader.parse(source, limits, sink)
        sink.close()
        return 0
    except MemoryError:
        problem = f"needs more than {limits.memory_mb:,} MB of memory to be read as {reader.CALLED}"
    except Refusal as error:
        problem = str(error)
    except BaseException as error:  # a panic in a compiled parser is no Exception
        problem = f"cannot be read as {reader.CALLED} ({one_line(str(error))[:200] or type(error).__name__})"
    (folder / "problem.json").write_text(json.dumps(problem), encoding="utf-8")
    return 3


if __name__ == "__main__":
    sys.exit(_child(sys.argv[1], sys.argv[2]))
