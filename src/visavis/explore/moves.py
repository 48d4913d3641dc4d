"""What a move brings: picks at once, whether a slower search improves on them, why not this one, what a ban costs.

All by the objective of the picks that are shown: those of the method that was asked for where they are known, else the
quick ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from visavis.comparing.choice import USUAL_SIZE
from visavis.contracts import Exchangeable
from visavis.errors import UnknownName
from visavis.explore.query import State, quickly
from visavis.explore.scene import Picked, Scene
from visavis.records import Floats, Integers
from visavis.report.periods import said
from visavis.report.text import heading, number, percent
from visavis.select.optimizers.exchange import open_for
from visavis.select.search import Selection
from visavis.shared.names import did_you_mean
from visavis.shared.text import isolate, line

LEAST_SHOWN = 5e-4  # of the value: less than that is as good
BETTER = 1e-9  # of the value


def quick_picks(scene: Scene, state: State) -> Picked:
    """The picks by the quick method."""
    asked = State(quickly(state.options, USUAL_SIZE), state.sets, state.compared)
    return scene.pick(asked.options, asked.pick_key)


def picks_in_force(scene: Scene, state: State) -> Picked:
    """The picks that are shown: by the method that was asked for as soon as it has found them."""
    return scene.known_picks(state.pick_key) or quick_picks(scene, state)


def improvement(scene: Scene, state: State, picked: Picked) -> bool:
    """Whether picks are worth more than the quick ones, by the objective they were picked by."""
    quick = quick_picks(scene, state).selection
    if not _comparable(picked.selection, quick):
        return False
    objective, problem = picked.selection.objective, picked.selection.problem
    before = float(objective.values(problem, quick.sequence).sum())
    after = float(objective.values(problem, picked.selection.sequence).sum())
    return after > before + BETTER * max(1.0, abs(before))


def _comparable(one: Selection, other: Selection) -> bool:
    return sorted(one.owner.tolist()) == sorted(other.owner.tolist())


@dataclass(frozen=True, eq=False)
class Swaps:
    """What swaps of one document for picks of its group would gain; `value` is what all picks are worth."""

    picked: Picked
    document: int  # a document of the problem
    leaving: Integers  # picks of its group, pinned ones aside
    gains: Floats  # what the total gains by each
    open: tuple[bool, ...]  # whether it may take that place
    value: float


def whynot(scene: Scene, state: State, name: str) -> dict[str, Any]:
    """What the objective loses if a document were picked in the place of the pick that it would hurt least."""
    picked = picks_in_force(scene, state)
    row = row_of(scene, name)
    if name in {document.id for document in _documents(scene, picked)}:
        return _answer(scene, picked=True, said="It is one of the picks.")
    found = _swaps(picked, row)
    reason = _reason(scene, picked, found, row)
    if len(found.leaving) == 0:
        said_ = "All picks of its group are pinned: there is no place for it."
        return _answer(scene, picked=False, said=said_, reason=reason or said_)
    usable = np.array(found.open) if any(found.open) else np.ones(len(found.leaving), np.bool_)
    best = int(np.argmax(np.where(usable, found.gains, -np.inf)))
    loss = -float(found.gains[best])
    other = scene.called(int(picked.selection.order[found.leaving[best]]))
    sentence = f"In the place of “{line(heading(other))}” it would {_told(loss, found.value)}"
    if not reason and loss < 0.0:
        sentence += "; the search takes one document after another and does not go back"
    return _answer(
        scene, picked=False, instead=other.id, loss=loss, value=found.value, reason=reason, said=f"{sentence}."
    )


def cost(scene: Scene, state: State, name: str) -> dict[str, Any]:
    """What the objective loses if a pick is banned, and what then takes its place."""
    picked = picks_in_force(scene, state)
    selection = picked.selection
    row_of(scene, name)
    at = next((k for k, one in enumerate(_documents(scene, picked)) if one.id == name), None)
    if at is None:
        return {"next": None, "loss": 0.0, "relative": 0.0, "said": "It is not picked: banning it costs nothing."}
    leaving = selection.sequence[at]
    problem, group = selection.problem, int(selection.owner[at])
    start = problem.rows(group).start
    open_ = open_for(problem, group, selection.sequence, leaving)
    family = picked.session.points.families[selection.order]
    open_ &= family[problem.rows(group)] != family[leaving]
    if not open_.any():
        where = isolate(line(said(scene.names[group])))
        return {"next": None, "loss": None, "relative": None, "said": f"Nothing else of {where} may be picked."}
    gains = _swap_gains(selection, leaving, start + np.flatnonzero(open_))
    best = int(np.argmax(gains))
    loss, value = -float(gains[best]), _value(selection)
    best = int(np.flatnonzero(open_)[best]) + start
    row = int(selection.order[best])
    told = f"“{line(heading(scene.called(row)))}” would take its place, and {_told(loss, value)}."
    return {"next": row, "loss": loss, "relative": _relative(loss, value), "said": told}


def row_of(scene: Scene, name: str) -> int:
    """The first point of a document. Raises UnknownName where it is none of the scene."""
    if name not in scene.rows:
        hint = did_you_mean(name[:200], scene.rows).strip()
        raise UnknownName(f"{name[:200]!r} is no document of this comparison{'; ' + hint if hint else ''}")
    return scene.rows[name]


def _documents(scene: Scene, picked: Picked) -> list[Any]:
    return [scene.documents[row] for row in picked.selection.rows.tolist()]


def _swaps(picked: Picked, row: int) -> Swaps:
    selection = picked.selection
    problem = selection.problem
    document = int(np.flatnonzero(selection.order == row)[0])
    group = problem.group_of(document)
    pinned = set(problem.pinned[group])
    leaving = [pick for pick in selection.sequence if problem.group_of(pick) == group and pick not in pinned]
    start = problem.rows(group).start
    gains = [float(_swap_gains(selection, pick, np.array([document]))[0]) for pick in leaving]
    opened = tuple(bool(open_for(problem, group, selection.sequence, pick)[document - start]) for pick in leaving)
    return Swaps(picked, document, np.array(leaving, np.intp), np.array(gains), opened, _value(selection))


def _swap_gains(selection: Selection, leaving: int, entering: Integers) -> Floats:
    """What the total gains if a pick makes room for each of these documents of its group."""
    objective, problem, sequence = selection.objective, selection.problem, selection.sequence
    if objective.abilities.swaps:
        state = objective.start(problem)
        for pick in sequence:
            state = objective.add(state, pick)
        return np.asarray(cast(Exchangeable, objective).swap_gains(state, leaving, entering), np.float64)
    before = float(objective.values(problem, sequence).sum())
    swapped = [tuple(int(new) if pick == leaving else pick for pick in sequence) for new in entering]
    return np.array([float(objective.values(problem, other).sum()) - before for other in swapped])


def _value(selection: Selection) -> float:
    """What the picks are worth more than none."""
    return float(selection.trace[-1].sum() - selection.trace[0].sum())


def _relative(loss: float, value: float) -> float | None:
    return loss / abs(value) if value else None


def _told(loss: float, value: float) -> str:
    share = _relative(loss, value)
    if share is None or abs(share) < LEAST_SHOWN:
        return "be as good"
    moved = "lower" if loss > 0 else "raise"
    return f"{moved} the value of the picks by {percent(abs(share)) if abs(share) >= 0.005 else 'less than 1 %'} " + (
        f"({number(abs(loss))} of {number(abs(value))})"
    )


def _reason(scene: Scene, picked: Picked, found: Swaps, row: int) -> str | None:
    """Why a document may not be picked at all; None where it may."""
    document, points = scene.documents[row], picked.session.points
    if document.id in picked.options.ban:
        return "It is banned."
    if bool(picked.candidates.allowed[row]):
        if any(found.open):
            return None
        return "It tells the same story as a pick, or is of a source that has its share of picks."
    for away in picked.candidates.not_shown:
        if document.id in away.where:
            return f"It counts, but is not shown: {away.reason}."
    family = points.families[row]
    banned = {scene.rows[name] for name in picked.options.ban if name in scene.rows}
    if family in {int(points.families[other]) for other in banned}:
        return "It is a copy of a document that is banned."
    first = (
        scene.called(int(np.flatnonzero((points.families == family) & picked.candidates.allowed)[0]))
        if np.any((points.families == family) & picked.candidates.allowed)
        else None
    )
    if first is not None:
        return f"It is a near-copy of “{line(heading(first))}”, which stands for both."
    return "It may not be picked."


def _answer(
    scene: Scene, *, picked: bool, said: str, instead: str | None = None, loss: float = 0.0, value: float = 0.0,
    reason: str | None = None,
) -> dict[str, Any]:  # fmt: skip
    return {
        "picked": picked, "instead_of": instead, "row": None if instead is None else scene.rows.get(instead),
        "loss": loss, "relative": _relative(loss, value) if value else 0.0, "said": said, "reason": reason,
    }  # fmt: skip
