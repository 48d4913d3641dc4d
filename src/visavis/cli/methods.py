"""`visavis methods`: what there is to choose from."""

from __future__ import annotations

import json

import click


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def methods(as_json: bool) -> None:
    """List the methods."""
    from visavis.select.methods import DEFAULT_METHOD, METHODS  # not needed for --help

    if as_json:
        rows = [{"name": name, "about": row.about, "default": name == DEFAULT_METHOD} for name, row in METHODS.items()]
        click.echo(json.dumps(rows, indent=2))
        return
    for name, row in METHODS.items():
        click.echo(f"{name:22} {row.about}{' (default)' if name == DEFAULT_METHOD else ''}")
