"""Are the same documents picked again from resamples that hold them, and more often than by chance?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from visavis.comparing.again import PickAgain
from visavis.comparing.choice import Choice
from visavis.comparing.session import RESAMPLING, DocumentSession
from visavis.explain.stability import chance_of_return, neighborhoods, resamples
from visavis.records import Assessment, Booleans, Integers
from visavis.select.search import Selection
from visavis.shared.progress import Progress, counted
from visavis.shared.warned import heard


def stability(
    found: Assessment,
    session: DocumentSession,
    selection: Selection,
    choice: Choice,
    tell: Progress,
    allowed: Booleans,
) -> Assessment:
    """The assessment with how often each pick, or a near neighbor that may be picked, is picked again."""
    picks, codes = selection.rows, session.codes
    near = neighborhoods(picks, codes, allowed, session.frames[0].kernel, session.points.vectors)
    calibrated = replace(choice, parameters=selection.parameters)  # on all documents
    samples = resamples(codes, len(picks), session.rng(RESAMPLING))
    counts = _Counts.of(len(picks))
    with heard():  # what the main selection warned of need not be said again
        again = session.engine.each(PickAgain.of(session, calibrated, allowed), samples)
        told = counted(tell, "picking again from resamples", zip(samples, again, strict=True), len(samples))
        for rows, (chosen, groups) in told:
            counts.add(near, _Resample(rows[allowed[rows]], codes, chosen, groups), codes[picks])
    return replace(
        found,
        stability=tuple(counts.fraction(counts.again)),
        resamples=tuple(int(count) for count in counts.present),
        stability_by_chance=tuple(counts.fraction(counts.chance)),
    )


@dataclass(frozen=True, eq=False)
class _Resample:
    """The documents of a resample that may be picked, by their rows; those that were, and their groups."""

    allowed: Integers
    codes: Integers
    chosen: Integers
    groups: Integers


@dataclass(frozen=True, eq=False)
class _Counts:
    """In how many resamples each pick or a neighbor is there, is picked again, and would be by chance."""

    present: Integers
    again: Integers
    chance: np.ndarray[tuple[int, ...], np.dtype[np.float64]]

    @classmethod
    def of(cls, n_picks: int) -> _Counts:
        return cls(np.zeros(n_picks, np.intp), np.zeros(n_picks, np.intp), np.zeros(n_picks))

    def add(self, near: Sequence[frozenset[int]], resample: _Resample, owner: Integers) -> None:
        """Count one more resample."""
        room = np.bincount(resample.codes[resample.allowed], minlength=int(owner.max()) + 1)
        drawn = np.bincount(resample.groups, minlength=int(owner.max()) + 1)
        there, chosen = set(resample.allowed.tolist()), set(resample.chosen.tolist())
        for k, around in enumerate(near):
            held = len(around & there)
            if held:
                self.present[k] += 1
                self.again[k] += not chosen.isdisjoint(around)
                self.chance[k] += chance_of_return(held, int(room[owner[k]]), int(drawn[owner[k]]))

    def fraction(self, counts: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> list[float | None]:
        """Of the resamples that hold a pick; None where none does."""
        return [
            float(count) / int(present) if present else None
            for count, present in zip(counts.tolist(), self.present.tolist(), strict=True)
        ]
