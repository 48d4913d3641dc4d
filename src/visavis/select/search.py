"""The door from a session to picks: a request in, a selection out, without another pass over the pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np

from visavis.contracts import Draws, Objective
from visavis.errors import InvalidParameter, TooFewDocuments
from visavis.inputs import check_whole
from visavis.kernel.threads import limited_to
from visavis.records import Array, Booleans, Floats, Gap, Integers, Quota
from visavis.select.draws import Seeded
from visavis.select.gap import find_gap
from visavis.select.methods import row_of
from visavis.select.parameters import check_parameters
from visavis.select.problem import Outcome, Problem
from visavis.select.session import Part, Session


@dataclass(frozen=True, eq=False)
class Request:
    """What to pick: a method and its parameters, how many, which documents must and which may be.

    `size` is a number for every group, a tuple with one for each, or a mapping from labels to numbers; `budget`, if
    given, is the total instead.
    `pins` are rows of the points that must be picked, `allowed` (a mark for each point) those that may be. `frame` and
    `part` choose among those of the session.
    """

    method: Any = "mmd-diff-grad"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    size: Any = 4
    budget: int | None = None
    pins: tuple[int, ...] = ()
    allowed: Booleans | None = None
    draws: Draws = field(default_factory=lambda: Seeded((0,)))
    frame: int = 0
    part: Part | None = None


@dataclass(frozen=True, eq=False)
class Selection:
    """What was picked: documents of `problem` in the order they were picked, valued when first asked.

    `parameters` are those of the method with nothing left open; `n_iter` the rounds of an iterative search.
    """

    request: Request
    problem: Problem
    labels: Any
    order: Integers
    outcome: Outcome
    parameters: Mapping[str, Any]

    @property
    def sequence(self) -> tuple[int, ...]:
        """Documents of the problem, in the order they were picked."""
        return self.outcome.sequence

    @property
    def objective(self) -> Objective:
        """What the picks are valued by."""
        found: Objective = self.outcome.objective
        return found

    @property
    def n_iter(self) -> int:
        """Rounds of the search; 1 for methods that do not iterate."""
        return self.outcome.n_iter

    @cached_property
    def rows(self) -> Integers:
        """The rows of the points that were picked, in the order they were picked."""
        return self.order[np.array(self.sequence, np.intp)]

    @cached_property
    def owner(self) -> Integers:
        """The group of each pick, by its place among the labels."""
        return self.problem.owners(self.sequence)

    @cached_property
    def by_group(self) -> Integers:
        """Places of the picks by group, then in the order they were picked."""
        return np.argsort(self.owner, kind="stable")

    @cached_property
    def trace(self) -> Floats:
        """Each group's value before the first pick and after each one, in float64; shape (picks + 1, G)."""
        known = self.outcome.trace
        return self.objective.trace(self.problem, self.sequence) if known is None else known

    @cached_property
    def gap(self) -> Gap | None:
        """What it may have cost to look at samples; None where all documents were looked at."""
        sample = self.problem.sample
        if sample is None or len(sample.rows) == self.problem.n_documents:
            return None
        n_tried = self.outcome.n_tried
        tried = int(self.problem.allowed.sum()) if n_tried is None else n_tried
        worth = float(self.trace[-1].sum() - self.trace[0].sum())
        return find_gap(self.objective, self.problem, self.sequence, worth, tried)

    @property
    def gains(self) -> Floats:
        """What each pick added to the total, in the order they were picked."""
        return np.diff(self.trace.sum(axis=1))

    @cached_property
    def stages(self) -> dict[str, Floats]:
        """Each group's value after each stage of the search, in their order."""
        return {stage: self._valued(value) for stage, value in self.outcome.stages.items()}

    @property
    def values(self) -> Floats:
        """Each group's value at the last stage."""
        return self.stages[list(self.stages)[-1]]

    def _valued(self, value: Floats | tuple[int, ...] | None) -> Floats:
        if value is None:
            return np.asarray(self.trace[-1])
        if isinstance(value, tuple):
            return self.objective.values(self.problem, value)
        return value


def select(session: Session, request: Request) -> Selection:
    """The picks that a request asks for.

    Raises UnknownName, InvalidParameter, Incompatible, and TooFewDocuments naming a group that is too small.
    """
    values = check_parameters(request.method, request.parameters)
    method = row_of(request.method).build(values)
    problem = session.problem(frame=request.frame, part=request.part, allowed=request.allowed, pinned=request.pins)
    quota = check_quota(request.size, request.budget, problem, session.labels)
    with limited_to(1, "blas"):  # the parallel work is in our own threads
        outcome = method.select(problem, quota, request.draws)
    known = {**values, **{k: v for k, v in outcome.objective.settings().items() if k in values}}
    return Selection(request, problem, session.labels, session.part_order(request.part), outcome, known)


def select_sizes(
    session: Session, request: Request, sizes: Sequence[int], room: Sequence[int] | None = None
) -> dict[int, Selection]:
    """The picks for several sizes, the largest first, since a greedy run holds the answers for all smaller ones.

    Where there is `room` for so many picks of each group, no size asks for more of it.
    """
    quotas = {size: size if room is None else tuple(min(size, most) for most in room) for size in sizes}
    found = {
        size: select(session, replace(request, size=quotas[size], budget=None)) for size in sorted(sizes, reverse=True)
    }
    return {size: found[size] for size in sizes}


def check_quota(size: object, budget: object, problem: Problem, labels: Array) -> Quota:
    """How many documents to pick of each group, or in all. Raises TooFewDocuments naming a group that is too small."""
    room = problem.room().tolist()
    if budget is not None:
        return _check_budget(budget, problem, room)
    sizes = _sizes(size, labels.tolist())
    for name, wanted, n, pins in zip(problem.names, sizes, room, problem.pinned, strict=True):
        if wanted > n:
            raise TooFewDocuments(
                f"group {name} has {n} documents to pick from but n_prototypes={wanted}: lower it or merge groups"
            )
        if len(pins) > wanted:
            raise InvalidParameter(f"group {name} has {len(pins)} pinned documents but n_prototypes={wanted}: raise it")
    return Quota(sizes=sizes)


def _check_budget(budget: object, problem: Problem, room: list[int]) -> Quota:
    total = check_whole("budget", budget, low=1)
    needed = sum(max(1, len(pins)) for pins in problem.pinned)
    if total < needed:
        raise InvalidParameter(
            f"budget={total} is less than {needed}: one pick for each of {problem.n_groups} groups, and all pins"
        )
    if 0 in room:
        raise TooFewDocuments(f"group {problem.names[room.index(0)]} has no document to pick from: merge or drop it")
    if total > sum(room):
        raise TooFewDocuments(f"there are {sum(room)} documents to pick from but budget={total}: lower budget")
    return Quota(budget=total)


def _sizes(size: object, labels: list[Any]) -> tuple[int, ...]:
    if isinstance(size, Mapping):
        missing = [label for label in labels if label not in size]
        if missing:
            raise InvalidParameter(f"n_prototypes names no size for group {missing[0]!r}; it must name every group")
        unknown = [label for label in size if label not in labels]
        if unknown:
            raise InvalidParameter(f"n_prototypes names {unknown[0]!r}, which is no group; there are {labels}")
        return tuple(check_whole(f"n_prototypes[{label!r}]", size[label], low=1) for label in labels)
    if isinstance(size, tuple) and len(size) == len(labels):
        return tuple(check_whole(f"n_prototypes[{label!r}]", n, low=1) for label, n in zip(labels, size, strict=True))
    if isinstance(size, Integral):
        return (check_whole("n_prototypes", size, low=1),) * len(labels)
    raise InvalidParameter(f"n_prototypes must be a whole number or one per group, got {size!r}")
