"""Machines that answered the same questions as people: results apart, and how the two compare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from visavis.study.analysis.counting import SHOWN, Cell, Cells, Judgements, cells_of, judgements_of, read_as
from visavis.study.analysis.results import MachineReader, MachineVersus
from visavis.study.analysis.statistics import mean_interval
from visavis.study.records import Judgement


def by_reader(records: Iterable[Judgement]) -> dict[str, list[Judgement]]:
    """Judgements of people ("") and of each machine, by its name; those without any that counts are left out.

    People come first, then machines by name; people are there in any case, where nothing else is.
    """
    parts: dict[str, list[Judgement]] = {"": []}
    for record in records:
        parts.setdefault(record.machine, []).append(record)
    able = {name: part for name, part in sorted(parts.items()) if any(not j.gold and not j.excluded for j in part)}
    return able or {"": [record for part in parts.values() for record in part]}


def read_machine(name: str, records: Sequence[Judgement], people: Judgements | None) -> MachineReader:
    """The results of one machine; beside people, where there are some."""
    own = judgements_of(records)
    return MachineReader(
        name, read_as(own, SHOWN), len(own.gold),
        sum(judgement.chosen == judgement.truth for judgement in own.gold),
        tuple(_versus(cells_of(own, SHOWN), cells_of(people, SHOWN))) if people else (),
    )  # fmt: skip


def _versus(machine: Cells, people: Cells) -> Iterator[MachineVersus]:
    for method in sorted(machine):
        both = [(one, people[method][key]) for key, one in machine[method].items() if key in people.get(method, {})]
        if both:
            yield _beside(method, both)


def _beside(method: str, both: Sequence[tuple[Cell, Cell]]) -> MachineVersus:
    margins = [(one.sides[0] - one.sides[1], other.sides[0] - other.sides[1]) for one, other in both]
    decided = [(one > 0, other > 0) for one, other in margins if one and other]
    by_pair: dict[object, list[float]] = {}
    for one, other in both:
        by_pair.setdefault(one.pair, []).append(one.right / one.judges - other.right / other.judges)
    differences = [float(np.mean(found)) for found in by_pair.values()]
    return MachineVersus(
        method, len(both), len(decided), sum(one == other for one, other in decided), float(np.mean(differences)),
        mean_interval(differences),
    )  # fmt: skip
