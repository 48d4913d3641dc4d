"""One row a pick, safe to open in a spreadsheet."""

from __future__ import annotations

import math
from collections.abc import Iterator

from visavis.records import Summary
from visavis.report.changes import mark
from visavis.report.text import heading, iso_date
from visavis.shared.spreadsheet import csv_text
from visavis.shared.text import clean

COLUMNS = (
    "group", "rank", "id", "title", "date", "source", "url", "coverage", "discrimination", "diversity",
    "share", "gain", "loss", "stability", "stands_for", "words", "typical", "distinct",
    "stability_by_chance", "resamples", "stands_for_share", "stands_for_rest", "headline",
)  # fmt: skip


def render(summary: Summary) -> str:
    """A header, then a row for each pick in the order of the groups; `change` says what became of it since last time,
    where there was one."""
    rows = ([clean(value) if isinstance(value, str) else value for value in row] for row in _rows(summary))
    return csv_text((*COLUMNS, "change") if summary.changes else COLUMNS, rows, line_end="\r\n", number=_number)


def _rows(summary: Summary) -> Iterator[tuple[str | float | None, ...]]:
    for group in summary.groups:
        for pick in group.picks:
            document, scores = pick.document, pick.scores
            yield (
                group.name, pick.rank, document.id, document.title, iso_date(document.date), document.source,
                document.url, scores.coverage, scores.discrimination, scores.diversity, pick.share, pick.gain,
                pick.loss, pick.stability, len(pick.covers), "; ".join(pick.words), scores.typical,
                scores.distinct, pick.stability_by_chance, pick.resamples, pick.stands_for, pick.stands_for_rest,
                heading(document), *([mark(summary, group.name, pick)] if summary.changes else []),
            )  # fmt: skip


def _number(value: float) -> str:
    return f"{value:.10g}" if math.isfinite(value) else ""
