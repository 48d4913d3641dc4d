"""What every objective has unless it says otherwise: no parameters, no abilities, shares and losses from its values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from visavis.contracts import State
from visavis.records import Abilities, Floats, Parameter, Sample
from visavis.select.gap import sampling_error
from visavis.select.problem import Problem


class BaseObjective(ABC):
    """An objective that tells gains and values; subclasses are frozen dataclasses whose fields are their parameters."""

    parameters: ClassVar[tuple[Parameter, ...]] = ()
    abilities: ClassVar[Abilities] = Abilities()
    name: str

    @property
    def is_open(self) -> bool:
        """Whether a parameter is still to be chosen by looking at picks."""
        return False

    def calibrated(self, problem: Problem, picks: Sequence[int]) -> Self:  # noqa: ARG002 (there is nothing to choose)
        """The same: nothing is open."""
        return self

    def settings(self) -> Mapping[str, Any]:
        """The values of its parameters."""
        return {parameter.name: getattr(self, parameter.name) for parameter in self.parameters}

    @abstractmethod
    def start(self, problem: Problem) -> State:
        """The state in which nothing is picked."""

    @abstractmethod
    def gains(self, state: State, group: int) -> Floats:
        """What each document of the group would add to the total, were it picked next; shape (N_g,)."""

    @abstractmethod
    def add(self, state: State, document: int) -> State:
        """The state after that pick."""

    @abstractmethod
    def trace(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """Each group's value with nothing picked and after each pick, in float64; shape (picks + 1, G)."""

    def values(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """Each group's value of these picks, in float64; shape (G,)."""
        return np.asarray(self.trace(problem, sequence)[-1])

    def contributions(self, problem: Problem, sequence: Sequence[int]) -> Floats | None:  # noqa: ARG002
        """What each document adds to the total value of these picks, shape (N,); None where that cannot be told."""
        return None

    def judged(self, problem: Problem) -> Sample | None:
        """The documents by which a search judges picks; None where it looks at all of them."""
        return problem.sample

    def sampling_error(self, problem: Problem, sequence: Sequence[int]) -> tuple[float, float] | None:
        """How much more these picks seem worth to the search than they are, and the standard error of such a seeming.

        The first from what every document adds to their value, the second from how that varies within each group.
        """
        return sampling_error(problem, self.judged(problem), self.contributions(problem, sequence))

    def shares(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """What each pick added to its own group, and an equal part of what other groups' picks did to that group."""
        steps = np.diff(self.trace(problem, sequence), axis=0)
        owner = problem.owners(sequence)
        own = steps[np.arange(len(owner)), owner]
        counts = np.bincount(owner, minlength=problem.n_groups)
        rest = steps.sum(axis=0) - np.bincount(owner, weights=own, minlength=problem.n_groups)
        return np.asarray(own + (rest / np.maximum(counts, 1))[owner])

    def losses(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """How far the total would fall if each pick were left out, by valuing the rest."""
        whole = self.values(problem, sequence).sum()
        rest = [[*sequence[:k], *sequence[k + 1 :]] for k in range(len(sequence))]
        return np.array([whole - self.values(problem, others).sum() for others in rest])
