"""The outputs of `visavis compare --facet`: one report a value, and an index page."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from visavis.cli.output import print_json
from visavis.errors import VisavisError

if TYPE_CHECKING:
    from visavis.comparing import Comparison


def show_facets(results: Any, outputs: tuple[str, ...], as_json: bool) -> None:
    """Write a folder of pages with an index for each output, print JSON, or print all summaries."""
    from visavis import report

    for name in outputs:
        _write_folder(results, Path(name))
        click.echo(f"written: {Path(name) / 'index.html'}", err=True)
    if as_json:
        found = {
            value: {"error": str(result)} if isinstance(result, VisavisError) else report.as_record(result)
            for value, result in results
        }
        print_json(json.dumps({"schema": 1, "facets": found}, ensure_ascii=False, indent=2))
    elif not outputs:
        _print_all(results)


def _print_all(results: Any) -> None:
    from rich.console import Console

    from visavis.report.terminal import print_summary
    from visavis.shared.text import line

    console = Console()
    for value, result in results:
        if isinstance(result, VisavisError):
            console.print(line(f"{value}: {result}"), markup=False, highlight=False)
        else:
            print_summary(result, console)


def _write_folder(results: Any, folder: Path) -> None:
    from visavis import report
    from visavis.shared.files import replace_file

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
        report.write(result, folder / page)
        rows.append(f'<li><a href="{page}">{html.escape(value)}</a> {_line(result)}</li>')
    replace_file(folder / "index.html", lambda: _index(rows))


def _line(summary: Comparison) -> str:
    count = sum(group.n_documents for group in summary.groups)
    verdict = f", p = {summary.test[0].p_value:.3g}" if summary.test else ""
    return html.escape(f"({count:,} documents, {len(summary.groups)} groups{verdict})")


def _index(rows: list[str]) -> str:
    style = (
        "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}"
        ":root{color-scheme:light dark}"
        "li{margin:.4rem 0}"
    )
    policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1"><title>Comparisons</title>'
        f"<style>{style}</style></head><body><main><h1>Comparisons</h1><ul>{''.join(rows)}</ul></main></body></html>\n"
    )
