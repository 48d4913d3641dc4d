"""`visavis ledger` and `visavis diff`: past summaries of a state."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from visavis.cli.output import check_outputs, print_json

if TYPE_CHECKING:
    from visavis.records.changes import Changes, Entry


@click.command()
@click.argument("state", metavar="STATE")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def ledger(state: str, as_json: bool) -> None:
    """List the past summaries of a STATE that `visavis update` made, the oldest first."""
    from visavis.updating import ledger as read

    entries = read(state)
    if as_json:
        from dataclasses import asdict

        from visavis.report.json_ import plain

        record = {"schema": 1, "summaries": [asdict(entry) for entry in entries]}
        print_json(json.dumps(plain(record), ensure_ascii=False, indent=2))
        return
    from rich.console import Console

    Console().print(_table(entries), highlight=False)


def _table(entries: tuple[Entry, ...]) -> object:
    from rich.table import Table
    from rich.text import Text

    from visavis.shared.text import line

    heads = ("no.", "made (UTC)", "documents", "groups", "method", "contrast", "picks", "what changed")
    table = Table(box=None, pad_edge=False)
    for at, head in enumerate(heads):
        table.add_column(head, no_wrap=at < len(heads) - 1, overflow="fold")
    for entry in entries:
        contrast = entry.options.get("contrast")
        cells = (
            str(entry.number), line(entry.made[:16].replace("T", " ")),
            f"{entry.documents:,} (+{entry.changes.arrivals.new:,})", str(len(entry.groups)), line(entry.method),
            f"{contrast:g}" if isinstance(contrast, int | float) else "", str(len(entry.picks)),
            _changed(entry.changes),
        )  # fmt: skip
        table.add_row(*map(Text, cells))
    return table


def _changed(changes: Changes) -> str:
    if not changes.since:
        return "the first"
    if changes.nothing:
        return f"nothing since no. {changes.since}"
    counts = (f"{len(changes.kept)} kept", f"{len(changes.added)} new", f"{len(changes.dropped)} gone")
    return f"{', '.join(counts)} since no. {changes.since}"


@click.command()
@click.argument("state", metavar="STATE")
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@click.option("-o", "--output", "outputs", multiple=True, metavar="FILE",
              help="A report to write: .html .md .json; repeatable.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def diff(state: str, before: str, after: str, outputs: tuple[str, ...], as_json: bool) -> None:
    """Put two summaries of a STATE face to face: what both picked, what only one did, and which options differ.

    A and B are numbers of the ledger, days such as 2026-11-16 (the last summary made by then), "first" or "last".
    """
    from visavis.report.ledger import render_json, render_markdown
    from visavis.updating import diff as find
    from visavis.updating import write_diff
    from visavis.updating.diff import diff_renderer

    check_outputs(outputs, [state])
    for path in outputs:
        diff_renderer(path)
    found = find(state, before, after)
    for path in outputs:
        write_diff(found, path)
        click.echo(f"written: {path}", err=True)
    if as_json:
        print_json(render_json(found))
    elif not outputs:
        click.echo(render_markdown(found))
