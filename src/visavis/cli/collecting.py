"""How `visavis collect` talks: counts and reasons on stdout, progress on stderr, JSON where asked."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from visavis.corpus.errors import one_line

if TYPE_CHECKING:
    from visavis.collect.records import Drop, Problem
    from visavis.collect.steps.export import TableRow
    from visavis.collect.steps.funnel import Funnel
    from visavis.collect.steps.links import Linked
    from visavis.collect.steps.match import Matched
    from visavis.collect.steps.posts import PostsRead

MOST_PROBLEMS = 10


def say(text: str) -> None:
    """One line on stdout, whatever stands in it."""
    click.echo(one_line(text))


def warn(text: str) -> None:
    """One line on stderr."""
    click.echo(one_line(text), err=True)


def as_json(value: Any) -> None:
    """A record as JSON on stdout."""
    click.echo(json.dumps(_plain(value), ensure_ascii=False, indent=2))


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {entry.name: _plain(getattr(value, entry.name)) for entry in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(name): _plain(inside) for name, inside in value.items()}
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Path):
        return str(value)
    return [_plain(inside) for inside in value] if isinstance(value, Sequence) else str(value)


def show_posts(read: PostsRead) -> None:
    """What came of each source, and the lines that could not be read."""
    for source in read.sources:
        say(f"{source.source}: {source.seen:,} posts, {source.new:,} new" + _besides(source.notices, "notices"))
        for problem in source.problems[:MOST_PROBLEMS]:
            warn(f"  {_where(problem.line)}{problem.reason}")
        rest = len(source.problems) - MOST_PROBLEMS
        if rest > 0:
            warn(f"  and {rest:,} more problems; `visavis collect drops --problems` lists them")
    say(f"{read.total:,} posts in all")


def _where(line: int) -> str:
    return f"line {line:,}: " if line else ""


def _besides(count: int, what: str) -> str:
    return f", {count:,} {what}" if count else ""


def show_matched(found: Matched) -> None:
    """Posts per query."""
    say(f"{found.topic}: {found.matched:,} of {found.posts:,} posts match")
    for query, count in found.counts.items():
        say(f"  {count:>9,}  {query}")


def show_linked(found: Linked) -> None:
    """Articles, and what was dropped by reason."""
    say(f"{found.topic}: {found.links:,} links ({found.short:,} short) → {found.articles:,} articles")
    show_reasons(found.dropped)


def show_reasons(*reasons: Mapping[str, int]) -> None:
    """How many were dropped for each reason, most first."""
    counts: Counter[str] = Counter()
    for found in reasons:
        counts.update(found)
    for reason, count in sorted(counts.items(), key=lambda found: (-found[1], found[0])):
        say(f"  {count:>9,}  dropped: {reason}")


def show_table(rows: Sequence[TableRow]) -> None:
    """The table like the paper's."""
    head = ("topic", "queries", "posts", "articles", "cleaned")
    lines = [head, *((r.topic, f"{r.queries:,}", f"{r.posts:,}", f"{r.articles:,}", f"{r.cleaned:,}") for r in rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(head))]
    for line in lines:
        rest = "  ".join(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))
        say(f"{line[0].ljust(widths[0])}  {rest}")


def show_funnel(found: Funnel) -> None:
    """One line a stage, and beneath it what it loses."""
    kept = sum(query.kept for query in found.queries)
    say(f"{found.topic}: {kept:,} queries, {len(found.queries) - kept:,} left out")
    for stage in (*found.posts, *found.articles):
        say(f"  {stage.count:>9,}  {stage.name}")
        for loss in stage.losses:
            say(f"             {loss.count:>9,}  {loss.kind}: {loss.reason}")


def show_problems(problems: Sequence[Problem]) -> None:
    """One line a problem, tabs between."""
    for problem in problems:
        click.echo("\t".join((one_line(problem.source), str(problem.line), one_line(problem.reason))))


def drop_row(drop: Drop) -> dict[str, str | bool]:
    """A drop as JSON tells it."""
    where = {"topic": drop.topic, "url": drop.url, "step": drop.step}
    return {**where, "reason": drop.reason.label, "detail": drop.reason.detail, "undone": drop.undone}


def show_drops(drops: Sequence[Drop]) -> None:
    """One line a drop, tabs between."""
    for drop in drops:
        mark = "brought back" if drop.undone else "dropped"
        click.echo(
            "\t".join(
                one_line(part)
                for part in (mark, drop.topic, drop.step, drop.reason.label, drop.url, drop.reason.detail)
            )
        )
