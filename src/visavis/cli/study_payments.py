"""`visavis study payments`, `links` and `texts`: what paying people, and asking them in their language, takes."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlencode

import click

from visavis.cli.study import keys_of, keys_place, open_study
from visavis.errors import InvalidParameter
from visavis.shared.files import replace_file
from visavis.shared.spreadsheet import csv_text
from visavis.study.fieldwork.keys import keys_of_study
from visavis.study.fieldwork.payments import as_csv, payment_rows
from visavis.study.store.alone import alone
from visavis.study.store.erase import forget_all
from visavis.study.store.workers import has_workers

FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("database", metavar="STUDY")
@click.option("-o", "--output", type=FILE, metavar="FILE", help="A .csv file; without it the table is printed.")
@click.option("--bonus", default=0.0, show_default=True, help="For each unit after a worker's first.")
@click.option("--keys", type=FILE, help="The file of keys.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list.")
@click.option("--forget", is_flag=True, help="Remove all ids for good, once everybody is paid.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def payments(
    database: str, output: Path | None, bonus: float, keys: Path | None, as_json: bool, forget: bool, yes: bool
) -> None:
    """Say who is to be paid for what: id, code, units, minutes, outcome, bonus. Codes stand here and nowhere else."""
    found = keys_of(database, keys)
    store = open_study(database)
    try:
        if forget:
            if not yes:
                click.confirm(f"Remove the ids of all workers from {store.name} for good?", abort=True, err=True)
            with alone(store):
                count = forget_all(store)
            click.echo(f"removed: {count} ids")
            return
        with store.reading() as connection:
            rows = payment_rows(connection, found, bonus=bonus)
    finally:
        store.close()
    if output is not None:
        replace_file(output, lambda: as_csv(rows))
        click.echo(f"written: {output} ({len(rows)} workers)", err=True)
    elif as_json:
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        click.echo(as_csv(rows), nl=False)


@click.command()
@click.argument("database", metavar="STUDY")
@click.option("--ids", required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
              help="A text file with an id a line.")  # fmt: skip
@click.option("--url", required=True, help="Where people reach the server, for instance https://study.example.org.")
@click.option("--keys", type=FILE, help="The file of keys.")
def links(database: str, ids: Path, url: str, keys: Path | None) -> None:
    """Print a signed link for each id, for `serve --signed-links`: nobody else can take part under it."""
    if not url.startswith(("https://", "http://")):
        raise InvalidParameter(f"--url must be an address such as https://study.example.org, got {url!r}")
    store = open_study(database)
    found, _ = keys_of_study(keys or keys_place(database), used=has_workers(store), new=False)
    store.close()
    names = [line.strip() for line in ids.read_text(encoding="utf-8-sig").splitlines() if line.strip()]
    if not names or len(set(names)) < len(names) or max(map(len, names)) > 200:
        raise InvalidParameter(f"{str(ids)!r} must hold different ids, one a line, of at most 200 characters")
    rows = []
    for name in names:
        query = urlencode({"participant": name, "signature": found.link(name)})
        rows.append((name, f"{url.rstrip('/')}/w?{query}"))
    click.echo(csv_text(("participant", "link"), rows), nl=False)


@click.command()
def texts() -> None:
    """Print all texts of the pages in English, to be translated and given to `serve --texts FILE`."""
    from visavis.study.app.texts import english_file

    click.echo(english_file(), nl=False)
