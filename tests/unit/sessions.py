"""Sessions on documents that no file holds."""

from __future__ import annotations

from typing import Any

import numpy as np

from visavis.comparing.choice import Choice
from visavis.comparing.session import DocumentSession, pose
from visavis.records import Compute, Document, Points


def session_on(
    vectors: Any, codes: Any, *, candidates: Any = None, threads: int = 1, seed: int = 0, **told: Any
) -> DocumentSession:
    """A session on bare vectors, their documents being empty."""
    documents = [Document(id=f"d{n}") for n in range(len(codes))]
    return pose(
        Points.of(vectors),
        tuple("abcd"[: int(codes.max()) + 1]),
        codes,
        documents=documents,
        texts=[""] * len(codes),
        candidates=np.ones(len(codes), bool) if candidates is None else candidates,
        compute=Compute("float32", threads),
        seed=seed,
        **told,
    )


def stories(
    each: int = 24, stories: int = 3, seed: int = 0, n_groups: int = 2, spread: float = 0.3, **told: Any
) -> DocumentSession:
    """Groups of several stories each, so that as many picks as stories tell them apart."""
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(n_groups), each)
    centers = 4.0 * rng.normal(size=(n_groups, stories, 5))
    story = np.tile(np.arange(each) % stories, n_groups)
    vectors = (centers[codes, story] + spread * rng.normal(size=(len(codes), 5))).astype(np.float32)
    return session_on(vectors, codes, seed=seed, **told)


def choice_of(session: DocumentSession, size: Any = 2, method: str = "mmd-diff-greedy", **told: Any) -> Choice:
    """A choice for a session; `size` is one number, one for each group, or None if it is left open."""
    given = {"parameters": {"contrast": 0.3}, "gamma": session.gamma, **told}
    sizes = (size,) * len(session.names) if isinstance(size, int) else size
    return Choice(method, given.pop("parameters"), "rbf", given.pop("gamma"), sizes, **given)
