"""Choosing what was left open, the size and the parameters, by accuracy on held-out documents."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from visavis.comparing.again import held_out_accuracy
from visavis.comparing.choice import USUAL_SIZE, Choice
from visavis.comparing.session import DocumentSession
from visavis.explain.holdout import Fold
from visavis.kernel import kernel_parameters, needs_gamma
from visavis.records import Integers
from visavis.select.methods import row_of
from visavis.select.parameters import part_parameters, tunable
from visavis.shared.progress import Progress, counted, silent

Curve = tuple[tuple[int, float], ...]  # accuracy by size

SIZES = (1, 2, 3, 4, 6, 8, 12, 16)
WIDTHS = (0.5, 1.0, 2.0)  # γ, in multiples of what its rule gives


@dataclass(frozen=True, eq=False)
class Decided:
    """A choice with nothing left open, the curve its size was read from, and whether its parameters were tuned."""

    choice: Choice
    curve: Curve = ()
    tuned: bool = False


def decide(session: DocumentSession, choice: Choice, parts: list[Fold], tell: Progress = silent) -> Decided:
    """What a choice leaves open, chosen by accuracy on these folds."""
    if not choice.is_open:
        return Decided(choice)
    found = replace(choice, gamma=session.gamma, tune=False)
    names = session.names
    curve: Curve = ()
    tuned = choice.tune and bool(parts) and can_be_tuned(choice.method, choice.kernel)
    if tuned:
        sizes = (USUAL_SIZE,) * len(names) if choice.sizes is None else choice.sizes
        found = replace(tune(session, parts, replace(found, sizes=sizes), tell), sizes=choice.sizes)
    if choice.sizes is None:
        size, curve = choose_size(session, parts, found, tell)
        found = replace(found, sizes=(max(size, choice.least),) * len(names))
    return Decided(found, curve, tuned)


def can_be_tuned(method: Any, kernel: Any) -> bool:
    """Whether a method, or the kernel it depends on, has values worth trying."""
    uses = row_of(method).uses_kernel
    return bool(tunable(method) or (uses and (needs_gamma(kernel) or kernel_parameters(kernel))))


def tune(session: DocumentSession, parts: list[Fold], given: Choice, tell: Progress = silent) -> Choice:
    """γ and the parameters that decide what the method picks, with the best accuracy; the given win ties."""
    uses = row_of(given.method).uses_kernel
    own = tuple(parameter for parameter in kernel_parameters(given.kernel) if parameter.grid) if uses else ()
    widths = WIDTHS if uses and needs_gamma(given.kernel) else (1.0,)
    declared = (*tunable(given.method), *own)
    options = [given]
    for width, *values in product(widths, *(parameter.grid for parameter in declared)):
        named = {parameter.name: value for parameter, value in zip(declared, values, strict=True)}
        kernel, parameters = part_parameters(given.method, given.kernel, {**given.parameters, **named})
        options.append(replace(given, kernel=kernel, gamma=width * float(given.gamma), parameters=parameters))
    tried = (held_out_accuracy(session, option, parts) or 0.0 for option in options)
    scores = list(counted(tell, "tuning", tried, len(options)))
    return options[int(np.argmax(scores))]


def choose_size(
    session: DocumentSession, parts: list[Fold], choice: Choice, tell: Progress = silent
) -> tuple[int, Curve]:
    """The size at the knee of held-out accuracy, and the curve; 4 where nothing can be held out."""
    if not parts:
        return min(USUAL_SIZE, _room(session, np.arange(len(session.codes)))), ()
    room = _room(session, np.concatenate([test for _, test in parts])) * (len(parts) - 1) // len(parts)
    n_groups = len(session.names)
    sizes = [size for size in SIZES if size <= max(1, room)]
    tried = (held_out_accuracy(session, replace(choice, sizes=(size,) * n_groups), parts) for size in sizes)
    scores = counted(tell, "choosing the size", tried, len(sizes))
    curve = [(size, score) for size, score in zip(sizes, scores, strict=True) if score is not None]
    return knee(curve), tuple(curve)


def _room(session: DocumentSession, rows: Integers) -> int:
    """How many documents may be picked of the group that has fewest among these."""
    return int(np.bincount(session.codes[rows][session.candidates[rows]], minlength=len(session.names)).min())


def knee(curve: list[tuple[int, float]]) -> int:
    """Where the curve lies farthest above the line from its first to its best point, both axes scaled to 0..1."""
    size = np.log([float(size) for size, _ in curve])
    score = np.array([score for _, score in curve])
    best = int(score.argmax())
    if best == 0:
        return curve[0][0]
    x = (size[: best + 1] - size[0]) / (size[best] - size[0])
    y = (score[: best + 1] - score[0]) / (score[best] - score[0])
    height = y - x
    return curve[best if height.max() <= 1e-9 else int(height.argmax())][0]
