"""What flags do to preferences: who carries one, and what the others prefer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from visavis.study.analysis.preferring.counting import Answers, Compared
from visavis.study.analysis.preferring.results import FlaggedReaders
from visavis.study.preferences import Preference
from visavis.study.records import REHEARSED


def flagged_readers(answers: Answers) -> tuple[FlaggedReaders, ...]:
    """For each kind of flag among those who are counted; the pairs of methods in their order by name."""
    counted = [answer for one in answers.compared for answer in one.answers]
    kinds = sorted({kind for answer in counted for kind in answer.flags} - {REHEARSED})
    return tuple(_flagged(kind, counted, answers) for kind in kinds)


def _flagged(kind: str, counted: Sequence[Preference], answers: Answers) -> FlaggedReaders:
    theirs = [answer for answer in counted if kind in answer.flags]
    gold = [answer for answer in answers.gold if kind in answer.flags]
    methods = sorted({one.methods for one in answers.compared})
    return FlaggedReaders(
        kind, len({answer.worker for answer in theirs}), len(theirs), len(gold),
        sum(answer.chosen == answer.methods[0] for answer in gold),
        tuple(_share([one for one in answers.compared if one.methods == pair], kind) for pair in methods),
    )  # fmt: skip


def _share(compared: Sequence[Compared], kind: str) -> float | None:
    """The mean share for the first method over the comparisons that others answered."""
    kept = [[answer for answer in one.answers if kind not in answer.flags] for one in compared]
    shares = [Compared(one.material, one.methods, left).share for one, left in zip(compared, kept, strict=True) if left]
    return float(np.mean(shares)) if shares else None
