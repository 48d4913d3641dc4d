"""`visavis evaluate`: which method, how many picks, on this data?"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from visavis.evaluate import Evaluation, Plan

HELP = """Find out which method tells groups apart best, and with how many picks.

    SOURCES are files of documents, grouped by --by; or name a data set with --dataset. The run is kept in the folder
    --out: stopped at any moment, the same command continues it.

    `visavis evaluate compare A/ B/` puts two finished runs side by side.
    """


@click.command(help=HELP)
@click.argument("sources", nargs=-1)
@click.option("--dataset", help="usps, digits, sample, or the path of an .npz (USPS) or .h5 file.")
@click.option("--by", help="Column to group by, as in `visavis compare`: COLUMN, COLUMN:month, COLUMN:spans=2, ...")
@click.option("--group", "groups", multiple=True, metavar="NAME=FROM..TO", help="A group of your own; repeat it.")
@click.option("--only", multiple=True, help="Keep these groups: names, separated by commas; repeatable.")
@click.option("--filter", "filter_", help="Keep the documents that match, as in `visavis compare`.")
@click.option("--methods", default="all", show_default=True, help="Names, separated by commas; 'all' or 'paper'.")
@click.option("--sizes", default="2,4,8,16", show_default=True, help="Picks per group.")
@click.option("--splits", default=10, show_default=True, help="Random divisions into training and test part.")
@click.option("--classifiers", default="1-nn,svm", show_default=True)
@click.option("--embedder", default="tfidf", show_default=True, help="For documents that bring no vectors.")
@click.option("--grid", help="default, usps, notebook, or fixed (nothing is tuned).  [default: what the data ask for]")
@click.option("--test-share", default=0.2, show_default=True, help="Test part of a random split.")
@click.option("--folds", default=3, show_default=True, help="Of cross-validation on the training part.")
@click.option("--ceilings/--no-ceilings", default=True, show_default=True, help="Also train on everything.")
@click.option("--keep-duplicates", is_flag=True, help="Do not leave near-duplicates out.")
@click.option("--seed", default=0, show_default=True)
@click.option("--jobs", default=-1, show_default=True, help="Processes; −1 is one for each core.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=Path("evaluation"), show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def evaluate(sources: tuple[str, ...], as_json: bool, **told: Any) -> None:
    """Run, continue or compare evaluations."""
    if sources and sources[0] == "compare" and _is_comparison(sources[1:]):
        _compare(sources[1:], as_json)
        return
    if bool(sources) == bool(told["dataset"]):
        raise click.UsageError("name files of documents, or a data set with --dataset, and not both")
    _check_out(told["out"], sources)
    from visavis.evaluate.run import evaluate as run

    vectors, groups, splits, notes, plan = _material(sources, told)
    with _progress() as progress:
        try:
            found = run(
                vectors, groups, plan, splits=splits, folder=told["out"], jobs=_jobs(told["jobs"]), progress=progress,
                notes=notes,
            )  # fmt: skip
        except KeyboardInterrupt:
            click.echo(f"stopped; what is done is kept in {told['out']}: the same command continues", err=True)
            raise
    click.echo(json.dumps(_as_record(found), indent=2) if as_json else _as_text(found, told["out"]))


def _is_comparison(words: tuple[str, ...]) -> bool:
    """Whether `compare` is the command: always, unless a file of that name is there and finished runs are not named."""
    return not Path("compare").exists() or (len(words) == 2 and all((Path(w) / "run.json").is_file() for w in words))


def _check_out(folder: Path, sources: tuple[str, ...]) -> None:
    """No file of the run may take the place of one that it reads. Raises UsageError."""
    from visavis.evaluate.journal import NAME
    from visavis.evaluate.output import FILES

    ours = {(folder / name).resolve() for name in (*FILES, NAME)}
    for source in sources:
        if Path(source.partition("::")[0]).resolve() in ours:
            raise click.UsageError(f"--out {str(folder)!r} would overwrite {source!r}: name another folder")


def _material(sources: tuple[str, ...], told: dict[str, Any]) -> tuple[Any, Any, Any, tuple[str, ...], Plan]:
    """Vectors, groups, splits, remarks, and the plan that goes with them."""
    name = told["dataset"]
    if name and name != "sample" and (not told["by"] or Path(name).suffix.lower() not in (".h5", ".hdf5")):
        from visavis.evaluate.splits import standard_and_random

        _refuse_unused(name, told)

        data = _dataset(name)
        plan = _plan(told, data.name, "given", grid=data.grid, init=data.init, variance=data.variance)
        splits = data.splits or None
        if data.n_train is not None:
            splits = standard_and_random(len(data.groups), data.n_train, plan.splits, plan.seed)
        return data.vectors, data.groups, splits, (), plan
    from visavis.corpus import read_corpus
    from visavis.corpus.grouping import GroupOptions, group
    from visavis.datasets import sample_path
    from visavis.evaluate.documents import prepare

    if name and name != "sample":
        sources = (name,)
    corpus = read_corpus([Path(source) for source in sources] if sources else str(sample_path()))
    by = told["by"] or ("date:month" if name == "sample" and not told["groups"] else None)
    options = GroupOptions(by=by, groups=told["groups"], only=_names(told["only"]), filter=told["filter_"])
    material = prepare(group(corpus, options), told["embedder"], fold_duplicates=not told["keep_duplicates"])
    own = corpus.vectors is not None
    plan = _plan(told, name or corpus.origin, "given" if own else told["embedder"])
    return material.vectors, material.groups, material.splits or None, material.notes, plan


def _refuse_unused(name: str, told: dict[str, Any]) -> None:
    """A data set brings its own groups and vectors: what would change them is refused, not passed over."""
    for option in ("by", "groups", "only", "filter_", "keep_duplicates"):
        if told[option]:
            written = option.rstrip("_").replace("groups", "group").replace("_", "-")
            raise click.UsageError(f"--{written} does not go with --dataset {name}, which brings its own groups")
    if click.get_current_context().get_parameter_source("embedder") is click.core.ParameterSource.COMMANDLINE:
        raise click.UsageError(f"--embedder does not go with --dataset {name}, which brings its own vectors")


def _names(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for word in words for name in _words(word))


def _dataset(name: str) -> Any:
    from visavis.datasets.compsumm import load_compsumm
    from visavis.datasets.digits import load_digits
    from visavis.datasets.usps import fetch_usps
    from visavis.errors import UnknownName

    known: dict[str, Callable[[], Any]] = {"usps": fetch_usps, "digits": load_digits}
    if name in known:
        return known[name]()
    suffix = Path(name).suffix.lower()
    if suffix == ".npz":
        return fetch_usps(name)
    if suffix in (".h5", ".hdf5"):
        return load_compsumm(name)
    raise UnknownName(f"unknown data set {name!r}. There are: usps, digits, sample, and files ending in .h5 or .npz")


def _plan(told: dict[str, Any], dataset: str, embedding: str, *, grid: str = "default", **of_data: Any) -> Plan:
    from visavis.evaluate.plan import PAPER_METHODS, Plan
    from visavis.select.methods import METHODS

    aliases = {"all": tuple(METHODS), "paper": PAPER_METHODS}
    methods = [name for word in _words(told["methods"]) for name in aliases.get(word, (word,))]
    plain = {key: told[key] for key in ("splits", "test_share", "folds", "ceilings", "seed")}
    return Plan(
        methods=tuple(methods),
        sizes=tuple(_whole(word) for word in _words(told["sizes"])),
        classifiers=tuple(_words(told["classifiers"])),
        grid=told["grid"] or grid,
        dataset=dataset,
        embedding=embedding,
        **plain,
        **of_data,
    )


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _whole(word: str) -> int:
    if not word.isdecimal():
        raise click.BadParameter(f"{word!r} is no whole number", param_hint="--sizes")
    return int(word)


def _jobs(told: int) -> int:
    from visavis.inputs import check_compute

    if told == 0:
        raise click.BadParameter("there must be at least one process", param_hint="--jobs")
    return check_compute("float32", told, 1).threads


@contextmanager
def _progress() -> Iterator[Callable[[int, int, str], None]]:
    """A bar on stderr with the time left."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    started = False
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
    bar = Progress(*columns, TextColumn("{task.fields[what]}", markup=False), console=Console(stderr=True))
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
        "cells": [vars(cell) for cell in (*found.cells(), *found.ceilings())],
        "wins": found.wins(),
        "tests": [vars(test) for test in found.tests()],
        "notes": list(found.notes),
    }


def _as_text(found: Evaluation, folder: Path) -> str:
    from visavis.evaluate.tables import summary

    return f"{summary(found)}\nTables, figures and results are in {folder}/"
