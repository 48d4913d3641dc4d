"""What an update changed, and what a ledger keeps of a summary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class NotedPick:
    """A pick as a ledger notes it: enough to name it again when its document is long gone.

    `date` is written as ISO has it, empty where there is none; `stands_for` is the share of its group's documents.
    """

    group: str
    id: str
    title: str
    rank: int = 1
    date: str = ""
    source: str = ""
    url: str = ""
    stands_for: float = 0.0


@dataclass(frozen=True)
class Dropped:
    """A pick of the last summary that is none any more, and why.

    `instead` is the id of the pick that took its place, empty where none did; `gain` is what that raised the objective
    by, as a share of what all picks were worth.
    """

    pick: NotedPick
    why: str
    instead: str = ""
    gain: float | None = None


@dataclass(frozen=True)
class Added:
    """A pick that was none in the last summary; `instead_of` and `gain` as for the one that was dropped for it.

    Of the documents of its group that this update brought, `n_new` of them, it is the nearest pick to `of_new`.
    """

    pick: NotedPick
    why: str
    instead_of: str = ""
    gain: float | None = None
    of_new: int = 0
    n_new: int = 0
    is_new: bool = False


@dataclass(frozen=True)
class Held:
    """A pick that stayed only because picks are held: `rival` would have raised the objective by `gain`."""

    pick: NotedPick
    rival: str
    gain: float


@dataclass(frozen=True)
class Drift:
    """How well an embedder that was fitted on the first documents still covers new ones.

    `known` is the mean share of their words that it knows (None where it cannot tell), `distance` their mean squared
    distance from the center; `usual_known` and `usual_distance` are those of the documents it was fitted on. `missing`
    of the `n` looked at, the new ones and some that came shortly before, have no vector at all. `warning` says what to
    do, and is empty while all is well.
    """

    n: int
    missing: int = 0
    known: float | None = None
    usual_known: float | None = None
    distance: float | None = None
    usual_distance: float | None = None
    warning: str = ""


@dataclass(frozen=True)
class Arrivals:
    """What the files of an update held: documents that are `new`, that `replaced` a known one, that are known as they
    are (`same`); `copies` of the new ones nearly repeat known ones, `unused` of them are in no group or have no
    vector."""

    new: int = 0
    replaced: int = 0
    same: int = 0
    copies: int = 0
    unused: int = 0


@dataclass(frozen=True)
class Changes:
    """What is new since an earlier summary, the one with the number `since`, made at that time (0 and empty: none).

    `nothing` says why the picks are what they were, and is empty where they are not.
    """

    since: int
    since_time: str
    arrivals: Arrivals
    kept: tuple[NotedPick, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    added: tuple[Added, ...] = ()
    held: tuple[Held, ...] = ()
    new_groups: tuple[str, ...] = ()
    gone_groups: tuple[str, ...] = ()
    nothing: str = ""
    drift: Drift | None = None
    stickiness: float = 0.0


@dataclass(frozen=True)
class Entry:
    """A summary in the ledger: its number, when it was made (ISO, UTC), of how many documents in which groups, how it
    was made, what was picked and which words set the groups apart. `options` are those that decide picks."""

    number: int
    made: str
    title: str
    documents: int
    groups: Mapping[str, int]
    method: str
    options: Mapping[str, Any]
    picks: tuple[NotedPick, ...]
    changes: Changes
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    verdict: str = ""
    headline: str = ""
    accuracy: float | None = None
    version: str = ""


@dataclass(frozen=True)
class GroupDiff:
    """A group in two summaries; the numbers of documents are None where there is no such group."""

    name: str
    documents: tuple[int | None, int | None]
    kept: tuple[tuple[NotedPick, NotedPick], ...]
    dropped: tuple[NotedPick, ...]
    added: tuple[NotedPick, ...]
    words: tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True)
class EntryDiff:
    """Two summaries of one ledger face to face; `options` are those that differ, each with both values."""

    before: Entry
    after: Entry
    groups: tuple[GroupDiff, ...]
    options: tuple[tuple[str, Any, Any], ...]
