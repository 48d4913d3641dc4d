"""A file of a binary format parsed, in a child process that confines itself: the other side of `sandbox`.

`python -m visavis.corpus.parsing FORMAT PATH` reads a request (a JSON line) on stdin, leaves in the folder it names
`head.json`, `rows.jsonl` (one JSON list a row) and `*.npy`, and answers with a JSON line: `problem` is null, or what
is wrong with the file. Nothing that comes back can run code. It imports little, since every such file starts it anew.
"""

from __future__ import annotations

import importlib
import json
import math
import sys
from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from visavis.corpus.errors import one_line
from visavis.corpus.readers.base import Limits, Refusal, Source
from visavis.shared.child import answer, answer_channel, confine

if TYPE_CHECKING:
    from visavis.records import Array


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
        import numpy as np  # not every format has numbers

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
