"""`visavis study serve` and `visavis study simulate`."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import click

from visavis.cli.documents import words
from visavis.cli.study import keys_place, open_study
from visavis.errors import InvalidParameter
from visavis.study.app import ServeOptions
from visavis.study.app import serve as run_server
from visavis.study.app.options import PROLIFIC, read_screen
from visavis.study.app.texts import english, read_record, read_texts
from visavis.study.fieldwork.exit_questions import ExitQuestion, read_exit_questions
from visavis.study.fieldwork.keys import keys_of_study
from visavis.study.rehearsal.crowd import Crowd
from visavis.study.rehearsal.run import rehearse
from visavis.study.store import Store
from visavis.study.store.copying import open_elsewhere
from visavis.study.store.workers import has_workers

SAME = (
    "screened_code", "failed_code", "require_id", "signed_links", "most_units", "rate", "secure", "trusted_proxy",
)  # fmt: skip


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
@click.option("--screened-code", default="", help="The same for those who are screened out.")
@click.option("--failed-code", default="", help="The same for those who fail the quiz.")
@click.option("--prolific", is_flag=True, help="Lead people back to Prolific, with those codes.")
@click.option("--return-link", default="", metavar="URL", help="Lead them back elsewhere: https://…{code}.")
@click.option("--require-id", is_flag=True, help="Nobody without an id in their link.")
@click.option("--signed-links", is_flag=True, help="Nobody without a link of `visavis study links`.")
@click.option("--most-units", default=0, show_default=True, help="Units of work for one worker; 0 for no limit.")
@click.option(
    "--exit-questions",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Questions to ask at the end (.toml or .json).",
)
@click.option("--texts", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
              help="The texts of the pages (.toml or .json), as `visavis study texts` prints them.")  # fmt: skip
@click.option("--keys", type=click.Path(dir_okay=False, path_type=Path), help="The file of keys.")
@click.option("--new-keys", is_flag=True, help="Make keys anew where a study with workers has lost them.")
@click.option("--rate", default=600, show_default=True, help="Requests a minute and address; 0 for no limit.")
@click.option("--trusted-proxy", default="", metavar="ADDRESS", help="Believe the forwarded headers of this proxy.")
@click.option("--https", "secure", is_flag=True, help="Workers come over https: cookies are marked for it.")
def serve(database: str, elsewhere: str | None, host: str, port: int, keys: Path | None, **given: Any) -> None:
    """Run a study: workers begin at /w, the admin pages are at /admin."""
    options = ServeOptions(
        consent=_text(given["consent"]), instructions=_text(given["instructions"]),
        ask=tuple(words(given["ask"])), screen=read_screen(given["screen"]),
        lease=given["lease"] * 60, code=given["completion_code"], return_link=_return_link(given),
        exit_questions=_exit_questions(given["exit_questions"]),
        texts=read_texts(given["texts"]) if given["texts"] else english(),
        **{name: given[name] for name in SAME},
    )  # fmt: skip
    store: Store = open_study(database) if elsewhere is None else open_elsewhere(database, elsewhere)
    place = keys or keys_place(database)
    found, fresh = keys_of_study(place, used=has_workers(store), new=given["new_keys"])
    click.echo(f"workers: http://{host}:{port}/w   admin: http://{host}:{port}/admin", err=True)
    click.echo(f"admin password: {found.admin if fresh else 'as before'} (kept in {place})", err=True)
    try:
        run_server(store, found, options, host=host, port=port)
    finally:
        store.close()


def _return_link(given: dict[str, Any]) -> str:
    if given["prolific"] and given["return_link"]:
        raise click.UsageError("say --prolific or --return-link, not both")
    return PROLIFIC if given["prolific"] else str(given["return_link"])


def _exit_questions(path: Path | None) -> tuple[ExitQuestion, ...]:
    return () if path is None else read_exit_questions(read_record(path), path.name)


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
def simulate(database: str, url: str | None, out: Path | None, think: str, as_json: bool, **given: Any) -> None:
    """Rehearse a study with simulated workers over HTTP. Without --url the study itself is left untouched."""
    crowd = Crowd(think=_range(think), **given)
    store = open_study(database)
    found = rehearse(store, crowd, url=url, out=out)
    log = found.log
    store.close()
    facts = {
        "workers": log.workers, "questionnaires": len(log.acknowledged), "abandoned": log.abandoned,
        "double_clicks": log.doubled, "returned_late": log.returned, "failures": log.failures,
        "counted": found.counted, "needed": found.needed,
    }  # fmt: skip
    click.echo(json.dumps(facts) if as_json else "\n".join(f"{name}: {value}" for name, value in facts.items()))
    if found.failed:
        click.get_current_context().exit(1)


def _range(written: str) -> tuple[float, float]:
    low, _, high = written.partition(",")
    try:
        found = (float(low), float(high or low))
    except ValueError:
        raise InvalidParameter(f"think is written LOW or LOW,HIGH in seconds, got {written!r}") from None
    if not 0 <= found[0] <= found[1] < math.inf:
        raise InvalidParameter(f"think goes from a smaller to a larger number, got {written!r}")
    return found
