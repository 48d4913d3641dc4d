"""Tables beside accuracy: against chance, scales of usefulness and difficulty, flags."""

from __future__ import annotations

from collections.abc import Iterator

from visavis.study.analysis.ratings import STEPS
from visavis.study.analysis.results import Analysis, Interval, Reading
from visavis.study.analysis.tables import Table
from visavis.study.analysis.words import p_value, percent


def more_tables(reading: Reading, analysis: Analysis) -> Iterator[Table]:
    """All of them that have something to tell."""
    yield Table(
        "Against chance: one-sided sign tests, questions that most judges had right against those most had wrong",
        ("method", "right", "wrong", "half", "p", "p (Holm)"),
        tuple((t.method, str(t.wins), str(t.losses), str(t.ties), p_value(t.p), p_value(t.adjusted))
              for t in reading.chance),
    )  # fmt: skip
    if reading.ratings:
        yield _ratings(reading)
    if reading.rating_tests:
        yield _rating_tests(reading)
    if analysis.flags and reading is analysis.readings[0]:
        yield _flags(analysis)


def _ratings(reading: Reading) -> Table:
    rows = tuple(
        (r.scale, r.method, str(r.answers), f"{r.mean:.2f}", _steps(r.interval), *map(str, r.counts))
        for r in reading.ratings
    )
    head = ("scale", "method", "answers", "mean", "95 % interval", *map(str, STEPS))
    return Table("What people answered on scales from 1 (not at all) to 5 (very)", head, rows, labels=2)


def _steps(interval: Interval) -> str:
    return "–" if interval is None else f"{interval[0]:.2f} to {interval[1]:.2f}"


def _rating_tests(reading: Reading) -> Table:
    return Table(
        "One-sided sign tests on questionnaires: is the first rated higher than the second?",
        ("scale", "higher", "lower", "wins", "losses", "ties", "p", "p (Holm)"),
        tuple(
            (t.scale, t.higher, t.lower, str(t.wins), str(t.losses), str(t.ties), p_value(t.p), p_value(t.adjusted))
            for t in reading.rating_tests
        ),
        labels=3,
    )


def _flags(analysis: Analysis) -> Table:
    methods = [name for name, _ in analysis.flags[0].without]
    rows = tuple(
        (f.kind, str(f.workers), f"{f.correct} of {f.judgements}",
         *("–" if value is None else percent(value) for _, value in f.without))
        for f in analysis.flags
    )  # fmt: skip
    head = ("flag", "workers", "right", *(f"{name} without them" for name in methods))
    return Table("Workers with a flag, who are counted above, and accuracy without them", head, rows)
