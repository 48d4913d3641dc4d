"""The program at work on bundled data: four months of fictional news, and handwritten digits."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from visavis.comparing.comparison import Comparison
from visavis.comparing.run import compare
from visavis.datasets import sample_path
from visavis.select.estimators import ComparativeSummarizer
from visavis.shared.progress import Progress

SCALE = 8  # screen pixels for each pixel of a digit


@dataclass(frozen=True, eq=False)
class DigitsDemo:
    """Most of the digits, the estimator fitted on them, and what the picks and all of them tell of the rest."""

    images: Any
    labels: Any
    fitted: ComparativeSummarizer
    accuracy: float
    ceiling: float


def sample_articles() -> str:
    """The articles of the sample, as CSV."""
    rows = [json.loads(line) for line in sample_path().read_text(encoding="utf-8").splitlines()]
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def compare_news(
    method: Any, size: int, seed: int, *, command: str = "", progress: Progress | None = None
) -> Comparison:
    """The four months of the sample."""
    return compare(
        sample_path(), by="published:month", method=method, size=size, seed=seed,
        title="Four months of climate news (fictional)", command=command, progress=progress,
    )  # fmt: skip


def fit_digits(method: Any, size: int, seed: int) -> DigitsDemo:
    """The estimator on handwritten digits."""
    from sklearn.metrics import balanced_accuracy_score
    from sklearn.neighbors import KNeighborsClassifier

    images, labels = _digits(seen=True)
    unseen, truth = _digits(seen=False)
    flat, unseen = np.reshape(images, (len(images), -1)), np.reshape(unseen, (len(unseen), -1))
    fitted = ComparativeSummarizer(method, size, random_state=seed, n_jobs=-1).fit(flat, labels)
    everything = KNeighborsClassifier(1).fit(flat, labels).predict(unseen)
    ceiling = float(balanced_accuracy_score(truth, everything))
    return DigitsDemo(images, labels, fitted, fitted.score(unseen, truth), ceiling)


def compare_digits(
    shown: DigitsDemo, folder: Path, method: Any, size: int, seed: int, *, command: str = ""
) -> Comparison:
    """The same picks from pictures in a folder, one subfolder a digit, and the pixels themselves as vectors.

    A page takes its pictures from there while it is written.
    """
    order = np.argsort(shown.labels, kind="stable")  # pictures are read folder by folder
    _draw_digits(shown, order, folder / "digits")
    np.save(folder / "pixels.npy", shown.images[order].reshape(len(order), -1))
    found = compare(
        folder / "digits", by="folder", embedder=str(folder / "pixels.npy"), method=method, size=size, seed=seed,
        contrast=ComparativeSummarizer().contrast, title="Handwritten digits", command=command,
    )  # fmt: skip
    return replace(found, parameters={**found.parameters, "embedder": "pixels", "embedding": {}})


def _digits(*, seen: bool) -> tuple[Any, Any]:
    """Images and labels of three quarters of the digits, or of the rest."""
    from sklearn.datasets import load_digits

    digits = load_digits()
    rows = (np.arange(len(digits.target)) % 4 != 0) == seen
    return digits.images[rows], digits.target[rows]


def _draw_digits(shown: DigitsDemo, order: Any, folder: Path) -> None:
    from PIL import Image

    for row in order:
        place = folder / str(shown.labels[row])
        place.mkdir(parents=True, exist_ok=True)
        gray = np.kron(255 - shown.images[row] * 255 / 16, np.ones((SCALE, SCALE))).astype(np.uint8)
        Image.fromarray(gray).save(place / f"{row:04}.png")
