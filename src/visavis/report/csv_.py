"""One row a pick, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator

from visavis.records import Summary
from visavis.report.text import clean, iso_date

COLUMNS = (
    "group", "rank", "id", "title", "date", "source", "url", "coverage", "discrimination", "diversity",
    "share", "gain", "loss", "stability", "stands_for", "words",
)  # fmt: skip
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def render(summary: Summary) -> str:
    """A header, then a row for each pick in the order of the groups."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    writer.writerows([_cell(value) for value in row] for row in _rows(summary))
    return table.getvalue()


def _rows(summary: Summary) -> Iterator[tuple[str | float | None, ...]]:
    for group in summary.groups:
        for pick in group.picks:
            document, scores = pick.document, pick.scores
            yield (
                group.name, pick.rank, document.id, document.title, iso_date(document.date), document.source,
                document.url, scores.coverage, scores.discrimination, scores.diversity, pick.share, pick.gain,
                pick.loss, pick.stability, len(pick.covers), "; ".join(pick.words),
            )  # fmt: skip


def _cell(value: str | float | None) -> str:
    """Numbers as they are; text that a spreadsheet would run as a formula gets an apostrophe in front."""
    if value is None:
        return ""
    if isinstance(value, str):
        guarded = "'" + value if value.startswith(FORMULA) else value
        text = clean(guarded)
        return "'" + text if text.startswith(FORMULA) else text
    if isinstance(value, int):
        return str(value)
    return f"{value:.10g}" if math.isfinite(value) else ""
