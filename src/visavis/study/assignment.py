"""Who is asked what: cells chosen so that every one fills up and no worker meets an article under two methods."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass
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


def choose_cells(
    room: Mapping[Cell, int],
    sheets: Mapping[int, Sheet],
    met: Mapping[int, str],
    seen: Collection[int],
    count: int,
    rng: random.Random,
) -> list[Cell]:
    """At most `count` cells for one worker, the emptiest first, from those with room.

    `met` says under which method the worker met each article, `seen` which questionnaires they were given. Sheets
    that miss most judgements go first, then the method that misses most; chance decides the rest. Pairs do not repeat
    within a unit while there are others.
    """
    missing: dict[int, int] = {}
    for cell, left in room.items():
        missing[cell.sheet] = missing.get(cell.sheet, 0) + max(left, 0)
    order = [number for number, left in missing.items() if left > 0 and number not in seen]
    rng.shuffle(order)
    order.sort(key=lambda number: -missing[number])
    by_sheet: dict[int, list[Cell]] = {}
    for cell, left in room.items():
        if left > 0:
            by_sheet.setdefault(cell.sheet, []).append(cell)
    known = dict(met)
    chosen: list[Cell] = []
    pairs: set[int] = set()
    for again in (False, True):
        for number in order:
            if len(chosen) == count:
                return chosen
            sheet = sheets[number]
            if any(cell.sheet == number for cell in chosen) or (sheet.pair in pairs and not again):
                continue
            found = _method_for(by_sheet[number], sheet, known, room, rng)
            if found is not None:
                chosen.append(found)
                pairs.add(sheet.pair)
                known.update(dict.fromkeys(sheet.articles, found.method))
    return chosen


def _method_for(
    cells: list[Cell], sheet: Sheet, known: Mapping[int, str], room: Mapping[Cell, int], rng: random.Random
) -> Cell | None:
    """The emptiest cell of a sheet that the worker may have; None where every method would clash."""
    bound = {known[article] for article in sheet.articles if article in known}
    able = [cell for cell in cells if bound <= {cell.method}]
    if not able:
        return None
    most = max(room[cell] for cell in able)
    return rng.choice([cell for cell in able if room[cell] == most])
