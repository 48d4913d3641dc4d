"""Before anyone is asked: how many workers a study takes, and what differences it can show."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import binom, norm

from visavis.study.assignment import Cell, Sheet, choose_cells
from visavis.study.shape import PER_UNIT, QUIZ_GOLDS

DIFFERENCES = (0.03, 0.05, 0.07, 0.10, 0.15)
RUNS = 2000
LEVEL = 0.05
BASE = 0.64  # mean accuracy of the weaker method: what people reached in the published study
SPREAD = 1.36  # of the questions' difficulty, in units of a judgement's own noise: κ = .44, as published
SHARED = 0.8  # correlation of a question's difficulty under two methods


@dataclass(frozen=True)
class Workload:
    """How many questionnaires there are to answer, and by how many people.

    `least` workers are needed however long each stays; `workers` do it in a rehearsal of the assignment in which
    everyone answers as many units as there are golds for, and `units` is what the busiest of them answers.
    """

    questionnaires: int
    least: int
    workers: int
    units: int


def workload(
    sheets: Sequence[Sheet], methods: Sequence[str], judgements: int, golds: int, seed: int, quiz: int = QUIZ_GOLDS
) -> Workload:
    """What the design asks of people, found by playing it through with workers who never leave.

    `quiz` of the golds are for the entry quiz.
    """
    open_cells = {Cell(sheet.id, method): judgements for sheet in sheets for method in methods}
    by_id = {sheet.id: sheet for sheet in sheets}
    total = sum(open_cells.values())
    room = max(1, golds - quiz)
    rng = random.Random(seed)
    workers, busiest = 0, 0
    while any(open_cells.values()):
        workers += 1
        busiest = max(busiest, _one_worker(open_cells, by_id, room, rng))
    return Workload(total, len(methods) * judgements, workers, busiest)


def _one_worker(cells: dict[Cell, int], sheets: Mapping[int, Sheet], units: int, rng: random.Random) -> int:
    met: dict[int, str] = {}
    seen: set[int] = set()
    for done in range(units):
        chosen = choose_cells(cells, sheets, met, seen, PER_UNIT, rng)
        if not chosen:
            return done
        for cell in chosen:
            cells[cell] -= 1
            seen.add(cell.sheet)
            met.update(dict.fromkeys(sheets[cell.sheet].articles, cell.method))
    return units


def power(questions: int, judgements: int, seed: int, *, runs: int = RUNS) -> tuple[tuple[float, float], ...]:
    """How often a one-sided sign test at 5 % shows a difference between two methods: (difference, power) pairs.

    A judgement is right with probability Φ(a + s·z): z is the question's difficulty under the method, correlated
    between methods, and a gives the method its mean accuracy.
    """
    rng = np.random.default_rng([seed, 17])
    found = []
    for difference in DIFFERENCES:
        shared = rng.standard_normal((runs, questions))
        counts = [_right(rng, shared, BASE + extra, judgements) for extra in (0.0, difference)]
        wins = (counts[1] > counts[0]).sum(axis=1)
        losses = (counts[1] < counts[0]).sum(axis=1)
        p_values = binom.sf(wins - 1, wins + losses, 0.5)
        found.append((difference, float(np.mean(p_values <= LEVEL))))
    return tuple(found)


def _right(
    rng: np.random.Generator, shared: np.ndarray[tuple[int, ...], np.dtype[np.float64]], accuracy: float, judges: int
) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """How many judges are right about each question."""
    own = rng.standard_normal(shared.shape)
    z = np.sqrt(SHARED) * shared + np.sqrt(1 - SHARED) * own
    middle = norm.ppf(min(accuracy, 0.99)) * np.sqrt(1 + SPREAD**2)
    return np.asarray(rng.binomial(judges, norm.cdf(middle + SPREAD * z)), np.int64)
