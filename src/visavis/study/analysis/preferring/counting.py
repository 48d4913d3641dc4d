"""Answers become comparisons, and comparisons the results of one kind of readers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from visavis.errors import InvalidParameter
from visavis.records import Floats
from visavis.shared.statistics import holm
from visavis.study.analysis.preferring.results import MethodPair, Readers, Reasons, Strength
from visavis.study.analysis.preferring.statistics import (
    agreement,
    bradley_terry,
    pooled_kappa,
    preference_interval,
    sign_test,
)
from visavis.study.preferences import CLEARNESS, REASONS, Preference

PEOPLE = "people"


@dataclass
class Compared:
    """The counted answers to one comparison: how many preferred each of its two methods."""

    material: str
    methods: tuple[str, str]
    answers: list[Preference] = field(default_factory=list)

    @property
    def counts(self) -> tuple[int, int]:
        """For the first and for the second method."""
        first = sum(answer.chosen == self.methods[0] for answer in self.answers)
        return first, len(self.answers) - first

    @property
    def share(self) -> float:
        """The share of readers who preferred the first."""
        return self.counts[0] / len(self.answers)


@dataclass(frozen=True)
class Answers:
    """What one kind of readers said: answers that count by comparison, golds, and how many were set aside."""

    name: str
    compared: tuple[Compared, ...]
    gold: tuple[Preference, ...]
    excluded: int
    twice: int = 0


def answers_by_reader(records: Iterable[Preference]) -> tuple[Answers, ...]:
    """People first, then each machine by name. Of two answers by one worker to one comparison the first counts.

    Raises InvalidParameter where the chosen method is none of the two, or nothing is left to count.
    """
    parts: dict[str, list[Preference]] = {}
    for record in records:
        parts.setdefault(record.machine or PEOPLE, []).append(_in_order(record))
    order = sorted(parts, key=lambda name: (name != PEOPLE, name))
    found = tuple(_of_reader(name, parts[name]) for name in order)
    if not any(each.compared for each in found):
        known = f"{sum(len(each.gold) for each in found)} gold, {sum(each.excluded for each in found)} excluded"
        raise InvalidParameter(f"no preference can be counted ({known}): wait for answers before analyzing")
    return tuple(each for each in found if each.compared)


def _in_order(record: Preference) -> Preference:
    """The answer with its methods by name, so that a pair of methods is one pair however it was written."""
    if record.gold:
        return record
    first, second = sorted(record.methods)
    if first == second or record.chosen not in (first, second):
        raise InvalidParameter(
            f"comparison {record.comparison!r}, worker {record.worker!r}: {record.chosen!r} is preferred, but the "
            f"methods are {record.methods[0]!r} and {record.methods[1]!r}"
        )
    return replace(record, methods=(first, second))


def _of_reader(name: str, records: Sequence[Preference]) -> Answers:
    compared: dict[tuple[str, tuple[str, str]], Compared] = {}
    seen: set[tuple[str, tuple[str, str], str]] = set()
    twice = 0
    for record in records:
        if record.gold or record.excluded:
            continue
        key = (record.comparison, record.methods, record.worker)
        if key in seen:
            twice += 1
            continue
        seen.add(key)
        place = compared.setdefault(key[:2], Compared(record.material, record.methods))
        place.answers.append(record)
    gold = tuple(record for record in records if record.gold and not record.excluded)
    excluded = sum(record.excluded and not record.gold for record in records)
    return Answers(name, tuple(compared.values()), gold, excluded, twice)


def results_of(answers: Answers, resamples: int, seed: int) -> Readers:
    """All results of one kind of readers."""
    compared = answers.compared
    by_pair: dict[tuple[str, str], list[Compared]] = {}
    for one in compared:
        by_pair.setdefault(one.methods, []).append(one)
    pairs = [_method_pair(methods, by_pair[methods]) for methods in sorted(by_pair)]
    adjusted = holm([pair.p for pair in pairs])
    counted = [answer for one in compared for answer in one.answers]
    told = [answer.seconds for answer in counted if answer.seconds is not None]
    return Readers(
        name=answers.name,
        pairs=tuple(replace(pair, adjusted=value) for pair, value in zip(pairs, adjusted, strict=True)),
        strengths=_strengths(compared, resamples, seed),
        reasons=_reasons(counted),
        readers=len({answer.worker for answer in counted}),
        answers=len(counted),
        comparisons=len(compared),
        materials=len({one.material for one in compared}),
        same=agreement([one.counts for one in compared]),
        kappa=pooled_kappa([[one.counts for one in each] for each in by_pair.values()]),
        on_the_left=sum(answer.left == answer.chosen for answer in counted),
        seconds=float(np.mean(told)) if told else None,
        gold=len(answers.gold),
        gold_correct=sum(answer.chosen == answer.methods[0] for answer in answers.gold),
        excluded=answers.excluded,
    )


def _method_pair(methods: tuple[str, str], compared: Sequence[Compared]) -> MethodPair:
    counts = [one.counts for one in compared]
    first, second = sum(a for a, _ in counts), sum(b for _, b in counts)
    wins, losses = sum(a > b for a, b in counts), sum(a < b for a, b in counts)
    shares = [one.share for one in compared]
    answers = [answer for one in compared for answer in one.answers]

    def for_each(fits: Sequence[bool]) -> tuple[int, int]:
        chosen = [answer.chosen for answer, does in zip(answers, fits, strict=True) if does]
        return chosen.count(methods[0]), chosen.count(methods[1])

    return MethodPair(
        *methods, len(compared), (first, second), float(np.mean(shares)), preference_interval(shares, first + second),
        wins, losses, len(compared) - wins - losses, sign_test(wins, losses), 1.0, agreement(counts),
        pooled_kappa([counts]),
        tuple(for_each([answer.clearness == level for answer in answers]) for level in CLEARNESS),
        tuple((name, for_each([name in answer.reasons for answer in answers])) for name in REASONS),
    )  # fmt: skip


def _strengths(compared: Sequence[Compared], resamples: int, seed: int) -> tuple[Strength, ...]:
    methods = sorted({method for one in compared for method in one.methods})
    materials = sorted({one.material for one in compared})
    wins: Floats = np.zeros((len(materials), len(methods), len(methods)))
    for one in compared:
        place, first, second = materials.index(one.material), *map(methods.index, one.methods)
        wins[place, first, second] += one.share
        wins[place, second, first] += 1 - one.share
    found = bradley_terry(wins, resamples, np.random.default_rng([seed, 3]))
    if found is None:
        return ()
    rows = zip(methods, found.shares.tolist(), found.intervals, strict=True)
    return tuple(sorted((Strength(*row) for row in rows), key=lambda one: (-one.share, one.method)))


def _reasons(counted: Sequence[Preference]) -> tuple[Reasons, ...]:
    found = []
    for method in sorted({method for answer in counted for method in answer.methods}):
        chosen = [answer for answer in counted if answer.chosen == method]
        given = tuple((name, sum(name in answer.reasons for answer in chosen)) for name in REASONS)
        found.append(Reasons(method, len(chosen), given))
    return tuple(found)


def linked(answers: Sequence[Answers]) -> list[tuple[Answers, Answers]]:
    """Every machine beside people, where both answered."""
    people = [each for each in answers if each.name == PEOPLE]
    return [(people[0], each) for each in answers if people and each.name != PEOPLE]


def shared_comparisons(one: Answers, other: Answers) -> dict[tuple[str, str], list[tuple[Compared, Compared]]]:
    """The comparisons that two kinds of readers answered, by their methods."""
    theirs = {(each.answers[0].comparison, each.methods): each for each in other.compared}
    found: dict[tuple[str, str], list[tuple[Compared, Compared]]] = {}
    for each in one.compared:
        twin = theirs.get((each.answers[0].comparison, each.methods))
        if twin is not None:
            found.setdefault(each.methods, []).append((each, twin))
    return found
