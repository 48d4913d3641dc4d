"""Which picks stay: last time's are held against those that would take their places now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scipy.optimize import linear_sum_assignment

from visavis.comparing.session import DocumentSession
from visavis.contracts import Objective
from visavis.select.problem import Outcome, Problem
from visavis.select.search import Selection

SAME_STORY = 10.0  # more alike than any two documents: of one story only one can be shown


@dataclass(frozen=True)
class Rivals:
    """A pick of last time, `old`, and the one that would take its place, `new`, as documents of the problem.

    `gain` is what that alone would raise the objective by, all other picks being last time's, as a share of what all of
    those are worth.
    """

    old: int
    new: int
    gain: float = 0.0


def find_rivals(problem: Problem, objective: Objective, old: Sequence[int], new: Sequence[int]) -> tuple[Rivals, ...]:
    """Who would take whose place: within a group those most alike, those of one story before all others.

    `old` are picks of last time that are still in their groups, `new` those that a search from scratch makes.
    """
    leaving, entering = [d for d in old if d not in new], [d for d in new if d not in old]
    pairs = [
        (out, into)
        for group in range(problem.n_groups)
        for out, into in _matched(problem, _of(problem, group, leaving), _of(problem, group, entering))
    ]
    gone = {out for out, _ in pairs}
    taken = {into for _, into in pairs}
    last = [d for d in old if d in new or d in gone] + [d for d in entering if d not in taken]
    gains = _gains(problem, objective, last, pairs)
    return tuple(Rivals(out, into, gain) for (out, into), gain in zip(pairs, gains, strict=True))


def _of(problem: Problem, group: int, documents: Sequence[int]) -> list[int]:
    return [document for document in documents if problem.group_of(document) == group]


def _matched(problem: Problem, leaving: list[int], entering: list[int]) -> list[tuple[int, int]]:
    if not leaving or not entering:
        return []
    alike = problem.columns(entering)[leaving]
    alike = alike + SAME_STORY * (problem.stories[leaving][:, None] == problem.stories[entering][None, :])
    rows, columns = linear_sum_assignment(alike, maximize=True)
    return [(leaving[row], entering[column]) for row, column in zip(rows.tolist(), columns.tolist(), strict=True)]


def _gains(problem: Problem, objective: Objective, last: list[int], pairs: Sequence[tuple[int, int]]) -> list[float]:
    """What each exchange alone raises the objective by, as a share of the worth of last time's picks."""
    if not pairs:
        return []
    trace = objective.trace(problem, last).sum(axis=1)
    worth = max(abs(float(trace[-1] - trace[0])), 1e-12)
    found = []
    for out, into in pairs:
        changed = [into if document == out else document for document in last]
        found.append((float(objective.values(problem, changed).sum()) - float(trace[-1])) / worth)
    return found


@dataclass(frozen=True, eq=False)
class Decision:
    """The selection that stands, who made way for whom (`made_way`), and who stayed though a rival was there
    (`stayed`)."""

    selection: Selection
    made_way: tuple[Rivals, ...] = ()
    stayed: tuple[Rivals, ...] = ()


def decide(
    session: DocumentSession, scratch: Selection, last: Mapping[int, None], stickiness: float, pinned: Sequence[int]
) -> Decision:
    """Which picks stand: those from scratch, unless picks of last time are held and a rival gains too little.

    `last` are the rows of last time's picks that are still in their groups and not banned. Without stickiness, nothing
    is held. With it, a pick of last time stays unless its rival gains more than that, or is pinned.
    """
    place = {int(row): at for at, row in enumerate(scratch.order)}
    old = [place[row] for row in last if row in place]
    rivals = find_rivals(scratch.problem, scratch.objective, old, scratch.sequence)
    must = {place[row] for row in pinned}
    stayed = tuple(one for one in rivals if 0 < stickiness >= one.gain and one.new not in must)
    if not stayed:
        return Decision(scratch, rivals)
    allowed = session.candidates.copy()
    allowed[list(last)] = True  # what was shown last time may be shown again
    problem = session.allowing(allowed).problem(pinned=scratch.request.pins)
    instead = {one.new: one.old for one in stayed}
    sequence = tuple(instead.get(document, document) for document in scratch.sequence)
    outcome = Outcome(sequence, {"from scratch": scratch.sequence, "held": None}, scratch.objective)
    made_way = tuple(one for one in rivals if one not in stayed)
    return Decision(replace(scratch, problem=problem, outcome=outcome), made_way, stayed)
