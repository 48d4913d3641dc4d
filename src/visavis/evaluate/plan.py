"""What is to be evaluated, and over which grid: everything a run depends on but the data."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from visavis.comparing.documents import check_choice
from visavis.comparing.options import CANDIDATES
from visavis.errors import InvalidParameter
from visavis.evaluate.classifiers import CLASSIFIERS
from visavis.evaluate.grid import GRIDS, Grid
from visavis.inputs import check_number, check_whole
from visavis.select.methods import METHODS
from visavis.select.parameters import applicable, create_method

PAPER_METHODS = (
    "kmedoids",
    "kmeans",
    "mmd-critic",
    "mmd-diff-grad",
    "mmd-div-grad",
    "nn-comp-greedy",
    "mmd-diff-greedy",
    "mmd-div-greedy",
)
EVERY = "all"  # candidates: every document, as the paper has it
CEILING = "everything"  # the classifiers trained on the whole training part


@dataclass(frozen=True)
class Plan:
    """How to evaluate. Defaults are the protocol of the documentation.

    `methods` are names, "objective+optimizer" included; `sizes` are picks per group; `splits` is how many random
    divisions into training and test part (or how many of the given ones), `test_share` their test part and `folds`
    the cross-validation inside. `grid` is a name ("default", "usps", "notebook", "fixed") or a Grid. `init` is where
    gradient search starts, `variance` the share of it that PCA keeps (None for no PCA). `ceilings` adds the classifiers
    trained on everything. `candidates` says what may be picked: "all", or only what is "worthy" of being shown, as in a
    comparison. `seed` decides splits, folds and draws.
    """

    methods: tuple[str, ...] = tuple(METHODS)
    sizes: tuple[int, ...] = (2, 4, 8, 16)
    splits: int = 10
    classifiers: tuple[str, ...] = ("1-nn", "svm")
    test_share: float = 0.2
    folds: int = 3
    grid: str | Grid = "default"
    init: str = "greedy"
    variance: float | None = None
    ceilings: bool = True
    seed: int = 0
    dataset: str = "data"
    embedding: str = "given"
    candidates: str = EVERY

    def __post_init__(self) -> None:
        for name in ("methods", "sizes", "classifiers"):
            object.__setattr__(self, name, _distinct(name, getattr(self, name)))
        sizes = sorted(check_whole("sizes", size, low=1) for size in self.sizes)
        object.__setattr__(self, "sizes", tuple(sizes))
        for name, low in (("splits", 1), ("folds", 2), ("seed", 0)):
            object.__setattr__(self, name, check_whole(name, getattr(self, name), low=low))
        check_number("seed", self.seed, low=0, high=2**32 - 1)
        share = check_number("test_share", self.test_share, low=0.0, high=0.9, above=True)
        object.__setattr__(self, "test_share", share)
        if self.variance is not None:
            kept = check_number("variance", self.variance, low=0.0, high=1.0, above=True)
            object.__setattr__(self, "variance", kept)
        if self.init not in ("greedy", "kmeans"):
            raise InvalidParameter(f"init must be 'greedy' or 'kmeans', got {self.init!r}")
        check_choice("candidates", self.candidates, CANDIDATES)
        for classifier in self.classifiers:
            CLASSIFIERS.load(classifier)
        if not isinstance(self.grid, Grid) and self.grid not in GRIDS:
            raise InvalidParameter(f"grid must be one of {', '.join(GRIDS)} or a Grid, got {self.grid!r}")
        for method in self.methods:  # what cannot work is said now, not after hours
            largest = applicable(method, {"contrast": max(self.search.contrasts)})
            create_method(method, largest)

    @property
    def search(self) -> Grid:
        """The grid itself."""
        return self.grid if isinstance(self.grid, Grid) else GRIDS[self.grid]

    @property
    def units(self) -> tuple[str, ...]:
        """What is to be done in each split: the methods, and the ceilings where asked for."""
        return (*self.methods, CEILING) if self.ceilings else self.methods

    def describe(self) -> dict[str, Any]:
        """The plan in JSON's types, the grid spelled out; candidates only where not all are."""
        described: dict[str, Any] = json.loads(json.dumps({**asdict(self), "grid": asdict(self.search)}))
        if self.candidates == EVERY:  # runs are known as they were before there was a choice
            del described["candidates"]
        return described


def _distinct(name: str, values: Any) -> tuple[Any, ...]:
    listed = tuple(values) if isinstance(values, Iterable) and not isinstance(values, str) else ()
    if not listed:
        raise InvalidParameter(f"{name} must be a list with at least one entry, got {values!r}")
    return tuple(dict.fromkeys(listed))
