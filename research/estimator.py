"""Which method should the estimators pick by? Untuned accuracy of classifiers trained on the picks alone.

    VISAVIS_DATA=… python -m research.estimator [METHOD | METHOD@CONTRAST …]

Digits and USPS come as scikit-learn and the data folder have them, reduced by PCA to 85 % of the variance; the six
comparisons of news are those of tests/quality/floors.json. All methods see the same splits, at γ = 1 / median d² and
with their parameters as the estimators have them. The table goes to standard output; research/estimator.md keeps it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

from visavis.comparing.documents import DocumentOptions
from visavis.comparing.prepare import prepare
from visavis.datasets import fetch_usps, load_digits
from visavis.evaluate import Plan, evaluate
from visavis.evaluate.grid import Grid
from visavis.evaluate.material import document_material
from visavis.evaluate.splits import standard_and_random

ROOT = Path(__file__).resolve().parents[1]
METHODS = (
    "softmin-exchange",
    "mmd-diff-grad",
    "mmd-diff-greedy",
    "mmd-diff-exchange",
    "nn-comp-greedy",
    "kmeans",
    "kmedoids",
)
SIZES = (2, 4, 8)
CONTRAST = 0.1  # of the estimators
UNTUNED = Grid(gammas=(1.0,), contrasts=(CONTRAST,), costs=(10.0,), declared=False)
VARIANCE_OF_PIXELS = 0.85  # kept by PCA, as in the paper
SPLITS_OF_DIGITS = 10
SPLITS_OF_USPS = 3
SPLITS_OF_NEWS = 5


def data_sets() -> Iterator[tuple[str, Any, Any, Plan, Any]]:
    """Name, vectors, groups, plan and splits of each data set; None for random splits."""
    shared: dict[str, Any] = {"grid": UNTUNED, "sizes": SIZES, "ceilings": False}
    pixels = {**shared, "init": "kmeans", "variance": VARIANCE_OF_PIXELS}
    digits, usps = load_digits(), fetch_usps()
    yield "digits", digits.vectors, digits.groups, Plan(splits=SPLITS_OF_DIGITS, **pixels), None
    standard = standard_and_random(len(usps.groups), usps.n_train, SPLITS_OF_USPS, 0)
    yield "usps", usps.vectors, usps.groups, Plan(splits=SPLITS_OF_USPS, **pixels), standard
    articles = prepare(str(Path(os.environ["VISAVIS_DATA"]) / "news" / "articles_lead.jsonl.gz"))
    comparisons = json.loads((ROOT / "tests" / "quality" / "floors.json").read_text())["news"]["comparisons"]
    for name, row in comparisons.items():
        options = DocumentOptions(by=row["by"], only=row["only"], filter=f'topic == "{row["topic"]}"')
        material = document_material(articles, options)
        yield name, material.vectors, material.groups, Plan(splits=SPLITS_OF_NEWS, **shared), None


def main(methods: Sequence[str]) -> None:
    """Print one table a data set: balanced accuracy by method, classifier and size."""
    settings = [(classifier, size) for classifier in ("1-nn", "svm") for size in SIZES]
    print("| data | method |", " | ".join(f"{name}, {size}" for name, size in settings), "| mean | of 1-nn | seconds |")
    print("|---|---|" + "--:|" * (len(settings) + 3))
    for name, vectors, groups, plan, splits in data_sets():
        for method in methods:
            begun = time.perf_counter()
            name_of_method, _, contrast = method.partition("@")
            grid = replace(UNTUNED, contrasts=(float(contrast or CONTRAST),))
            plan = replace(plan, methods=(name_of_method,), grid=grid)
            results = evaluate(vectors, groups, plan, splits=splits)
            seconds = time.perf_counter() - begun
            cells = [results.cell(name_of_method, *setting).mean for setting in settings]
            row = [*cells, fmean(cells), fmean(cells[: len(SIZES)])]
            print(
                f"| {name} | `{method}` |",
                " | ".join(f"{value:.3f}" for value in row),
                f"| {seconds:.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:] or METHODS)
