"""The frozen records of an analysis of preferences."""

from __future__ import annotations

from dataclasses import dataclass

from visavis.study.analysis.results import Comment, Interval
from visavis.study.records import Pair


@dataclass(frozen=True)
class MethodPair:
    """Two methods face to face; counts of two are those for the first and for the second.

    `share` is the mean over comparisons of the share of readers who preferred the first. `wins`, `losses` and `ties`
    count comparisons by the majority of their readers; `p` is that of a two-sided sign test on them, `adjusted` by
    Holm over all pairs of methods. `same` is how often two readers of a comparison preferred the same summary.
    """

    first: str
    second: str
    comparisons: int
    answers: tuple[int, int]
    share: float
    interval: Interval
    wins: int
    losses: int
    ties: int
    p: float
    adjusted: float
    same: float | None
    kappa: float | None
    clearness: tuple[tuple[int, int], ...]
    reasons: tuple[tuple[str, tuple[int, int]], ...]


@dataclass(frozen=True)
class Strength:
    """How often a method would be preferred to another one of the study, by the model of Bradley and Terry."""

    method: str
    share: float
    interval: Interval


@dataclass(frozen=True)
class Reasons:
    """Of the answers that preferred a method's summary, how many gave each reason."""

    method: str
    preferred: int
    given: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class FlaggedReaders:
    """Readers with one kind of flag: how many, their counted answers, and on how many golds they were right.

    `without` is the share of each pair of methods when their answers are left out, None where nothing is left.
    """

    kind: str
    readers: int
    answers: int
    gold: int
    gold_correct: int
    without: tuple[float | None, ...]


@dataclass(frozen=True)
class Readers:
    """All results of one kind of readers: people, or one machine (`name`)."""

    name: str
    pairs: tuple[MethodPair, ...]
    strengths: tuple[Strength, ...]
    reasons: tuple[Reasons, ...]
    readers: int
    answers: int
    comparisons: int
    materials: int
    same: float | None
    kappa: float | None
    on_the_left: int
    seconds: float | None
    gold: int
    gold_correct: int
    excluded: int
    flags: tuple[FlaggedReaders, ...] = ()


@dataclass(frozen=True)
class Versus:
    """A machine beside people, for two methods, on the comparisons both answered.

    `same` counts those in which the majorities agree, among `decided` ones, in which both have one. `difference` is the
    machine's share for the first method less people's.
    """

    machine: str
    first: str
    second: str
    comparisons: int
    decided: int
    same: int
    difference: float
    interval: Interval


@dataclass(frozen=True)
class PreferenceAnalysis:
    """A whole study of preferences, analyzed: people first, then machines, then machines beside people."""

    title: str
    readers: tuple[Readers, ...]
    versus: tuple[Versus, ...]
    groups: tuple[Pair, ...]
    comments: tuple[Comment, ...]
    notes: tuple[str, ...]
    resamples: int
    seed: int
    version: str
    planned: int | None = None
    alike: int = 0
