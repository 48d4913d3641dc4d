"""How soon a posed session answers another contrast: `select` and `describe` together, as an explorer would ask.

`python -m bench.live` measures just this.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np

from bench.case import write_documents
from visavis.comparing import DocumentSession, Request, describe, overview, pose, select
from visavis.records import Compute, Document, Points

DOCUMENTS = 10_000
SIZES = (4, 16, 32)
HELD_TO = 16  # picks a group, at which the bar holds
BAR = 0.1  # seconds
CONTRASTS = tuple(np.linspace(0.05, 0.9, 21).tolist())


def posed() -> DocumentSession:
    """The documents of the other benchmarks, in two groups, each with a few words to read."""
    with tempfile.TemporaryDirectory() as folder:
        gamma = write_documents(Path(folder) / "x.npy", DOCUMENTS)
        vectors = np.load(Path(folder) / "x.npy", allow_pickle=False)
    rng = np.random.default_rng(0)
    words = [" ".join(f"word{n}" for n in rng.zipf(1.3, 20) if n < 5000) for _ in range(DOCUMENTS)]
    return pose(
        Points.of(vectors), ("first", "second"), np.arange(DOCUMENTS) % 2, gamma=gamma, texts=words,
        documents=[Document(str(row), f"Title {row}", text) for row, text in enumerate(words)],
        candidates=np.ones(DOCUMENTS, np.bool_), compute=Compute(threads=os.cpu_count() or 1),
    )  # fmt: skip


def report() -> str:
    """One line for each number of picks."""
    session = posed()
    about = overview(session)
    lines = []
    for size in SIZES:
        seconds = []
        for contrast in CONTRASTS:
            begun = time.perf_counter()
            found = select(session, Request("mmd-diff-greedy", {"contrast": contrast}, size))
            describe(session, found, about)
            seconds.append(time.perf_counter() - begun)
        middle, worst = 1000 * statistics.median(seconds[1:]), 1000 * max(seconds[1:])
        verdict = ("pass: " if middle < 1000 * BAR else "FAIL: ") if size <= HELD_TO else ""
        bar = f" median under {1000 * BAR:.0f} ms" if verdict else ""
        lines.append(
            f"- {verdict}another contrast, mmd-diff-greedy, {size} picks a group of {DOCUMENTS:,} documents:{bar} "
            f"(median {middle:.0f} ms, slowest {worst:.0f} ms of {len(seconds) - 1})"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    print(report())
