"""CSV and TSV: a header, then one document a row."""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Iterator
from typing import Any

from visavis.corpus.errors import Unreadable
from visavis.corpus.readers.base import Dropped, Limits, ReadOptions, Source, Table, check_header
from visavis.corpus.text import lines

_SEPARATOR = re.compile(r'"?sep=([^\w\s"]|\t)"?\r?\n', re.IGNORECASE)  # how Excel is told


def read(source: Source, options: ReadOptions) -> Table:
    """The rows under the header. Raises Unreadable for a bad header, bad text, or a quote that is never closed."""
    before = csv.field_size_limit(options.limits.field_chars)
    try:
        return _read(source, options)
    finally:
        csv.field_size_limit(before)


def _read(source: Source, options: ReadOptions) -> Table:
    records = _records(source, options.limits)
    first = next(records, None)
    if first is None:
        raise Unreadable(source.name, "is empty")
    columns = check_header(source.name, first)
    dropped = Dropped(source.name, "row", options.strict)
    rows: list[tuple[int, dict[str, Any]]] = []
    for number, cells in enumerate(records, start=1):
        if len(cells) != len(columns):
            dropped.add(f"row has {len(cells)} cells, header has {len(columns)}", number)
        else:
            rows.append((number, dict(zip(columns, cells, strict=True))))
    return Table(source.name, source.stem, columns, rows, dropped=tuple(dropped.rows))


def _records(source: Source, limits: Limits) -> Iterator[list[str]]:
    stream = lines(source, limits)
    first = next((line for line in stream if line.strip()), None)
    said = _SEPARATOR.fullmatch(first or "")
    if said is not None:
        first = next((line for line in stream if line.strip()), None)
    if first is None:
        return
    taken: list[str] = []  # the lines of the record being read

    def feed() -> Iterator[str]:
        for line in itertools.chain([first], stream):
            taken.append(line)
            yield line

    dialect: dict[str, Any] = {"delimiter": said[1] if said else _delimiter(first, source.suffix)}
    reader = csv.reader(feed(), **dialect)
    number = 0
    while True:
        last = taken.copy()
        taken.clear()
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            raise Unreadable(f"{source.name}: {_place(number)}", _explain(error, limits)) from error
        if cells:
            yield cells
            number += 1
    if _ends_inside_quotes(last, dialect):
        raise Unreadable(f"{source.name}: {_place(number - 1)}", "a quote is opened and never closed")


def _ends_inside_quotes(record: list[str], dialect: dict[str, Any]) -> bool:
    try:
        list(csv.reader(record, strict=True, **dialect))
    except csv.Error as error:
        return "end of data" in str(error)
    return False


def _delimiter(header: str, suffix: str) -> str:
    if suffix in (".tsv", ".tab"):
        return "\t"
    bare = re.sub(r'"(?:[^"]|"")*"', "", header)
    return max(",;\t|", key=bare.count)


def _place(number: int) -> str:
    return f"row {number}" if number else "header"


def _explain(error: csv.Error, limits: Limits) -> str:
    if "field larger" in str(error):
        return f"a field is longer than {limits.field_chars:,} characters; is a quote never closed?"
    if "new-line" in str(error):
        return "a line ends with a carriage return alone: save the file with ordinary line ends"
    return str(error)
