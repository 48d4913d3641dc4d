"""What changed since an earlier summary, in words: for the page, Markdown and the terminal alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from visavis.records import Pick, Summary
from visavis.records.changes import Arrivals, Changes, Drift, NotedPick
from visavis.report.text import day, percent, plural, shorten, tenths, web_address
from visavis.shared.text import line

LONGEST = 170  # characters of a title
KEPT, NEW, GONE, HELD = "kept", "new", "gone", "held"


@dataclass(frozen=True)
class Line:
    """A pick that was kept, is new or is gone: `mark` says which; `why` may be empty."""

    mark: str
    group: str
    title: str
    url: str
    why: str


@dataclass(frozen=True)
class Told:
    """The section: a heading, what came, why nothing is new (empty where something is), and a line for each pick."""

    heading: str
    lead: str
    nothing: str
    lines: tuple[Line, ...]
    drift: str


def read(summary: Summary) -> Told | None:
    """What there is to tell; None where nothing was there before."""
    changes = summary.changes
    if changes is None:
        return None
    return Told(
        f"What changed since {when(changes.since_time)}",
        f"{arrivals(changes.arrivals)} Held against summary {changes.since}, {_counts(changes)}.{_groups(changes)}",
        line(changes.nothing),
        tuple(_lines(changes)),
        drift(changes.drift),
    )


def mark(summary: Summary, group: str, pick: Pick) -> str:
    """Whether a pick was kept, or is new; empty where nothing was there before."""
    if summary.changes is None:
        return ""
    kept = any((one.group, one.id) == (group, pick.document.id) for one in summary.changes.kept)
    return KEPT if kept else NEW


def when(moment: str) -> str:
    """The day of a moment as it is written in a ledger."""
    try:
        return day(datetime.fromisoformat(moment))
    except ValueError:
        return line(moment)


def arrivals(found: Arrivals) -> str:
    """What came, in a sentence."""
    if not found.new + found.replaced + found.same:
        return "No documents came."
    parts = [f"{plural(found.new, 'new document')}{_of_new(found)}"]
    parts += [f"{plural(found.replaced, 'document')} replaced"] if found.replaced else []
    parts += [f"{found.same:,} known as they are"] if found.same else []
    return f"{', '.join(parts)}."


def _of_new(found: Arrivals) -> str:
    told = [f"{found.copies:,} of them copies of known ones"] if found.copies else []
    told += [f"{found.unused:,} in no group, or without a vector"] if found.unused else []
    return f" ({', '.join(told)})" if told else ""


def drift(found: Drift | None) -> str:
    """How well the embedder sees the new documents; empty where it cannot be told."""
    if found is None or found.known is None or found.usual_known is None:
        return ""
    return (
        f"Of the words of the new documents the embedding knows {percent(found.known)}; of those of the documents it "
        f"was fitted on, had it been fitted on the others, {percent(found.usual_known)}."
    )


def _counts(changes: Changes) -> str:
    return f"{plural(len(changes.kept), 'pick')} kept, {len(changes.added)} new, {len(changes.dropped)} gone"


def _groups(changes: Changes) -> str:
    told = [f" New groups: {', '.join(map(line, changes.new_groups))}."] if changes.new_groups else []
    told += [f" Gone: {', '.join(map(line, changes.gone_groups))}."] if changes.gone_groups else []
    return "".join(told)


def _lines(changes: Changes) -> Iterator[Line]:
    held = {(one.pick.group, one.pick.id): one for one in changes.held}
    for pick in changes.kept:
        rival = held.get((pick.group, pick.id))
        if rival is None:
            yield _line(KEPT, pick, "")
        else:
            better = (
                f"the picks would be worth {tenths(rival.gain)} more" if rival.gain > 0 else "to no gain on its own"
            )
            yield _line(HELD, pick, f"held, though “{shorten(rival.rival, LONGEST)}” would take its place: {better}")
    for added in changes.added:
        yield _line(NEW, added.pick, added.why)
    for dropped in changes.dropped:
        yield _line(GONE, dropped.pick, dropped.why)


def _line(kind: str, pick: NotedPick, why: str) -> Line:
    return Line(kind, line(pick.group), shorten(pick.title, LONGEST), web_address(pick.url), line(why))
