"""Judgements become cells (a question under a method), and cells become the results of a reading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations

import numpy as np

from visavis.errors import InvalidParameter
from visavis.shared.statistics import holm
from visavis.study.analysis.intervals import FEWEST_PAIRS, Counts
from visavis.study.analysis.ratings import rate
from visavis.study.analysis.results import (
    ChanceTest,
    Combined,
    Difference,
    MethodResult,
    PairScore,
    Reading,
    SignTest,
)
from visavis.study.analysis.statistics import fleiss_kappa, sign_test
from visavis.study.records import Judgement, Pair

PUBLISHED, SHOWN = "published", "shown"


@dataclass
class Cell:
    """The counted judgements of one question under one method: how many, how many right, how many chose each side."""

    pair: Pair
    judges: int = 0
    right: int = 0
    sides: list[int] = field(default_factory=lambda: [0, 0])

    def add(self, judgement: Judgement, chosen: str) -> None:
        """Count one more."""
        self.judges += 1
        self.right += chosen == judgement.truth
        self.sides[judgement.pair.index(chosen)] += 1


@dataclass(frozen=True)
class Judgements:
    """Judgements that can be counted (`counted`), those set aside, and remarks."""

    counted: tuple[Judgement, ...]
    gold: tuple[Judgement, ...]
    excluded: tuple[Judgement, ...]
    notes: tuple[str, ...] = ()

    @property
    def methods(self) -> tuple[str, ...]:
        """By name."""
        return tuple(sorted({judgement.method for judgement in self.counted}))

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The pairs of groups, by name."""
        return tuple(sorted({judgement.pair for judgement in self.counted}))

    @property
    def readings(self) -> tuple[str, ...]:
        """Both where an order was recorded apart from the one shown."""
        both = any(judgement.published is not None for judgement in self.counted)
        return (PUBLISHED, SHOWN) if both else (SHOWN,)


def judgements_of(records: Iterable[Judgement]) -> Judgements:
    """Judgements in the order given, each pair one way round, parted into counted, gold and excluded.

    Of two judgements by one worker on one question under one method the first counts. Raises InvalidParameter where a
    group is not one of its pair, or nothing is left to count.
    """
    orientation: dict[frozenset[str], Pair] = {}
    parts: dict[str, list[Judgement]] = {"counted": [], "gold": [], "excluded": []}
    seen: set[tuple[str, Pair, str, str]] = set()
    twice = 0
    for record in records:
        judgement = replace(record, pair=orientation.setdefault(frozenset(record.pair), record.pair))
        if not judgement.gold:
            _check(judgement)
        key = (judgement.method, judgement.pair, judgement.question, judgement.worker)
        if judgement.gold or judgement.excluded:
            parts["gold" if judgement.gold else "excluded"].append(judgement)
        elif key in seen:
            twice += 1
        else:
            seen.add(key)
            parts["counted"].append(judgement)
    if not parts["counted"]:
        known = f"{len(parts['gold'])} gold, {len(parts['excluded'])} excluded"
        raise InvalidParameter(f"no judgement can be counted ({known}): wait for answers before analyzing")
    notes = (
        (f"{twice} judgements repeat one by the same worker on the same question and do not count",) if twice else ()
    )
    return Judgements(**{name: tuple(part) for name, part in parts.items()}, notes=notes)


def _check(judgement: Judgement) -> None:
    told = {"chosen": judgement.chosen, "truth": judgement.truth, "published": judgement.published}
    if len(set(judgement.pair)) != 2:
        raise InvalidParameter(f"question {judgement.question!r}: a pair needs two groups, got {judgement.pair!r}")
    for name, group in told.items():
        if group is not None and group not in judgement.pair:
            one, other = judgement.pair
            raise InvalidParameter(
                f"question {judgement.question!r}, worker {judgement.worker!r}: {name} is {group!r}, "
                f"but the groups are {one!r} and {other!r}"
            )


def answer(judgement: Judgement, reading: str) -> str:
    """The group chosen under a reading."""
    return judgement.published if reading == PUBLISHED and judgement.published is not None else judgement.chosen


def contradicted(judgements: Judgements) -> int:
    """How many questionnaires recorded another order than they showed."""
    return len({(j.method, j.questionnaire) for j in judgements.counted if j.published not in (None, j.chosen)})


Cells = dict[str, dict[tuple[Pair, str], Cell]]


def read_as(judgements: Judgements, reading: str, full: int | None = None) -> Reading:
    """All results under one reading; a question is complete with `full` judgements, or with as many as any has."""
    cells = cells_of(judgements, reading)
    methods, pairs = judgements.methods, judgements.pairs
    counts = _counts(cells, methods, pairs)
    intervals = [counts.accuracy(place) for place in range(len(methods))]
    full = full or max(cell.judges for method in cells.values() for cell in method.values())
    return Reading(
        reading,
        tuple(_method(judgements, name, cells[name], full, intervals[k]) for k, name in enumerate(methods)),
        _combined(judgements, cells),
        _sign_tests(cells, methods),
        _differences(counts, methods),
        tuple(_pair_scores(cells, pairs)),
        _chance_tests(cells, methods),
        *rate(judgements.counted, methods, pairs),
    )


def _counts(cells: Cells, methods: Sequence[str], pairs: Sequence[Pair]) -> Counts:
    """Judgements right and given, question by question; units are pairs of groups, or questions where pairs are few."""
    keys = sorted({key for of_method in cells.values() for key in of_method})
    found = [[cells[method].get(key) for method in methods] for key in keys]
    totals = np.array([[(c.right, c.judges) if c else (0, 0) for c in row] for row in found], dtype=np.float64)
    by_pair = len(pairs) >= FEWEST_PAIRS
    units = np.array([pairs.index(pair) if by_pair else place for place, (pair, _) in enumerate(keys)])
    return Counts(totals[..., 0], totals[..., 1], units)


def _pair_scores(cells: Cells, pairs: Sequence[Pair]) -> Iterator[PairScore]:
    for pair in pairs:
        for method, of_method in cells.items():
            right, judges = _of_pair(of_method, pair)
            if judges:
                yield PairScore("people", "same", method, pair, right / judges)


def _chance_tests(cells: Cells, methods: Sequence[str]) -> tuple[ChanceTest, ...]:
    """Whether people do better than a coin: questions that most judges had right against those most had wrong."""
    found = []
    for method in methods:
        margins = [2 * cell.right - cell.judges for cell in cells[method].values()]
        wins, losses = sum(margin > 0 for margin in margins), sum(margin < 0 for margin in margins)
        found.append((method, wins, losses, len(margins) - wins - losses, sign_test(wins, losses)))
    adjusted = holm([test[-1] for test in found])
    return tuple(ChanceTest(*test, holm_p) for test, holm_p in zip(found, adjusted, strict=True))


def cells_of(judgements: Judgements, reading: str) -> Cells:
    """The counted judgements by method, pair of groups and question."""
    cells: Cells = {method: {} for method in judgements.methods}
    for judgement in judgements.counted:
        cell = cells[judgement.method].setdefault((judgement.pair, judgement.question), Cell(judgement.pair))
        cell.add(judgement, answer(judgement, reading))
    return cells


def _of_pair(cells: dict[tuple[Pair, str], Cell], pair: Pair) -> tuple[int, int]:
    chosen = [cell for cell in cells.values() if cell.pair == pair]
    return sum(cell.right for cell in chosen), sum(cell.judges for cell in chosen)


def _method(
    judgements: Judgements,
    name: str,
    found: dict[tuple[Pair, str], Cell],
    full: int,
    interval: tuple[float, float] | None,
) -> MethodResult:
    cells = list(found.values())
    own = [judgement for judgement in judgements.counted if judgement.method == name]
    complete = [cell.right for cell in cells if cell.judges == full]
    return MethodResult(
        name=name,
        judgements=len(own),
        correct=sum(cell.right for cell in cells),
        majority=sum(2 * cell.right > cell.judges for cell in cells),
        questions=len(cells),
        workers=len({judgement.worker for judgement in own}),
        levels=tuple(complete.count(right) for right in range(full, -1, -1)),
        kappa_correct=_kappa_correct(cells),
        kappa_choice=fleiss_kappa([cell.sides for cell in cells]),
        seconds_per_question=_per_question(own),
        seconds_per_questionnaire=_per_questionnaire(own),
        interval=interval,
    )


def _combined(judgements: Judgements, found: Cells) -> Combined:
    cells = [cell for method in found.values() for cell in method.values()]
    return Combined(
        kappa_correct=_kappa_correct(cells),
        kappa_choice=fleiss_kappa([cell.sides for cell in cells]),
        workers=len({judgement.worker for judgement in judgements.counted}),
        judgements=len(judgements.counted),
        correct=sum(cell.right for cell in cells),
        seconds_per_question=_per_question(judgements.counted),
        seconds_per_questionnaire=_per_questionnaire(judgements.counted),
    )


def _kappa_correct(cells: Sequence[Cell]) -> float | None:
    return fleiss_kappa([(cell.right, cell.judges - cell.right) for cell in cells])


def _per_question(judgements: Sequence[Judgement]) -> float | None:
    told = [judgement.seconds for judgement in judgements if judgement.seconds is not None]
    return float(np.mean(told)) if told else None


def _per_questionnaire(judgements: Sequence[Judgement]) -> float | None:
    """The mean over filled-in questionnaires of the seconds of their questions."""
    spent: dict[tuple[str, str, str], float] = {}
    for judgement in judgements:
        if judgement.seconds is not None and judgement.questionnaire:
            key = (judgement.questionnaire, judgement.method, judgement.worker)
            spent[key] = spent.get(key, 0.0) + judgement.seconds
    return float(np.mean(list(spent.values()))) if spent else None


def _sign_tests(cells: Cells, methods: Sequence[str]) -> tuple[SignTest, ...]:
    """One-sided, all ordered pairs of methods, on how many judges of each question were right; ties dropped."""
    found = []
    for better, worse in permutations(methods, 2):
        shared = [(cells[better][key], cells[worse][key]) for key in cells[better] if key in cells[worse]]
        margins = [one.right * other.judges - other.right * one.judges for one, other in shared]
        wins, losses = sum(margin > 0 for margin in margins), sum(margin < 0 for margin in margins)
        found.append((better, worse, wins, losses, len(margins) - wins - losses, sign_test(wins, losses)))
    adjusted = holm([test[-1] for test in found])
    return tuple(SignTest(*test, holm_p) for test, holm_p in zip(found, adjusted, strict=True))


def _differences(counts: Counts, methods: Sequence[str]) -> tuple[Difference, ...]:
    accuracy = counts.right.sum(axis=0) / counts.judges.sum(axis=0)
    found = []
    for one, other in combinations(np.argsort(-accuracy, kind="stable").tolist(), 2):
        value = float(accuracy[one] - accuracy[other])
        found.append(Difference(methods[one], methods[other], value, counts.difference(one, other)))
    return tuple(found)
