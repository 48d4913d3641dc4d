"""What people answered on the scales of five: how useful the picks were, how difficult the questions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np

from visavis.shared.statistics import holm
from visavis.study.analysis.intervals import FEWEST_PAIRS
from visavis.study.analysis.results import RatingResult, RatingTest
from visavis.study.analysis.statistics import mean_interval, sign_test
from visavis.study.records import Judgement, Pair

SCALES = ("usefulness", "difficulty")
STEPS = (1, 2, 3, 4, 5)

Rated = dict[tuple[Pair, str], list[int]]  # the ratings of each questionnaire


def rate(
    counted: Sequence[Judgement], methods: Sequence[str], pairs: Sequence[Pair]
) -> tuple[tuple[RatingResult, ...], tuple[RatingTest, ...]]:
    """Means, counts and tests of every scale that somebody answered."""
    results: list[RatingResult] = []
    tests: list[RatingTest] = []
    for scale in SCALES:
        rated = {method: _rated(counted, scale, method) for method in methods}
        results += [_result(scale, name, of, len(pairs) >= FEWEST_PAIRS) for name, of in rated.items() if of]
        tests += _tests(scale, {name: of for name, of in rated.items() if of})
    return tuple(results), tuple(tests)


def _rated(counted: Sequence[Judgement], scale: str, method: str) -> Rated:
    """Each worker's rating of each questionnaire once, whatever the number of its questions."""
    found: dict[tuple[Pair, str, str], int] = {}
    for judgement in counted:
        step = getattr(judgement, scale)
        if judgement.method == method and step is not None:
            found.setdefault((judgement.pair, judgement.questionnaire, judgement.worker), step)
    rated: Rated = {}
    for (pair, questionnaire, _), step in found.items():
        rated.setdefault((pair, questionnaire), []).append(step)
    return rated


def _result(scale: str, method: str, rated: Rated, by_pair: bool) -> RatingResult:
    """The mean over units (pairs of groups, or questionnaires where pairs are few) of their mean ratings."""
    units: dict[object, list[int]] = {}
    for (pair, questionnaire), steps in rated.items():
        units.setdefault(pair if by_pair else (pair, questionnaire), []).extend(steps)
    means = [float(np.mean(steps)) for steps in units.values()]
    everything = [step for steps in rated.values() for step in steps]
    return RatingResult(
        scale, method, len(everything), float(np.mean(means)), mean_interval(means, STEPS[0], STEPS[-1]),
        tuple(everything.count(step) for step in STEPS),
    )  # fmt: skip


def _tests(scale: str, rated: dict[str, Rated]) -> list[RatingTest]:
    """One-sided sign tests on the mean ratings of questionnaires, all ordered pairs of methods, Holm over all."""
    found = []
    for higher, lower in permutations(rated, 2):
        shared = [key for key in rated[higher] if key in rated[lower]]
        margins = [float(np.mean(rated[higher][key]) - np.mean(rated[lower][key])) for key in shared]
        wins, losses = (sum(sign * margin > 1e-9 for margin in margins) for sign in (1, -1))
        found.append((higher, lower, wins, losses, len(margins) - wins - losses, sign_test(wins, losses)))
    adjusted = holm([test[-1] for test in found])
    return [RatingTest(scale, *test, holm_p) for test, holm_p in zip(found, adjusted, strict=True)]
