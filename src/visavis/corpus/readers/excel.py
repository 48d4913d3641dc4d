"""Spreadsheets (.xlsx, .xls, .ods), parsed in a child process: the first sheet, or `file.xlsx::Sheet`."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from visavis.corpus.errors import Unreadable, listed, shown
from visavis.corpus.readers.base import Dropped, Limits, ReadOptions, Refusal, Source, Table, check_header

if TYPE_CHECKING:
    from visavis.corpus.parsing import Sink

MODULES = ("python_calamine",)
CALLED = "a spreadsheet"


def read(source: Source, options: ReadOptions) -> Table:
    """The rows under the first row that is not blank. Raises Unreadable, or MissingExtra without python-calamine."""
    from visavis.corpus.sandbox import parse_apart

    parsed = parse_apart("excel", source, options.limits)
    if not parsed.rows:
        raise Unreadable(source.name, "the sheet is empty")
    columns = check_header(source.name, ("" if cell is None else cell for cell in parsed.rows[0]))
    dropped = Dropped(source.name, "row", options.strict)
    for reason, number in parsed.dropped:
        dropped.add(reason, number)
    ragged = {number for _, number in parsed.dropped}
    rows = [
        (number, dict(zip(columns, cells, strict=True)))
        for number, cells in enumerate(parsed.rows[1:], start=1)
        if number not in ragged and any(cell not in ("", None) for cell in cells)
    ]
    stem = source.part or source.stem
    return Table(source.name, stem, columns, rows, notes=parsed.notes, dropped=tuple(dropped.rows))


def parse(source: Source, limits: Limits, sink: Sink) -> None:
    """In the child: every row of the sheet, as wide as the header."""
    book = importlib.import_module("python_calamine").CalamineWorkbook.from_path(str(source.path))
    names = list(book.sheet_names)
    if not names:
        raise Refusal("the workbook holds no sheets")
    if source.part and source.part not in names:
        raise Refusal(f"there is no sheet {shown(source.part)}: there are {listed(names)}")
    chosen = source.part or names[0]
    if len(names) > 1 and not source.part:
        sink.notes.append(f"only sheet {shown(chosen)} was read; there are {listed(names)}")
    sheet = book.get_sheet_by_name(chosen)
    if sheet.total_height > limits.rows:
        raise Refusal(f"sheet {shown(chosen)} holds {sheet.total_height:,} rows; the limit is {limits.rows:,}")
    width = 0
    for found in sheet.iter_rows():
        row = [_whole(cell) for cell in found]
        if width == 0:
            if not any(cell not in ("", None) for cell in row):
                continue
            width = max(place for place, cell in enumerate(row, start=1) if cell not in ("", None))
            sink.columns.extend(map(str, row[:width]))
        elif any(cell not in ("", None) for cell in row[width:]):
            cells = max(place for place, cell in enumerate(row, start=1) if cell not in ("", None))
            sink.dropped.append((f"row has {cells} cells, header has {width}", sink.count))
        sink.row(row[:width])


def _whole(cell: Any) -> Any:
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell
