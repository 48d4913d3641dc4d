"""The corpus as a file that `visavis compare` reads as it is, a table like the paper's, and the volume over time."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from visavis.collect.records import to_text
from visavis.collect.state.store import Store
from visavis.collect.steps.datasheet import data_sheet, sheet_path
from visavis.collect.steps.volume import volume_chart
from visavis.errors import InvalidParameter, TooFewDocuments
from visavis.shared.extras import needs
from visavis.shared.figures import FORMATS as CHARTS
from visavis.shared.figures import can_draw
from visavis.shared.files import replace_file
from visavis.shared.markdown import table_row
from visavis.shared.spreadsheet import csv_text

COLUMNS = (
    "id", "title", "text", "date", "source", "url", "weight", "topic", "author", "language", "published", "duplicates",
)  # fmt: skip
FORMATS = (".jsonl", ".csv", ".parquet")
TABLES = (".md", ".csv")


@dataclass(frozen=True)
class ExportOptions:
    """Where to write (the suffix says how) and which topics, all if none is named; `chart`, `table`: more files.

    `sheet` writes a data sheet beside the corpus.

    Raises InvalidParameter for a suffix we do not know.
    """

    path: Path
    topics: tuple[str, ...] = ()
    chart: Path | None = None
    table: Path | None = None
    sheet: bool = True

    def __post_init__(self) -> None:
        for path, what, formats in (
            (self.path, "corpus", FORMATS),
            (self.chart, "chart", CHARTS),
            (self.table, "table", TABLES),
        ):
            if path is not None and path.suffix.lower() not in formats:
                raise InvalidParameter(f"{str(path)!r}: a {what} can be written as {', '.join(formats)}")


@dataclass(frozen=True)
class TableRow:
    """One topic as in the paper's table."""

    topic: str
    queries: int
    posts: int
    articles: int
    cleaned: int


@dataclass(frozen=True)
class ExportResult:
    """How many documents were written, and the table."""

    documents: int
    table: tuple[TableRow, ...]


def export_corpus(store: Store, options: ExportOptions) -> ExportResult:
    """Write the cleaned documents of the topics, the earliest first; each file whole or not at all.

    Without the extra that draws figures the chart is left out, and NoFigures is warned of. Raises InvalidParameter for
    a topic that is not there, TooFewDocuments if there is nothing to write.
    """
    suffix = options.path.suffix.lower()
    topics = store.chosen_topics(*options.topics)
    rows = [row for topic in topics for row in _rows(store, topic, several=len(topics) > 1)]
    if not rows:
        raise TooFewDocuments("there are no cleaned documents to export; run `visavis collect clean` first")
    writers: dict[str, Callable[[list[dict[str, Any]]], str | bytes]]
    writers = {".jsonl": _jsonl, ".csv": _csv, ".parquet": _parquet}
    replace_file(options.path, lambda: writers[suffix](rows))
    if options.sheet:
        replace_file(sheet_path(options.path), lambda: data_sheet(store, topics, options.path, len(rows)))
    table = corpus_table(store, topics)
    if options.table is not None:
        kind = options.table.suffix
        replace_file(options.table, lambda: _table_text(table, kind))
    if options.chart is not None and can_draw():
        times = {topic: store.document_times(topic) for topic in topics}
        form = options.chart.suffix
        replace_file(options.chart, lambda: volume_chart(times, form))
    return ExportResult(len(rows), table)


def corpus_table(store: Store, topics: Sequence[str] = ()) -> tuple[TableRow, ...]:
    """For each topic the number of queries, matching posts, articles they link to, and articles after cleaning."""
    found = []
    for topic in store.chosen_topics(*topics):
        posts = store.matched_posts(topic)
        numbers = (len(store.queries(topic)), posts, store.count("articles", topic), store.count("cleaned", topic))
        found.append(TableRow(topic, *numbers))
    return tuple(found)


def _rows(store: Store, topic: str, several: bool) -> list[dict[str, Any]]:
    found = []
    for cleaned, document in store.cleaned(topic):
        key = f"{topic}\n{cleaned.url}" if several else cleaned.url  # an article may stand in several topics
        values = (
            hashlib.sha256(key.encode()).hexdigest()[:16],
            document.title,
            cleaned.text,
            to_text(cleaned.time),
            document.outlet,
            cleaned.url,
            cleaned.weight,
            topic,
            document.author,
            document.language,
            to_text(document.date),
            cleaned.duplicates,
        )
        found.append(dict(zip(COLUMNS, values, strict=True)))
    return found


def _jsonl(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _csv(rows: list[dict[str, Any]]) -> str:
    return csv_text(COLUMNS, ([row[name] for name in COLUMNS] for row in rows))


def _parquet(rows: list[dict[str, Any]]) -> bytes:
    with needs("tables", "Parquet"):
        import pyarrow as pa
        import pyarrow.parquet as pq
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), out)
    return out.getvalue()


def _table_text(table: tuple[TableRow, ...], suffix: str) -> str:
    """The table as CSV, or as Markdown where the file is called so."""
    head = ("topic", "queries", "posts", "articles", "articles after cleaning")
    if suffix.lower() == ".md":
        rows = [table_row(map(str, astuple(row))) for row in table]
        return "\n".join([table_row(head), "|---|" + "---:|" * 4, *rows]) + "\n"
    return csv_text(head, map(astuple, table))
