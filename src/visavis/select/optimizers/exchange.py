"""Exchange: swap a pick for a better document of its group, while the total rises."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, cast

from visavis.contracts import Exchangeable, Objective
from visavis.errors import Incompatible
from visavis.records import Parameter, Quota
from visavis.select.optimizers.shaking import shake
from visavis.select.optimizers.starting import INIT
from visavis.select.optimizers.swapping import exchange
from visavis.select.problem import Beginning, Outcome, Problem


@dataclass(frozen=True)
class Exchange:
    """Exchange as an optimizer: it improves on the picks it begins with."""

    init: str = "auto"
    name: ClassVar[str] = "exchange"
    parameters: ClassVar[tuple[Parameter, ...]] = (INIT,)
    nested: ClassVar[bool] = False
    moves_points: ClassVar[bool] = False

    def check(self, objective: Objective) -> None:
        """Only objectives that can swap picks can be improved by swaps."""
        as_exchangeable(objective)

    def run(self, objective: Objective, problem: Problem, quota: Quota, begin: Callable[[], Beginning]) -> Outcome:  # noqa: ARG002
        """The picks after swaps; the first ones stay if, in float64 over all documents, they are worth more."""
        swapping = as_exchangeable(objective)
        first = begin().sequence
        start = objective.values(problem, first)
        sequence = exchange(swapping, problem, first, float(start.sum()))
        sequence = shake(swapping, problem, sequence)
        exchanged = start if sequence == first else objective.values(problem, sequence)
        if exchanged.sum() < start.sum():
            sequence, exchanged = first, start
        return Outcome(sequence, {"start": start, "exchanged": exchanged}, objective)


def as_exchangeable(objective: Objective) -> Exchangeable:
    """The objective, if it can swap picks. Raises Incompatible if not."""
    if not objective.abilities.swaps:
        raise Incompatible(f"objective {objective.name!r} cannot swap picks: combine it with greedy instead")
    return cast(Exchangeable, objective)
