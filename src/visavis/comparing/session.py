"""A session on documents: points with what can be read of them, their groups, and what may be picked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from visavis.comparing.choice import Choice
from visavis.contracts import Engine
from visavis.errors import InvalidParameter
from visavis.inputs import Grouped
from visavis.records import Blocks, Booleans, Compute, Document, Integers, Points
from visavis.select.draws import Seeded
from visavis.select.problem import Problem, count_stories
from visavis.select.search import Request
from visavis.select.session import Part, Session
from visavis.select.session import pose as pose_points


@dataclass(eq=False, kw_only=True)
class DocumentSession(Session):
    """A session whose points are documents.

    `documents`, `texts`, `codes` (the group, by its place among `names`) and `candidates` (what may be picked) have an
    entry for each point. `blocks` say which are not independent of each other, `strata` what is held constant, if
    anything is: a code for each. `seed` decides everything that is drawn.
    """

    documents: tuple[Document, ...]
    texts: Sequence[str]
    names: tuple[str, ...]
    codes: Integers
    candidates: Booleans
    blocks: Blocks
    strata: Integers | None = None
    seed: int

    def rng(self, purpose: int) -> np.random.Generator:
        """A generator of its own for each purpose, so that one does not disturb another."""
        return np.random.default_rng([self.seed, purpose])

    def room(self, pinned: Collection[int] = ()) -> Integers:
        """How many documents of each group may be picked: one of each story, and all that are pinned."""
        stories, pins = self.points.stories, np.array(sorted(pinned), np.intp)
        found = count_stories(self.codes, self.candidates, stories, len(self.names))
        told = count_stories(self.codes[pins], np.ones(len(pins), np.bool_), stories[pins], len(self.names))
        return np.asarray(found - told + np.bincount(self.codes[pins], minlength=len(self.names)))

    def problem(
        self,
        *,
        frame: int = 0,
        part: Part | None = None,
        allowed: Booleans | None = None,
        pinned: Collection[int] = (),
    ) -> Problem:
        """The search among the documents of a part: of those that may be picked, the ones that are also `allowed`."""
        usable = self.candidates if allowed is None else self._marks(allowed) & self.candidates
        return super().problem(frame=frame, part=part, allowed=usable, pinned=pinned)

    def allowing(self, candidates: Booleans) -> DocumentSession:
        """The same documents where others may be picked; what was learned of them is shared."""
        return replace(self, candidates=candidates)

    def request(self, choice: Choice, pins: tuple[int, ...] = ()) -> Request:
        """What a choice asks of the session, whose γ it must share."""
        return Request(
            method=choice.method,
            parameters=choice.parameters,
            size=choice.sizes,
            budget=choice.budget,
            pins=pins,
            draws=Seeded((self.seed, PICKING)),
        )


# What is drawn, each from a generator of its own.
PICKING, PICKING_AGAIN, HOLDING_OUT, FOLDING, PERMUTING, RESAMPLING, FOLDING_WITHIN, CHECKING, READING = range(9)


def pose(
    points: Points,
    names: Sequence[str],
    codes: Integers,
    *,
    documents: Sequence[Document],
    texts: Sequence[str],
    candidates: Booleans,
    blocks: Blocks | None = None,
    strata: Integers | None = None,
    kernel: Any = "rbf",
    gamma: float | str = "median",
    engine: Engine | None = None,
    compute: Compute | None = None,
    exact: str | bool = "yes",
    seed: int = 0,
) -> DocumentSession:
    """A session on documents: `documents`, `texts`, `codes` and `candidates` have an entry for each point.

    Without `blocks` every document is on its own; without `strata` nothing is held constant.
    Raises InvalidParameter if one of them has not, and as `visavis.select.pose` does.
    """
    lengths = {"documents": len(documents), "texts": len(texts), "codes": len(codes), "candidates": len(candidates)}
    for name, length in lengths.items():
        if length != len(points.weights):
            raise InvalidParameter(f"{name} has {length} entries but there are {len(points.weights)} points")
    grouped = Grouped(np.array(names, dtype=object), codes)
    ids = [document.id for document in documents]
    bare = pose_points(
        points, grouped, kernel=kernel, gamma=gamma, engine=engine, compute=compute, exact=exact, ids=ids
    )
    return DocumentSession(
        bare.points, bare.labels, bare.order, bare.bounds, bare.cells, bare.frames, bare.engine, bare.compute,
        bare.keys,
        documents=tuple(documents), texts=tuple(texts), names=tuple(names), codes=codes, candidates=candidates,
        blocks=Blocks.of_documents(len(codes)) if blocks is None else blocks,
        strata=strata, seed=seed,
    )  # fmt: skip
