"""`visavis study serve` and `visavis study simulate`."""

from __future__ import annotations

import contextlib
import http.client
import json
import math
import sqlite3
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from sqlalchemy import select

from visavis.cli.study import keys_place, open_study
from visavis.errors import InvalidParameter
from visavis.study.app import ServeOptions, create_app
from visavis.study.app import serve as run_server
from visavis.study.app.local import FastClock, running
from visavis.study.app.options import read_screen
from visavis.study.browser import Browser, read_sheet
from visavis.study.keys import BadKeys, Keys, load_keys, make_keys
from visavis.study.pool import why_closed
from visavis.study.simulate import Crowd, Played, counted
from visavis.study.simulate import simulate as play
from visavis.study.store import copy_design, read_facts, schema
from visavis.study.store.database import Store


@click.command()
@click.argument("database", metavar="STUDY")
@click.option("--database", "elsewhere", metavar="URL", help="Run it in this database: postgresql://…")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535))
@click.option("--consent", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Text to agree to.")
@click.option("--instructions", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Text to read.")
@click.option("--ask", default="", metavar="usefulness,difficulty", help="Scales to ask after each questionnaire.")
@click.option("--screen", multiple=True, metavar="country=IN", help="Who may take part, self-declared; repeat it.")
@click.option("--lease", default=45.0, show_default=True, help="Minutes after which untouched work is given to others.")
@click.option("--completion-code", default="", help="One code for all; a code of their own for each if none is named.")
@click.option("--keys", type=click.Path(dir_okay=False, path_type=Path), help="The file of keys.")
@click.option("--new-keys", is_flag=True, help="Make keys anew where a study with workers has lost them.")
@click.option("--rate", default=600, show_default=True, help="Requests a minute and address; 0 for no limit.")
@click.option("--trusted-proxy", default="", metavar="ADDRESS", help="Believe the forwarded headers of this proxy.")
@click.option("--https", "secure", is_flag=True, help="Workers come over https: cookies are marked for it.")
def serve(database: str, elsewhere: str | None, host: str, port: int, keys: Path | None, **told: Any) -> None:
    """Run a study: workers begin at /w, the admin pages are at /admin."""
    options = ServeOptions(
        consent=_text(told["consent"]), instructions=_text(told["instructions"]),
        ask=tuple(name.strip() for name in told["ask"].split(",") if name.strip()), screen=read_screen(told["screen"]),
        lease=told["lease"] * 60, code=told["completion_code"], rate=told["rate"], secure=told["secure"],
        trusted_proxy=told["trusted_proxy"],
    )  # fmt: skip
    store = _store(database, elsewhere)
    place = keys or keys_place(database)
    found, fresh = _keys(store, place, told["new_keys"])
    click.echo(f"workers: http://{host}:{port}/w   admin: http://{host}:{port}/admin", err=True)
    click.echo(f"admin password: {found.admin if fresh else 'as before'} (kept in {place})", err=True)
    try:
        run_server(store, found, options, host=host, port=port)
    finally:
        store.close()


def _keys(store: Store, place: Path, new: bool) -> tuple[Keys, bool]:
    """The study's keys, and whether they are new; lost ones are not made anew unless that is asked for."""
    with store.reading() as connection:
        used = connection.execute(select(schema.worker.c.id)).first() is not None
    try:
        return load_keys(place, make=new or not used)
    except BadKeys as error:
        if place.exists():
            raise
        raise BadKeys(
            f"{error}; with new ones (--new-keys) nobody who took part is known again, so they could answer twice"
        ) from None


def _store(database: str, elsewhere: str | None) -> Store:
    if elsewhere is None:
        found: Store = open_study(database)
        return found
    source = open_study(database)
    target: Store = open_study(elsewhere, create=True)
    copy_design(source, target)
    source.close()
    return target


def _text(path: Path | None) -> str:
    if path is None:
        return ""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidParameter(f"cannot read {str(path)!r}: {error}") from error


@click.command()
@click.argument("database", metavar="STUDY")
@click.option("--url", help="A running server of this study; without it a copy of the study is served and played.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Where to keep the rehearsed copy.")
@click.option("--workers", default=200, show_default=True, help="How many come at most.")
@click.option("--accuracy", default=0.9, show_default=True, help="How often they are right.")
@click.option("--concurrency", default=10, show_default=True, help="How many at a time.")
@click.option("--think", default="0", show_default=True, metavar="LOW[,HIGH]", help="Seconds for a questionnaire.")
@click.option("--abandon", default=0.0, show_default=True, help="Share that leaves without a word.")
@click.option("--double-click", default=0.0, show_default=True, help="Share of clicks that come twice.")
@click.option("--late", default=0.0, show_default=True, help="Share that returns after the lease.")
@click.option("--seed", default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def simulate(database: str, url: str | None, out: Path | None, think: str, as_json: bool, **told: Any) -> None:
    """Rehearse a study with simulated workers over HTTP. Without --url the study itself is left untouched."""
    crowd = Crowd(think=_range(think), **told)
    store = open_study(database)
    _check_rehearsal(store, url, crowd)
    if url is not None:
        played, done = play(url, store, crowd), counted(store)
    else:
        played, done = _rehearse(store, crowd, out)
    store.close()
    facts = {
        "workers": played.workers, "questionnaires": len(played.acknowledged), "abandoned": played.abandoned,
        "double_clicks": played.doubled, "returned_late": played.returned, "failures": played.failures,
        "counted": done[0], "needed": done[1],
    }  # fmt: skip
    click.echo(json.dumps(facts) if as_json else "\n".join(f"{name}: {value}" for name, value in facts.items()))
    if played.failures or (not played.acknowledged and done[0] < done[1]):
        click.get_current_context().exit(1)


def _check_rehearsal(store: Store, url: str | None, crowd: Crowd) -> None:
    """Refuse a rehearsal in which nobody could do anything."""
    with store.reading() as connection:
        reason = why_closed(connection, read_facts(connection))
    if reason:
        raise InvalidParameter(f"nobody would be given work: {reason}")
    if url is None:
        return
    if crowd.late:
        raise InvalidParameter("late workers wait until their lease is over: leave out --url, or --late")
    browser = Browser(url)
    try:
        if "csrf" not in read_sheet(browser.get("/w").page).fields:
            raise InvalidParameter(f"the server at {url!r} hands out no questionnaires")
    except (OSError, http.client.HTTPException) as error:
        raise InvalidParameter(f"no server answers at {url!r} ({error}): start `visavis study serve` first") from error
    finally:
        browser.close()


def _rehearse(store: Store, crowd: Crowd, out: Path | None) -> tuple[Played, tuple[int, int]]:
    """Serve a copy and play it; leases pass in seconds."""
    with tempfile.TemporaryDirectory() as folder:
        copy = out or Path(folder) / "rehearsal.db"
        _copy(store, copy)
        rehearsed: Store = open_study(str(copy), create=True)
        options = ServeOptions(rate=0, lease=600.0)
        app = create_app(rehearsed, make_keys(), options, now=FastClock(speed=100.0))
        with running(app) as url:
            played = play(url, rehearsed, replace(crowd, away=7.0))
        done = counted(rehearsed)
        rehearsed.close()
    return played, done


def _copy(store: Store, copy: Path) -> None:
    if copy.exists():
        raise InvalidParameter(f"{str(copy)!r} exists already: choose another name for the rehearsal")
    if store.path is None:
        rehearsed = open_study(str(copy), create=True)
        copy_design(store, rehearsed)
        rehearsed.close()
        return
    try:
        with (
            contextlib.closing(sqlite3.connect(store.path)) as source,
            contextlib.closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
    except sqlite3.Error as error:
        raise InvalidParameter(f"cannot write the rehearsal to {str(copy)!r}: {error}") from error


def _range(written: str) -> tuple[float, float]:
    low, _, high = written.partition(",")
    try:
        found = (float(low), float(high or low))
    except ValueError:
        raise InvalidParameter(f"think is written LOW or LOW,HIGH in seconds, got {written!r}") from None
    if not 0 <= found[0] <= found[1] < math.inf:
        raise InvalidParameter(f"think goes from a smaller to a larger number, got {written!r}")
    return found
