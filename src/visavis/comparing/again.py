"""Picking again on some of the documents: what tuning and assessing both stand on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from visavis.comparing.choice import Choice
from visavis.comparing.session import FOLDING, FOLDING_WITHIN, HOLDING_OUT, PICKING_AGAIN, DocumentSession
from visavis.engines.choosing import choose_engine
from visavis.explain.holdout import Bonds, Fold, fold_accuracy, folds, holdout_rows, nearest_groups
from visavis.inputs import Grouped
from visavis.kernel import kernel_at
from visavis.records import Booleans, Compute, Integers, Points
from visavis.select.draws import Seeded
from visavis.select.problem import count_stories
from visavis.select.search import Request, select
from visavis.select.session import pose as pose_points
from visavis.shared.progress import Progress, counted, silent
from visavis.shared.warned import heard

Choose = Callable[[Integers], Choice]  # rows to learn from → how to pick
NO_GROUP = -1  # what picks tell that there are not


@dataclass(frozen=True, eq=False)
class PickAgain:
    """Picks from some of the points alone, in one thread: a task that can be pickled. γ must be a number."""

    points: Points
    codes: Integers
    candidates: Booleans
    choice: Choice
    compute: Compute
    seed: int
    device: str = "cpu"

    @classmethod
    def of(cls, session: DocumentSession, choice: Choice, allowed: Booleans | None = None) -> PickAgain:
        """The task for a session's documents; `allowed` says which may be picked, where not all candidates may."""
        single = replace(session.compute, threads=1)
        bare = replace(session.points, embedder=None)
        usable = session.candidates if allowed is None else allowed
        device = "cpu" if session.engine.device == "cpu" else "auto"  # a card for what is worth one
        return cls(bare, session.codes, usable, choice, single, session.seed, device)

    def __call__(self, rows: Integers) -> tuple[Integers, Integers]:
        """The rows picked and their groups; sizes shrink to what there is, groups with nothing to pick drop out.

        None are picked where no group has anything left.
        """
        assert self.choice.sizes is not None, "choose a size first"
        codes, allowed = self.codes[rows], self.candidates[rows]
        room = count_stories(codes, allowed, self.points.stories[rows], len(self.choice.sizes))
        sizes = np.minimum(self.choice.sizes, room)
        usable = sizes[codes] > 0
        rows, codes, allowed = rows[usable], codes[usable], allowed[usable]
        if len(rows) == 0:
            return rows, codes
        labels = np.arange(len(sizes))
        points, kernel = self.points.take(rows), self.choice.kernel
        engine = choose_engine(device=self.device, compute=self.compute, vectors=points.vectors, kernel=kernel)
        session = pose_points(
            points, Grouped(labels, codes), kernel=kernel, gamma=self.choice.gamma, engine=engine, compute=self.compute
        )
        request = Request(
            method=self.choice.method,
            parameters=self.choice.parameters,
            size=tuple(int(sizes[label]) for label in session.labels),
            allowed=allowed,
            draws=Seeded((self.seed, PICKING_AGAIN)),
        )
        found = select(session, request)
        picked = found.rows[found.by_group]
        return rows[picked], codes[picked]


@dataclass(frozen=True, eq=False)
class TellHeldOut:
    """Picks from a fold's training rows, then tells the groups of the rows held out: a task that can be pickled."""

    pick: PickAgain

    def __call__(self, fold: Fold) -> Integers:
        """The group of the nearest pick, for each row held out; NO_GROUP for all of them where there is no pick."""
        train, test = fold
        picks, groups = self.pick(train)
        if len(picks) == 0:
            return np.full(len(test), NO_GROUP)
        choice = self.pick.choice
        kernel = kernel_at(choice.kernel, float(choice.gamma))
        return nearest_groups(kernel, self.pick.points.vectors, test, picks, groups)


def held_out_folds(session: DocumentSession) -> tuple[list[Fold], bool]:
    """Training and held-out rows, none where a group is too small; and whether they are those of a sample."""
    rows, sampled = held_out_rows(session)
    return folds(rows, session.codes, session.rng(FOLDING), bonds=bonds_of(session)), sampled


def held_out_rows(session: DocumentSession) -> tuple[Integers, bool]:
    """The rows that are held out or learned from, and whether they are a sample."""
    return holdout_rows(session.codes, bonds_of(session), session.rng(HOLDING_OUT))


def folds_within(session: DocumentSession, rows: Integers) -> list[Fold]:
    """The same within training rows; halves, for which every group that could be held out in thirds has enough."""
    return folds(rows, session.codes, session.rng(FOLDING_WITHIN), n_folds=2, bonds=bonds_of(session))


def bonds_of(session: DocumentSession) -> Bonds:
    """Which documents of a session may not lie on both sides of a split."""
    return Bonds(session.blocks.codes, session.points.families)


def predict_held_out(
    session: DocumentSession,
    choice: Choice,
    parts: list[Fold],
    allowed: Booleans | None = None,
    tell: Progress = silent,
) -> list[Integers]:
    """The groups that picks from each training part tell of the documents held out."""
    with heard():  # what the main selection warned of need not be said again
        told = session.engine.each(TellHeldOut(PickAgain.of(session, choice, allowed)), parts, long=True)
        return list(counted(tell, "measuring what the picks tell", told, len(parts)))


def held_out_accuracy(
    session: DocumentSession, choice: Choice, parts: list[Fold], allowed: Booleans | None = None
) -> float | None:
    """Mean over folds of what picks tell about documents they were not picked from; None without folds."""
    return fold_accuracy(session.codes, parts, predict_held_out(session, choice, parts, allowed), session.strata)
