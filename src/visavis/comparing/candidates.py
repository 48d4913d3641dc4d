"""What a comparison picks from: points and their groups, what may be picked, and what must be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from visavis.comparing.copies import Copies
from visavis.comparing.embed import embed
from visavis.comparing.options import CompareOptions
from visavis.comparing.prepare import Prepared, regroup
from visavis.errors import InvalidParameter, UnknownName
from visavis.records import Booleans, Grouping, Integers, Points
from visavis.shared.names import did_you_mean


@dataclass(frozen=True, eq=False)
class Candidates:
    """Points with their groups and texts; `allowed` may be picked, `pinned` must be, as places among the points."""

    grouping: Grouping
    points: Points
    texts: tuple[str, ...]
    allowed: Booleans
    pinned: tuple[int, ...]

    @property
    def folded(self) -> int:
        """How many points are copies of another."""
        return int(np.sum(~self.points.unique))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know of the documents."""
        return (*self.grouping.corpus.notes, *self.grouping.notes, *self.points.notes)


def find_candidates(prepared: Prepared, grouping: Grouping, options: CompareOptions) -> Candidates:
    """Embed the documents of the groups, and find pins, bans and copies among them.

    Raises InvalidParameter and UnknownName for an embedder, a pin or a ban that does not fit the documents.
    """
    copies = Copies.FOLD.unless_kept(options.duplicates)
    points = embed(prepared, options.embedder, prepared.rows_of(grouping.corpus), copies=copies)
    smaller = regroup(prepared, grouping, points)
    places = {document.id: place for place, document in enumerate(smaller.corpus.documents)}
    pinned = tuple(_place(places, name, "pin") for name in dict.fromkeys(options.pin))
    banned = [_place(places, name, "ban") for name in options.ban]
    allowed = _allowed(points.families, smaller, banned, pinned)
    return Candidates(smaller, points, prepared.texts(points.rows), allowed, pinned)


def _place(places: Mapping[str, int], name: str, what: str) -> int:
    if name not in places:
        hint = did_you_mean(name, places).strip()
        raise UnknownName(
            f"{what} names {name!r}, which is no document of this comparison{'; ' + hint if hint else ''}"
        )
    return places[name]


def _allowed(families: Integers, grouping: Grouping, banned: list[int], pinned: tuple[int, ...]) -> Booleans:
    """One document of every family of copies may be picked: a pinned one, else the first.

    A copy in another group may stand in only where its group would otherwise have nothing to show.
    """
    both = sorted(set(families[banned]) & set(families[list(pinned)]))
    if both:
        name = grouping.corpus.documents[both[0]].id
        raise InvalidParameter(f"{name!r} is pinned and banned, or its copy is: choose one")
    out = np.isin(families, families[banned])  # a copy of a banned story is the same story
    allowed = (families == np.arange(len(families))) & ~out & ~np.isin(families, families[list(pinned)])
    allowed[list(pinned)] = True
    for code, name in enumerate(grouping.names):
        inside = grouping.codes == code
        if not np.any(allowed & inside):
            left = np.flatnonzero(inside & ~out)
            if len(left) == 0:
                raise InvalidParameter(f"all documents of {name!r} are banned: leave one, or leave out the group")
            allowed[left[np.unique(families[left], return_index=True)[1]]] = True
    return np.asarray(allowed)
