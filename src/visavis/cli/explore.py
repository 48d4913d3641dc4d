"""`visavis explore`: the comparison, live in the browser."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Any

import click

from visavis.cli.documents import (
    document_choices,
    duplicates_option,
    embedding_options,
    grouping_options,
    reading_options,
    source_of,
)
from visavis.cli.output import StageProgress

PORT = 8321
OPENING = {"by": "by", "groups": "group", "only": "only", "versus": "versus", "filter": "filter"}


@click.command()
@click.argument("files", nargs=-1)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help=f"Where to listen; 0 for any that is free. [default: {PORT}, or any if that is taken]",
)
@click.option("--no-browser", is_flag=True, help="Print the address, and open nothing.")
@grouping_options
@embedding_options
@duplicates_option
@reading_options
def explore(files: tuple[str, ...], port: int | None, no_browser: bool, **written: Any) -> None:
    """Explore groups of documents in FILES in a page on this machine; without FILES the page takes one, or the sample.

    The page answers to this machine alone, and to whoever opens the address that is printed. Ctrl-C ends it.
    """
    from visavis.shared.extras import require

    require("fastapi", "uvicorn", "multipart", extra="web", what="visavis explore")
    from visavis.explore import Workspace, serve

    options = document_choices(written)
    opening = _opening(options)
    workspace = Workspace(options)
    try:
        if files:
            with StageProgress() as progress:
                workspace.load(source_of(files), _name(files), files, progress)
        opened = _listen(serve, workspace, port)
    except BaseException:
        workspace.close()
        raise
    address = opened.address(opening)
    click.echo(f"Explore: {address}")
    if not no_browser:
        webbrowser.open(address)
    opened.run()


def _opening(options: dict[str, Any]) -> list[tuple[str, str]]:
    """The grouping that the command names becomes the state that the page opens with."""
    found: list[tuple[str, str]] = []
    for option, name in OPENING.items():
        value = options[option]
        found += [(name, one) for one in (value if isinstance(value, tuple) else (value,)) if one]
    return found


def _listen(serve: Any, workspace: Any, port: int | None) -> Any:
    """At the port that was named; else at the usual one, or at any where that is taken."""
    from visavis.errors import InvalidParameter

    if port is not None:
        return serve(workspace, port)
    try:
        return serve(workspace, PORT)
    except InvalidParameter:
        return serve(workspace, 0)


def _name(files: tuple[str, ...]) -> str:
    first = Path(files[0]).name or files[0]
    return first if len(files) == 1 else f"{first} and {len(files) - 1} more"
