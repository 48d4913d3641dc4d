"""From arrays and labels to a problem that a method can work on."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from visavis.errors import InvalidParameter, OnlyOneGroup, TooFewDocuments
from visavis.inputs import Grouped, check_whole
from visavis.kernel import check_sparse, kernel_family
from visavis.kernel.bandwidth import resolve_gamma
from visavis.kernel.vectors import DocumentVectors
from visavis.records import Booleans, Compute, Floats, Integers, Problem, Quota, Settings


@dataclass(frozen=True)
class Posed:
    """A problem, the row of X behind each of its documents, the labels of its groups, and the γ in use."""

    problem: Problem
    order: Integers
    labels: Any
    gamma: float

    def original(self, sequence: Collection[int]) -> Integers:
        """The rows of X behind these documents."""
        return self.order[np.fromiter(sequence, np.intp, len(sequence))]


def pose(
    data: Any,
    grouped: Grouped,
    weights: Floats,
    settings: Settings,
    compute: Compute,
    *,
    allowed: Booleans | None = None,
    pinned: Collection[int] = (),
) -> Posed:
    """The problem of these documents; those of weight 0 are left out. `allowed` and `pinned` speak of rows of X."""
    present = np.flatnonzero(weights > 0)
    codes = grouped.codes[present]
    found, codes = np.unique(codes, return_inverse=True)
    order = present[np.argsort(codes, kind="stable")].astype(np.intp)
    bounds = np.concatenate([[0], np.cumsum(np.bincount(codes))]).astype(np.intp)
    vectors = DocumentVectors(data, order)
    check_sparse(vectors.is_sparse, settings.kernel)
    gamma = resolve_gamma(settings.gamma, settings.kernel, vectors, weights[order])
    if len(found) == 1:
        warnings.warn(
            "there is only one group, so there is nothing to tell it apart from: contrast plays no part",
            OnlyOneGroup,
            stacklevel=3,
        )
    labels = grouped.labels[found]
    usable = np.ones(len(order), np.bool_) if allowed is None else np.asarray(allowed, np.bool_)[order]
    problem = Problem(
        kernel=kernel_family(settings.kernel, gamma).bind(vectors, compute),
        vectors=vectors,
        names=tuple(repr(label) for label in labels.tolist()),
        bounds=bounds,
        weights=weights[order],
        allowed=usable,
        compute=compute,
        pinned=_pins_by_group(pinned, order, bounds, usable),
    )
    return Posed(problem, order, labels, gamma)


def _pins_by_group(
    pinned: Collection[int], order: Integers, bounds: Integers, usable: Booleans
) -> tuple[tuple[int, ...], ...]:
    groups: list[list[int]] = [[] for _ in range(len(bounds) - 1)]
    place = {int(row): at for at, row in enumerate(order)} if pinned else {}
    for row in dict.fromkeys(pinned):
        if row not in place:
            raise InvalidParameter(f"pinned document {row} is not among the documents that count")
        if not usable[place[row]]:
            raise InvalidParameter(f"pinned document {row} is also forbidden: pin it or ban it, not both")
        groups[int(np.searchsorted(bounds, place[row], side="right")) - 1].append(place[row])
    return tuple(map(tuple, groups))


def check_quota(n_prototypes: object, budget: object, posed: Posed) -> Quota:
    """How many documents to pick of each group, or in all. Raises TooFewDocuments naming a group that is too small."""
    problem = posed.problem
    room = [int(problem.allowed[problem.rows(g)].sum()) for g in range(problem.n_groups)]
    if budget is not None:
        total = check_whole("budget", budget, low=1)
        needed = sum(max(1, len(pins)) for pins in problem.pinned)
        if total < needed:
            raise InvalidParameter(
                f"budget={total} is less than {needed}: one pick for each of {problem.n_groups} groups, and all pins"
            )
        if 0 in room:
            raise TooFewDocuments(
                f"group {problem.names[room.index(0)]} has no document to pick from: merge or drop it"
            )
        if total > sum(room):
            raise TooFewDocuments(f"there are {sum(room)} documents to pick from but budget={total}: lower budget")
        return Quota(budget=total)
    sizes = _sizes(n_prototypes, posed.labels.tolist())
    for name, size, n, pins in zip(problem.names, sizes, room, problem.pinned, strict=True):
        if size > n:
            raise TooFewDocuments(
                f"group {name} has {n} documents to pick from but n_prototypes={size}: lower it or merge groups"
            )
        if len(pins) > size:
            raise InvalidParameter(f"group {name} has {len(pins)} pinned documents but n_prototypes={size}: raise it")
    return Quota(sizes=sizes)


def _sizes(n_prototypes: object, labels: list[Any]) -> tuple[int, ...]:
    if isinstance(n_prototypes, Mapping):
        missing = [label for label in labels if label not in n_prototypes]
        if missing:
            raise InvalidParameter(f"n_prototypes names no size for group {missing[0]!r}; it must name every group")
        unknown = [label for label in n_prototypes if label not in labels]
        if unknown:
            raise InvalidParameter(f"n_prototypes names {unknown[0]!r}, which is no group; there are {labels}")
        return tuple(check_whole(f"n_prototypes[{label!r}]", n_prototypes[label], low=1) for label in labels)
    if isinstance(n_prototypes, Integral):
        return (check_whole("n_prototypes", n_prototypes, low=1),) * len(labels)
    raise InvalidParameter(f"n_prototypes must be a whole number or one per group, got {n_prototypes!r}")


def proportional_sizes(problem: Problem, quota: Quota) -> tuple[int, ...]:
    """Sizes for methods without gains: a budget is divided by the groups' weights, each getting at least one."""
    if quota.sizes is not None:
        return quota.sizes
    assert quota.budget is not None
    room = np.array([problem.allowed[problem.rows(g)].sum() for g in range(problem.n_groups)])
    sizes = np.maximum(1, [len(pins) for pins in problem.pinned])
    while sizes.sum() < quota.budget:  # the next pick goes where picks are scarcest for the weight
        scarcity = np.where(sizes < room, problem.totals() / (sizes + 1), -np.inf)
        sizes[int(np.argmax(scarcity))] += 1
    return tuple(int(size) for size in sizes)
