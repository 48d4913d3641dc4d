"""One report for each value of a column, and a page that leads to them."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from pathlib import Path

from visavis.errors import VisavisError
from visavis.records import Summary
from visavis.report import write
from visavis.report.verdict import p_value, verdict
from visavis.shared.files import replace_file

INDEX = "index.html"
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}"
    ":root{color-scheme:light dark}"
    "li{margin:.4rem 0}"
)
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def write_facets(results: Iterable[tuple[str, Summary | VisavisError]], folder: Path) -> Path:
    """Write a page for each value that could be compared, and the index, whose path is returned.

    `results` are the values, each with its summary or the reason why there is none. The folder is made where it is not
    there. Raises VisavisError if it cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise VisavisError(f"output {str(folder)!r} cannot be made a folder: {error.strerror}") from error
    rows = []
    for number, (value, result) in enumerate(results, 1):
        if isinstance(result, VisavisError):
            rows.append(f"<li>{html.escape(value)}: not compared ({html.escape(str(result))})</li>")
            continue
        page = f"{number:03}-{re.sub(r'[^a-z0-9]+', '-', value.lower()).strip('-')[:40] or 'value'}.html"
        write(result, folder / page)
        rows.append(f'<li><a href="{page}">{html.escape(value)}</a> {_about(result)}</li>')
    replace_file(folder / INDEX, lambda: _index(rows))
    return folder / INDEX


def _about(summary: Summary) -> str:
    count = sum(group.n_documents for group in summary.groups)
    told = verdict(summary).headline.partition(":")[0].lower()
    p = f", {p_value(summary.test[0].p_value)}" if summary.test and summary.test[0].p_value is not None else ""
    return html.escape(f"({count:,} documents, {len(summary.groups)} groups; {told}{p})")


def _index(rows: list[str]) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1"><title>Comparisons</title>'
        f"<style>{_STYLE}</style></head><body><main><h1>Comparisons</h1><ul>{''.join(rows)}</ul></main></body></html>\n"
    )
