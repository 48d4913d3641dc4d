"""What given picks, or points of the space, are worth to an objective."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from visavis.errors import InvalidParameter, UnknownName
from visavis.inputs import check_compute, check_groups, check_vectors, check_weights
from visavis.kernel import tell_kernel
from visavis.kernel.bandwidth import check_gamma
from visavis.records import Array, Compute, Points
from visavis.select.methods import create_objective, settle
from visavis.select.optimizers.gradient import as_smooth
from visavis.select.session import Session, pose


def objective_value(
    X: ArrayLike,
    groups: ArrayLike,
    indices: ArrayLike,
    *,
    objective: Any,
    gamma: float | str = "median",
    contrast: float = 0.1,
    kernel: Any = "rbf",
    sharpness: float | str = "auto",
    sample_weight: ArrayLike | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> dict[Any, float]:
    """What these documents are worth to each group, in float64; `indices` are rows of X, of any groups, in any order.

    Raises InvalidParameter if an index repeats, is out of range, or belongs to a document of weight 0.
    """
    kernel, own = tell_kernel(kernel, parameters or {})
    measure = create_objective(objective, {"contrast": contrast, "sharpness": sharpness, **own})
    strangers = [name for name in own if name not in {parameter.name for parameter in measure.parameters}]
    if strangers:
        raise UnknownName(f"objective {measure.name} has no parameter {strangers[0]!r}")
    session = _posed(check_vectors(X), groups, sample_weight, kernel, gamma, check_compute("float64", None, 512))
    place = {int(row): at for at, row in enumerate(session.order)}
    rows = np.asarray(indices)
    if rows.ndim != 1 or (rows.size and rows.dtype.kind not in "iu"):
        raise InvalidParameter("indices must be a list of row numbers")
    wrong = [int(row) for row in rows if int(row) not in place]
    if wrong or len(set(rows.tolist())) != len(rows):
        raise InvalidParameter(
            f"indices must be distinct rows of X with weight; look at {wrong[:3] or rows.tolist()[:3]}"
        )
    problem = session.problem()
    values = settle(measure, problem).values(problem, [place[int(row)] for row in rows])
    return dict(zip(session.labels.tolist(), map(float, values), strict=True))


def value_and_gradient(
    A: ArrayLike,
    X: ArrayLike,
    groups: ArrayLike,
    group: object,
    *,
    gamma: float | str = "median",
    contrast: float = 0.1,
    objective: Any = "mmd-diff",
    sample_weight: ArrayLike | None = None,
) -> tuple[float, Array]:
    """The value of meta-prototypes A (M × d) for one group, and its gradient; float32 if A and X both are.

    This is the function gradient search climbs. Objectives without a gradient raise Incompatible.
    """
    data, points = check_vectors(X), check_vectors(A)
    if points.shape[1] != data.shape[1]:
        raise InvalidParameter(f"A has {points.shape[1]} features but X has {data.shape[1]}")
    single = data.dtype == np.float32 and points.dtype == np.float32
    compute = check_compute("float32" if single else "float64", None, 512)
    session = _posed(data, groups, sample_weight, "rbf", gamma, compute)
    labels = session.labels.tolist()
    if group not in labels:
        raise InvalidParameter(f"group {group!r} is not among the groups: {labels}")
    smooth = as_smooth(create_objective(objective, {"contrast": contrast}))
    owner = np.full(len(points), labels.index(group), np.intp)
    values, gradient = smooth.value_and_gradient(session.problem(), np.asarray(points, np.float64), owner)
    return float(values.sum()), gradient.astype(points.dtype)


def _posed(data: Any, groups: ArrayLike, sample_weight: Any, kernel: Any, gamma: Any, compute: Compute) -> Session:
    points = Points.of(data, check_weights(sample_weight, data.shape[0]))
    grouped = check_groups(groups, data.shape[0])
    return pose(points, grouped, kernel=kernel, gamma=check_gamma(gamma), compute=compute)
