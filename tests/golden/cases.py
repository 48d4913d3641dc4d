"""What the golden files keep, and how it is computed now: the one place that their maker and their tests share.

Only public ways lead here (`visavis.compare`, `visavis.compare_facets`, `visavis.ComparativeSummarizer` and the command
line), so that the goldens hold whatever the inside of the program looks like. Of data that is not ours they keep ids,
numbers and digests of words, and nothing else.
"""

from __future__ import annotations

import hashlib
import json
import signal
import sqlite3
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Mapping
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from PIL import Image
from sklearn.datasets import load_digits

import visavis
from visavis.cli import main
from visavis.datasets import sample_path
from visavis.embed.tfidf import Tfidf
from visavis.errors import VisavisError
from visavis.report import render

FOLDER = Path(__file__).parent
TIMEOUT = 300  # seconds until a command must have come so far that it can be killed

# Comparisons

# Goldens hold the search, with what was the default when they were made: rules about texts have their own tests. One
# holds what is usual now.
PLAIN = {"candidates": "all", "boilerplate": "keep", "method": "softmin-exchange"}
USUAL = {"candidates": "worthy", "boilerplate": "drop", "method": "mmd-diff-greedy", "embedder": "auto"}


@dataclass(frozen=True)
class Comparison:
    """A comparison to keep. `source` is a path inside the data folder, "sample", or "digits" for pictures of them."""

    source: str
    by: str
    options: Mapping[str, Any] = field(default_factory=dict)
    facet: str | None = None

    @property
    def is_ours(self) -> bool:
        """Whether the words of the documents may be kept as they are."""
        return self.source in ("sample", "digits")

    def record(self, data: Path | None) -> Any:
        """What a golden keeps of this comparison, with the data in that folder; a list where there are facets."""
        with TemporaryDirectory() as folder:
            source = self._path(data, Path(folder))
            if self.facet is None:
                return self._kept(visavis.compare(source, self.by, **self._told()))
            found = visavis.compare_facets(source, self.facet, self.by, **self._told())
        return [
            [value, type(one).__name__ if isinstance(one, VisavisError) else self._kept(one)] for value, one in found
        ]

    def _told(self) -> dict[str, Any]:
        embedder = "auto" if self.source == "digits" else Tfidf(dimensions=100)
        return {**PLAIN, "embedder": embedder, **self.options}

    def _path(self, data: Path | None, folder: Path) -> Path:
        if self.source == "sample":
            return sample_path()
        if self.source == "digits":
            return draw_digits(folder / "digits")
        assert data is not None, "this comparison is of real data"
        return data / self.source

    def _kept(self, found: visavis.Comparison) -> dict[str, Any]:
        """Without words and common ground: what they mean changed on purpose, and tests of their own hold them."""
        record = json.loads(render(found, ".json"))
        parameters = {name: record["parameters"].get(name) for name in PARAMETERS}
        if not parameters["tuned"]:
            del parameters["contrast"]  # as it was given; whether a method looks at it is its own affair
        if isinstance(parameters["sharpness"], str):
            parameters["sharpness"] = None  # a method that has none
        kept = {name: record[name] for name in ("method", "test", "accuracy", "ceiling", "folded")}
        kept["set_aside"] = sum(aside["count"] for aside in record["set_aside"])
        return kept | {"parameters": parameters, "groups": [self._kept_group(group) for group in record["groups"]]}

    def _kept_group(self, group: dict[str, Any]) -> dict[str, Any]:
        picks = [
            {name: pick[name] for name in ("id", "rank", "scores", "gain", "loss", "stability")}
            | {"covers": len(pick["covers"]), "covered": digest(pick["covers"])}
            for pick in group["picks"]
        ]
        plain = {name: group[name] for name in ("name", "documents", "objective")}
        return plain | {"picks": picks}


PARAMETERS = ("size", "budget", "contrast", "gamma", "sharpness", "tuned", "size_curve")

NEWS, SOTU, BILLS = "news/articles_lead.jsonl.gz", "sotu/sotu.jsonl.gz", "bills/bills.jsonl.gz"

COMPARISONS = {
    "sample-months": Comparison("sample", "published:month", {"lead": None}),
    "sample-usual": Comparison("sample", "published:month", USUAL),
    "sample-outlets": Comparison("sample", "outlet"),
    "sample-pairs": Comparison(
        "sample", "outlet", {"method": "kmeans", "embedder": "glove", "lead": None, "size": 3, "pairs": True}
    ),
    "sample-versus": Comparison("sample", "outlet", {"method": "nn-comp-greedy", "versus": "Tideline", "size": 6}),
    "sample-tuned": Comparison("sample", "outlet", {"size": "auto", "tune": True}),
    "sample-tuned-contrast": Comparison(
        "sample", "outlet", {"method": "mmd-diff-greedy", "size": "auto", "tune": True}
    ),
    "sample-facets": Comparison(
        "sample", "published:month", {"method": "mmd-between-greedy", "size": 2}, facet="outlet"
    ),
    "digits": Comparison("digits", "folder", {"method": "softmin-exchange", "size": 3}),
    "news-spans": Comparison(NEWS, "date:spans=2", {"filter": "topic == 'immigration'"}),
    "news-years": Comparison(
        NEWS,
        "date:year",
        {"filter": "topic == 'gun_control_and_gun_rights'", "min_size": 10, "method": "mmd-diff-grad", "contrast": 0.3},
    ),
    "sotu-budget": Comparison(
        SOTU,
        "party",
        {
            "min_size": 5, "budget": 14, "method": "mmd-diff-exchange", "pin": ("sotu:100", "sotu:3"),
            "ban": ("sotu:228", "sotu:197", "sotu:22"),
        },
    ),
    "bills-sizes": Comparison(
        BILLS,
        "topic",
        {
            "only": ("Defense", "Education", "Energy", "Health"), "method": "mmd-div-greedy", "contrast": 0.4,
            "size": {"Defense": 2, "Education": 3, "Energy": 4, "Health": 5}, "pin": "114-HR-6153",
            "ban": ("112-HR-2477", "112-S-2163"),
        },
    ),
}  # fmt: skip


def draw_digits(folder: Path) -> Path:
    """Pictures of twenty handwritten digits of each kind, in a subfolder for each; returns the folder."""
    digits = load_digits()
    for kind in range(10):
        (folder / str(kind)).mkdir(parents=True)
        for row in np.flatnonzero(digits.target == kind)[:20]:
            gray = (255 - digits.images[row] * 255 / 16).astype(np.uint8)
            Image.fromarray(gray).save(folder / str(kind) / f"{row:04}.png")
    return folder


def digest(words: list[str]) -> str:
    """A short digest of a list, its order included."""
    return hashlib.sha256(json.dumps(words).encode()).hexdigest()[:16]


# Evaluations

EVALUATED = "mmd-diff-greedy,mmd-diff-grad,softmin-exchange,kmeans,nn-comp-greedy"

EVALUATIONS = {
    "sample": (
        "--dataset", "sample", "--by", "outlet", "--boilerplate", "keep", "--methods", EVALUATED, "--sizes", "2,4",
        "--splits", "1",
    ),
    "digits": (
        "--dataset", "digits", "--grid", "fixed", "--methods", EVALUATED, "--sizes", "2,4", "--splits", "2",
    ),
}  # fmt: skip


def evaluate(name: str, folder: Path, jobs: int = 1) -> bytes:
    """results.csv of an evaluation, begun or continued in that folder."""
    run_command(*_evaluation(name, folder, jobs))
    return (folder / "results.csv").read_bytes()


def evaluate_until_killed(name: str, folder: Path, pieces: int) -> None:
    """Begin an evaluation in that folder and kill it once its journal holds that many lines."""
    command = [sys.executable, "-m", "visavis", *_evaluation(name, folder, 1)]
    journal = folder / "journal.jsonl"
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + TIMEOUT
    try:
        while not (journal.exists() and journal.read_bytes().count(b"\n") >= pieces):
            assert child.poll() is None, "the evaluation ended before it could be killed"
            assert time.monotonic() < until, "the evaluation never came so far"
            time.sleep(0.01)
    finally:
        child.kill()
        ended = child.wait()
    assert ended == -signal.SIGKILL


def _evaluation(name: str, folder: Path, jobs: int) -> tuple[str, ...]:
    return ("evaluate", *EVALUATIONS[name], "--classifiers", "1-nn,svm", "--jobs", str(jobs), "--out", str(folder))


def run_command(*words: str) -> str:
    """What `visavis` prints when told these words."""
    printed, complained, status = StringIO(), StringIO(), None
    with redirect_stdout(printed), redirect_stderr(complained):
        try:
            main(list(words))
        except SystemExit as done:
            status = done.code
    assert status == 0, complained.getvalue()
    return printed.getvalue()


# A study

STUDY = (
    "--by", "outlet", "--boilerplate", "keep",
    "--methods", "kmeans,nn-comp-greedy,mmd-diff-greedy,mmd-diff-grad,softmin-exchange",
)  # fmt: skip

PICKS = """
SELECT pair.first, pair.second, pick.method, pick.group_code, article.document
FROM pick JOIN pair ON pair.id = pick.pair_id JOIN article ON article.id = pick.article_id
ORDER BY pair.id, pick.method, pick.group_code, pick.rank
"""
QUESTIONS = """
SELECT pair.first, pair.second, sheet.id, article.document
FROM question JOIN sheet ON sheet.id = question.sheet_id JOIN pair ON pair.id = sheet.pair_id
JOIN article ON article.id = question.article_id
ORDER BY sheet.id, question.place
"""
AUTOMATIC = """
SELECT pair.first, pair.second, automatic.method, automatic.classifier, automatic.scope, automatic.accuracy
FROM automatic JOIN pair ON pair.id = automatic.pair_id
ORDER BY pair.id, automatic.method, automatic.classifier, automatic.scope
"""


def study_record() -> dict[str, Any]:
    """The report of a study's design, and from its database the picks, the questions and the classifiers' accuracy."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "study.db"
        report = json.loads(run_command("study", "design", str(sample_path()), *STUDY, "--out", str(file), "--json"))
        with closing(sqlite3.connect(file)) as database:
            picks = database.execute(PICKS).fetchall()
            questions = database.execute(QUESTIONS).fetchall()
            automatic = database.execute(AUTOMATIC).fetchall()
    del report["version"]
    return {
        "report": report,
        "picks": _gathered(picks),
        "questions": _gathered(questions),
        "automatic": {" ".join(map(str, key)): accuracy for *key, accuracy in automatic},
    }


def _gathered(rows: list[tuple[Any, ...]]) -> dict[str, list[str]]:
    """The last column's values in order, by the other columns."""
    found: dict[str, list[str]] = {}
    for *key, document in rows:
        found.setdefault(" ".join(map(str, key)), []).append(document)
    return found


# The estimator

METHODS = (
    "kmeans", "kmedoids", "mmd-critic", "nn-comp-greedy", "mmd-diff-greedy", "mmd-diff-grad", "mmd-div-greedy",
    "mmd-div-grad", "mmd-diff-exchange", "mmd-between-greedy",
    "softmin-exchange", "random", "between-prototypes+gradient",
)  # fmt: skip


def inverse_distance(left: Any, right: Any) -> Any:
    """A caller's own kernel: k(x, y) = 1 / (1 + ‖x − y‖² / 10)."""
    squared = ((np.asarray(left)[:, None, :] - np.asarray(right)[None, :, :]) ** 2).sum(axis=2)
    return 1.0 / (1.0 + squared / 10.0)


KERNELS: dict[str, str | Callable[[Any, Any], Any]] = {
    "rbf": "rbf", "cosine": "cosine", "linear": "linear", "precomputed": "precomputed",
    "callable": inverse_distance,
}  # fmt: skip
DTYPES = ("float32", "float64")


def three_groups() -> tuple[Any, Any]:
    """150 points of 12 dimensions in three groups of unequal size, each of three clusters, one of them shared."""
    rng = np.random.default_rng(20240229)
    shared = rng.normal(size=12)
    points, labels = [], []
    for name, count in (("a", 36), ("b", 48), ("c", 66)):
        centers = np.vstack([shared, 2.0 * rng.normal(size=(2, 12))])
        points.append(centers[rng.integers(3, size=count)] + 0.6 * rng.normal(size=(count, 12)))
        labels += [name] * count
    order = rng.permutation(len(labels))
    return np.vstack(points)[order], np.array(labels)[order]


def estimator_record(kernel: str) -> dict[str, Any]:
    """The rows that every method picks with this kernel at each precision, or the name of the error it ends in."""
    points, labels = three_groups()
    data = np.exp(-0.02 * squared_distances(points)) if kernel == "precomputed" else points
    return {
        f"{method} {dtype}": _prototypes(data, labels, method=method, kernel=KERNELS[kernel], dtype=dtype)
        for method in METHODS
        for dtype in DTYPES
    }


def squared_distances(points: Any) -> Any:
    """‖x_i − x_j‖² of all pairs; symmetric to the bit."""
    return ((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=2)


def _prototypes(data: Any, labels: Any, **options: Any) -> str:
    summarizer = visavis.ComparativeSummarizer(n_prototypes=3, contrast=0.3, random_state=0, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of picks that are poor, which are kept all the same
        try:
            return " ".join(map(str, summarizer.fit(data, labels).prototype_indices_.tolist()))
        except VisavisError as error:
            return type(error).__name__


# Files


def file_of(kind: str, name: str) -> Path:
    """Where a golden lies."""
    return FOLDER / kind / f"{name}.{'csv' if kind == 'evaluate' else 'json'}"


def as_json(record: Any) -> str:
    """A golden's text."""
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"
