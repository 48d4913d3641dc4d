"""What another package might bring: an objective with a parameter, an optimizer with a stage, a kernel of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from visavis.inputs import check_number
from visavis.records import Abilities, KernelAbilities, Parameter
from visavis.select.objectives.base import BaseObjective
from visavis.select.optimizers.greedy import greedy_picks
from visavis.select.problem import Outcome

TILT = Parameter("tilt", 1.0, lambda value: check_number("tilt", value, low=0.0), (0.0, 2.0), "how much copies cost")


@dataclass(frozen=True)
class Tilted(BaseObjective):
    """U_g(S) = Σ_{s∈S} a_s − tilt · Σ_{s<t∈S} k(s, t): typical documents, less what they repeat."""

    tilt: float = 1.0
    name: str = "tilted"
    parameters: ClassVar[tuple[Parameter, ...]] = (TILT,)

    def start(self, problem):
        return problem, ()

    def gains(self, state, group):
        problem, picks = state
        rows = problem.rows(group)
        own = [pick for pick in picks if problem.group_of(pick) == group]
        typical = problem.similarity_sums()[rows, group] / problem.totals()[group]
        return typical - self.tilt * problem.columns(own)[rows].sum(axis=1)

    def add(self, state, document):
        return state[0], (*state[1], document)

    def trace(self, problem, sequence):
        values, state = [np.zeros(problem.n_groups)], self.start(problem)
        for document in sequence:
            group = problem.group_of(document)
            step = values[-1].copy()
            step[group] += self.gains(state, group)[document - problem.rows(group).start]
            values.append(step)
            state = self.add(state, document)
        return np.array(values)


class Eager(Tilted):
    """Has every method that an objective can have, and says that it can do nothing with them."""

    name = "eager"
    abilities = Abilities()

    def gains_among(self, *_):
        raise AssertionError("it was searched lazily, though it never said that it may be")

    def swap_gains(self, *_):
        raise AssertionError("it was asked to swap")

    swap = value_and_gradient = gains_among


@dataclass(frozen=True)
class Polish:
    """Greedy picks, then a stage of its own in which nothing moves."""

    rounds: int = 1
    name: ClassVar[str] = "polish"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("rounds", 1, lambda value: int(check_number("rounds", value, low=1)), help="how often to polish"),
    )
    nested: ClassVar[bool] = False
    moves_points: ClassVar[bool] = False

    def check(self, objective):
        """Every objective will do."""

    def run(self, objective, problem, quota, begin):  # noqa: ARG002
        sequence = greedy_picks(objective, problem, quota)
        return Outcome(sequence, {"start": None, "polished": None}, objective, n_iter=self.rounds)


@dataclass(frozen=True)
class Cauchy:
    """1 / (1 + ‖x − y‖² / width²): a kernel with nothing but its tiles."""

    width: float = 1.0
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter(
            "width", 1.0, lambda value: check_number("width", value, low=0.0, above=True), (0.5, 2.0), "how wide"
        ),
    )
    abilities: ClassVar[KernelAbilities] = KernelAbilities()

    def similarity(self, xp, left, right):  # noqa: ARG002
        squared = ((left[:, None, :] - right[None, :, :]) ** 2).sum(axis=2)
        return 1.0 / (1.0 + squared / self.width**2)

    def proximity(self, xp, left, right):
        return self.similarity(xp, left, right)

    def distances(self, points, prototypes):
        return -self.similarity(np, np.asarray(points, float), np.asarray(prototypes, float))


def tables() -> Mapping[str, Mapping[str, Any]]:
    """What stands where, by the kinds of the tables."""
    return {
        "visavis.objective": {"tilted": f"{__name__}:Tilted", "eager": f"{__name__}:Eager"},
        "visavis.optimizer": {"polish": f"{__name__}:Polish"},
        "visavis.kernel": {"cauchy": f"{__name__}:Cauchy"},
    }
