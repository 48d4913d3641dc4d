"""`visavis study analyze`: what a study's judgements say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from visavis.cli.documents import words
from visavis.cli.output import StageProgress

if TYPE_CHECKING:
    from visavis.study.analysis import Options

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
@click.option(
    "--resamples", default=10_000, show_default=True, help="Of a study of preferences: draws of the bootstrap."
)
@click.option("--seed", default=0, show_default=True, help="Of those draws.")
@click.option("--leave-out", default="", metavar="FLAGS",
              help="Set workers aside who carry one of these flags: speed, duplicate.")  # fmt: skip
@click.option("--heading", default="", help="The title of the report.")
def analyze(source: str, outputs: tuple[Path, ...], as_json: bool, **options: Any) -> None:
    """Analyze a study: accuracy, agreement, tests, times, and how classifiers do on the same task.

    SOURCE is the study's database, or a file with a row for each judgement (.csv, .tsv, .jsonl), such as the .csv that
    `visavis study export` writes. Without -o and --json the report is
    printed as Markdown.
    """
    from visavis.study.analysis import analyze_source
    from visavis.study.analysis.output import FORMATS, write_analysis

    _check(outputs, source, options)
    with StageProgress() as progress:
        progress("counting judgements")
        found = analyze_source(source, _options(options, classifiers=_shows_classifiers(outputs, as_json)))
        for path in outputs:
            progress(f"writing {path.name}")
            write_analysis(found, path)
    for path in outputs:
        click.echo(f"written: {path}", err=True)
    if as_json or not outputs:
        click.echo(FORMATS[".json" if as_json else ".md"](found), nl=False)


def _shows_classifiers(outputs: tuple[Path, ...], as_json: bool) -> bool:
    """Whether anything but JSON is written: JSON holds the judgements of people alone."""
    return any(path.suffix.lower() != ".json" for path in outputs) or not (outputs or as_json)


def _options(options: dict[str, Any], *, classifiers: bool) -> Options:
    from visavis.study.analysis import Options

    same = {name: options[name] for name in ("embedder", "page", "resamples", "seed", "questionnaires", "articles")}
    left_out = tuple(words(options["leave_out"]))
    return Options(
        **same, leave_out=left_out, classifiers=classifiers and not options["no_classifiers"], title=options["heading"]
    )


def _check(outputs: tuple[Path, ...], source: str, options: dict[str, Any]) -> None:
    """Refuse, before any work, outputs that no format fits or that would replace an input."""
    from visavis.study.analysis.output import FORMATS

    inputs = [Path(source), *(options[name] for name in ("questionnaires", "articles") if options[name])]
    for path in outputs:
        if path.suffix.lower() not in FORMATS:
            raise click.UsageError(f"output {str(path)!r} has no known format; end it in one of {', '.join(FORMATS)}")
        if any(path.exists() and given.exists() and path.samefile(given) for given in inputs):
            raise click.UsageError(f"output {str(path)!r} is also an input: it would be overwritten")
