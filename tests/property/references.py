"""Slow, independent NumPy versions of everything the property tests compare with; nothing here calls visavis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import settings

OBJECTIVES = ("mmd-diff", "mmd-div", "mmd", "nearest", "between-prototypes", "softmin")
NAMES = np.array(["north", "east", "west", "south", "center", "abroad"])
TIE = 1e-9

EXAMPLES = settings.default.max_examples  # the soak has more of them
many = settings(max_examples=EXAMPLES, derandomize=True, database=None)
few = settings(max_examples=EXAMPLES // 5, derandomize=True, database=None)  # for what is tried of every row of a table


def documents(seed: int, sizes: Sequence[int], n_features: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """Overlapping clouds, one for each group, shuffled; and the labels, whose sorted order is not that of the sizes."""
    rng = np.random.default_rng(seed)
    parts = [rng.normal(size=n_features) + rng.normal(size=(n, n_features)) for n in sizes]
    labels = np.repeat(NAMES[: len(sizes)], sizes)
    order = rng.permutation(len(labels))
    return np.concatenate(parts)[order], labels[order]


def squared(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    return ((A[:, None, :] - B[None, :, :]) ** 2).sum(axis=2)


def rbf(A: np.ndarray, B: np.ndarray, gamma: float) -> np.ndarray:
    return np.exp(-gamma * squared(A, B))


def cosine(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """The cosine of the angle; 0 with a vector of zeros."""
    lengths = np.sqrt((A**2).sum(axis=1))[:, None] * np.sqrt((B**2).sum(axis=1))[None, :]
    products = (A[:, None, :] * B[None, :, :]).sum(axis=2)
    return np.where(lengths > 0, products / np.where(lengths > 0, lengths, 1.0), 0.0)


def polynomial(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """A kernel of the caller's own."""
    return (1.0 + 0.1 * (np.asarray(A) @ np.asarray(B).T)) ** 2


def kernel_matrix(kernel: Any, X: np.ndarray, gamma: float) -> np.ndarray:
    if callable(kernel):
        return kernel(X, X)
    if kernel == "precomputed":
        return X
    return {
        "rbf": lambda: rbf(X, X, gamma),
        "cosine": lambda: cosine(X, X),
        "linear": lambda: (X[:, None, :] * X[None, :, :]).sum(axis=2),
    }[kernel]()


def proximity_matrix(kernel: Any, X: np.ndarray, gamma: float) -> np.ndarray:
    """Minus the distance for kernels of a distance, else the kernel."""
    if kernel == "rbf":
        return -np.sqrt(squared(X, X))
    return kernel_matrix(kernel, X, gamma)


def group_means(K: np.ndarray, groups: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
    """a_ig = Σ_{j∈g} w_j k_ij / Σ_{j∈g} w_j, groups in sorted order."""
    w = np.ones(len(K)) if weights is None else np.asarray(weights, float)
    means = [(K[:, groups == g] * w[groups == g]).sum(axis=1) / w[groups == g].sum() for g in np.unique(groups)]
    return np.stack(means, axis=1)


@dataclass(frozen=True)
class Reference:
    """The value of any picks by any objective, from the full matrices."""

    K: np.ndarray
    near: np.ndarray
    groups: np.ndarray
    weights: np.ndarray
    contrast: float = 0.1
    sharpness: float = 25.0
    powers: bool = True  # whether powers of the kernel are kernels

    @classmethod
    def of(
        cls,
        X: np.ndarray,
        groups: np.ndarray,
        *,
        kernel: Any = "rbf",
        gamma: float = 0.3,
        weights: np.ndarray | None = None,
        **told: float,
    ) -> Reference:
        X = np.asarray(X, np.float64)
        w = np.ones(len(X)) if weights is None else np.asarray(weights, float)
        K, near = kernel_matrix(kernel, X, gamma), proximity_matrix(kernel, X, gamma)
        return cls(K, near, np.asarray(groups), w, powers=kernel == "rbf", **told)

    @property
    def labels(self) -> list[Any]:
        return np.unique(self.groups).tolist()

    def total(self, objective: str, picks: Sequence[int]) -> float:
        return sum(self.values(objective, picks).values())

    def values(self, objective: str, picks: Sequence[int]) -> dict[Any, float]:
        """Each group's value, picks being rows of any groups."""
        own = {g: [i for i in picks if self.groups[i] == g] for g in self.labels}
        if objective == "softmin":
            return {g: self._softmin(g, own) for g in self.labels}
        if objective == "between-prototypes":
            return {g: self._mmd(g, own[g], 0.0, 1.0) - self._cross(g, own) for g in self.labels}
        if objective == "nearest":
            return {g: self._nearest(g, own[g]) for g in self.labels}
        told = {"mmd-diff": (self.contrast, 1 - self.contrast), "mmd-div": (self.contrast, 1.0), "mmd": (0.0, 1.0)}
        return {g: self._mmd(g, own[g], *told[objective]) for g in self.labels}

    def greedy(self, objective: str, sizes: dict[Any, int] | None = None, budget: int | None = None) -> list[int]:
        """Every gain a difference of two values from nothing; rank outer, group inner, then what is left of a budget.

        Ties within 1e-9 go to the lowest row, between groups to the first label.
        """
        picks: list[int] = []
        wanted = dict.fromkeys(self.labels, 1) if sizes is None else sizes
        for rank in range(max(wanted.values())):
            for g in self.labels:
                if rank < wanted[g]:
                    picks.append(self._best(objective, picks, g)[0])
        while budget is not None and len(picks) < budget:
            left = {g for g, i in zip(self.groups.tolist(), range(len(self.K)), strict=True) if i not in picks}
            found = [self._best(objective, picks, g) for g in self.labels if g in left]
            top = max(gain for _, gain in found)
            picks.append(next(i for i, gain in found if gain >= top - TIE))
        return picks

    def _best(self, objective: str, picks: list[int], group: Any) -> tuple[int, float]:
        before = self.total(objective, picks)
        tried = [i for i in np.flatnonzero(self.groups == group).tolist() if i not in picks]
        gains = [self.total(objective, [*picks, i]) - before for i in tried]
        at = next(k for k, gain in enumerate(gains) if gain >= max(gains) - TIE)
        return tried[at], gains[at]

    def _softmin(self, group: Any, own: dict[Any, list[int]]) -> float:
        reach = np.abs(np.diag(self.K)).max()
        sharp = self.K**self.sharpness if self.powers else np.exp(self.sharpness * (self.K / reach - 1.0))
        neutral = np.exp(-self.sharpness)
        evidence = [
            sharp[:, own[g]].sum(axis=1) + 1e-6 * neutral if own[g] else neutral + 0.0 * self.weights for g in own
        ]
        inside = self.groups == group
        likely = np.log(evidence[list(own).index(group)]) - np.log(sum(evidence))
        return float(np.average(likely[inside], weights=self.weights[inside])) / len(own)

    def _mmd(self, group: Any, own: list[int], contrast: float, repulsion: float) -> float:
        if not own:
            return 0.0
        inside = self.groups == group
        merit = np.average(self.K[np.ix_(own, inside)], axis=1, weights=self.weights[inside])
        if not inside.all():
            merit = merit - contrast * np.average(self.K[np.ix_(own, ~inside)], axis=1, weights=self.weights[~inside])
        return float(2.0 * merit.mean() - repulsion * self.K[np.ix_(own, own)].mean())

    def _cross(self, group: Any, own: dict[Any, list[int]]) -> float:
        others = [i for g, picks in own.items() if g != group for i in picks]
        if not own[group] or not others:
            return 0.0
        return float(2.0 * self.contrast * self.K[np.ix_(own[group], others)].mean())

    def _nearest(self, group: Any, own: list[int]) -> float:
        if not own:
            return 0.0
        inside = self.groups == group
        similarity = self.near[np.ix_(inside, own)] - self.near[np.ix_(inside, inside)].min()
        return float(self.weights[inside] @ similarity.max(axis=1))


def smooth_value(
    A: np.ndarray, X: np.ndarray, groups: np.ndarray, group: Any, gamma: float, contrast: float, repulsion: float
) -> Any:
    """f(A) = (2/M) Σ_l Σ_j w_j k(a_l, x_j) − (ρ/M²) Σ_{l,m} k(a_l, a_m), for complex A too."""
    inside = np.asarray(groups) == group
    w = np.where(inside, 1.0 / inside.sum(), 0.0 if inside.all() else -contrast / max((~inside).sum(), 1))
    pull = (rbf(A, X, gamma) * w).sum()
    return 2.0 * pull / len(A) - repulsion * rbf(A, A, gamma).sum() / len(A) ** 2


def complex_step(value: Callable[[np.ndarray], Any], A: np.ndarray) -> np.ndarray:
    """The derivative without subtraction, so exact to rounding."""
    gradient = np.empty(A.shape)
    for at in np.ndindex(A.shape):
        moved = A.astype(complex)
        moved[at] += 1e-30j
        gradient[at] = np.imag(value(moved)) / 1e-30
    return gradient


def central_difference(value: Callable[[np.ndarray], Any], A: np.ndarray, step: float = 1e-5) -> np.ndarray:
    gradient = np.empty(A.shape)
    for at in np.ndindex(A.shape):
        up, down = A.copy(), A.copy()
        up[at] += step
        down[at] -= step
        gradient[at] = (value(up) - value(down)) / (up[at] - down[at])
    return gradient


def in_rounds(model: Any) -> list[int]:
    """A fitted model's picks, all groups' first ones, then all second ones, and so on."""
    own = [model.prototype_indices_[model.prototype_groups_ == g].tolist() for g in model.classes_]
    return [picks[rank] for rank in range(max(map(len, own))) for picks in own if rank < len(picks)]
