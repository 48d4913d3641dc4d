"""How `visavis collect` talks: counts and reasons on stdout, progress on stderr, JSON where asked."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import click

from visavis.corpus.errors import one_line

if TYPE_CHECKING:
    from visavis.collect.records import Drop, Problem
    from visavis.collect.steps.expand import Expanded, Verdict
    from visavis.collect.steps.export import TableRow
    from visavis.collect.steps.links import Linked
    from visavis.collect.steps.match import Matched
    from visavis.collect.steps.posts import PostsRead
    from visavis.collect.steps.run import Ran

MOST_PROBLEMS = 10


class Counting:
    """A progress bar on stderr, one line a step; silent where stderr is no terminal."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._tasks: dict[str, Any] = {}

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar.start()
        return self

    def __call__(self, step: str, done: int, total: int) -> None:
        """Say how far a step is; a total of 0 is unknown."""
        if self._bar is None:
            return
        from rich.markup import escape

        if step not in self._tasks:
            self._tasks[step] = self._bar.add_task(escape(one_line(step)[-60:]), total=total or None)
        self._bar.update(self._tasks[step], completed=done, total=total or None)

    def of(self, step: str) -> Callable[[int, int], None]:
        """The bar of one step."""
        return lambda done, total: self(step, done, total)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()


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


def show_expanded(found: Expanded) -> None:
    """Each round, and why each tag stayed or went."""
    start, end = (moment.strftime("%Y-%m-%d %H:%M") if moment else "…" for moment in (found.start, found.end))
    say(f"{found.query!r} over {found.posts:,} posts, {start} to {end} UTC")
    before: frozenset[str] = frozenset()
    for one in found.rolled.rounds:
        asked = found.query if one.number == 1 else f"{len(before)} tags"
        say(f"round {one.number}: {asked} → {one.posts:,} posts")
        say("  " + (", ".join(f"#{tag} {count:,}" for tag, count in one.tags) or "no hashtags"))
        if one.number > 1:
            come, gone = sorted(one.names - before), sorted(before - one.names)
            say("  " + ("unchanged" if not come and not gone else f"new {_tags(come)}; gone {_tags(gone)}"))
        before = one.names
    say(f"ended: {found.rolled.ended} after {len(found.rolled.rounds)} rounds")
    for verdict in found.verdicts:
        say(_verdict(verdict))
    say(f"queries: {', '.join(found.queries)}")


def _verdict(verdict: Verdict) -> str:
    return f"  {'keep' if verdict.kept else 'drop'} #{verdict.tag}: {verdict.reason}"


def ask_about(verdict: Verdict) -> bool:
    """The interactive review, on stderr: the filters' verdict, and what the user makes of it."""
    warn(_verdict(verdict))
    return click.confirm(f"  keep #{one_line(verdict.tag)}?", default=verdict.kept, err=True)


def _tags(tags: Sequence[str]) -> str:
    return ", ".join(f"#{tag}" for tag in tags) or "none"


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


def show_ran(ran: Ran) -> None:
    """What came of a plan: its sources, every topic step by step, and the table."""
    show_posts(ran.posts)
    for topic in ran.topics:
        if topic.expanded is not None:
            show_expanded(topic.expanded)
        show_matched(topic.matched)
        show_linked(topic.linked)
        show_reasons(topic.fetched.missed, topic.extracted.missed, topic.cleaned.dropped)
        say(f"{topic.row.cleaned:,} documents" + (f" in {topic.written}" if topic.written else ""))
    show_table([topic.row for topic in ran.topics])
    for name, why in ran.unmatched.items():
        warn(f"{name}: {why}")


def show_table(rows: Sequence[TableRow]) -> None:
    """The table like the paper's."""
    head = ("topic", "queries", "posts", "articles", "cleaned")
    lines = [head, *((r.topic, f"{r.queries:,}", f"{r.posts:,}", f"{r.articles:,}", f"{r.cleaned:,}") for r in rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(head))]
    for line in lines:
        rest = "  ".join(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))
        say(f"{line[0].ljust(widths[0])}  {rest}")


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
