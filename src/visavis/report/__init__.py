"""A summary becomes something to read or to load: a page, Markdown, JSON, a table, a database."""

from __future__ import annotations

from pathlib import Path

from visavis.records import Summary
from visavis.registry import Registry, Row
from visavis.report.json_ import as_record
from visavis.shared.files import replace_file

__all__ = ["RENDERERS", "as_record", "notebook_html", "render", "write", "write_as"]

RENDERERS = Registry(
    "report",
    {
        ".html": Row("visavis.report.html:render", "one self-contained page to read and to forward"),
        ".md": Row("visavis.report.markdown:render", "the whole summary as Markdown"),
        ".json": Row("visavis.report.json_:render", "one object, the same bytes each time"),
        ".csv": Row("visavis.report.csv_:render", "one row a pick, safe to open in a spreadsheet"),
        ".sqlite": Row("visavis.report.sqlite:render", "documents, groups and picks as related tables"),
        ".db": Row("visavis.report.sqlite:render", "the same as .sqlite"),
    },
)


def render(summary: Summary, suffix: str) -> str | bytes:
    """The report in the format of a suffix, such as ".html". Raises UnknownName with the list of suffixes."""
    rendered: str | bytes = RENDERERS.load(suffix.lower())(summary)
    return rendered


def write(summary: Summary, path: str | Path) -> None:
    """Write the report in the format of the path's suffix; until it is complete, an older one stays as it is.

    Raises UnknownName if no format has the suffix, VisavisError if the file cannot be written.
    """
    write_as(summary, path, Path(path).suffix)


def write_as(summary: Summary, path: str | Path, suffix: str) -> None:
    """Write the report in the format of a suffix, whatever the path ends in."""
    renderer = RENDERERS.load(suffix.lower())
    replace_file(Path(path), lambda: renderer(summary))


def notebook_html(summary: Summary) -> str:
    """A compact fragment for a notebook: no script, its styles inline."""
    from visavis.report.html import fragment

    return fragment(summary)
