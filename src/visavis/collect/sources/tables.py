"""Lists of one's own as CSV: a URL or a post a row, known by the names of its columns."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import IO, Any

from visavis.collect.sources.twitter import LINKS, TEXTS

DELIMITERS = (",", ";", "\t", "|")
SUFFIXES = (".csv", ".tsv", ".tab")
MOST_LINES = 5_000  # of one row
_MARK = "\ufeff"


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
        """A row by the names of its columns, blank cells left out."""
        cells = next(csv.reader([row], delimiter=self.delimiter), [])
        return {name: cell.strip() for name, cell in zip(self.columns, cells, strict=False) if name and cell.strip()}


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
        cells = next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        cells = []
    is_row = any(cell.strip().startswith(("http://", "https://")) for cell in cells)
    if is_row:
        linked = ["url" if cell.strip().startswith(("http://", "https://")) else "" for cell in cells]
        return Header(tuple(linked), delimiter, is_row=True)
    return Header(tuple(" ".join(cell.split()).casefold() for cell in cells), delimiter)


def rows(first: bytes, stream: IO[bytes], longest: int) -> Iterator[bytes]:
    """The rows of a table, the first line before them; a cell in quotes may go over several lines."""
    gathered: list[bytes] = []
    for line in chain((first,), iter(lambda: stream.readline(longest), b"")):
        gathered.append(line)
        if sum(part.count(b'"') for part in gathered) % 2 == 0 or len(gathered) >= MOST_LINES:
            yield b"".join(gathered)
            gathered = []
    if gathered:
        yield b"".join(gathered)
