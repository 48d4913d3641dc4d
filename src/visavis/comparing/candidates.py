"""What a comparison picks from: points and their groups, what may be picked, and what must be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from visavis.comparing.blocks import find_blocks
from visavis.comparing.choice import LARGEST_USUAL, read_sizes
from visavis.comparing.copies import Copies
from visavis.comparing.embed import embed
from visavis.comparing.given import Given, hold_constant
from visavis.comparing.options import CompareOptions
from visavis.comparing.origins import codes_of
from visavis.comparing.prepare import Prepared, regroup
from visavis.corpus.grouping import values_of
from visavis.eligible import Screening, screen
from visavis.errors import InvalidParameter, UnknownName
from visavis.explain.words import reads_all
from visavis.records import Blocks, Booleans, Document, Grouping, Integers, PicksRead, Points, SetAside
from visavis.shared.names import did_you_mean
from visavis.shared.progress import Progress, silent


@dataclass(frozen=True, eq=False)
class Candidates:
    """Points with their groups and texts; `allowed` may be picked, `pinned` must be, as places among the points.

    `blocks` say which are not independent, `given` what is held constant. `not_shown` names the documents that count
    but may not be shown, `boilerplate` is the share of the words of all that was left out. `is_part` tells whether
    more documents were read than are compared, `lead` how many sentences of each were read, None for all.
    """

    grouping: Grouping
    points: Points
    texts: Sequence[str]
    allowed: Booleans
    pinned: tuple[int, ...]
    blocks: Blocks
    given: Given | None = None
    not_shown: tuple[SetAside, ...] = ()
    boilerplate: float = 0.0
    is_part: bool = False
    lead: int | None = None

    def refusing(self, read: PicksRead) -> Candidates:
        """The same without the documents that a model, which read the picks, would not show."""
        allowed, documents = self.allowed.copy(), self.grouping.corpus.documents
        allowed[[one.row for one in read.refused]] = False
        shown = {documents[place].id for place in np.flatnonzero(allowed).tolist()}  # of another group, perhaps
        away = tuple(dict.fromkeys(one.id for one in read.refused if one.id not in shown))
        told = (SetAside("refused by the model that read the picks", away),) if away else ()
        return replace(self, allowed=allowed, not_shown=(*self.not_shown, *told))

    @cached_property
    def folded(self) -> int:
        """How many documents are copies of another."""
        return int(np.sum(~self.points.unique & ~self.points.again))

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know of the documents compared; what is known of all that was read is called so."""
        corpus, equal = self.grouping.corpus, () if self.given is None else self.given.notes
        read = [f"of all documents that were read: {note}" if self.is_part else note for note in corpus.notes]
        return (*_undated(corpus.documents, self.is_part), *read, *self.grouping.notes, *self.points.notes, *equal)


@dataclass(frozen=True, eq=False)
class Placed:
    """Points with their groups and texts, before anything is said of what may be picked: for any size, pin and ban.

    `unlike` are the ids of documents that have not their like in every group, and `screening` tells which points may be
    shown, None where all may.
    """

    grouping: Grouping
    points: Points
    texts: Sequence[str]
    blocks: Blocks
    given: Given | None
    unlike: frozenset[str]
    screening: Screening | None
    boilerplate: float
    is_part: bool
    lead: int | None

    @cached_property
    def places(self) -> Mapping[str, list[int]]:
        """Where each document stands: once for each group that it is in."""
        places: dict[str, list[int]] = {}
        for place, document in enumerate(self.grouping.corpus.documents):
            places.setdefault(document.id, []).append(place)
        return places


def find_candidates(
    prepared: Prepared, grouping: Grouping, options: CompareOptions, tell: Progress = silent
) -> Candidates:
    """Embed the documents of the groups, telling how far that is, and find pins, bans and copies among them.

    Raises InvalidParameter and UnknownName for an embedder, a pin or a ban that does not fit the documents.
    """
    return choose_candidates(place_documents(prepared, grouping, options, tell=tell), options)


def place_documents(
    prepared: Prepared,
    grouping: Grouping,
    options: CompareOptions,
    known: Points | None = None,
    tell: Progress = silent,
) -> Placed:
    """Embed the documents of the groups, whatever is to be picked of them. Raises as `embed` and `hold_constant` do.

    `known` are points of all that was prepared, with their stories; with them, nothing is embedded.
    `tell` is told the stage again and again, so that whoever works in the background can give way.
    """
    tell("embedding")
    rows = prepared.rows_of(grouping.corpus)
    points = _embedded(prepared, rows, options, tell) if known is None else known.of_rows(rows)
    smaller = regroup(prepared, grouping, points)
    given = hold_constant(smaller, options.given, points.weights, options.date_order)
    unlike: frozenset[str] = frozenset()
    if given is not None:
        smaller, points, given, unlike = _with_equals(prepared, smaller, points, given, options.given)
    points = replace(points, origins=_origins(smaller, options))
    tell("embedding")
    stories = tell_stories(prepared, points) if known is None else points.stories
    tell("embedding")
    blocks = find_blocks(
        smaller, points, stories, options.blocks, None if given is None else given.strata, options.date_order
    )
    tell("embedding")
    screening = None
    if options.candidates == "worthy":
        points = replace(points, stories=stories)
        screening = screen(smaller, stories, prepared.word_counts(points.rows))
    return Placed(
        smaller, points, prepared.texts(points.rows), blocks, given, unlike, screening,
        prepared.cleaned.share(points.rows) if prepared.cleaned else 0.0,
        len(smaller.corpus.documents) < len(prepared.corpus.documents), prepared.lead,
    )  # fmt: skip


def _embedded(prepared: Prepared, rows: Integers, options: CompareOptions, tell: Progress) -> Points:
    """The documents as points, while what will be asked of their texts is read beside."""
    copies = Copies.FOLD.unless_kept(options.duplicates)
    ahead = partial(read_ahead, prepared, rows, options)
    return embed(prepared, options.embedder, rows, copies=copies, beside=ahead, tell=tell)


def read_ahead(prepared: Prepared, rows: Integers, options: CompareOptions) -> None:
    """Read from the texts of these documents what will be asked of them, unless they are very many: it is kept."""
    if reads_all(len(rows)):
        prepared.tokens(rows)
        if options.candidates == "worthy":
            prepared.word_counts(rows)


def choose_candidates(placed: Placed, options: CompareOptions) -> Candidates:
    """What may and what must be picked of the points. Raises InvalidParameter and UnknownName for pins and bans."""
    grouping, points = placed.grouping, placed.points
    for name in options.pin:
        if name in placed.unlike:
            named = ", ".join(options.given)
            raise InvalidParameter(f"pin names {name!r}, which does not count: not every group has its {named}")
    pinned = tuple(place for name in dict.fromkeys(options.pin) for place in _places(placed.places, name, "pin"))
    banned = [place for name in options.ban for place in _places(placed.places, name, "ban")]
    screening, shown = placed.screening, np.ones(len(points.weights), np.bool_)
    without = np.isin(points.families, points.families[banned])
    if screening is not None:
        shown = screening.shown(wanted_sizes(options, grouping.names), without)
    allowed = may_be_picked(points.families, grouping, banned, pinned, shown & (points.weights > 0))
    documents = grouping.corpus.documents
    return Candidates(
        grouping,
        points,
        placed.texts,
        allowed,
        pinned,
        placed.blocks,
        placed.given,
        not_shown=screening.set_aside(shown | without, documents, pinned) if screening else (),
        boilerplate=placed.boilerplate,
        is_part=placed.is_part,
        lead=placed.lead,
    )


def _with_equals(
    prepared: Prepared, grouping: Grouping, points: Points, given: Given, columns: tuple[str, ...]
) -> tuple[Grouping, Points, Given, frozenset[str]]:
    """The documents that have their like in every group, weighted; the others are set aside, and named."""
    out, kept = np.flatnonzero(given.factors == 0), np.flatnonzero(given.factors > 0)
    without = tuple(grouping.corpus.documents[place].id for place in out)
    away = (SetAside(f"without their like in every group ({', '.join(columns)})", without),) if without else ()
    points, given = points.take(kept), given.take(kept)
    points = replace(points, weights=points.weights * given.factors, set_aside=away)
    return regroup(prepared, grouping, points), points, given, frozenset(without)


def _origins(grouping: Grouping, options: CompareOptions) -> Integers | None:
    """A number for what the column says over which picks are to spread; a document without a value is on its own."""
    if options.spread is None:
        return None
    values = values_of(grouping.corpus, options.spread, options.date_order)
    codes = codes_of([value if isinstance(value, str) else None for value in values])
    return np.where(codes < 0, len(codes) + np.arange(len(codes)), codes)


def _undated(documents: Sequence[Document], is_part: bool) -> list[str]:
    """How many of the documents compared have no date, where that is not what reading tells already."""
    without = sum(document.date is None for document in documents)
    if not is_part or without in (0, len(documents)):
        return []
    return [f"{without:,} of the {len(documents):,} documents compared {'has' if without == 1 else 'have'} no date"]


def wanted_sizes(options: CompareOptions, names: tuple[str, ...]) -> tuple[int, ...]:
    """How many picks each group is to have, as far as is known yet."""
    if options.budget is not None:
        return (options.budget // len(names) + 1,) * len(names)
    return read_sizes(options.size, names) or (LARGEST_USUAL,) * len(names)


def _places(places: Mapping[str, list[int]], name: str, what: str) -> list[int]:
    if name not in places:
        hint = did_you_mean(name, places).strip()
        raise UnknownName(
            f"{what} names {name!r}, which is no document of this comparison{'; ' + hint if hint else ''}"
        )
    return places[name]


def tell_stories(prepared: Prepared, points: Points) -> Integers:
    """For each point the first that tells the same story; copies always do."""
    found = prepared.stories(points.rows)[points.families]
    while np.any(found[found] != found):  # every step leads to an earlier point
        found = found[found]
    return np.asarray(found)


def may_be_picked(
    families: Integers, grouping: Grouping, banned: list[int], pinned: tuple[int, ...], shown: Booleans
) -> Booleans:
    """Of every family of copies one document of each group may be picked: a pinned one, else the first to be shown.

    What groups share belongs to each of them. A group with nothing that may be shown shows what it has.
    """
    both = sorted(set(families[banned]) & set(families[list(pinned)]))
    if both:
        name = grouping.corpus.documents[both[0]].id
        raise InvalidParameter(f"{name!r} is pinned and banned, or its copy is: choose one")
    out = np.isin(families, families[banned])  # a copy of a banned story is the same story
    own = families * len(grouping.names) + grouping.codes
    usable = np.flatnonzero(~out & ~np.isin(own, own[list(pinned)]) & shown)
    allowed = np.zeros(len(families), np.bool_)
    allowed[_first_of_each(own, usable)] = True
    allowed[list(pinned)] = True
    for code, name in enumerate(grouping.names):
        inside = grouping.codes == code
        if not np.any(allowed & inside):
            left = np.flatnonzero(inside & ~out & shown)
            left = left if len(left) else np.flatnonzero(inside & ~out)
            if len(left) == 0:
                raise InvalidParameter(f"all documents of {name!r} are banned: leave one, or leave out the group")
            allowed[_first_of_each(families, left)] = True
    return allowed


def _first_of_each(families: Integers, places: Integers) -> Integers:
    """Of these places, the first of every family."""
    return places[np.unique(families[places], return_index=True)[1]]
