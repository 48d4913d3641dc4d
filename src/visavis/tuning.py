"""Picking again on parts of a corpus: to try sizes and parameters, and to see how much the picks tell."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from visavis.explain.holdout import folds, holdout_rows, picks_accuracy
from visavis.inputs import Grouped
from visavis.kernel import kernel_family
from visavis.records import Array, Booleans, Compute, Floats, Integers, Settings
from visavis.select.engine import Picked, pick
from visavis.select.methods import tuned_by

SIZES = (1, 2, 3, 4, 6, 8, 12, 16)
TRIED: dict[str, tuple[Any, ...]] = {  # γ in multiples of what its rule gives
    "gamma": (0.5, 1.0, 2.0),
    "contrast": (0.1, 0.3, 0.6, 0.9),
    "sharpness": ("auto", 8.0, 25.0),
}


@dataclass(frozen=True)
class Tuned:
    """What was decided: the settings, the size (a number, or one per group), and the curve it was read from."""

    settings: Settings
    sizes: Any
    curve: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True, eq=False)
class Bench:
    """The documents of a comparison, ready to be picked from, whole or in part.

    `allowed` may be picked; `unique` marks one of every family of copies.
    """

    vectors: Array
    codes: Integers
    weights: Floats
    allowed: Booleans
    unique: Booleans
    names: tuple[str, ...]
    compute: Compute
    seed: int

    @property
    def n_groups(self) -> int:
        """How many groups there are."""
        return len(self.names)

    def rng(self, purpose: int) -> np.random.Generator:
        """A generator of its own for each purpose, so that one does not disturb another."""
        return np.random.default_rng([self.seed, purpose])

    def pick(self, settings: Settings, sizes: Any, budget: int | None, pinned: tuple[int, ...]) -> Picked:
        """Picks from all documents."""
        return pick(
            self.vectors, self._grouped(self.codes), self.weights, settings, self.compute,
            n_prototypes=self._by_name(sizes), budget=budget, rng=self.rng(0), allowed=self.allowed, pinned=pinned,
        )  # fmt: skip

    def pick_part(self, rows: Integers, settings: Settings, sizes: Any) -> tuple[Integers, Integers]:
        """Picks from some documents alone, in one thread: their rows and groups; sizes shrink to what there is."""
        codes = self.codes[rows]
        allowed = self.allowed[rows]
        room = np.bincount(codes[allowed], minlength=self.n_groups)
        wanted = {g: min(sizes[g] if isinstance(sizes, dict) else sizes, int(room[g])) for g in range(self.n_groups)}
        usable = np.isin(codes, [g for g in wanted if wanted[g] > 0])
        rows, codes, allowed = rows[usable], codes[usable], allowed[usable]
        present = {g: size for g, size in wanted.items() if g in codes}
        found = pick(
            self.vectors[rows], self._grouped(codes), self.weights[rows], settings, replace(self.compute, threads=1),
            n_prototypes=self._by_name(present), rng=self.rng(1), allowed=allowed,
        )  # fmt: skip
        return rows[found.indices], codes[found.indices]

    def distances(self, settings: Settings, gamma: float, left: Integers, right: Integers) -> Floats:
        """How far documents lie from each other in the geometry of the kernel."""
        return kernel_family(settings.kernel, gamma).distances(self.vectors[left], self.vectors[right])

    def accuracy(self, settings: Settings, sizes: Any, gamma: float) -> float | None:
        """Held-out accuracy of the picks, on a sample above 5,000 documents."""
        rows, _ = holdout_rows(self.codes, self.rng(2))
        parts = [(rows[train], rows[test]) for train, test in folds(self.codes[rows], self.rng(3))]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what the main selection warned of need not be said again
            return picks_accuracy(
                parts,
                self.codes,
                lambda train: self.pick_part(train, settings, sizes),
                lambda left, right: self.distances(settings, gamma, left, right),
                self.compute.threads,
            )

    def _grouped(self, codes: Integers) -> Grouped:
        return Grouped(np.array(self.names, dtype=object), codes)

    def _by_name(self, sizes: Any) -> Any:
        return {self.names[g]: size for g, size in sizes.items()} if isinstance(sizes, dict) else sizes


def tune(bench: Bench, settings: Settings, sizes: Any) -> Settings:
    """γ, contrast or sharpness, whatever the method depends on, with the best held-out accuracy; the given win ties."""
    given = replace(settings, gamma=_gamma_of(bench, settings))
    names = tuned_by(settings.method)
    options = [given]
    for values in product(*(TRIED[name] for name in names)):
        told = dict(zip(names, values, strict=True))
        told["gamma"] = told.get("gamma", 1.0) * given.gamma
        options.append(replace(given, **told))
    if len(options) == 2:  # there is nothing to choose
        return given
    scores = [bench.accuracy(option, sizes, float(option.gamma)) or 0.0 for option in options]
    return options[int(np.argmax(scores))]


def choose_size(bench: Bench, settings: Settings) -> tuple[int, tuple[tuple[int, float], ...]]:
    """The size at the knee of held-out accuracy, and the curve; 4 where nothing can be held out."""
    gamma = _gamma_of(bench, settings)
    room = int(np.bincount(bench.codes[bench.allowed], minlength=bench.n_groups).min())
    sizes = [size for size in SIZES if size <= max(1, room * 2 // 3)]
    curve = []
    for size in sizes:
        score = bench.accuracy(settings, size, gamma)
        if score is None:
            return min(4, room), ()
        curve.append((size, score))
    return knee(curve), tuple(curve)


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


def _gamma_of(bench: Bench, settings: Settings) -> float:
    """γ as a number, from all documents."""
    from visavis.kernel.bandwidth import resolve_gamma
    from visavis.kernel.vectors import DocumentVectors

    vectors = DocumentVectors(bench.vectors, np.arange(len(bench.vectors)))
    return resolve_gamma(settings.gamma, settings.kernel, vectors, bench.weights)
