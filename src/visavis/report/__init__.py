"""A summary becomes something to read or to load: a page, Markdown, JSON, a table, a database."""

from __future__ import annotations

from pathlib import Path

from visavis.contracts import Renderer
from visavis.errors import InvalidParameter
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


def render(summary: Summary, form: str | Renderer) -> str | bytes:
    """The report in the format of a suffix, such as ".html", or by a function of the caller's.

    Raises UnknownName with the list of suffixes.
    """
    return _renderer(form)(summary)


def write(summary: Summary, path: str | Path) -> None:
    """Write the report in the format of the path's suffix; until it is complete, an older one stays as it is.

    Raises UnknownName if no format has the suffix, VisavisError if the file cannot be written.
    """
    write_as(summary, path, Path(path).suffix)


def write_as(summary: Summary, path: str | Path, form: str | Renderer) -> None:
    """Write the report in the format of a suffix or by a function of the caller's, whatever the path ends in."""
    renderer = _renderer(form)
    replace_file(Path(path), lambda: renderer(summary))


def _renderer(form: str | Renderer) -> Renderer:
    """What renders in that format. Raises UnknownName if no format has the suffix, InvalidParameter for no function."""
    if isinstance(form, str):
        renderer: Renderer = RENDERERS.load(form.lower())
        return renderer
    if not callable(form):
        raise InvalidParameter(f"a report format is a suffix such as '.html' or a function of a summary, got {form!r}")
    return form


def notebook_html(summary: Summary) -> str:
    """A compact fragment for a notebook: no script, its styles inline."""
    from visavis.report.html import fragment

    return fragment(summary)
