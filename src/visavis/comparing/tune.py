"""Picking again on parts of a corpus: to try sizes and parameters, and to see how much the picks tell."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from visavis.explain.holdout import Part, folds, holdout_rows, picks_accuracy
from visavis.inputs import Grouped
from visavis.kernel import kernel_family
from visavis.records import Array, Booleans, Compute, Floats, Integers, Settings
from visavis.select.engine import Picked, pick
from visavis.select.methods import tuned_by

Curve = tuple[tuple[int, float], ...]  # accuracy by size

SIZES = (1, 2, 3, 4, 6, 8, 12, 16)
TRIED: dict[str, tuple[Any, ...]] = {  # γ in multiples of what its rule gives
    "gamma": (0.5, 1.0, 2.0),
    "contrast": (0.1, 0.3, 0.6, 0.9),
    "sharpness": ("auto", 8.0, 25.0),
}


@dataclass(frozen=True)
class Asked:
    """What was asked for: settings, a size (a number, one per group, or "auto" and at least `least`), and tuning."""

    settings: Settings
    sizes: Any
    tune: bool = False
    least: int = 1

    @property
    def is_open(self) -> bool:
        """Whether something is left to choose."""
        return self.tune or self.sizes == "auto"


@dataclass(frozen=True)
class Tuned:
    """What was decided: settings, sizes, the curve a size was read from, and whether the settings were tuned."""

    settings: Settings
    sizes: Any
    curve: Curve = ()
    tuned: bool = False


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

    def parts(self) -> tuple[list[Part], bool]:
        """Training and held-out rows, none where a group is too small; and whether they are those of a sample."""
        rows, sampled = holdout_rows(self.codes, self.unique, self.rng(2))
        return folds(rows, self.codes, self.rng(3)), sampled

    def parts_within(self, rows: Integers) -> list[Part]:
        """The same within a training part; halves, for which every group that could be held out has enough."""
        return folds(rows, self.codes, self.rng(6), n_folds=2)

    def accuracy(self, parts: list[Part], settings: Settings, sizes: Any) -> float | None:
        """Held-out accuracy of the picks; γ must be a number."""
        gamma = float(settings.gamma)
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


def decide(bench: Bench, asked: Asked, parts: list[Part], tell: Callable[[str], None] = lambda _: None) -> Tuned:
    """What was asked for, what it leaves open chosen by accuracy on these parts."""
    if not asked.is_open:
        return Tuned(asked.settings, asked.sizes)
    settings, sizes = replace(asked.settings, gamma=_gamma_of(bench, asked.settings)), asked.sizes
    curve: Curve = ()
    tuned = asked.tune and bool(parts) and bool(tuned_by(settings.method))
    if tuned:
        tell("tuning")
        settings = tune(bench, parts, settings, 4 if sizes == "auto" else sizes)
    if sizes == "auto":
        tell("choosing the size")
        sizes, curve = choose_size(bench, parts, settings)
        sizes = max(sizes, asked.least)
    return Tuned(settings, sizes, curve, tuned)


def honest_accuracy(bench: Bench, asked: Asked, parts: list[Part]) -> float | None:
    """Held-out accuracy where each training part alone decides what was left open, so that no choice is flattered."""
    scores = []
    for train, test in parts:
        told = decide(bench, asked, bench.parts_within(train))
        scores.append(bench.accuracy([(train, test)], told.settings, told.sizes))
    return float(np.mean([score for score in scores if score is not None])) if scores else None


def tune(bench: Bench, parts: list[Part], given: Settings, sizes: Any) -> Settings:
    """γ, contrast or sharpness, whatever the method depends on, with the best accuracy; the given win ties."""
    names = tuned_by(given.method)
    options = [given]
    for values in product(*(TRIED[name] for name in names)):
        told = dict(zip(names, values, strict=True))
        told["gamma"] = told.get("gamma", 1.0) * float(given.gamma)
        options.append(replace(given, **told))
    scores = [bench.accuracy(parts, option, sizes) or 0.0 for option in options]
    return options[int(np.argmax(scores))]


def choose_size(bench: Bench, parts: list[Part], settings: Settings) -> tuple[int, Curve]:
    """The size at the knee of held-out accuracy, and the curve; 4 where nothing can be held out."""
    if not parts:
        return min(4, _room(bench, np.arange(len(bench.codes)))), ()
    room = _room(bench, np.concatenate([test for _, test in parts])) * (len(parts) - 1) // len(parts)
    scores = [(size, bench.accuracy(parts, settings, size)) for size in SIZES if size <= max(1, room)]
    curve = [(size, score) for size, score in scores if score is not None]
    return knee(curve), tuple(curve)


def _room(bench: Bench, rows: Integers) -> int:
    """How many documents may be picked of the group that has fewest among these."""
    return int(np.bincount(bench.codes[rows][bench.allowed[rows]], minlength=bench.n_groups).min())


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
