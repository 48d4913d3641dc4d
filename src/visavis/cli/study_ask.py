"""`visavis study machine` and `visavis study ask`."""

from __future__ import annotations

import json
import time
from typing import Any

import click

from visavis.chat import Client, Endpoint, Limits
from visavis.cli.output import StageProgress
from visavis.cli.study import open_study
from visavis.study.asking.run import ask_model
from visavis.study.store import read_facts
from visavis.study.store.machines import add_machine, all_machines, retire_machine
from visavis.study.tasks import OF_A_MACHINE


@click.group()
def machine() -> None:
    """Machines that answer through the server's JSON interface, each with a token of its own."""


@machine.command()
@click.argument("database", metavar="STUDY")
@click.argument("name")
@click.option("--judgements", type=click.IntRange(1), help="Answers to each cell.  [default: 1 to sort, 2 to prefer]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def add(database: str, name: str, judgements: int | None, as_json: bool) -> None:
    """Let a machine take part, and print its token, which is shown this once and stored as a hash."""
    store = open_study(database)
    with store.writing() as connection:
        wanted = judgements or OF_A_MACHINE[read_facts(connection)["task"]]
        token = add_machine(connection, name, wanted, time.time())
    store.close()
    click.echo(json.dumps({"name": name, "token": token, "judgements": wanted}) if as_json else token)


@machine.command(name="list")
@click.argument("database", metavar="STUDY")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def list_(database: str, as_json: bool) -> None:
    """Name the machines of a study, and how much each has answered."""
    store = open_study(database)
    with store.reading() as connection:
        found = all_machines(connection)
    store.close()
    lines = [
        f"{one['name']}: {one['answered']} questionnaires answered, {one['judgements']} wanted for each cell"
        f"{', retired' if one['retired'] else ''}"
        for one in found
    ]
    click.echo(json.dumps({"machines": found}) if as_json else "\n".join(lines) or "there are none")


@machine.command()
@click.argument("database", metavar="STUDY")
@click.argument("name")
def retire(database: str, name: str) -> None:
    """Let a machine's token open nothing any more. What it answered stays."""
    store = open_study(database)
    with store.writing() as connection:
        retire_machine(connection, name)
    store.close()
    click.echo(f"retired: {name}")


@click.command()
@click.argument("database", metavar="STUDY")
@click.option(
    "--endpoint", required=True, metavar="URL", help="An OpenAI-compatible server: https, or on this machine."
)
@click.option("--model", required=True, metavar="NAME", help="Which model of that server is asked.")
@click.option("--name", default="", help="What the machine is called in the study.  [default: the model's name]")
@click.option("--judgements", type=click.IntRange(1),
              help="Answers to each cell, where it is new.  [default: 1 to sort, 2 to prefer]")  # fmt: skip
@click.option("--calls", default=1000, show_default=True, type=click.IntRange(1), help="Calls of one run at most.")
@click.option("--tries", default=3, show_default=True, type=click.IntRange(1),
              help="Answers that cannot be read before a questionnaire is left out.")  # fmt: skip
@click.option("--seconds", default=300.0, show_default=True, help="For one answer, waits included.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def ask(database: str, endpoint: str, model: str, calls: int, seconds: float, as_json: bool, **options: Any) -> None:
    """Have a language model answer a study. Texts of the study are sent to the endpoint and nowhere else.

    A key is read from VISAVIS_API_KEY alone. Every prompt is kept with its answer. A run that was stopped, or killed,
    goes on where it stopped when it is called again.
    """
    client = Client(Endpoint(endpoint, model), Limits(calls=calls, seconds=seconds))
    store = open_study(database)
    click.echo(f"texts of the study are sent to {client.host}", err=True)
    try:
        with StageProgress() as progress:
            progress(f"asking {model} at {client.host}")
            found = ask_model(
                store, client, tell=lambda done: progress(f"asking {model} at {client.host}: {done}"), **options
            )
    finally:
        store.close()
    facts = {
        "machine": found.machine, "host": client.host, "answered": found.answered, "left_out": found.left_out,
        "stopped": found.stopped,
    }  # fmt: skip
    told = f"{found.answered} questionnaires answered, {found.left_out} left out as the answers could not be read"
    click.echo(json.dumps(facts) if as_json else told)
    if found.stopped:
        click.echo(f"stopped: {found.stopped}; call it again to go on", err=True)
        click.get_current_context().exit(1)
