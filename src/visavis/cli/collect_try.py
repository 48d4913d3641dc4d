"""`visavis collect try`: the whole way on a little web that comes along."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from visavis.cli import collecting as out
from visavis.cli.collect_options import as_json


@click.command("try")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default=Path("visavis-try"))
@as_json
def try_command(folder: Path, as_json: bool) -> None:
    """See all steps at work, from a topic to a comparison: offline, in FOLDER, within a minute.

    A server on this machine answers for a few made-up sites with fictional articles and some traps; it is the only one
    that is asked, and it ends with the command.
    """
    from visavis.collect.trial.run import try_out

    found = try_out(folder, _silent if as_json else _tell)
    if as_json:
        out.as_json({"folder": folder, "funnel": found.funnel})


def _tell(step: str, lines: Iterable[str], own: str) -> None:
    out.say(f"{step}:")
    for one in lines:
        out.say(f"  {one}")
    if own:
        out.say(f"  with a topic of your own: {own}")


def _silent(step: str, lines: Iterable[str], own: str) -> None:
    """JSON tells it in the end."""
