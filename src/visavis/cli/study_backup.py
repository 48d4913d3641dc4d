"""`visavis study backup` and `visavis study restore`."""

from __future__ import annotations

from pathlib import Path

import click

from visavis.cli.study import open_study
from visavis.study.store.backup import back_up
from visavis.study.store.backup import restore as put_back

FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("database", metavar="STUDY")
@click.option("-o", "--output", required=True, type=FILE, metavar="FILE", help="The backup: an SQLite file.")
def backup(database: str, output: Path) -> None:
    """Copy a whole study to one file, also while it is served; from PostgreSQL, too. The keys are not in it."""
    store = open_study(database)
    try:
        workers = back_up(store, output)
    finally:
        store.close()
    people = f"{workers} worker{'' if workers == 1 else 's'}"
    click.echo(f"written: {output} ({people}); the file of keys is not in it: copy that, too", err=True)


@click.command()
@click.argument("backup", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("database", metavar="STUDY")
@click.option("--replace", is_flag=True, help="Even where STUDY has workers: what they did since the backup is lost.")
def restore(backup: Path, database: str, replace: bool) -> None:
    """Put BACKUP in the place of what STUDY holds, or make STUDY of it. Refused while a server runs."""
    store = open_study(database, create=True)
    try:
        workers = put_back(backup, store, replace=replace)
    finally:
        store.close()
    click.echo(f"restored: {database} ({workers} worker{'' if workers == 1 else 's'})")
