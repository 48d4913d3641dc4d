"""`visavis methods`: what there is to choose from."""

from __future__ import annotations

import json
from typing import Any

import click


@click.command()
@click.argument("method", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def methods(method: str | None, as_json: bool) -> None:
    """List the methods, or what METHOD can be told."""
    from visavis.comparing.options import CompareOptions  # not needed for --help
    from visavis.select.methods import METHODS, row_of

    if method is not None:
        _show_parameters(method, row_of(method), as_json)
    elif as_json:
        usual = CompareOptions.method
        rows = [
            {"name": name, "about": row.about, "default": name == usual, "parameters": _declared(row)}
            for name, row in METHODS.items()
        ]
        click.echo(json.dumps(rows, indent=2))
    else:
        for name, row in METHODS.items():
            click.echo(f"{name:22} {row.about}{' (default)' if name == CompareOptions.method else ''}")


def _declared(row: Any) -> list[dict[str, Any]]:
    return [
        {"name": parameter.name, "default": parameter.default, "grid": list(parameter.grid), "help": parameter.help}
        for parameter in row.parameters
    ]


def _show_parameters(method: str, row: Any, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"name": method, "about": row.about, "parameters": _declared(row)}, indent=2))
        return
    click.echo(f"{method}: {row.about}" if row.about else method)
    for parameter in row.parameters:
        click.echo(f"  {parameter.name:12} {parameter.help} [default: {parameter.default}]")
    if not row.parameters:
        click.echo("  there is nothing to tell it")
