"""Lists of one's own as CSV: a URL or a post a row, known by the names of its columns."""

from __future__ import annotations

import csv
import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

from visavis.collect.sources.twitter import LINKS, TEXTS, Malformed

DELIMITERS = (",", ";", "\t", "|")
SUFFIXES = (".csv", ".tsv", ".tab")
MOST_LINES = 5_000  # of one row
_MARK = "\ufeff"
_LIMIT = threading.Lock()  # the longest cell is a setting of the whole process


@dataclass(frozen=True)
class Header:
    """The columns of a table; `is_row` says that the first line is a row already, since it holds a URL."""

    columns: tuple[str, ...]
    delimiter: str
    is_row: bool = False

    @property
    def is_known(self) -> bool:
        """Whether any column can hold a link or a text."""
        return any(name in (*LINKS, *TEXTS) for name in self.columns)

    def record(self, row: str) -> dict[str, Any]:
        """A row by the names of its columns, blank cells left out. Raises Malformed."""
        if _is_inside(row.encode(), self.delimiter):
            raise Malformed("a quote that opens a cell and is never closed")
        try:
            cells = _cells(row, self.delimiter)
        except csv.Error as error:
            raise Malformed(f"not a row of a table ({error})") from None
        return {name: cell.strip() for name, cell in zip(self.columns, cells, strict=False) if name and cell.strip()}


def _cells(row: str, delimiter: str) -> list[str]:
    """The cells of a row, however long. Raises csv.Error."""
    with _LIMIT:
        before = csv.field_size_limit(max(csv.field_size_limit(), len(row)))
        try:
            return next(csv.reader([row], delimiter=delimiter), [])
        finally:
            csv.field_size_limit(before)


def header_of(first: bytes, suffix: str) -> Header | None:
    """The header that a file begins with, None if it is no table.

    A file that is called a table is one; another is one if its first line names a column that we know.
    """
    line = first.decode("utf-8", "replace").removeprefix(_MARK).strip("\r\n")
    named = suffix.lower() in SUFFIXES
    if not line.strip() or (line[:1] in "[{" and not named) or (line.startswith(("http://", "https://")) and not named):
        return None
    found = [_split(line, delimiter) for delimiter in DELIMITERS]
    best = max(found, key=lambda header: (header.is_known, len(header.columns)))
    if named or (best.is_known and (len(best.columns) > 1 or best.columns[0] in LINKS)):
        return best
    return None


def _split(line: str, delimiter: str) -> Header:
    try:
        cells = _cells(line, delimiter)
    except csv.Error:
        cells = []
    is_row = any(cell.strip().startswith(("http://", "https://")) for cell in cells)
    if is_row:
        linked = ["url" if cell.strip().startswith(("http://", "https://")) else "" for cell in cells]
        return Header(tuple(linked), delimiter, is_row=True)
    return Header(tuple(" ".join(cell.split()).casefold() for cell in cells), delimiter)


def rows(first: bytes, stream: IO[bytes], longest: int, delimiter: str) -> Iterator[bytes]:
    """The rows of a table, the first line before them; a cell in quotes may go over several lines.

    Where such a cell does not end, its first line stands alone and those behind it are rows again.
    """
    waiting = deque([first])
    while line := waiting.popleft() if waiting else stream.readline(longest):
        gathered, size = [line], len(line)
        inside = _is_inside(line.removeprefix(_MARK.encode()), delimiter)
        while inside and len(gathered) < MOST_LINES and size < longest:
            line = waiting.popleft() if waiting else stream.readline(longest)
            if not line:
                break
            gathered.append(line)
            size += len(line)
            inside = _is_inside(line, delimiter, inside)
        if inside:
            waiting.extendleft(reversed(gathered[1:]))
            gathered = gathered[:1]
        yield b"".join(gathered)


def _is_inside(line: bytes, delimiter: str, inside: bool = False) -> bool:
    """Whether a line ends within a cell in quotes. A quote opens a cell only where the cell begins."""
    mark, place = delimiter.encode(), 0
    while True:
        if not inside and line[place : place + 1] == b'"':
            inside, place = True, place + 1
        if inside:
            place = line.find(b'"', place)
            if place < 0:
                return True
            if line[place + 1 : place + 2] == b'"':
                place += 2
                continue
            inside = False
        place = line.find(mark, place) + 1
        if not place:
            return False
