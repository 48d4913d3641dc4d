"""Mixtures: objectives add up, and so do their gains, swaps, shares and slopes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import reduce
from typing import Any, cast

import numpy as np

from visavis.contracts import Exchangeable, Lazy, Objective, Smooth, State
from visavis.records import Abilities, Floats, Integers, Parameter
from visavis.select.problem import Problem


@dataclass(frozen=True)
class Mixture:
    """Σ_p τ_p U_p / u_p: each part weighs τ, in units in which parts can be compared (a mean over groups).

    It can do what all its parts can. A part's parameters bear its name: "softmin.sharpness".
    """

    parts: tuple[tuple[float, Objective], ...]

    @property
    def name(self) -> str:
        """As it is written: "softmin+2*mmd-diff"."""
        return "+".join(part.name if weight == 1.0 else f"{weight:g}*{part.name}" for weight, part in self.parts)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What its parts can be told."""
        return tuple(parameter for _, part in self.parts for parameter in named_parameters(part.name, part))

    @property
    def abilities(self) -> Abilities:
        """What all parts can do."""
        return shared_abilities([part for _, part in self.parts])

    @property
    def is_open(self) -> bool:
        """Whether some part has still something to choose."""
        return any(part.is_open for _, part in self.parts)

    def calibrated(self, problem: Problem, picks: Sequence[int]) -> Mixture:
        """The same with nothing left open."""
        return Mixture(tuple((weight, part.calibrated(problem, picks)) for weight, part in self.parts))

    def settings(self) -> Mapping[str, Any]:
        """The values of its parameters."""
        return {f"{part.name}.{name}": value for _, part in self.parts for name, value in part.settings().items()}

    def unit(self, problem: Problem) -> float:  # noqa: ARG002 (its parts are brought to one scale already)
        """Its own scale."""
        return 1.0

    def start(self, problem: Problem) -> _State:
        """Nothing picked."""
        return _State(tuple(part.start(problem) for _, part in self.parts), self._factors(problem))

    def gains(self, state: _State, group: int) -> Floats:
        """What each document of the group would add to the total."""
        return state.sum([part.gains(own, group) for own, (_, part) in self._with(state)])

    def gains_among(self, state: _State, group: int, candidates: Integers) -> Floats:
        """`gains` of these documents alone."""
        return state.sum([cast(Lazy, part).gains_among(own, group, candidates) for own, (_, part) in self._with(state)])

    def add(self, state: _State, document: int) -> _State:
        """One more pick."""
        return state.moved(part.add(own, document) for own, (_, part) in self._with(state))

    def swap_gains(self, state: _State, leaving: int) -> Floats:
        """The change of the total if `leaving` made room for each document of its group."""
        return state.sum([cast(Exchangeable, part).swap_gains(own, leaving) for own, (_, part) in self._with(state)])

    def swap(self, state: _State, leaving: int, entering: int) -> _State:
        """The entering document takes the leaving one's place in the order."""
        return state.moved(
            cast(Exchangeable, part).swap(own, leaving, entering) for own, (_, part) in self._with(state)
        )

    def trace(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """Each group's value with nothing picked and after each pick, in float64."""
        return self._sum(problem, [part.trace(problem, sequence) for _, part in self.parts])

    def values(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """Each group's value of these picks, in float64."""
        return self._sum(problem, [part.values(problem, sequence) for _, part in self.parts])

    def shares(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """What each pick contributes."""
        return self._sum(problem, [part.shares(problem, sequence) for _, part in self.parts])

    def losses(self, problem: Problem, sequence: Sequence[int]) -> Floats:
        """How far the total would fall if each pick were left out."""
        return self._sum(problem, [part.losses(problem, sequence) for _, part in self.parts])

    def sampling_error(self, problem: Problem, sequence: Sequence[int]) -> tuple[float, float] | None:
        """Of all its parts together, which are judged by the same documents, so that their errors add up."""
        found = [part.sampling_error(problem, sequence) for _, part in self.parts]
        known = [(factor, *one) for factor, one in zip(self._factors(problem), found, strict=True) if one is not None]
        if not known:
            return None
        return sum(factor * seems for factor, seems, _ in known), sum(factor * error for factor, _, error in known)

    def value_and_gradient(
        self, problem: Problem, points: Floats, owner: Integers, *, exact: bool = False
    ) -> tuple[Floats, Floats]:
        """Each group's value, and the gradient of their sum."""
        found = [cast(Smooth, part).value_and_gradient(problem, points, owner, exact=exact) for _, part in self.parts]
        values, slopes = zip(*found, strict=True)
        return self._sum(problem, values), self._sum(problem, slopes)

    def _factors(self, problem: Problem) -> tuple[float, ...]:
        return tuple(weight / part.unit(problem) for weight, part in self.parts)

    def _sum(self, problem: Problem, values: Sequence[Floats]) -> Floats:
        return _weighted(self._factors(problem), values)

    def _with(self, state: _State) -> Any:
        return zip(state.parts, self.parts, strict=True)


@dataclass(frozen=True)
class MixtureKind:
    """What makes a mixture: the classes or objects of its parts with their weights, before they are told anything."""

    parts: tuple[tuple[float, str, Any], ...]  # weight, name, class or object

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What its parts can be told; an object that is made already can be told nothing more."""
        return tuple(
            parameter
            for _, name, part in self.parts
            if isinstance(part, type)
            for parameter in named_parameters(name, part)
        )

    @property
    def abilities(self) -> Abilities:
        """What all parts can do."""
        return shared_abilities([part for _, _, part in self.parts])

    def __call__(self, **values: Any) -> Mixture:
        """The mixture, its parts told those of the values that bear their names."""
        return Mixture(tuple((weight, _made(name, part, values)) for weight, name, part in self.parts))


def _made(name: str, part: Any, values: Mapping[str, Any]) -> Any:
    if not isinstance(part, type):
        return part
    own: Any = part
    return own(**{p.name: values[f"{name}.{p.name}"] for p in own.parameters if f"{name}.{p.name}" in values})


def named_parameters(name: str, part: Any) -> tuple[Parameter, ...]:
    """A part's parameters, each bearing the part's name."""
    return tuple(replace(parameter, name=f"{name}.{parameter.name}") for parameter in part.parameters)


def shared_abilities(parts: Sequence[Any]) -> Abilities:
    """What all of them can do; `kernel` and `scans`, which say what it takes, are there if one of them has them, and no
    mixture `climbs`."""
    names = [ability.name for ability in fields(Abilities)]
    common = {name: all(getattr(part.abilities, name) for part in parts) for name in names}
    some = {name: any(getattr(part.abilities, name) for part in parts) for name in ("kernel", "scans")}
    return Abilities(**{**common, **some, "climbs": False})


def _weighted(factors: Sequence[float], values: Sequence[Floats]) -> Floats:
    return np.asarray(reduce(np.add, [factor * value for factor, value in zip(factors, values, strict=True)]))


@dataclass(frozen=True, eq=False)
class _State:
    parts: tuple[State, ...]
    factors: tuple[float, ...]

    def sum(self, values: Sequence[Floats]) -> Floats:
        return _weighted(self.factors, values)

    def moved(self, parts: Any) -> _State:
        return replace(self, parts=tuple(parts))
