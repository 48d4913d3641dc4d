"""What an update costs beside a run from scratch, as a state grows: both in one process, from rows to picks; and the
sums of similarities alone, on random vectors.

`python -m bench.update` measures just this. The documents are real news (VISAVIS_DATA, or the data folder beside the
project); without them there is nothing to measure. Nothing is assessed, and no page is made: both sides read rows,
embed, look for copies and stories, add up, pick and describe.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from bench.whole import Row, news
from visavis.corpus.reading import read_corpus
from visavis.engines.local import LocalEngine
from visavis.kernel import kernel_at
from visavis.kernel.threads import limited_to
from visavis.records import Frame
from visavis.updating.options import Settings
from visavis.updating.run import advance_state
from visavis.updating.sums import advance

SIZES, NEW, DIMENSIONS = (1_000, 4_000, 16_000), 100, 50
OPTIONS = {"by": "bias", "only": ("left", "right"), "method": "mmd-diff-greedy", "quick": True, "live": False}


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """How long it took, and what it gave."""
    started = time.perf_counter()
    found = work()
    return time.perf_counter() - started, found


def measure(rows: list[Row], size: int) -> tuple[float, float]:
    """Seconds of a run from scratch on so many documents, and of an update by a hundred more."""
    settings = Settings.first(OPTIONS)
    corpus, more = (read_corpus(part, settings.compare.reading) for part in (rows[:size], rows[size : size + NEW]))
    scratch, (state, _) = timed(lambda: advance_state(None, corpus, settings))
    update, _ = timed(lambda: advance_state(state, more, settings))
    return scratch, update


def measure_sums(size: int) -> tuple[float, float]:
    """The same for the sums alone, of vectors of 50 numbers in two groups."""
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(size + NEW, DIMENSIONS)).astype(np.float32)
    weights = np.eye(2)[rng.integers(0, 2, size + NEW)]
    frame, engine = Frame(kernel_at("rbf", 0.01), 0.01, None, np.zeros(DIMENSIONS)), LocalEngine()
    with limited_to(1, "blas"):
        scratch, sums = timed(lambda: advance(None, "ab", vectors[:size], weights[:size], frame, engine))
        update, _ = timed(lambda: advance(sums, "ab", vectors, weights, frame, engine))
    return scratch, update


def report() -> str:
    """Both tables: a line for each size with the seconds of both sides, and their ratio."""
    lines = [f"| sums of | from scratch, s | {NEW} more, s | ratio |", "|--:|--:|--:|--:|"]
    for size in SIZES:
        scratch, update = measure_sums(size)
        lines.append(f"| {size:,} | {scratch:.2f} | {update:.3f} | {scratch / update:.0f} × |")
    return "\n".join([*lines, "", documents()])


def documents() -> str:
    """The table of whole updates."""
    rows = [row for row in news() if row["bias"] in ("left", "right")]
    if not rows:
        return "- not measured: no data folder"
    lines = [f"| documents | from scratch, s | {NEW} more, s | ratio |", "|--:|--:|--:|--:|"]
    for size in SIZES:
        scratch, update = measure(rows, size)
        lines.append(f"| {size:,} | {scratch:.2f} | {update:.2f} | {scratch / update:.1f} × |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(report())
