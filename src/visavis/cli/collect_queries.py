"""`visavis collect expand` and `match`: a topic's queries, and the posts that match them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from visavis.cli import collecting as out
from visavis.cli.collect_options import step, topic
from visavis.cli.collect_rounds import ask_about, show_expanded
from visavis.cli.counting import Counting
from visavis.errors import InvalidParameter

if TYPE_CHECKING:
    from visavis.collect.state.store import Store

_file = click.Path(dir_okay=False, path_type=Path)


@click.command()
@topic
@click.option("--query", required=True, help='The seed: words ("gun control") or one hashtag.')
@click.option("--also", "queries", multiple=True, help="A further query of the seed, kept as it is; repeat it.")
@click.option("--window", default="14d", show_default=True, help="14d, FROM..TO, FROM+14d, or all.")
@click.option("--top", default=10, show_default=True, help="Queries that may come in a round.")
@click.option("--rounds", default=20, show_default=True, help="At most.")
@click.option("--fewest", default=3, show_default=True, help="Texts of the topic that must hold a query.")
@click.option("--generality", default=0.3, show_default=True, help="Largest share of texts off the seed's topic.")
@click.option("--places/--no-places", default=True, show_default=True, help="Leave out hashtags that are places.")
@click.option("--keep", multiple=True, metavar="QUERY", help="A query to keep whatever it is; repeat it.")
@click.option("--exclude", multiple=True, metavar="QUERY", help="A query to leave out; repeat it.")
@click.option("--decisions", type=_file, help="A TOML file with the lists keep and exclude.")
@click.option("--propose", type=_file, help="Write such a file, with the figures, to be changed and given back.")
@click.option("--review", is_flag=True, help="Ask about every query that is near.")
@step
def expand(
    store: Store, as_json: bool, review: bool, decisions: Path | None, propose: Path | None, **given: Any
) -> None:
    """Find a topic's queries from one: the snowball over hashtags, each judged against the seed."""
    from visavis.collect.steps.decisions import read_decisions, write_proposal
    from visavis.collect.steps.expand import ExpandOptions
    from visavis.collect.steps.expand import expand as find

    if review and not has_terminal():
        raise InvalidParameter(
            "--review asks in a terminal, and there is none: name queries with --keep and --exclude, or --propose a "
            "file and give it back with --decisions"
        )
    if decisions is not None:
        listed = read_decisions(decisions)
        given = {**given, "keep": (*given["keep"], *listed.keep), "exclude": (*given["exclude"], *listed.exclude)}
    if review:  # no bar where someone is asked
        found = find(store, ExpandOptions(**given, review=ask_about))
    else:
        with Counting() as counting:
            found = find(store, ExpandOptions(**given), counting.of("expand"))
    if propose is not None:
        write_proposal(propose, found)
    out.as_json(found) if as_json else show_expanded(found)


def has_terminal() -> bool:
    """Whether someone can be asked."""
    return sys.stdin.isatty()


@click.command()
@topic
@click.option("--query", "queries", multiple=True, help="Replaces the topic's queries for good; repeat it.")
@step
def match(store: Store, as_json: bool, topic: str, queries: tuple[str, ...]) -> None:
    """Find all posts that match a topic's queries."""
    from visavis.collect.steps.match import MatchOptions
    from visavis.collect.steps.match import match as find

    total = store.count("posts")
    with Counting() as counting:
        found = find(store, MatchOptions(topic, queries, lambda seen: counting("match", seen, total)))
    out.as_json(found) if as_json else out.show_matched(found)
