"""The outputs of `visavis compare --facet`: one report a value, and an index page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from visavis.cli.output import print_json, tell_of_models
from visavis.errors import VisavisError


def show_facets(results: Any, facet: str, outputs: tuple[str, ...], as_json: bool) -> None:
    """Write a folder of pages with an index for each output, print JSON, or print all summaries."""
    from visavis import report
    from visavis.report.facets import write_facets
    from visavis.report.json_ import SCHEMA

    for value, result in results:
        if not isinstance(result, VisavisError):
            tell_of_models(result, value)
    for name in outputs:
        click.echo(f"written: {write_facets(results, Path(name), facet)}", err=True)
    if as_json:
        found = {
            value: {"error": str(result)} if isinstance(result, VisavisError) else report.as_record(result)
            for value, result in results
        }
        print_json(json.dumps({"schema": SCHEMA, "facets": found}, ensure_ascii=False, indent=2))
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
