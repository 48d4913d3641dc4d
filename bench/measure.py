"""Runs every subject in child processes, in turn, and keeps the medians."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.case import CONTRAST, Case, write_documents
from bench.subjects import SUBJECTS
from visavis.select import objective_value


@dataclass(frozen=True)
class Result:
    """A subject at one size: median wall and CPU seconds, the largest peak in bytes, or a note on why there is none."""

    subject: str
    n: int
    note: str = ""
    wall: float | None = None
    cpu: float | None = None
    memory: int = 0
    value: float | None = None


def measure(n: int, repeats: int, folder: Path) -> Iterator[Result]:
    """All subjects at one size; repeats alternate between them, so that a busy moment hits no single one."""
    threads = os.cpu_count() or 1
    documents = folder / f"{n}.npy"
    gamma = write_documents(documents, n)
    skipped = {name: row.skipped(n) for name, row in SUBJECTS.items()}
    names = [name for name, reason in skipped.items() if reason is None]
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    for _ in range(repeats):
        for name in names:
            if not any("failed" in run for run in runs[name]):
                runs[name].append(_run(name, documents, gamma, threads))
    judge = _Judge(Case(np.load(documents, allow_pickle=False), gamma, threads))
    for name, reason in skipped.items():
        if reason is None:
            yield _summary(name, n, runs[name], judge)
        elif reason:
            yield Result(name, n, reason)


def _run(subject: str, documents: Path, gamma: float, threads: int) -> dict[str, Any]:
    limits = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
    command = [sys.executable, "-m", "bench.child", subject, str(documents), repr(gamma), str(threads)]
    environment = os.environ | dict.fromkeys(limits, str(threads))
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or ["no message"]
        return {"failed": f"failed with exit code {done.returncode}: {last[0]}"}
    report: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    if "missing" in report:
        return {"failed": f"{report['missing']} is not installed: `make bench` installs it"}
    return report


def _summary(subject: str, n: int, runs: list[dict[str, Any]], judge: _Judge) -> Result:
    failed = [run["failed"] for run in runs if "failed" in run]
    if failed:
        return Result(subject, n, failed[0])
    return Result(
        subject,
        n,
        runs[-1]["note"],
        statistics.median(run["wall"] for run in runs),
        statistics.median(run["cpu"] for run in runs),
        max(run["memory"] for run in runs),
        judge.value(SUBJECTS[subject].objective, runs[-1]),
    )


class _Judge:
    """Values everybody's picks by the same float64 function; equal picks are valued once."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._known: dict[tuple[str, frozenset[int]], float] = {}

    def value(self, objective: str | None, run: dict[str, Any]) -> float | None:
        own: float | None = run["value"]
        if objective is None or len(self._case.X) > 20_000:  # nobody to compare with: visavis's own value will do
            return own
        key = objective, frozenset(run["picks"])
        if key not in self._known:
            values = objective_value(
                self._case.X,
                self._case.groups,
                run["picks"],
                objective=objective,
                gamma=self._case.gamma,
                contrast=CONTRAST,
            )
            self._known[key] = sum(values.values())
        return self._known[key]
