"""What changed since the last summary, and why, in sentences that stand on their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from visavis.comparing.candidates import Candidates
from visavis.comparing.describe import Description
from visavis.comparing.session import DocumentSession
from visavis.records import GroupSummary, Pick
from visavis.records.changes import Added, Arrivals, Changes, Drift, Dropped, Entry, Held, NotedPick
from visavis.report.text import tenths
from visavis.updating.documents import Joined
from visavis.updating.ledger import note
from visavis.updating.moves import Decision, Rivals
from visavis.updating.options import Settings

Key = tuple[str, str]  # a group and an id


@dataclass(frozen=True, eq=False)
class Found:
    """What a summary was made of: documents that came, what may be picked, the decision and its description."""

    joined: Joined
    candidates: Candidates
    session: DocumentSession
    decision: Decision
    description: Description
    settings: Settings

    def key(self, document: int) -> Key:
        """Group and id of a document of the problem."""
        row = int(self.decision.selection.order[document])
        return self.session.names[self.session.codes[row]], self.session.documents[row].id

    def rivals(self, pairs: Sequence[Rivals]) -> list[tuple[Key, Key, float]]:
        """The same of a pick of last time, of the one that would take its place, and what that gains."""
        return [(self.key(one.old), self.key(one.new), one.gain) for one in pairs]


def tell_changes(found: Found, base: Entry | None, drift: Drift | None) -> Changes:
    """What was kept, dropped and added since the base, and why; without a base, all is new."""
    arrivals = count_arrivals(found.joined, found.candidates)
    stickiness = found.settings.stickiness
    if base is None:
        return Changes(0, "", arrivals, drift=drift, stickiness=stickiness)
    now = {(group.name, pick.document.id): (group, pick) for group in found.description.groups for pick in group.picks}
    then = {(pick.group, pick.id): pick for pick in base.picks}
    made_way = found.rivals(found.decision.made_way)
    leaving, entering = ({one[at]: one for one in made_way} for at in (0, 1))
    titles = {key: note(*pair).title for key, pair in now.items()}
    fresh = {found.joined.items[row].document.id for row in found.joined.fresh}
    changes = Changes(
        since=base.number,
        since_time=base.made,
        arrivals=arrivals,
        kept=tuple(note(*pair) for key, pair in now.items() if key in then),
        dropped=tuple(
            _dropped(found, base, pick, leaving.get(key), titles) for key, pick in then.items() if key not in now
        ),
        added=tuple(_added(*pair, entering.get(key), fresh, found) for key, pair in now.items() if key not in then),
        held=tuple(
            Held(note(*now[old]), _title(found, new), gain)
            for old, new, gain in found.rivals(found.decision.stayed)
            if old in now
        ),
        new_groups=tuple(name for name in found.session.names if name not in base.groups),
        gone_groups=tuple(name for name in base.groups if name not in found.session.names),
        drift=drift,
        stickiness=stickiness,
    )
    return replace(changes, nothing=_why_nothing(changes))


def count_arrivals(joined: Joined, candidates: Candidates) -> Arrivals:
    """How many documents came, and how many of the new ones are copies of known ones, or take no part."""
    points, fresh = candidates.points, set(joined.fresh)
    rows, leaders = points.rows.tolist(), points.rows[points.families].tolist()
    copies = {row for row, leader in zip(rows, leaders, strict=True) if row in fresh and leader not in fresh}
    return replace(joined.arrivals, copies=len(copies), unused=len(fresh - set(rows)))


def _title(found: Found, key: Key) -> str:
    row = next(row for row, document in enumerate(found.session.documents) if document.id == key[1])
    document = found.session.documents[row]
    return document.title or document.id


def _added(group: GroupSummary, pick: Pick, way: tuple[Key, Key, float] | None, fresh: set[str], found: Found) -> Added:
    inside = {
        document.id
        for document, code in zip(found.session.documents, found.session.codes.tolist(), strict=True)
        if found.session.names[code] == group.name and document.id in fresh
    }
    covered = len(inside & {pick.document.id, *pick.covers})
    is_new = pick.document.id in fresh
    parts = ["a new document" if is_new else "a document that was there before"]
    if inside:
        parts.append(f"it stands for {covered} of the {len(inside)} new documents of its group")
    if way is not None and way[2] > 0:
        parts.append(f"the picks are worth {tenths(way[2])} more with it")
    return Added(
        note(group, pick), "; ".join(parts), way[0][1] if way else "", way[2] if way else None, covered, len(inside),
        is_new,
    )  # fmt: skip


def _dropped(
    found: Found, base: Entry, pick: NotedPick, way: tuple[Key, Key, float] | None, titles: dict[Key, str]
) -> Dropped:
    replaced = pick.id in {found.joined.items[row].document.id for row in found.joined.replaced}
    again = "its document says something else now; " if replaced else ""
    again += "".join(
        f"may no longer be shown ({aside.reason}); " for aside in found.candidates.not_shown if pick.id in aside.where
    )
    if pick.id in found.settings.compare.ban:
        return Dropped(pick, "it was banned")
    where = _groups_of(found, pick.id)
    if pick.group not in where:
        if pick.group not in found.session.names:
            return Dropped(pick, f"{again}its group is no longer compared")
        there = f"it is now in {', '.join(where)}" if where else "it is no longer in a group that is compared"
        return Dropped(pick, again + there)
    if way is not None:
        _, new, gain = way
        better = f", and the picks are worth {tenths(gain)} more" if gain > 0 else ", together with the other changes"
        return Dropped(pick, f"{again}“{titles.get(new, new[1])}” takes its place{better}", new[1], gain)
    return Dropped(pick, again + _why_not(found, base, pick))


def _groups_of(found: Found, id_: str) -> list[str]:
    names, codes = found.session.names, found.session.codes.tolist()
    return [names[code] for document, code in zip(found.session.documents, codes, strict=True) if document.id == id_]


def _why_not(found: Found, base: Entry, pick: NotedPick) -> str:
    """Why a document that is still in its group cannot or need not be picked."""
    if base.options != {**found.settings.choosing(), "stickiness": found.settings.stickiness}:
        return "other options pick other documents"
    ids = [document.id for document in found.session.documents]
    places = [at for at, name in enumerate(ids) if name == pick.id]
    if not np.any(found.session.candidates[places]):
        return "it is a copy of a document that may be picked in its place, or of one that is banned"
    return "there are fewer documents to pick, or others are worth more without it"


def _why_nothing(changes: Changes) -> str:
    """Why the picks are what they were; empty if they are not."""
    arrivals = changes.arrivals
    if changes.dropped or changes.added:
        return ""
    if arrivals.new + arrivals.replaced == 0:
        known = f"all {arrivals.same} documents are known as they are" if arrivals.same else "no documents came"
        return f"Nothing new, because {known}."
    if arrivals.new and arrivals.replaced == 0 and arrivals.copies == arrivals.new:
        return f"Nothing new, because all {arrivals.new} new documents nearly repeat known ones."
    if arrivals.new and arrivals.replaced == 0 and arrivals.unused == arrivals.new:
        return f"Nothing new, because none of the {arrivals.new} new documents is in a group and has a vector."
    if changes.held:
        most = max(held.gain for held in changes.held)
        return (
            f"Nothing new, because no change is worth more than the stickiness of {tenths(changes.stickiness)}: the "
            f"best would raise what the picks are worth by {tenths(most)}."
        )
    return "Nothing new, because the documents that came do not beat the picks of last time."
