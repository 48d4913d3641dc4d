"""`visavis methods`: what there is to choose from."""

from __future__ import annotations

import json

import click


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def methods(as_json: bool) -> None:
    """List the methods."""
    from visavis.comparing.options import CompareOptions  # not needed for --help
    from visavis.select.methods import METHODS

    if as_json:
        usual = CompareOptions.method
        rows = [{"name": name, "about": row.about, "default": name == usual} for name, row in METHODS.items()]
        click.echo(json.dumps(rows, indent=2))
        return
    for name, row in METHODS.items():
        click.echo(f"{name:22} {row.about}{' (default)' if name == CompareOptions.method else ''}")
