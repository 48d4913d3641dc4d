"""Pick documents: arrays and labels in, a selection in terms of the caller's rows out."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from visavis.errors import InvalidParameter
from visavis.inputs import Grouped, check_compute, check_groups, check_vectors, check_weights
from visavis.kernel.threads import limited_to
from visavis.records import Array, Booleans, Compute, Floats, Integers, Selection, Settings
from visavis.select.methods import create_method, create_objective, settle
from visavis.select.optimizers.gradient import as_smooth
from visavis.select.problem import Posed, check_quota, pose


@dataclass(frozen=True, eq=False)
class Picked:
    """A selection with what is needed to read it: rows of X and labels in the caller's terms, by group then rank."""

    posed: Posed
    selection: Selection
    indices: Integers
    groups: Array
    gains: Floats

    @property
    def values(self) -> dict[Any, float]:
        """Each group's final value."""
        return dict(zip(self.posed.labels.tolist(), map(float, self.selection.final), strict=True))


def pick(
    data: Any,
    grouped: Grouped,
    weights: Floats,
    settings: Settings,
    compute: Compute,
    *,
    n_prototypes: object = 4,
    budget: object = None,
    rng: np.random.Generator,
    allowed: Booleans | None = None,
    pinned: Collection[int] = (),
) -> Picked:
    """Checked arrays in, picks out."""
    selector = create_method(settings)
    posed = pose(data, grouped, weights, settings, compute, allowed=allowed, pinned=pinned)
    quota = check_quota(n_prototypes, budget, posed)
    with limited_to(1, "blas"):  # the parallel work is in our own threads
        selection = selector.select(posed.problem, quota, rng)
    owner = np.array([posed.problem.group_of(document) for document in selection.sequence], np.intp)
    by_group = np.argsort(owner, kind="stable")
    rows = posed.original(selection.sequence)[by_group]
    return Picked(posed, selection, rows, posed.labels[owner[by_group]], selection.gains[by_group])


def objective_value(
    X: ArrayLike,
    groups: ArrayLike,
    indices: ArrayLike,
    *,
    objective: str,
    gamma: float | str = "median",
    contrast: float = 0.1,
    kernel: Any = "rbf",
    sharpness: float | str = "auto",
    sample_weight: ArrayLike | None = None,
) -> dict[Any, float]:
    """What these documents are worth to each group, in float64; `indices` are rows of X, of any groups, in any order.

    Raises InvalidParameter if an index repeats, is out of range, or belongs to a document of weight 0.
    """
    data = check_vectors(X)
    weights = check_weights(sample_weight, data.shape[0])
    settings = Settings(gamma=gamma, contrast=contrast, kernel=kernel, sharpness=sharpness)
    measure = create_objective(objective, settings)
    posed = pose(data, check_groups(groups, data.shape[0]), weights, settings, check_compute("float64", None, 512))
    place = {int(row): at for at, row in enumerate(posed.order)}
    rows = np.asarray(indices)
    if rows.ndim != 1 or (rows.size and rows.dtype.kind not in "iu"):
        raise InvalidParameter("indices must be a list of row numbers")
    wrong = [int(row) for row in rows if int(row) not in place]
    if wrong or len(set(rows.tolist())) != len(rows):
        raise InvalidParameter(
            f"indices must be distinct rows of X with weight; look at {wrong[:3] or rows.tolist()[:3]}"
        )
    measure = settle(measure, posed.problem)
    values = measure.trace(posed.problem, [place[int(row)] for row in rows])[-1]
    return dict(zip(posed.labels.tolist(), map(float, values), strict=True))


def value_and_gradient(
    A: ArrayLike,
    X: ArrayLike,
    groups: ArrayLike,
    group: object,
    *,
    gamma: float | str = "median",
    contrast: float = 0.1,
    objective: str = "mmd-diff",
    sample_weight: ArrayLike | None = None,
) -> tuple[float, Array]:
    """The value of meta-prototypes A (M × d) for one group, and its gradient; float32 if A and X both are.

    This is the function gradient search climbs. Objectives without a gradient raise Incompatible.
    """
    data, points = check_vectors(X), check_vectors(A)
    if points.shape[1] != data.shape[1]:
        raise InvalidParameter(f"A has {points.shape[1]} features but X has {data.shape[1]}")
    weights = check_weights(sample_weight, data.shape[0])
    settings = Settings(gamma=gamma, contrast=contrast)
    single = data.dtype == np.float32 and points.dtype == np.float32
    compute = check_compute("float32" if single else "float64", None, 512)
    posed = pose(data, check_groups(groups, data.shape[0]), weights, settings, compute)
    labels = posed.labels.tolist()
    if group not in labels:
        raise InvalidParameter(f"group {group!r} is not among the groups: {labels}")
    smooth = as_smooth(create_objective(objective, settings))
    owner = np.full(len(points), labels.index(group), np.intp)
    values, gradient = smooth.value_and_gradient(posed.problem, np.asarray(points, np.float64), owner)
    return float(values.sum()), gradient.astype(points.dtype)
