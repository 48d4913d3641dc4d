"""A summary that can be written and shown."""

from __future__ import annotations

from pathlib import Path

from visavis.records import Summary
from visavis.report import notebook_html, sentences, write, write_as
from visavis.report.short import in_short


class Comparison(Summary):
    """A whole comparison: a summary that can be written and shown."""

    def write(self, path: str | Path) -> None:
        """Write a report; the suffix chooses the format (.html, .md, .json, .csv, .sqlite)."""
        write(self, path)

    def to_html(self, path: str | Path) -> None:
        """Write the page."""
        write_as(self, path, ".html")

    def to_markdown(self, path: str | Path) -> None:
        """Write Markdown."""
        write_as(self, path, ".md")

    def to_json(self, path: str | Path) -> None:
        """Write JSON."""
        write_as(self, path, ".json")

    def to_csv(self, path: str | Path) -> None:
        """Write a table of the picks."""
        write_as(self, path, ".csv")

    def to_sqlite(self, path: str | Path) -> None:
        """Write a database of documents, groups and picks."""
        write_as(self, path, ".sqlite")

    def __str__(self) -> str:
        """The comparison in a dozen lines."""
        return in_short(self)

    def __repr__(self) -> str:
        return f"<Comparison {sentences.overview(self)}>"

    def _repr_html_(self) -> str:
        return notebook_html(self)
