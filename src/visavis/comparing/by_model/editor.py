"""Picks that a model reads before they are shown: those it refuses make room for others, which it reads as well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from visavis.comparing.by_model.model import as_model, ask
from visavis.comparing.by_model.prompt import LONGEST_TEXT, MOST_TEXTS, Quoted
from visavis.comparing.by_model.refusing import Refusal, Shown, compose, read_refusals
from visavis.comparing.session import READING, DocumentSession
from visavis.contracts import ChatModel
from visavis.records import PicksRead, Refused
from visavis.report.facts import group_key
from visavis.report.text import shorten
from visavis.select.search import Selection, select
from visavis.shared.progress import Progress, silent

ROUNDS = 6  # in which picks are read and made anew
MOST_REFUSED = 2  # documents of a group for each of its picks
DRAWN, LONGEST_DRAWN = 6, 200  # documents of a group that show what it is like, and characters of each


def read_picks(
    session: DocumentSession, selection: Selection, asked: Any, *, title: str = "", progress: Progress | None = None
) -> tuple[Selection, PicksRead]:
    """The picks without those that a model would not show, and what became of them.

    `asked` is an Endpoint or a ChatModel, and is told the `title` that the caller gave, if any. Pins are nobody's to
    refuse, a group keeps as many candidates as it has picks, and of each no more than twice as many as it has picks are
    refused. Whatever fails, the picks that are there stay.
    """
    editor = _Editor(as_model(asked), session, selection, title, progress or silent)
    for _ in range(ROUNDS):
        if not editor.goes_on():
            break
    return editor.selection, editor.told()


@dataclass
class _Editor:
    """A model that reads picks, and how far it is: the picks as they are now, and the rows it has read."""

    model: ChatModel
    session: DocumentSession
    selection: Selection
    title: str
    tell: Progress

    def __post_init__(self) -> None:
        self.found = PicksRead(self.model.model, self.model.host)
        self.read = set(self.selection.request.pins)
        self.wanted = np.bincount(self.selection.owner, minlength=len(self.session.names))
        self.gone = np.zeros_like(self.wanted)
        self.drawn = self._draw()

    def goes_on(self) -> bool:
        """Have the picks read that nobody has, and others made for those refused; whether any are left to read."""
        refused: list[Refusal] = []
        for groups in _portions(self._shown()):
            refused += self._ask(groups)
            if self.found.missing:
                break
        refused = self._apply(refused)
        if refused:
            self.selection = select(self.session, self.selection.request)
        return bool(refused) and not self.found.missing

    def told(self) -> PicksRead:
        """What became of the picks."""
        unread, missing = sum(len(one.chosen) for one in self._shown()), self.found.missing
        if not missing and not self.found.texts_sent:
            missing = "no pick that it could be asked of has anything to read"
        if not missing and unread:
            missing = f"it refused picks {ROUNDS} times in a row"
        return replace(self.found, unread=unread, missing=missing)

    def _shown(self) -> list[Shown]:
        """The groups with picks that were not read yet."""
        groups = []
        for place, name in enumerate(self.session.names):
            picks = self._quoted(place)
            chosen = tuple(pick for pick in picks if pick.row not in self.read)
            read = tuple(pick for pick in picks if pick.row in self.read)[:MOST_TEXTS]
            if chosen:
                groups.append(Shown(name, self.drawn[place], read, chosen))
        return groups

    def _quoted(self, place: int) -> list[Quoted]:
        """The picks of a group that have something to read."""
        rows = self.selection.rows[self.selection.owner == place].tolist()
        return [
            Quoted(f"{group_key(place)}{rank}", place, row, text)
            for rank, row in enumerate(rows, 1)
            if (text := self._text(row, LONGEST_TEXT))
        ]

    def _text(self, row: int, longest: int) -> str:
        return "" if self.session.documents[row].image else shorten(self.session.texts[row], longest)

    def _draw(self) -> list[tuple[str, ...]]:
        """A few texts of each group."""
        rng, drawn = self.session.rng(READING), []
        for place in range(len(self.session.names)):
            rows = np.flatnonzero((self.session.codes == place) & (self.session.points.weights > 0))
            some = rng.choice(rows, min(DRAWN, len(rows)), replace=False).tolist()
            drawn.append(tuple(text for row in some if (text := self._text(row, LONGEST_DRAWN))))
        return drawn

    def _ask(self, groups: Sequence[Shown]) -> list[Refusal]:
        """What the model refuses of these; none where it fails, and then why."""
        chosen = [pick for one in groups for pick in one.chosen]
        count = sum(len(one.chosen) + len(one.read) + len(one.drawn) for one in groups)
        self.tell(f"asking {self.model.model} at {self.model.host}, {count} texts")
        sent = replace(self.found, texts_sent=self.found.texts_sent + count)
        asked = ask(self.model, compose(groups, self.title), partial(read_refusals, groups=groups))
        self.found = replace(sent if asked.sent else self.found, missing=asked.why)
        if asked.found is None:
            return []
        self.read.update(pick.row for pick in chosen)
        return asked.found

    def _apply(self, refused: Sequence[Refusal]) -> list[Refusal]:
        """Take what is refused from what may be picked, as long as its group has others to show."""
        taken = []
        for one in refused:
            group = one.pick.group
            allowed = self.session.candidates.copy()
            allowed[one.pick.row] = False
            fewer = self.session.allowing(allowed)
            has_others = fewer.room(self.selection.request.pins)[group] >= self.wanted[group]
            if not has_others or self.gone[group] >= MOST_REFUSED * self.wanted[group]:
                self.found = replace(self.found, kept=self.found.kept + 1)
                continue
            self.session = fewer
            self.gone[group] += 1
            taken.append(one)
        documents, names = self.session.documents, self.session.names
        told = tuple(
            Refused(
                documents[one.pick.row].id, one.pick.row, names[one.pick.group], one.why,
                documents[one.like.row].id if one.like else "",
            )
            for one in taken
        )  # fmt: skip
        self.found = replace(self.found, refused=(*self.found.refused, *told))
        return taken


def _portions(groups: Sequence[Shown]) -> Iterator[list[Shown]]:
    """The groups in portions of no more chosen texts than a model is shown at once; one with more has several."""
    portion: list[Shown] = []
    room = MOST_TEXTS
    for one in groups:
        for begin in range(0, len(one.chosen), MOST_TEXTS):
            part = replace(one, chosen=one.chosen[begin : begin + MOST_TEXTS])
            if len(part.chosen) > room:
                yield portion
                portion, room = [], MOST_TEXTS
            portion.append(part)
            room -= len(part.chosen)
    if portion:
        yield portion
