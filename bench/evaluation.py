"""The whole protocol on a small slice against the straightforward loop: `python -m bench.evaluation`.

The loop is what one would write with scikit-learn alone around the same estimator: for each size and classifier a
GridSearchCV over a pipeline that picks documents and trains on them. Both use the same splits, folds and grid.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import GridSearchCV, PredefinedSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import SVC

from bench.case import write_documents
from visavis.evaluate import Plan, evaluate
from visavis.evaluate.sharing import Shared
from visavis.evaluate.source import Source
from visavis.evaluate.splits import make_splits
from visavis.kernel.threads import limited_to
from visavis.records import Array, Floats, Integers
from visavis.select import ComparativeSummarizer

METHOD = "mmd-diff-greedy"
TARGET = 50.0
SIZES_RUN = (4,)  # what the loop is run on; its time is scaled up to the whole grid


class PickThenClassify(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Picks documents, then trains a classifier on them."""

    def __init__(self, size: int = 4, gamma: float = 1.0, contrast: float = 0.1, C: float | None = None) -> None:
        self.size = size
        self.gamma = gamma
        self.contrast = contrast
        self.C = C

    def fit(self, X: Array, y: Array) -> Self:
        picker = ComparativeSummarizer(METHOD, self.size, gamma=self.gamma, contrast=self.contrast).fit(X, y)
        nearest = KNeighborsClassifier(1)
        model = nearest if self.C is None else SVC(C=self.C, gamma=self.gamma, class_weight="balanced")
        self.model_ = model.fit(picker.prototypes_, picker.prototype_groups_)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X: Array) -> Any:
        return self.model_.predict(X)


def loop(shared: Shared, sizes: tuple[int, ...], contrasts: tuple[float, ...]) -> tuple[float, list[float]]:
    """CPU seconds of the loop over these sizes and contrasts, and its accuracies."""
    order = np.argsort(shared.train)
    train, folds = shared.train[order], shared.folds[order]
    X, y, unseen = shared.vectors[train], shared.codes[train], shared.vectors[shared.test]
    found, started = [], time.process_time()
    for name in shared.plan.classifiers:
        for size in sizes:
            grid: dict[str, Any] = {"pick__gamma": list(shared.gammas), "pick__contrast": list(contrasts)}
            if name == "svm":
                grid["pick__C"] = list(shared.plan.search.costs)
            pipeline = Pipeline([("as-they-are", FunctionTransformer()), ("pick", PickThenClassify(size))])
            search = GridSearchCV(pipeline, grid, scoring="balanced_accuracy", cv=PredefinedSplit(folds)).fit(X, y)
            found.append(float(balanced_accuracy_score(shared.codes[shared.test], search.predict(unseen))))
    return time.process_time() - started, found


def ours(X: Floats, groups: Integers, plan: Plan) -> tuple[float, list[float]]:
    """CPU seconds of the same through `evaluate`, and its accuracies."""
    started = time.process_time()
    found = evaluate(X, groups, plan)
    seconds = time.process_time() - started
    return seconds, [found.values(METHOD, *setting)[0] for setting in found.settings]


def measure(n: int) -> str:
    """One row: both on n documents."""
    with tempfile.TemporaryDirectory() as folder:
        write_documents(Path(folder) / "x.npy", n)
        X = np.load(Path(folder) / "x.npy", allow_pickle=False).astype(np.float64)
    X += 2.0 * np.random.default_rng(0).normal(size=X.shape)  # topics overlap, as they do in news
    codes = np.arange(len(X), dtype=np.intp) % 2
    plan = Plan(methods=(METHOD,), splits=1, ceilings=False)
    with limited_to(1):
        shared = Shared(Source(X, codes, ("0", "1"), make_splits(codes, plan, None)), plan, 0)
        ours(X, codes, plan)  # imports, and the first touch of memory
        mine = ours(X, codes, plan)[0]
        contrasts = plan.search.contrasts
        theirs = loop(shared, SIZES_RUN, contrasts[2:3])[0]
    theirs *= len(contrasts) * len(plan.sizes) / len(SIZES_RUN)  # one contrast of four, one size of four
    return f"| {len(X):,} × {X.shape[1]} | {theirs:.1f} | {mine:.2f} | {theirs / mine:.0f} × |"


def main() -> None:
    """Every size in turn."""
    parser = argparse.ArgumentParser(prog="python -m bench.evaluation", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[4000, 7906], help="numbers of documents, even")
    print(f"| documents | the loop, CPU s | visavis, CPU s | ratio (target ≥ {TARGET:.0f} ×) |")
    print("|---|---|---|---|")
    for n in parser.parse_args().sizes:
        print(measure(n), flush=True)


if __name__ == "__main__":
    main()
