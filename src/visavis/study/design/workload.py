"""Before anyone is asked: how many workers a study takes, found by playing its assignment through."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from visavis.study.assignment import Cell, Sheet, choose_cells, met_by
from visavis.study.shape import PER_UNIT, QUIZ_GOLDS


@dataclass(frozen=True)
class Workload:
    """How many questionnaires there are to answer, and by how many people.

    `least` workers are needed however long each stays; `workers` do it in a rehearsal of the assignment in which
    everyone answers as many units as there are golds for, and `units` is what the busiest of them answers. In
    `second_method` of the questionnaires a worker meets a pair of groups that they met under another method.
    """

    questionnaires: int
    least: int
    workers: int
    units: int
    second_method: int


def workload(
    sheets: Sequence[Sheet], methods: Sequence[str], judgements: int, golds: int, seed: int, quiz: int = QUIZ_GOLDS
) -> Workload:
    """What the design asks of people, found by playing it through with workers who never leave.

    `quiz` of the golds are for the entry quiz.
    """
    open_cells = {Cell(sheet.id, method): judgements for sheet in sheets for method in methods}
    by_id = {sheet.id: sheet for sheet in sheets}
    total = sum(open_cells.values())
    most_units = max(1, golds - quiz)
    rng = random.Random(seed)
    everyone: list[list[Cell]] = []
    while any(open_cells.values()):
        everyone.append(_one_worker(open_cells, by_id, most_units, rng))
    busiest = max((-(-len(given) // PER_UNIT) for given in everyone), default=0)
    second = sum(second_methods(given, by_id) for given in everyone)
    return Workload(total, len(methods) * judgements, len(everyone), busiest, second)


def _one_worker(cells: dict[Cell, int], sheets: Mapping[int, Sheet], units: int, rng: random.Random) -> list[Cell]:
    """What a worker is given who stays for so many units; their places are taken."""
    given: list[Cell] = []
    for _ in range(units):
        chosen = choose_cells(cells, sheets, given, PER_UNIT, rng)
        for cell in chosen:
            cells[cell] -= 1
        given += chosen
    return given


def second_methods(given: Sequence[Cell], sheets: Mapping[int, Sheet]) -> int:
    """How many of these cells, in their order, show a pair of groups that was met under another method before."""
    return sum(
        met_by(given[:place], sheets).clashes(sheets[cell.sheet], cell.method) for place, cell in enumerate(given)
    )
