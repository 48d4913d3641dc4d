"""Machines beside people: how often they prefer the same summaries, and by how much their preferences differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from visavis.study.analysis.preferring.counting import Answers, Compared, linked, shared_comparisons
from visavis.study.analysis.preferring.results import Versus
from visavis.study.analysis.statistics import mean_interval


def machines_beside_people(answers: Sequence[Answers]) -> Iterator[Versus]:
    """For every machine and every pair of methods, on the comparisons that it and people answered."""
    for people, machine in linked(answers):
        for (first, second), both in sorted(shared_comparisons(people, machine).items()):
            yield _versus(machine.name, first, second, both)


def _versus(machine: str, first: str, second: str, both: Sequence[tuple[Compared, Compared]]) -> Versus:
    margins = [tuple(np.sign(one.counts[0] - one.counts[1]) for one in pair) for pair in both]
    decided = [(one, other) for one, other in margins if one and other]
    differences = [other.share - one.share for one, other in both]
    return Versus(
        machine, first, second, len(both), len(decided), sum(one == other for one, other in decided),
        float(np.mean(differences)), mean_interval(differences),
    )  # fmt: skip
