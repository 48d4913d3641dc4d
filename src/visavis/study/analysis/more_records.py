"""Chance, usefulness and difficulty as plain objects."""

from __future__ import annotations

from typing import Any

from visavis.shared.text import line
from visavis.study.analysis.numbers import ends, number
from visavis.study.analysis.results import ChanceTest, RatingTest, Reading


def more_records(reading: Reading) -> dict[str, Any]:
    """What a reading tells beside accuracy and agreement."""
    return {
        "chance": [{"method": line(test.method), **_test(test)} for test in reading.chance],
        "ratings": [
            {"scale": one.scale, "method": line(one.method), "answers": one.answers, "mean": number(one.mean),
             "interval": ends(one.interval), "counts": list(one.counts)}
            for one in reading.ratings
        ],
        "rating_tests": [
            {"scale": test.scale, "higher": line(test.higher), "lower": line(test.lower), **_test(test)}
            for test in reading.rating_tests
        ],
    }  # fmt: skip


def _test(test: ChanceTest | RatingTest) -> dict[str, Any]:
    counts = {"wins": test.wins, "losses": test.losses, "ties": test.ties}
    return {**counts, "p": number(test.p), "adjusted": number(test.adjusted)}
