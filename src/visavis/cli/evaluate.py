"""`visavis evaluate`: which method, how many picks, on this data?"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from visavis.cli.counting import bars
from visavis.cli.documents import (
    document_choices,
    duplicates_option,
    embedding_options,
    grouping_options,
    reading_options,
    source_of,
    words,
)
from visavis.cli.output import StageProgress

if TYPE_CHECKING:
    from visavis.evaluate import Cell, Evaluation

HELP = """Find out which method tells groups apart best, and with how many picks.

    SOURCES are files of documents, grouped by --by; or name a data set with --dataset. The run is kept in the folder
    --out: stopped at any moment, the same command continues it.

    `visavis evaluate compare A/ B/` puts two finished runs side by side.
    """


@click.command(help=HELP)
@click.argument("sources", nargs=-1)
@click.option("--dataset", help="usps, digits, sample, or the path of an .npz (USPS) or .h5 file.")
@grouping_options
@embedding_options
@duplicates_option
@reading_options
@click.option("--methods", default="all", show_default=True, help="Names, separated by commas; 'all' or 'paper'.")
@click.option("--sizes", default="2,4,8,16", show_default=True, help="Picks per group.")
@click.option("--splits", default=10, show_default=True, help="Random divisions into training and test part.")
@click.option("--classifiers", default="1-nn,svm", show_default=True)
@click.option("--grid", help="default, usps, notebook, or fixed (nothing is tuned).  [default: what the data ask for]")
@click.option("--test-share", default=0.2, show_default=True, help="Test part of a random split.")
@click.option("--folds", default=3, show_default=True, help="Of cross-validation on the training part.")
@click.option("--blocks", multiple=True, default=("none",), metavar="COLUMN[:PERIOD]|auto|none",
              help="Documents that are not independent, held out together; repeatable.  [default: none]")  # fmt: skip
@click.option(
    "--candidates",
    type=click.Choice(["worthy", "all"]),
    default="all",
    show_default=True,
    help="What may be picked: every document; or those that a comparison may show, one of each story.",
)
@click.option("--ceilings/--no-ceilings", default=True, show_default=True, help="Also train on everything.")
@click.option("--seed", default=0, show_default=True, help="For everything that is drawn at random.")
@click.option("--jobs", default=-1, show_default=True, help="Processes; −1 is one for each core.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=Path("evaluation"), show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def evaluate(sources: tuple[str, ...], dataset: str | None, out: Path, as_json: bool, **given: Any) -> None:
    """Run, continue or compare evaluations."""
    if sources and sources[0] == "compare" and _is_comparison(sources[1:]):
        _compare(sources[1:], as_json)
        return
    if bool(sources) == bool(dataset):
        raise click.UsageError("name files of documents, or a data set with --dataset, and not both")
    _check_out(out, sources)
    from visavis.comparing.documents import DocumentOptions
    from visavis.evaluate.material import load_material
    from visavis.evaluate.run import evaluate as run

    documents, jobs = DocumentOptions(**document_choices(given)), _jobs(given.pop("jobs"))
    blocks = given.pop("blocks")
    chosen = _plan_choices(given)
    with StageProgress() as stage:
        material = load_material(
            source_of(sources) if sources else None, documents, dataset, blocks=blocks, progress=stage
        )
    plan = material.plan(**chosen)
    with _progress() as progress:
        try:
            found = run(
                material.vectors, material.groups, plan, splits=material.splits_for(plan), folder=out, jobs=jobs,
                progress=progress, notes=material.notes, worthy=material.worthy, blocks=material.blocks,
            )  # fmt: skip
        except KeyboardInterrupt:
            click.echo(f"stopped; what is done is kept in {out}: the same command continues", err=True)
            raise
    click.echo(json.dumps(_as_record(found), indent=2) if as_json else _as_text(found, out))


def _is_comparison(folders: tuple[str, ...]) -> bool:
    """Whether `compare` is the command: always, unless a file of that name is there and finished runs are not named."""
    return not Path("compare").exists() or (
        len(folders) == 2 and all((Path(f) / "run.json").is_file() for f in folders)
    )


def _check_out(folder: Path, sources: tuple[str, ...]) -> None:
    """No file of the run may take the place of one that it reads. Raises UsageError."""
    from visavis.evaluate.journal import NAME
    from visavis.evaluate.output import FILES

    ours = {(folder / name).resolve() for name in (*FILES, NAME)}
    for source in sources:
        if Path(source.partition("::")[0]).resolve() in ours:
            raise click.UsageError(f"--out {str(folder)!r} would overwrite {source!r}: name another folder")


def _plan_choices(given: dict[str, Any]) -> dict[str, Any]:
    """The command's options as fields of a Plan; what was not given is left to the data."""
    from visavis.evaluate.plan import PAPER_METHODS
    from visavis.select.methods import METHODS

    aliases = {"all": tuple(METHODS), "paper": PAPER_METHODS}
    methods = tuple(name for word in words(given["methods"]) for name in aliases.get(word, (word,)))
    sizes = tuple(_whole(word) for word in words(given["sizes"]))
    chosen = {**given, "methods": methods, "sizes": sizes, "classifiers": tuple(words(given["classifiers"]))}
    return {name: value for name, value in chosen.items() if value is not None}


def _whole(word: str) -> int:
    if not word.isdecimal():
        raise click.BadParameter(f"{word!r} is no whole number", param_hint="--sizes")
    return int(word)


def _jobs(wanted: int) -> int:
    from visavis.inputs import check_compute

    if wanted == 0:
        raise click.BadParameter("there must be at least one process", param_hint="--jobs")
    return check_compute("float32", wanted, 1).threads


@contextmanager
def _progress() -> Iterator[Callable[[int, int, str], None]]:
    """A bar on stderr with the time left."""
    from rich.progress import TextColumn

    started = False
    bar = bars(after=(TextColumn("{task.fields[what]}", markup=False),))
    task = bar.add_task("", total=None, what="")

    def show(done: int, total: int, what: str) -> None:
        nonlocal started
        started = True
        bar.start()  # only now: what is refused before is told without a bar
        bar.update(task, completed=done, total=total, what=what)

    try:
        yield show
    finally:
        if started:
            bar.stop()


def _compare(folders: tuple[str, ...], as_json: bool) -> None:
    from visavis.evaluate.compare import compare_runs

    if len(folders) != 2:
        raise click.UsageError("compare needs the folders of two runs: visavis evaluate compare A/ B/")
    found = compare_runs(*folders)
    click.echo(json.dumps(found.as_record(), indent=2) if as_json else found.as_text(), nl=as_json)


def _as_record(found: Evaluation) -> dict[str, Any]:
    return {
        "dataset": found.dataset,
        "plan": dict(found.about),
        "facts": dict(found.facts),
        "cells": [{**vars(cell), **_measures(found, cell)} for cell in (*found.cells(), *found.ceilings())],
        "wins": found.wins(),
        "tests": [vars(test) for test in found.tests()],
        "notes": list(found.notes),
    }


def _measures(found: Evaluation, cell: Cell) -> dict[str, Any]:
    """What the cell's picks are worth to a reader; null for what could not be measured."""
    from visavis.evaluate.measured import measured
    from visavis.evaluate.measures import MEASURES

    taken = {name: measured(found, name, cell.method, cell.size, cell.classifier) for name in MEASURES}
    return {name: None if one is None else vars(one) for name, one in taken.items()}


def _as_text(found: Evaluation, folder: Path) -> str:
    from visavis.evaluate.tables import summary

    return f"{summary(found)}\nTables, figures and results are in {folder}/"
