"""Past summaries: what is noted of each, and how to find one by number, date or place."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from visavis.errors import InvalidParameter
from visavis.records import GroupSummary, Pick, Summary
from visavis.records.changes import Changes, Entry, NotedPick
from visavis.report.text import heading, iso_date
from visavis.report.verdict import verdict
from visavis.updating.options import CHOOSING, Settings
from visavis.updating.state import read_entries

MOST_WORDS = 8  # of a group
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def ledger(state: str | os.PathLike[str]) -> tuple[Entry, ...]:
    """The past summaries of a state, the oldest first. Raises BadState for a file that is no state."""
    return read_entries(Path(state))


def note(group: GroupSummary, pick: Pick) -> NotedPick:
    """A pick as the ledger notes it."""
    document = pick.document
    return NotedPick(
        group.name, document.id, heading(document), pick.rank, iso_date(document.date) or "", document.source,
        document.url, pick.stands_for,
    )  # fmt: skip


def noted_picks(summary: Summary) -> tuple[NotedPick, ...]:
    """All picks, group by group."""
    return tuple(note(group, pick) for group in summary.groups for pick in group.picks)


def make_entry(number: int, summary: Summary, settings: Settings, changes: Changes, made: datetime) -> Entry:
    """What the ledger keeps of a summary."""
    told = verdict(summary) if summary.test else None
    return Entry(
        number=number,
        made=made.astimezone(UTC).isoformat(timespec="seconds"),
        title=summary.title,
        documents=summary.n_documents,
        groups={group.name: group.n_documents for group in summary.groups},
        method=summary.method,
        options={**settings.choosing(), "stickiness": settings.stickiness},
        picks=noted_picks(summary),
        changes=changes,
        words={group.name: group.words[:MOST_WORDS] for group in summary.groups},
        verdict=(told.outcome or "") if told else "",
        headline=told.headline if told else "",
        accuracy=summary.accuracy,
        version=summary.version,
    )


def last_like(entries: Sequence[Entry], settings: Settings) -> Entry | None:
    """The summary that a new one is held against: the last that was made by the same options, else the last."""
    wanted = settings.choosing()
    for entry in reversed(entries):
        if all(entry.options.get(name) == wanted[name] for name in CHOOSING):
            return entry
    return entries[-1] if entries else None


def find_entry(entries: Sequence[Entry], name: str) -> Entry:
    """A summary by its number, "first", "last", or a day: the last one made by the end of it.

    Raises InvalidParameter if there is none.
    """
    asked = str(name).strip()
    if not entries:
        raise InvalidParameter("the state has no summary yet")
    if asked in ("first", "last"):
        return entries[0 if asked == "first" else -1]
    if asked.isdecimal() and len(asked) < 10:
        if not 1 <= int(asked) <= len(entries):
            raise InvalidParameter(f"there is no summary {asked}: they are numbered 1 to {len(entries)}")
        return entries[int(asked) - 1]
    if not _DAY.fullmatch(asked):
        raise InvalidParameter(f"{asked!r} names no summary: give a number, a day such as 2026-11-16, first or last")
    by_then = [entry for entry in entries if entry.made[:10] <= asked]
    if not by_then:
        raise InvalidParameter(f"no summary was made by {asked}: the first is of {entries[0].made[:10]}")
    return by_then[-1]
