"""`visavis compare`: from files of documents to a report."""

from __future__ import annotations

import atexit
import gc
import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from visavis.cli.documents import (
    document_choices,
    duplicates_option,
    embedding_options,
    grouping_options,
    number,
    reading_options,
    source_of,
)
from visavis.cli.output import StageProgress, check_outputs, print_json, tell_of_models
from visavis.shared.garbage import seldom_collected
from visavis.shared.processes import warm_up_for_files

if TYPE_CHECKING:
    from visavis.comparing import Comparison


def selecting_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options about picks."""
    options = [
        click.option("--size", default="4", show_default=True, metavar="N|auto|A=3,B=5", help="Picks per group."),
        click.option("--budget", type=int, help="Picks in all, divided where they gain most."),
        click.option("--method", help="A method from `visavis methods`."),
        click.option("--contrast", type=float, help="How much it counts to be unlike the other groups."),
        click.option("--gamma", default="median", show_default=True, help="Kernel width: median, scale or a number."),
        click.option("--kernel", default="rbf", show_default=True, help="rbf, cosine or linear."),
        click.option("--sharpness", default="auto", show_default=True, help="Sharpness of softmin."),
        click.option("--set", "settings", multiple=True, metavar="NAME=VALUE",
                     help="A parameter of the method (`visavis methods METHOD` lists them); repeatable."),
        click.option("--tune", is_flag=True, help="Choose gamma, contrast or sharpness by cross-validation."),
        click.option("--candidates", type=click.Choice(["worthy", "all"]), default="worthy", show_default=True,
                     help="What may be picked: the longest fifth of each group, one of each story; or all."),
        click.option("--spread", metavar="COLUMN[:PERIOD]",
                     help="Spread each group's picks over its values, such as sources, as evenly as can be."),
        click.option("--pin", multiple=True, metavar="ID", help="A document that must be picked; repeatable."),
        click.option("--ban", multiple=True, metavar="ID", help="A document that must not be; repeatable."),
        click.option("--blocks", multiple=True, default=["auto"], metavar="COLUMN[:PERIOD]|auto|none",
                     help="Documents that are not independent, tested and held out together; repeatable. [default: "
                          "auto]"),
        click.option("--given", multiple=True, metavar="COLUMN[:PERIOD]",
                     help="What is held equal while groups are compared; repeatable."),
        click.option("--pairs", is_flag=True, help="Also test every pair of groups for difference."),
        click.option("--headline-endpoint", metavar="URL",
                     help="Where a language model writes a headline from the picks, which are sent there: an "
                          "OpenAI-compatible server."),
        click.option("--headline-model", metavar="NAME", help="The model that is asked for it."),
    ]  # fmt: skip
    for option in reversed([*options, *_computing()]):
        command = option(command)
    return command


def _computing() -> list[Callable[..., Any]]:
    """Options about how it is computed."""
    return [
        click.option("--exact", type=click.Choice(["auto", "yes", "no"]), default="auto", show_default=True,
                     help="Look at all pairs of documents, or at samples; auto samples above 10^12 pairs times "
                          "dimensions, and says so."),
        click.option("--memory", metavar="SIZE", help="What may be used, such as 4GB; what does not fit is refused."),
        click.option("--seed", default=0, show_default=True, help="For everything that is drawn at random."),
        click.option("--jobs", default=-1, show_default=True, help="Threads; -1 is all cores, one for few documents."),
        click.option("--engine", default="threads", show_default=True, metavar="NAME",
                     help="Who compares pairs of documents: threads, or a Dask cluster, dask://host:port."),
        click.option("--device", type=click.Choice(["auto", "cpu", "cuda"]), default="auto", show_default=True,
                     help="Where pairs of documents are compared: auto is a card if there is one and it pays."),
    ]  # fmt: skip


def showing_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options about the report, and JSON instead of it."""
    options = [
        click.option("--heading", help="The title of the report."),
        click.option("--color", "colors", multiple=True, metavar="GROUP=#RGB",
                     help="A group's color on the page; repeatable."),
        click.option("--no-live", is_flag=True,
                     help="Leave out of the page what lets its readers move contrast and size, pin and ban."),
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@click.argument("files", nargs=-1, required=True)
@grouping_options
@click.option("--facet", metavar="COLUMN", help="One comparison for each value, and an index page.")
@embedding_options
@duplicates_option
@selecting_options
@click.option("--editor-endpoint", metavar="URL",
              help="Where a language model reads the picks, which are sent there, before they are shown: those that it "
                   "finds odd make room for others.")  # fmt: skip
@click.option("--editor-model", metavar="NAME", help="The model that reads them.")
@reading_options
@click.option("-o", "--output", "outputs", multiple=True, metavar="FILE",
              help="A report to write: .html .md .json .csv .sqlite; repeatable. With --facet, a folder.")  # fmt: skip
@showing_options
def compare(files: tuple[str, ...], outputs: tuple[str, ...], as_json: bool, facet: str | None, **written: Any) -> None:
    """Compare groups of documents in FILES: pick the few that represent each and tell it apart.

    FILES are CSV, TSV, JSON, JSON Lines, Parquet, Excel, SQLite (file.db::table), HDF5, folders of texts or images,
    "-" for standard input; text files may end in .gz.
    """
    options = library_options(written)
    if options["engine"] == "threads":
        warm_up_for_files(files, options["jobs"], "visavis.corpus.boilerplate")
    atexit.register(gc.freeze)  # what is there then goes with the process: it need not be looked through for garbage
    click.get_current_context().with_resource(seldom_collected())
    from visavis.comparing import compare as run
    from visavis.comparing import compare_facets

    options["command"] = repeat_command(sys.argv[1:])
    source = source_of(files)
    lists = [written.partition("=@")[2] for written in options["groups"] if "=@" in written]
    check_outputs(outputs, [*files, *lists], folders=facet is not None)
    with StageProgress() as progress:
        if facet is not None:
            results = compare_facets(source, facet, progress=progress, **options)
        else:
            summary = run(source, progress=progress, **options)
    if facet is not None:
        from visavis.cli.facets import show_facets

        show_facets(results, facet, outputs, as_json)
        return
    _show(summary, outputs, as_json)


def library_options(given: dict[str, Any]) -> dict[str, Any]:
    """The command's options as the library takes them: names, lists and numbers instead of strings."""
    documents = document_choices(given)
    options = {name: value for name, value in given.items() if value is not None} | documents
    options["title"] = options.pop("heading", None)
    options["live"] = not options.pop("no_live", False)
    options["colors"] = dict(_color(written) for written in options.pop("colors", ()))
    options["size"] = _size(options["size"])
    options["parameters"] = dict(_parameter(written) for written in options.pop("settings"))
    for asked in ("headline", "editor"):
        options |= _model(asked, options.pop(f"{asked}_endpoint", None), options.pop(f"{asked}_model", None))
    for name in ("gamma", "sharpness"):
        words = {"gamma": ("median", "scale"), "sharpness": ("auto",)}[name]
        if options[name] not in words:
            options[name] = number(options[name], f"--{name}", float)
    return options


def _model(asked: str, url: str | None, model: str | None) -> dict[str, Any]:
    """Who writes the headline, or reads the picks, if anybody does."""
    if url is None and model is None:
        return {}
    if url is None or model is None:
        raise click.UsageError(f"--{asked}-endpoint and --{asked}-model go together: give both, or neither")
    from visavis.chat import Endpoint

    return {asked: Endpoint(url, model)}


def _size(written: str) -> Any:
    if written == "auto":
        return "auto"
    if "=" in written:
        parts = [part.rpartition("=") for part in written.split(",")]
        sizes = {name.strip(): number(count, "--size", int) for name, _, count in parts}
        if len(sizes) < len(parts):
            raise click.UsageError(f"--size names a group twice: {written!r}")
        return sizes
    return number(written, "--size", int)


def _parameter(written: str) -> tuple[str, Any]:
    """A name and a value: a number, true or false where it is one, else a word."""
    name, equals, value = written.partition("=")
    if not equals or not name.strip():
        raise click.UsageError(f"--set takes NAME=VALUE, for instance tol=0.001, got {written!r}")
    try:
        read = json.loads(value)
    except ValueError:
        read = value.strip()
    return name.strip(), value.strip() if isinstance(read, list | dict) else read


def _color(written: str) -> tuple[str, str]:
    name, equals, color = written.rpartition("=")
    if not equals or not name.strip():
        raise click.UsageError(f"--color takes GROUP=#RGB, for instance right=#c33, got {written!r}")
    return name.strip(), color.strip()


def repeat_command(words: list[str]) -> str:
    """The command that repeats this run."""
    return shlex.join(["visavis", *words])


def _show(summary: Comparison, outputs: tuple[str, ...], as_json: bool) -> None:
    from visavis import report

    tell_of_models(summary)
    for path in outputs:
        report.write(summary, path)
        click.echo(f"written: {Path(path)}", err=True)
    print_unless_written(summary, outputs, as_json)


def print_unless_written(summary: Comparison, outputs: tuple[str, ...], as_json: bool) -> None:
    """Print JSON where it is asked for, else the summary where no report was written."""
    if as_json:
        print_json(json_text(summary))
    elif not outputs:
        from rich.console import Console

        from visavis.report.terminal import print_summary

        print_summary(summary, Console())


def json_text(summary: Comparison) -> str:
    """What --json prints and -o x.json writes."""
    from visavis.report.json_ import render

    return render(summary)
