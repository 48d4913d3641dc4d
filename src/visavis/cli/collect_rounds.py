"""How the rounds of a snowball are told: what came in, what stayed out, and why, in figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from visavis.cli.collecting import say, warn
from visavis.corpus.errors import one_line

if TYPE_CHECKING:
    from visavis.collect.steps.expand import Expanded
    from visavis.collect.steps.snowball import Round, Verdict

MOST_OUT = 10  # of those that stay out of a round, the nearest are shown


def show_expanded(found: Expanded) -> None:
    """Each round with its figures, and the queries in the end."""
    start, end = (moment.strftime("%Y-%m-%d %H:%M") if moment else "…" for moment in (found.start, found.end))
    say(f"{found.query!r} over {found.posts:,} posts, {start} to {end} UTC")
    say(f"{found.seed_texts:,} of {found.texts:,} distinct texts hold the seed")
    for note in found.notes:
        say(f"note: {note}")
    _table("in ", found.by_hand)
    for one in found.rolled.rounds:
        _show_round(one)
    say(f"ended: {found.rolled.ended} after {len(found.rolled.rounds)} rounds")
    say(f"queries: {', '.join(found.queries)}")


def _show_round(one: Round) -> None:
    kept = [verdict for verdict in one.verdicts if verdict.kept]
    out = sorted(
        (verdict for verdict in one.verdicts if not verdict.kept),
        key=lambda verdict: (-verdict.measure.share * verdict.measure.texts, verdict.query),
    )
    rest = f", {one.rare:,} in too few texts" + (f", {one.waiting:,} wait" if one.waiting else "")
    say(f"round {one.number}: {one.texts:,} texts of the topic; {len(kept):,} in, {len(out):,} out{rest}")
    _table("in ", kept)
    _table("out", out[:MOST_OUT])
    if len(out) > MOST_OUT:
        say(f"  out  and {len(out) - MOST_OUT:,} more; `--json` lists them")


def _table(mark: str, verdicts: Sequence[Verdict]) -> None:
    width = max((len(one_line(verdict.query)) for verdict in verdicts), default=0)
    for verdict in verdicts:
        say(f"  {mark}  {verdict.query.ljust(width)}  {verdict.why}")


def ask_about(verdict: Verdict) -> bool:
    """The interactive review, on stderr: what was found of a query, and what the user makes of it."""
    warn(f"  {'in ' if verdict.kept else 'out'}  {verdict.query}  {verdict.why}")
    return click.confirm(f"  keep {one_line(verdict.query)}?", default=verdict.kept, err=True)
