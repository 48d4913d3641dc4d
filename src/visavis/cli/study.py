"""`visavis study`: from a corpus to a blind study with people, and back to numbers."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import click

from visavis.errors import InvalidParameter
from visavis.shared.extras import needs

LAZY = {
    "design": ("visavis.cli.study_design:design", "Turn a corpus into a study."),
    "gold": ("visavis.cli.study:gold", "Bring in questionnaires with known answers."),
    "serve": ("visavis.cli.study_serve:serve", "Run the study on this machine."),
    "simulate": ("visavis.cli.study_serve:simulate", "Rehearse it with simulated workers."),
    "machine": ("visavis.cli.study_ask:machine", "Let machines take part."),
    "ask": ("visavis.cli.study_ask:ask", "Have a language model answer."),
    "payments": ("visavis.cli.study_payments:payments", "Say who is to be paid for what."),
    "links": ("visavis.cli.study_payments:links", "Make signed links for known participants."),
    "texts": ("visavis.cli.study_payments:texts", "Print the texts of the pages, to be translated."),
    "export": ("visavis.cli.study:export", "Write the judgements to a file."),
    "analyze": ("visavis.cli.study_analyze:analyze", "Say what the judgements show."),
    "erase": ("visavis.cli.study:erase", "Remove one worker without trace."),
    "backup": ("visavis.cli.study_backup:backup", "Copy a whole study, served or not."),
    "restore": ("visavis.cli.study_backup:restore", "Put a backup in its place."),
}


NOT_ERASED = "files exported before, backups, and what you kept of payments"
OF_POSTGRESQL = "; PostgreSQL's own write-ahead log, replicas and logs, which its administrator sees to"


class StudyGroup(click.Group):
    """Imports a subcommand only when it runs, and says what to install where something is missing."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """All names, in the order of the work."""
        return list(LAZY)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The subcommand of that name."""
        if cmd_name not in LAZY:
            return None
        module, _, attribute = LAZY[cmd_name][0].partition(":")
        with needs("web", "`visavis study`"):
            command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The list of subcommands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in LAZY.items()])


def open_study(where: str, *, create: bool = False) -> Any:
    """The store behind a file or a URL. Raises MissingExtra without the extra."""
    with needs("web", "`visavis study`"):
        from visavis.study.store import open_store
    return open_store(where, create=create)


@click.group(cls=StudyGroup)
def study() -> None:
    """Run a blind study with people: who tells articles apart best, with whose picks?"""


@click.group()
def gold() -> None:
    """Questionnaires with known answers, by which workers are judged."""


@gold.command(name="import")
@click.argument("database", metavar="STUDY")
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def import_(database: str, file: str, as_json: bool) -> None:
    """Add the gold questionnaires of FILE (.json, .jsonl or .csv) to a study."""
    store = open_study(database)
    from visavis.study.store.golds import import_now, read_golds_for

    golds = read_golds_for(store, file)
    added, total = import_now(store, golds)
    store.close()
    counts = f"{added} added" + (f", {len(golds) - added} there already" if added < len(golds) else "")
    click.echo(json.dumps({"added": added, "golds": total}) if as_json else f"{counts}, {total} in use")


@click.command()
@click.argument("database", metavar="STUDY")
@click.option("-o", "--output", required=True, metavar="FILE", help="A .csv (judgements) or .jsonl (everything) file.")
@click.option("--exit-answers", is_flag=True, help="The answers to the last questions instead, as .csv.")
def export(database: str, output: str, exit_answers: bool) -> None:
    """Write a study's judgements: .csv is a table safe for spreadsheets, .jsonl has all but ids and keys."""
    store = open_study(database)
    from visavis.study.fieldwork.export import write_exit_answers, write_export

    (write_exit_answers if exit_answers else write_export)(store, Path(output))
    store.close()
    click.echo(f"written: {output}", err=True)


@click.command()
@click.argument("database", metavar="STUDY")
@click.option("--worker", metavar="PSEUDONYM", help="As the admin pages name the worker.")
@click.option("--participant", metavar="ID", help="The id the worker came with, for instance a PROLIFIC_PID.")
@click.option("--keys", type=click.Path(dir_okay=False, path_type=Path), help="The file of keys, for --participant.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def erase(database: str, worker: str | None, participant: str | None, keys: Path | None, yes: bool) -> None:
    """Remove one worker so that no byte of them remains; their cells reopen. Exported files are not touched."""
    if (worker is None) == (participant is None):
        raise click.UsageError("name the worker with --worker or with --participant")
    store = open_study(database)
    from visavis.study.store.alone import alone
    from visavis.study.store.erase import erase as run

    name = worker or keys_of(database, keys).pseudonym(participant or "")
    if not yes:
        click.confirm(f"Remove {name} from {store.name} for good?", abort=True, err=True)
    with alone(store):
        found, is_file = run(store, name), store.is_sqlite
    store.close()
    click.echo(f"removed: {found.questionnaires} questionnaires, {found.judgements} judgements; their cells are open")
    click.echo(f"not reached: {NOT_ERASED}{'' if is_file else OF_POSTGRESQL}", err=True)


def keys_of(database: str, keys: Path | None) -> Any:
    """The keys of a study that has been served. Raises InvalidParameter where there are none."""
    from visavis.study.fieldwork.keys import load_keys

    place = keys or keys_place(database)
    if not place.exists():
        raise InvalidParameter(
            f"there are no keys in {str(place)!r}: `visavis study serve` makes them at first; name the file with --keys"
        )
    return load_keys(place)[0]


def keys_place(database: str) -> Path:
    """Where the keys of a study lie unless told otherwise: beside its file."""
    return Path("visavis-study.keys") if "://" in database else Path(f"{database}.keys")
