"""Parquet, parsed in a child process."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from visavis.corpus.readers.base import Limits, NamedRows, ReadOptions, Refusal, Source, Table, check_header

if TYPE_CHECKING:
    from visavis.corpus.parsing import Sink

MODULES = ("pyarrow", "pyarrow.parquet")
CALLED = "Parquet"


def read(source: Source, options: ReadOptions) -> Table:
    """The rows of the file. Raises Unreadable, or MissingExtra where pyarrow is not installed."""
    from visavis.corpus.sandbox import parse_apart

    parsed = parse_apart("parquet", source, options.limits)
    columns = check_header(source.name, parsed.columns)
    return Table(source.name, source.stem, columns, NamedRows(columns, parsed.rows))


def parse(source: Source, limits: Limits, sink: Sink) -> None:
    """In the child: check what the file declares, then read it batch by batch."""
    file = importlib.import_module("pyarrow.parquet").ParquetFile(str(source.path))
    meta = file.metadata
    if meta.num_rows > limits.rows:
        raise Refusal(f"declares {meta.num_rows:,} rows; the limit is {limits.rows:,}")
    declared = sum(meta.row_group(group).total_byte_size for group in range(meta.num_row_groups))
    if declared > limits.text_bytes:
        raise Refusal(f"declares {declared:,} bytes; the limit is {limits.text_bytes:,}")
    sink.columns.extend(file.schema_arrow.names)
    for batch in file.iter_batches(batch_size=2048, use_threads=False):
        columns = [column.to_pylist() for column in batch.columns]
        for cells in zip(*columns, strict=True):
            sink.row(cells)
