"""`visavis study analyze`: what a study's judgements say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from visavis.cli.output import StageProgress

if TYPE_CHECKING:
    from visavis.study.analysis import Analysis
    from visavis.study.records import Judgement, Material, Planned

FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("source")
@click.option("-o", "--output", "outputs", multiple=True, type=FILE, metavar="FILE",
              help="A report to write: .html .md .json; repeatable.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--questionnaires", type=FILE, metavar="FILE",
              help="What was shown, beside a file of judgements.  [default: questionnaires.csv beside it]")  # fmt: skip
@click.option("--articles", type=FILE, metavar="FILE",
              help="The texts that were shown, for the classifiers.  [default: articles.csv beside it]")  # fmt: skip
@click.option("--embedder", default="tfidf", show_default=True, help="For those texts.")
@click.option("--no-classifiers", is_flag=True, help="Leave the classifiers out.")
@click.option("--page", default=12, show_default=True, metavar="N", help="Questions that page_seconds covers.")
@click.option("--resamples", default=10_000, show_default=True, help="Draws of the bootstrap.")
@click.option("--seed", default=0, show_default=True)
@click.option("--heading", default="", help="The title of the report.")
def analyze(source: str, outputs: tuple[Path, ...], as_json: bool, **told: Any) -> None:
    """Analyze a study: accuracy, agreement, tests, times, and how classifiers do on the same task.

    SOURCE is the study's database, or a file with a row for each judgement (.csv, .tsv, .jsonl), such as the .csv that
    `visavis study export` writes. Without -o and --json the report is
    printed as Markdown.
    """
    from visavis.shared.files import replace_file
    from visavis.study.analysis.output import FORMATS

    _check(outputs, source, told)
    with StageProgress() as progress:
        progress("counting judgements")
        found = _analysis(source, told, classifiers=_shows_classifiers(outputs, as_json))
        for path in outputs:
            progress(f"writing {path.name}")
            render = FORMATS[path.suffix.lower()]
            replace_file(path, lambda render=render: render(found))  # type: ignore[misc]
    for path in outputs:
        click.echo(f"written: {path}", err=True)
    if as_json or not outputs:
        click.echo(FORMATS[".json" if as_json else ".md"](found), nl=False)


def _shows_classifiers(outputs: tuple[Path, ...], as_json: bool) -> bool:
    """Whether anything but JSON is written: JSON holds the judgements of people alone."""
    return any(path.suffix.lower() != ".json" for path in outputs) or not (outputs or as_json)


def _analysis(source: str, told: dict[str, Any], *, classifiers: bool) -> Analysis:
    from visavis.study.analysis import Options, analyze
    from visavis.study.analysis.files import is_table

    options = {
        "embedder": told["embedder"],
        "machines": classifiers and not told["no_classifiers"],
        "page": told["page"],
        "resamples": told["resamples"],
        "seed": told["seed"],
        "title": told["heading"],
    }
    if not is_table(source):
        judgements, plan, material = _stored(source, vectors=options["machines"])
        return analyze(judgements, Options(**options), material=material, planned=plan)
    beside = Path(source).parent
    shown = told["questionnaires"] or _if_there(beside / "questionnaires.csv")
    return analyze(
        source,
        Options(**options, questionnaires=shown, articles=told["articles"] or _if_there(beside / "articles.csv")),
    )


def _stored(source: str, *, vectors: bool) -> tuple[list[Judgement], Planned, Material | None]:
    """The judgements of a study's database, how many are planned, and what classifiers need for the same questions."""
    from visavis.study.store import open_store
    from visavis.study.store.designs import judgements, material, planned

    store = open_store(source)
    try:
        return judgements(store), planned(store), material(store) if vectors else None
    finally:
        store.close()


def _if_there(path: Path) -> Path | None:
    return path if path.is_file() else None


def _check(outputs: tuple[Path, ...], source: str, told: dict[str, Any]) -> None:
    """Refuse, before any work, outputs that no format fits or that would replace an input."""
    from visavis.study.analysis.output import FORMATS

    inputs = [Path(source), *(told[name] for name in ("questionnaires", "articles") if told[name])]
    for path in outputs:
        if path.suffix.lower() not in FORMATS:
            raise click.UsageError(f"output {str(path)!r} has no known format; end it in one of {', '.join(FORMATS)}")
        if any(path.exists() and given.exists() and path.samefile(given) for given in inputs):
            raise click.UsageError(f"output {str(path)!r} is also an input: it would be overwritten")
