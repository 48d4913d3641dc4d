"""The frozen records of an analysis: everything a report tells."""

from __future__ import annotations

from dataclasses import dataclass

from visavis.study.records import Pair

Interval = tuple[float, float] | None


@dataclass(frozen=True)
class MethodResult:
    """How people did with the picks of one method.

    `majority` counts questions that more than half of the judges got right. `levels` counts those that all, all but
    one, …, none got right, among the questions with the full number of judgements. `interval` is over
    pairs of groups, or over questions where pairs are few.
    """

    name: str
    judgements: int
    correct: int
    majority: int
    questions: int
    workers: int
    levels: tuple[int, ...]
    kappa_correct: float | None
    kappa_choice: float | None
    seconds_per_question: float | None
    seconds_per_questionnaire: float | None
    interval: Interval

    @property
    def accuracy(self) -> float:
        """The share of judgements that are right."""
        return self.correct / self.judgements


@dataclass(frozen=True)
class Combined:
    """The same over all methods: agreement, distinct workers, times."""

    kappa_correct: float | None
    kappa_choice: float | None
    workers: int
    judgements: int
    correct: int
    seconds_per_question: float | None
    seconds_per_questionnaire: float | None


@dataclass(frozen=True)
class SignTest:
    """Whether one method is better than another: questions on which more judges were right, fewer, as many."""

    better: str
    worse: str
    wins: int
    losses: int
    ties: int
    p: float
    adjusted: float


@dataclass(frozen=True)
class Difference:
    """One method's accuracy less another's, with an interval."""

    one: str
    other: str
    value: float
    interval: Interval


@dataclass(frozen=True)
class PairScore:
    """An accuracy on one pair of groups with the picks of one method; `judge` is people, 1-nn or svm.

    `scope` says on what: "same" the articles that people judged, "whole" all test articles of the pair (balanced).
    """

    judge: str
    scope: str
    method: str
    pair: Pair
    value: float


@dataclass(frozen=True)
class ChanceTest:
    """Whether people do better than a coin: questions that most judges had right (`wins`), wrong, half and half."""

    method: str
    wins: int
    losses: int
    ties: int
    p: float
    adjusted: float


@dataclass(frozen=True)
class RatingResult:
    """What people answered on a scale of five about one method; `counts` are the answers 1 to 5."""

    scale: str
    method: str
    answers: int
    mean: float
    interval: Interval
    counts: tuple[int, ...]


@dataclass(frozen=True)
class RatingTest:
    """Whether one method is rated higher than another: questionnaires rated higher, lower, alike."""

    scale: str
    higher: str
    lower: str
    wins: int
    losses: int
    ties: int
    p: float
    adjusted: float


@dataclass(frozen=True)
class FlagResult:
    """Workers with one kind of flag: how many, their counted judgements, how many are right.

    `without` is each method's accuracy when theirs are left out, None where nothing is left.
    """

    kind: str
    workers: int
    judgements: int
    correct: int
    without: tuple[tuple[str, float | None], ...]


@dataclass(frozen=True)
class Reading:
    """All results under one reading of the answers: "published" or "shown"."""

    reading: str
    methods: tuple[MethodResult, ...]
    combined: Combined
    sign_tests: tuple[SignTest, ...]
    differences: tuple[Difference, ...]
    people: tuple[PairScore, ...]
    chance: tuple[ChanceTest, ...] = ()
    ratings: tuple[RatingResult, ...] = ()
    rating_tests: tuple[RatingTest, ...] = ()


@dataclass(frozen=True)
class ClassifierResults:
    """Classifiers on the same task: scores per pair; `ceiling` is the mean of SVMs that see all the training part.

    `about` says how they were trained and measured, in a sentence.
    """

    scores: tuple[PairScore, ...]
    ceiling: float | None
    about: str = ""


@dataclass(frozen=True)
class MachineVersus:
    """A machine beside people with the picks of one method, on the questions both answered.

    `same` counts the questions on which the majorities agree, among `decided` ones, in which both have one.
    `difference` is the mean over pairs of groups of the machine's accuracy less people's.
    """

    method: str
    questions: int
    decided: int
    same: int
    difference: float
    interval: Interval


@dataclass(frozen=True)
class MachineReader:
    """What a machine made of the same questions: results of its own, golds, and how it compares with people."""

    name: str
    reading: Reading
    gold: int
    gold_correct: int
    versus: tuple[MachineVersus, ...]


@dataclass(frozen=True)
class Comment:
    """What a worker wrote below a questionnaire."""

    method: str
    pair: Pair
    text: str
    gold: bool


@dataclass(frozen=True)
class Analysis:
    """A whole study, analyzed. `contradicted` questionnaires recorded another order than the one shown.

    `planned` is how many judgements the study wants in all, where that is known. The readings are those of people; of
    the `machine`, where no person has answered. Other machines are apart, in `machines`.
    """

    title: str
    readings: tuple[Reading, ...]
    contradicted: int
    questionnaires: int
    pairs: tuple[Pair, ...]
    per_question: int
    gold: int
    gold_correct: int
    excluded: int
    classifiers: ClassifierResults | None
    comments: tuple[Comment, ...]
    notes: tuple[str, ...]
    version: str
    planned: int | None = None
    machine: str = ""
    machines: tuple[MachineReader, ...] = ()
    flags: tuple[FlagResult, ...] = ()
