"""Who is asked what: cells chosen so that every one fills up and no worker meets a test article twice."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Cell(NamedTuple):
    """A questionnaire under a method."""

    sheet: int
    method: str


@dataclass(frozen=True)
class Sheet:
    """A questionnaire: its pair of groups and its test articles."""

    id: int
    pair: int
    articles: tuple[int, ...]


@dataclass
class Met:
    """What a worker has met: questionnaires, test articles, and the methods on each pair of groups."""

    sheets: set[int] = field(default_factory=set)
    articles: set[int] = field(default_factory=set)
    methods: dict[int, set[str]] = field(default_factory=dict)

    def add(self, sheet: Sheet, method: str) -> None:
        """Note that a questionnaire was given, answered or not."""
        self.sheets.add(sheet.id)
        self.articles.update(sheet.articles)
        self.methods.setdefault(sheet.pair, set()).add(method)

    def allows(self, sheet: Sheet) -> bool:
        """Whether neither the questionnaire nor one of its articles was met."""
        return sheet.id not in self.sheets and self.articles.isdisjoint(sheet.articles)

    def clashes(self, sheet: Sheet, method: str) -> bool:
        """Whether the pair of groups was met under another method."""
        return not self.methods.get(sheet.pair, set()) <= {method}


def met_by(cells: Iterable[Cell], sheets: Mapping[int, Sheet]) -> Met:
    """What somebody has met who was given these cells."""
    met = Met()
    for cell in cells:
        met.add(sheets[cell.sheet], cell.method)
    return met


def choose_cells(
    room: Mapping[Cell, int], sheets: Mapping[int, Sheet], given: Iterable[Cell], count: int, rng: random.Random
) -> list[Cell]:
    """At most `count` cells for a worker who was given others before, the emptiest first, from those with room.

    Sheets that miss most judgements go first, then the method that misses most; chance decides the rest. No article
    is met twice. A pair of groups is met under a second method only where nothing else is left, and pairs do not
    repeat within a unit while there are others.
    """
    by_sheet: dict[int, list[Cell]] = {}
    for cell, left in room.items():
        if left > 0:
            by_sheet.setdefault(cell.sheet, []).append(cell)
    order = list(by_sheet)
    rng.shuffle(order)
    order.sort(key=lambda number: -sum(room[cell] for cell in by_sheet[number]))
    met = met_by(given, sheets)
    chosen: list[Cell] = []
    pairs: set[int] = set()
    for clash in (False, True):
        for again in (False, True):
            for number in order:
                sheet = sheets[number]
                if len(chosen) == count:
                    return chosen
                if not met.allows(sheet) or (sheet.pair in pairs and not again):
                    continue
                able = [cell for cell in by_sheet[number] if clash or not met.clashes(sheet, cell.method)]
                if able:
                    found = _emptiest(able, room, rng)
                    chosen.append(found)
                    pairs.add(sheet.pair)
                    met.add(sheet, found.method)
    return chosen


def _emptiest(cells: list[Cell], room: Mapping[Cell, int], rng: random.Random) -> Cell:
    most = max(room[cell] for cell in cells)
    return rng.choice([cell for cell in cells if room[cell] == most])
