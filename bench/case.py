"""The documents everything is measured on, and what a subject is asked and answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.spatial.distance import pdist

from visavis.records import Array, Floats, Integers

SEED = 20190127
N_FEATURES = 300
N_PICKS = 16
CONTRAST = 0.1
SHARED_TOPICS, OWN_TOPICS = 16, 8


@dataclass(frozen=True, eq=False)
class Case:
    """One measurement's input: documents in two groups of equal size, the kernel's γ, and the threads to use."""

    X: Array
    gamma: float
    threads: int

    @property
    def groups(self) -> Integers:
        """0 and 1 in turn, so that no side finds its documents sorted."""
        return np.arange(len(self.X), dtype=np.intp) % 2

    def members(self, group: int) -> Integers:
        """Rows of a group's documents."""
        return np.flatnonzero(self.groups == group)


@dataclass(frozen=True)
class Answer:
    """Rows picked, the subject's own value if it has one, how much of the work was done, and a remark."""

    picks: list[int]
    value: float | None = None
    share: float = 1.0
    note: str = ""


Subject = Callable[[Case], Callable[[], Answer]]  # imports and sets up, then hands back what is timed


def write_documents(path: Path, n: int) -> float:
    """Write n clustered documents as float32 and return their γ = 1 / median d² over 2,000 evenly spaced rows."""
    rng = np.random.default_rng([SEED, n])
    topics = rng.normal(size=(SHARED_TOPICS + 2 * OWN_TOPICS, N_FEATURES))
    documents = np.empty((n, N_FEATURES), np.float32)
    for group in (0, 1):
        own = SHARED_TOPICS + group * OWN_TOPICS
        usable = np.r_[0:SHARED_TOPICS, own : own + OWN_TOPICS]
        topic = rng.choice(usable, size=n // 2, p=rng.dirichlet(np.full(len(usable), 2.0)))
        documents[group::2] = topics[topic] + 0.5 * rng.normal(size=(n // 2, N_FEATURES))
    np.save(path, documents)
    sample = documents[np.arange(min(n, 2000)) * n // min(n, 2000)].astype(np.float64)
    return float(1.0 / np.median(pdist(sample, "sqeuclidean")))


def starting_points(case: Case) -> tuple[Floats, Integers]:
    """Where gradient evaluations begin: the first documents of each group, and the groups they belong to."""
    rows = np.concatenate([case.members(group)[:N_PICKS] for group in (0, 1)])
    return case.X[rows].astype(np.float64), np.repeat(np.arange(2), N_PICKS)
