"""Run what research/accuracy.md is written from: six comparisons of news, three embedders, every method.

    python research/news_runs.py FOLDER [ARTICLES]

FOLDER/tuned/ gets one finished `visavis evaluate` run for each comparison and embedder, FOLDER/fixed/ one CSV file:
the same splits with nothing cross-validated, at every γ and contrast of a list. What is there is not done again.
ARTICLES is the file of news, by default news/articles_lead.jsonl.gz in the folder that VISAVIS_DATA names.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import joblib

from visavis.comparing.documents import DocumentOptions
from visavis.evaluate import Grid, Plan
from visavis.evaluate.classifiers import CLASSIFIERS
from visavis.evaluate.grid import settings_of
from visavis.evaluate.material import load_material
from visavis.evaluate.metrics import balanced_accuracy
from visavis.evaluate.picking import picks_of
from visavis.evaluate.sharing import Shared
from visavis.evaluate.source import Source
from visavis.evaluate.splits import make_splits
from visavis.inputs import check_groups
from visavis.kernel.threads import limited_to

EMBEDDERS = ("tfidf", "glove", "glove-mean")
FIXED = Grid(gammas=(0.5, 1.0, 2.0), contrasts=(0.1, 0.3, 0.6, 0.9), sharpness=("auto", 8.0, 25.0), costs=(10.0,))
COLUMNS = ("method", "classifier", "size", "split", "multiple", "contrast", "sharpness", "balanced_accuracy")


@dataclass(frozen=True)
class Comparison:
    """Articles of one topic, in two groups."""

    name: str
    topic: str
    by: str
    only: tuple[str, ...] = ()

    @property
    def filter(self) -> str:
        """What keeps the topic."""
        return f'topic == "{self.topic}"'


SIDES = ("left", "right")
COMPARISONS = (
    Comparison("immigration-time", "immigration", "date:spans=2"),
    Comparison("healthcare-time", "healthcare", "date:spans=2"),
    Comparison("guns-time", "gun_control_and_gun_rights", "date:spans=2"),
    Comparison("coronavirus-time", "coronavirus", "date:spans=2"),
    Comparison("immigration-bias", "immigration", "bias", SIDES),
    Comparison("healthcare-bias", "healthcare", "bias", SIDES),
)


def run_tuned(articles: Path, comparison: Comparison, embedder: str, folder: Path) -> None:
    """The full protocol, by the command anyone would type."""
    if (folder / "results.csv").is_file():
        return
    only = [word for side in comparison.only for word in ("--only", side)]
    command = ["evaluate", str(articles), "--filter", comparison.filter, "--by", comparison.by, *only]
    options = ["--embedder", embedder, "--methods", "all", "--splits", "10", "--out", str(folder)]
    subprocess.run([sys.executable, "-m", "visavis", *command, *options], check=True)


def run_fixed(articles: Path, comparison: Comparison, embedder: str, file: Path, jobs: int) -> None:
    """Every method at every point of a list, straight on the test parts."""
    if file.is_file():
        return
    options = DocumentOptions(by=comparison.by, only=comparison.only, filter=comparison.filter, embedder=embedder)
    material = load_material(articles, options)
    plan, grouped = Plan(grid=FIXED), check_groups(material.groups, len(material.groups))
    names = tuple(str(label) for label in grouped.labels)
    source = Source(material.vectors, grouped.codes, names, make_splits(grouped.codes, plan, None))
    found = joblib.Parallel(n_jobs=jobs)(joblib.delayed(fixed_rows)(source, plan, n) for n in range(plan.splits))
    with file.open("w", newline="", encoding="utf-8") as written:
        writer = csv.writer(written, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(row for rows in found for row in rows)


def fixed_rows(source: Source, plan: Plan, split: int) -> list[tuple[Any, ...]]:
    """One split: a row for each method, setting, size and classifier."""
    rows: list[tuple[Any, ...]] = []
    with limited_to(1):
        shared = Shared(source, plan, split)
        truth = shared.truth(shared.whole)
        for method in plan.methods:
            settings = settings_of(method, plan.search)
            for setting, picked in zip(
                settings, picks_of(shared, method, shared.whole, settings, plan.sizes), strict=True
            ):
                multiple = None if setting.gamma is None else plan.search.gammas[setting.gamma]
                gamma = shared.gammas[1] if setting.gamma is None else shared.gammas[setting.gamma]
                for size, picks in picked.items():
                    geometry = shared.geometry(shared.whole, picks)
                    for name in plan.classifiers:
                        classifier = CLASSIFIERS.create(name)
                        told = classifier.predict(geometry, classifier.options((gamma,), plan.search.costs))
                        accuracy = float(balanced_accuracy(truth, told, shared.n_groups)[0])
                        values = (setting.parameters.get(key) for key in ("contrast", "sharpness"))
                        rows.append((method, name, size, split, multiple, *values, accuracy))
    return rows


def main(folder: str, articles: str = "") -> None:
    """Everything, the tuned runs of an embedder before those of the next."""
    news = Path(articles or Path(os.environ["VISAVIS_DATA"]) / "news" / "articles_lead.jsonl.gz")
    jobs = os.cpu_count() or 1
    (Path(folder) / "fixed").mkdir(parents=True, exist_ok=True)
    for embedder in EMBEDDERS:
        for comparison in COMPARISONS:
            name = f"{comparison.name}-{embedder}"
            print(name, flush=True)
            run_fixed(news, comparison, embedder, Path(folder) / "fixed" / f"{name}.csv", jobs)
            run_tuned(news, comparison, embedder, Path(folder) / "tuned" / name)


if __name__ == "__main__":
    main(*sys.argv[1:])
