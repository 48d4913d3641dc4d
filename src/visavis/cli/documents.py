"""Which documents take part: the options that compare, evaluate and study design share, spelled alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

ROLES = ("id", "title", "text", "date", "source", "url", "weight")  # as in corpus; --help need not load that

Command = Callable[..., Any]


def reading_options(command: Command) -> Command:
    """Options about the files."""
    for role in reversed(ROLES):
        command = click.option(f"--{role}", metavar="COLUMN", help=f"The column that holds the {role}.")(command)
    command = click.option("--sql", metavar="SELECT", help="A query, for a SQLite file.")(command)
    about = "Encoding of text files: windows-1252, shift_jis, ... [default: UTF-8, else what they look like]"
    command = click.option("--encoding", metavar="NAME", help=about)(command)
    command = click.option("--strict", is_flag=True, help="Stop at the first dirty row, set none aside.")(command)
    about = "Go on where more than half of a file's rows cannot be used."
    command = click.option("--allow-broken", is_flag=True, help=about)(command)
    return click.option("--date-order", type=click.Choice(["mdy", "dmy"]), help="How 3/5/2018 is meant.")(command)


def grouping_options(command: Command) -> Command:
    """Options about the groups."""
    options = [
        click.option("--by", metavar="COLUMN[:PERIOD]", help="A column; for dates also :day :week :month "
                     ":quarter :year or :spans=N of equal length; for numbers :quantiles=N."),
        click.option("--group", "groups", multiple=True, metavar="NAME=FROM..TO",
                     help="A group by dates (half open) or NAME=@ids.txt; repeatable."),
        click.option("--only", multiple=True, metavar="A,B", help="Compare these groups only; repeatable."),
        click.option("--versus", metavar="NAME", help="Compare this group with the rest."),
        click.option("--min-size", default=1, show_default=True, help="Smallest group to keep."),
        click.option("--small", type=click.Choice(["drop", "merge"]), default="drop", show_default=True,
                     help="What to do with smaller groups."),
        click.option("--filter", "filter_", metavar="EXPRESSION", help="What to keep: 'topic == \"immigration\"'."),
    ]  # fmt: skip
    return _with(options, command)


def embedding_options(command: Command) -> Command:
    """Options about texts and vectors."""
    about = "Sentences read after the title; auto: more of each where there are fewer documents."
    lead = click.option("--lead", default="auto", show_default=True, metavar="N|all|auto", help=about)
    return _with([_embedder_option, lead, _boilerplate_option], command)


def shown_embedding_options(command: Command) -> Command:
    """The same where people are shown what was read."""
    about = "Sentences read after the title, and shown."
    lead = click.option("--lead", default="3", show_default=True, metavar="N|all", help=about)
    return _with([_embedder_option, lead, _boilerplate_option], command)


_embedder_option = click.option(
    "--embedder", default="auto", show_default=True,
    help="glove, glove-mean, tfidf, a word vector file, a sentence model, column:NAME, or an .npy.",
)  # fmt: skip
_boilerplate_option = click.option(
    "--boilerplate", type=click.Choice(["drop", "keep"]), default="drop", show_default=True,
    help="Whether letterheads, datelines, notices and whatever recurs are left out.",
)  # fmt: skip


def duplicates_option(command: Command) -> Command:
    """The option that makes nothing of near-duplicates."""
    about = "Take near-duplicates for documents of their own."
    return click.option("--keep-duplicates", is_flag=True, help=about)(command)


def document_choices(given: dict[str, Any]) -> dict[str, Any]:
    """The shared options as fields of DocumentOptions, taken out of what the command was given."""
    from visavis.corpus.lead import read_lead  # --help need not load it

    columns = {role: given.pop(role) for role in ROLES}
    choices = {name: given.pop(name) for name in ("by", "groups", "versus", "min_size", "small", "sql", "strict")}
    choices |= {name: given.pop(name) for name in ("date_order", "encoding", "allow_broken", "embedder", "boilerplate")}
    return {
        **choices,
        "columns": {role: column for role, column in columns.items() if column},
        "filter": given.pop("filter_"),
        "only": tuple(name for written in given.pop("only") for name in words(written)),
        "lead": number(given.pop("lead"), "--lead", read_lead),
        "duplicates": not given.pop("keep_duplicates", False),
    }


def source_of(files: tuple[str, ...]) -> Any:
    """The files as the library takes them: one by its name, several as paths, so that none is taken for a text."""
    return files[0] if len(files) == 1 else [Path(file) for file in files]


def words(written: str) -> list[str]:
    """Words with commas between them."""
    return [word.strip() for word in written.split(",") if word.strip()]


def number(written: str, option: str, kind: Callable[[str], Any]) -> Any:
    """A number that an option was given. Raises UsageError."""
    try:
        return kind(written)
    except ValueError:
        raise click.UsageError(f"{option} must be a number or one of its words, got {written!r}") from None


def _with(options: Sequence[Callable[[Any], Any]], command: Command) -> Command:
    for option in reversed(options):
        command = option(command)
    return command
