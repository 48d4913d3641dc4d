"""Shaking: two picks at a time leave together and are found anew, where swaps one by one are stuck."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

from visavis.contracts import Exchangeable
from visavis.records import Booleans
from visavis.select.optimizers.swapping import exchange
from visavis.select.problem import Problem
from visavis.select.ties import first_best_document, worthwhile

SMALL = 400  # documents times pairs of picks: up to there it costs little, and beyond there is little to gain
BREADTH = 8  # documents tried in the first of two places
ROUNDS = 20


def shake(objective: Exchangeable, problem: Problem, picks: tuple[int, ...]) -> tuple[int, ...]:
    """The picks after shaking, worth no less; unchanged where there are too many documents or picks."""
    pinned = {document for pins in problem.pinned for document in pins}
    pairs = list(combinations([place for place, pick in enumerate(picks) if pick not in pinned], 2))
    if problem.n_documents * len(pairs) > SMALL:
        return picks
    first, total, seen = picks, _worth(objective, problem, picks), {frozenset(picks)}
    for _ in range(ROUNDS):
        for pair in pairs:
            anew = _found_anew(objective, problem, picks, pair)
            if frozenset(anew) in seen:
                continue
            seen.add(frozenset(anew))
            tried = exchange(objective, problem, anew, _worth(objective, problem, anew))
            value = _worth(objective, problem, tried)
            if worthwhile(value - total, abs(value), total, problem.pairs.resolution):
                picks, total = tried, value
                break
        else:
            break
    return _in_their_places(problem, first, picks)


def _worth(objective: Exchangeable, problem: Problem, picks: Sequence[int]) -> float:
    """What picks are worth in all, in float64."""
    return float(objective.values(problem, picks).sum())


def _in_their_places(problem: Problem, first: Sequence[int], picks: Sequence[int]) -> tuple[int, ...]:
    """The picks, those that were there at first where they stood, so that the way to them does not show."""
    new: dict[int, list[int]] = {group: [] for group in range(problem.n_groups)}
    for pick in sorted(set(picks) - set(first)):
        new[problem.group_of(pick)].append(pick)
    return tuple(pick if pick in picks else new[problem.group_of(pick)].pop(0) for pick in first)


def _found_anew(
    objective: Exchangeable, problem: Problem, picks: Sequence[int], pair: tuple[int, int]
) -> tuple[int, ...]:
    """The picks with those in two places replaced: by each of the most promising and what then gains most beside it."""
    rest = {place: pick for place, pick in enumerate(picks) if place not in pair}
    state = objective.start(problem)
    for pick in rest.values():
        state = objective.add(state, pick)
    first, second = (problem.group_of(picks[place]) for place in pair)
    gains, open_ = objective.gains(state, first), _open(problem, first, rest.values())
    best, worth = tuple(picks), -np.inf
    for entering in np.flatnonzero(open_)[np.argsort(-gains[open_], kind="stable")[:BREADTH]]:
        document = problem.rows(first).start + int(entering)
        after = objective.add(state, document)
        left = _open(problem, second, [*rest.values(), document])
        if not left.any():
            continue
        more = objective.gains(after, second)
        other = first_best_document(problem, problem.rows(second).start, more, left)
        if gains[entering] + more[other] > worth:
            worth = float(gains[entering] + more[other])
            found = {**rest, pair[0]: document, pair[1]: problem.rows(second).start + other}
            best = tuple(found[place] for place in range(len(picks)))
    return best


def _open(problem: Problem, group: int, picks: Iterable[int]) -> Booleans:
    """Which documents of a group may join picks of all groups; shape (N_g,)."""
    return problem.open_beside(group, [pick for pick in picks if problem.group_of(pick) == group])
