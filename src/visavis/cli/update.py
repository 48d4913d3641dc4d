"""`visavis update`: what is new since last time."""

from __future__ import annotations

import sys
from typing import Any

import click
from click.core import ParameterSource

from visavis.cli.compare import (
    library_options,
    print_unless_written,
    repeat_command,
    selecting_options,
    showing_options,
)
from visavis.cli.documents import (
    ROLES,
    duplicates_option,
    embedding_options,
    grouping_options,
    reading_options,
    source_of,
)
from visavis.cli.output import StageProgress, check_outputs, tell_of_models

CALLED = {  # options of the command that the library calls by another name
    **dict.fromkeys(ROLES, "columns"), "filter_": "filter", "keep_duplicates": "duplicates", "heading": "title",
    "no_live": "live", "settings": "parameters", "headline_endpoint": "headline", "headline_model": "headline",
}  # fmt: skip


@click.command()
@click.argument("state", metavar="STATE")
@click.argument("files", nargs=-1)
@grouping_options
@embedding_options
@duplicates_option
@selecting_options
@click.option("--stickiness", type=float, metavar="SHARE",
              help="How firmly picks of last time are held: one stays unless its successor raises the objective by "
                   "more than this share of what all picks are worth; 0 for not at all. [default: 0]")  # fmt: skip
@click.option("--quick/--assess", default=None,
              help="Leave out tests, accuracy and stability, or make them. [default: --assess]")  # fmt: skip
@reading_options
@click.option("-o", "--output", "outputs", multiple=True, metavar="FILE",
              help="A report to write: .html .md .json .csv .sqlite; repeatable.")  # fmt: skip
@showing_options
def update(state: str, files: tuple[str, ...], outputs: tuple[str, ...], as_json: bool, **written: Any) -> None:
    """Add the documents in FILES to a STATE, pick anew, and say what was kept, dropped and added since last time.

    The first call makes the STATE file, with the options of `visavis compare`; later calls take them from it, and
    refuse what contradicts it. A known id replaces its document. Without FILES nothing is added: the picks may still be
    made by another method, contrast or size.
    """
    from visavis.updating import update as run

    context = click.get_current_context()
    given = {name for name in written if context.get_parameter_source(name) is not ParameterSource.DEFAULT}
    own = {name: written.pop(name) for name in ("stickiness", "quick")}
    options = _given(library_options(written), given)
    options |= {name: value for name, value in own.items() if value is not None}
    check_outputs(outputs, [state, *files])
    with StageProgress() as progress:
        summary = run(
            state, source_of(files) if files else None, outputs=outputs, progress=progress,
            command=repeat_command(sys.argv[1:]), **options,
        )  # fmt: skip
    tell_of_models(summary)
    for path in outputs:
        click.echo(f"written: {path}", err=True)
    if summary.changes is not None and summary.changes.nothing:
        click.echo(summary.changes.nothing, err=True)
    print_unless_written(summary, outputs, as_json)


def _given(options: dict[str, Any], given: set[str]) -> dict[str, Any]:
    """Those of the options that were written on the command line: a state knows the others."""
    names = {CALLED.get(name, name) for name in given}
    return {name: value for name, value in options.items() if name in names}
