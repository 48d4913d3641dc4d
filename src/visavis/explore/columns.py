"""What the columns of a corpus hold, so that a page can offer them: dates, values, numbers or texts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from visavis.corpus.fields import as_number, column_names, find_column, is_blank, items_of
from visavis.records import Corpus
from visavis.shared.text import line

MOST_VALUES = 50  # that are listed
LONGEST_VALUE = 80  # characters; what is longer is a text
FEW = 200  # distinct values that may be groups
NO_GROUPS = ("id", "url", "text", "title", "image", "weight")
MONTHS_APART, YEARS_APART = 62, 1100  # days from which months, and years, part the documents better


@dataclass(frozen=True)
class ColumnFacts:
    """A column by name and role ("" for none): its kind, its distinct values and the most frequent of them."""

    name: str
    role: str
    kind: str
    distinct: int
    values: tuple[tuple[str, int], ...] = ()
    first: datetime | None = None
    last: datetime | None = None


def describe_columns(corpus: Corpus) -> tuple[ColumnFacts, ...]:
    """All columns, each once: one that has a role goes by its own name."""
    roles = dict(corpus.columns)
    names = [name for name in column_names(corpus) if not (name in roles and roles[name] != name)]
    by_name = {column: role for role, column in roles.items()}
    return tuple(_describe(name, by_name.get(name, name if name in roles else ""), corpus) for name in names)


def _describe(name: str, role: str, corpus: Corpus) -> ColumnFacts:
    column = find_column(name, corpus)
    if column.is_date:
        dates = [document.date for document in corpus.documents if document.date is not None]
        return ColumnFacts(
            name, "date", "date", len(set(dates)), first=min(dates, default=None), last=max(dates, default=None)
        )
    counts: Counter[str] = Counter()
    numbers = True
    for document in corpus.documents:
        value = column.read(document)
        for item in items_of(value) or (() if is_blank(value) else (value,)):
            numbers = numbers and as_number(item) is not None
            counts[line(str(item))[: LONGEST_VALUE + 1]] += 1
    long = any(len(value) > LONGEST_VALUE for value in counts)
    if (
        not counts
        or long
        or role in ("text", "title", "id", "url")
        or len(counts) == sum(counts.values()) > MOST_VALUES
    ):
        return ColumnFacts(name, role, "number" if numbers and counts else "text", len(counts))
    kind = "number" if numbers and len(counts) > FEW else "values"
    return ColumnFacts(name, role, kind, len(counts), tuple(counts.most_common(MOST_VALUES)))


def suggest(columns: tuple[ColumnFacts, ...]) -> str | None:
    """What to compare by where nothing is said: time if there is enough of it, else the first column of few values."""
    dated = next((column for column in columns if column.kind == "date" and column.first and column.last), None)
    if dated is not None and dated.first is not None and dated.last is not None and dated.distinct > 1:
        days = (dated.last - dated.first).days
        period = "year" if days > YEARS_APART else "month" if days > MONTHS_APART / 2 else "day"
        return f"{dated.name}:{period}"
    few = [c for c in columns if c.kind == "values" and 2 <= c.distinct <= FEW and c.role not in NO_GROUPS]
    return min(few, key=lambda column: (column.distinct > 12, columns.index(column))).name if few else None
