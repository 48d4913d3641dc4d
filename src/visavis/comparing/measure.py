"""What picks tell of documents held out, and what everything there is to learn from would tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from visavis.comparing.again import (
    Choose,
    bonds_of,
    folds_within,
    held_out_accuracy,
    held_out_folds,
    held_out_rows,
    predict_held_out,
)
from visavis.comparing.choice import Choice
from visavis.comparing.session import DocumentSession
from visavis.explain.bags import bag_words
from visavis.explain.equal import equal_mix
from visavis.explain.holdout import FEWEST_FOLDS, FOLDS, Fold, fold_accuracy
from visavis.explain.interval import accuracy_interval
from visavis.kernel.threads import limited_to
from visavis.records import Booleans, Integers
from visavis.shared.progress import Progress, counted

if TYPE_CHECKING:
    from visavis.explain.everything import Told

Interval = tuple[float, float]

MANY = 60  # picks of all groups


@dataclass(frozen=True, eq=False)
class HeldOut:
    """What is held out: folds, those inside each training part (where something is chosen), and if it is a sample."""

    folds: list[Fold]
    inner: list[list[Fold]]
    sampled: bool

    @classmethod
    def of(cls, session: DocumentSession) -> HeldOut:
        """The folds of a session; none where a group is too small."""
        folds, sampled = held_out_folds(session)
        return cls(folds, [folds_within(session, train) for train, _ in folds], sampled)

    @property
    def rows(self) -> Integers:
        """The rows held out, fold after fold."""
        return np.concatenate([test for _, test in self.folds])


@dataclass(frozen=True, eq=False)
class Picked:
    """How to pick from each training part, and the groups that those picks tell of the rows held out."""

    choices: list[Choice]
    predicted: list[Integers]


def tell_by_picks(
    session: DocumentSession, held: HeldOut, given: Choice, choose: Choose | None, allowed: Booleans, tell: Progress
) -> Picked:
    """What picks tell; `choose`, if any, decides anew for each training part, so that no choice is flattered."""
    if choose is None:
        return Picked([given] * len(held.folds), predict_held_out(session, given, held.folds, allowed, tell))
    choices = list(counted(tell, "choosing anew", (choose(train) for train, _ in held.folds), len(held.folds)))
    predicted = [
        told
        for choice, fold in zip(choices, held.folds, strict=True)
        for told in predict_held_out(session, choice, [fold], allowed)
    ]
    return Picked(choices, predicted)


def tell_by_everything(session: DocumentSession, held: HeldOut) -> list[Told]:
    """What the best classifier tells that sees every training document, chosen within each training part."""
    if not held.folds:
        return []
    from visavis.embed.tfidf import split_words
    from visavis.explain.everything import Seen, TellByEverything

    rows = np.sort(held.rows)
    readable = [bool(session.texts[row].strip()) and not session.documents[row].image for row in rows]
    bags = bag_words(split_words(session.texts[row]) for row in rows) if 2 * sum(readable) > len(rows) else None
    strata = None if session.strata is None else session.strata[rows]
    seen = Seen(session.codes[rows], session.points.vectors[rows], bags, session.gamma, strata)

    def within(fold: Fold) -> Fold:
        return np.searchsorted(rows, fold[0]), np.searchsorted(rows, fold[1])

    tasks = [
        (within(fold), [within(part) for part in inner]) for fold, inner in zip(held.folds, held.inner, strict=True)
    ]
    with limited_to(1, "blas"):
        return list(session.engine.each(TellByEverything(seen), tasks))


def better_of(
    session: DocumentSession, held: HeldOut, everything: list[Told], picked: Picked, allowed: Booleans
) -> list[Integers]:
    """What everything tells, or the picks in whose training part they tell more: their classifier is one as well.

    Many picks are not tried so: making them again and again would take longer than all the rest.
    """
    best = []
    for told, by_picks, choice, inner in zip(everything, picked.predicted, picked.choices, held.inner, strict=True):
        if sum(choice.sizes or ()) > MANY:
            best.append(told.predicted)
            continue
        within = held_out_accuracy(session, choice, inner, allowed)
        ahead = told.within is not None and within is not None and within > told.within
        best.append(by_picks if ahead else told.predicted)
    return best


def measure(session: DocumentSession, held: HeldOut, predicted: list[Integers]) -> tuple[float | None, Interval | None]:
    """The balanced accuracy of what was predicted, mean over folds, and its interval; None without folds."""
    accuracy = fold_accuracy(session.codes, held.folds, predicted, session.strata)
    if accuracy is None:
        return None, None
    rows = held.rows
    numbers = np.repeat(np.arange(len(held.folds)), [len(test) for _, test in held.folds])
    right = np.concatenate(predicted) == session.codes[rows]
    weights = None if session.strata is None else equal_mix(session.codes[rows], session.strata[rows])
    low, high = accuracy_interval(right, session.codes[rows], numbers, bonds_of(session).held_together(rows), weights)
    return accuracy, (min(low, accuracy), max(high, accuracy))


def how_held_out(session: DocumentSession, held: HeldOut, picked: Picked, chosen: Choice | None) -> list[str]:
    """What a reader should know of how documents were held out; `chosen` is what was left open and chosen, if any."""
    notes = []
    if held.sampled:
        notes.append(f"held-out accuracy was measured on a sample of the documents, {len(held.rows):,} of them")
    if _in_blocks(session, held.rows):
        few = f", in {len(held.folds)} parts" if len(held.folds) < FOLDS else ""
        notes.append(f"for the accuracy, documents of one block (by {session.blocks.by}) were held out together{few}")
    if chosen is not None:
        sizes = [max(choice.sizes or (0,)) for choice in picked.choices]
        others = any(choice.sizes != chosen.sizes for choice in picked.choices)
        with_sizes = f", with {', '.join(map(str, sizes[:-1]))} and {sizes[-1]} picks a group" if others else ""
        notes.append(
            f"for the accuracy, what was left to choose was chosen anew without the documents held out{with_sizes}"
        )
    return notes


def why_nothing(session: DocumentSession, *, choosing: bool) -> tuple[str, ...]:
    """Why nothing could be held out; of a single group nobody expects it."""
    if len(session.names) < 2:
        return ()
    rows, _ = held_out_rows(session)
    lost = "accuracy is not known" + (", and nothing could be chosen by it" if choosing else "")
    blocks = session.blocks.codes if _in_blocks(session, rows) else session.points.families
    groups = np.unique(np.stack([session.codes[rows], blocks[rows]]), axis=1)[0]
    counts = np.bincount(groups, minlength=len(session.names))
    named = f"blocks (by {session.blocks.by})" if _in_blocks(session, rows) else "documents"
    least = FEWEST_FOLDS if _in_blocks(session, rows) else FOLDS
    copies = "" if len(rows) == len(session.codes) else " (copies count once)"
    if counts.min() >= least:
        return (f"{named} lie in several groups, and cannot be parted so that all groups are on both sides: {lost}",)
    name = session.names[int(counts.argmin())]
    return (f"group {name!r} has fewer than {least} {named} to hold out and to learn from{copies}: {lost}",)


def _in_blocks(session: DocumentSession, rows: Integers) -> bool:
    return len(np.unique(session.blocks.codes[rows])) < len(rows)
