"""How far the picks can be trusted: do the groups differ, what do the picks tell, do they return? Each when asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from visavis.comparing.again import Choose
from visavis.comparing.choice import Choice
from visavis.comparing.documents import as_texts
from visavis.comparing.measure import (
    HeldOut,
    Picked,
    better_of,
    how_held_out,
    measure,
    tell_by_everything,
    tell_by_picks,
    why_nothing,
)
from visavis.comparing.overview import Overview
from visavis.comparing.session import PERMUTING, DocumentSession
from visavis.comparing.stability import stability
from visavis.explain.difference import Difference, difference_tests
from visavis.kernel.threads import meanwhile
from visavis.records import Assessment, Booleans
from visavis.select.search import Selection
from visavis.shared.names import unknown
from visavis.shared.progress import Progress, silent
from visavis.shared.warned import heard

if TYPE_CHECKING:
    from visavis.explain.everything import Told

QUESTIONS = ("difference", "accuracy", "ceiling", "stability")
HOLDING = frozenset({"accuracy", "ceiling"})  # the questions for which documents are held out


def assess(
    session: DocumentSession,
    selection: Selection,
    questions: Iterable[str] = QUESTIONS,
    *,
    about: Overview | None = None,
    pairs: bool = False,
    choose: Choose | None = None,
    progress: Progress | None = None,
) -> Assessment:
    """Answers to these questions alone; the others stay None.

    "difference": do the groups differ? (`pairs`: also every two of them.) With the overview `about` it looks at words,
    too, and says which are shown to tell groups; without, at vectors alone. "accuracy": do the picks tell unseen
    documents' groups? "ceiling": what would all documents tell? "stability": are they picked again? `choose` says how
    to pick from training rows where that was itself chosen on held-out documents. `progress` is told what is being
    done; whatever it raises ends the work. Raises UnknownName for a question that is none.
    """
    asked, tell = _asked(questions), progress or silent
    choice, allowed = _choice_of(session, selection), _allowed(session, selection)
    held = HeldOut.of(session) if asked & HOLDING else HeldOut([], [], False)
    found, picked, compute = Assessment(), Picked([], []), session.compute
    everything: Callable[[], list[Told]] = partial(tell_by_everything, session, held) if "ceiling" in asked else list
    differences = partial(_differences, session, about, pairs) if "difference" in asked else Difference
    aside = max(compute.threads, compute.processes) if len(asked) > 1 else 1
    with heard(_of_classifiers), meanwhile(everything, aside) as told, meanwhile(differences, aside) as tested:
        if asked & HOLDING:
            picked = tell_by_picks(session, held, choice, choose, allowed, tell)
        if "stability" in asked:
            found = stability(found, session, selection, choice, tell, allowed)
        if "difference" in asked:
            tell("testing whether the groups differ")
            found = _with_difference(found, tested())
        if asked & HOLDING:
            found = _with_holding(found, session, held, picked, choice if choose else None)
        if "accuracy" in asked:
            found = _with_accuracy(found, session, held, picked)
        if "ceiling" in asked:
            tell("measuring what all documents tell")
            ceiling, interval = measure(session, held, better_of(session, held, told(), picked, allowed))
            found = replace(found, ceiling=ceiling, ceiling_interval=interval)
        return found


def _asked(questions: Iterable[str]) -> set[str]:
    """The questions, each once. Raises UnknownName for one that is none."""
    asked = set(as_texts(questions))
    for question in sorted(asked - set(QUESTIONS)):
        raise unknown("question", question, QUESTIONS)
    return asked


def _of_classifiers(message: str, kind: type[Warning]) -> bool:
    """Whether a classifier warns that it did not quite converge, or that it sees many groups."""
    from sklearn.exceptions import ConvergenceWarning  # slow to import

    return issubclass(kind, ConvergenceWarning) or message.startswith("The number of unique classes is greater")


def _choice_of(session: DocumentSession, selection: Selection) -> Choice:
    """How the selection was made: as many picks of each group, at the γ that was found for all documents."""
    counts = np.bincount(selection.owner, minlength=len(session.names))
    request, kernel = selection.request, session.frames[0].kernel
    return Choice(request.method, request.parameters, kernel, session.gamma, tuple(counts.tolist()))


def _allowed(session: DocumentSession, selection: Selection) -> Booleans:
    """Which documents the selection could pick, by their rows."""
    allowed = np.zeros(len(session.codes), np.bool_)
    allowed[selection.order] = selection.problem.allowed
    return allowed


def _differences(session: DocumentSession, about: Overview | None, pairs: bool) -> Difference:
    """The tests of difference; where only some documents were read for their words, these are tested."""
    order, counted = session.order, session.points.first_in(session.codes)
    held = None
    if about is not None:
        read = np.zeros(len(session.codes), np.bool_)
        read[about.words.read] = True
        counted = counted & read
        held = about.words.held[np.searchsorted(about.words.read, order).clip(max=len(about.words.read) - 1)]
    return difference_tests(
        session.problem(),
        session.engine,
        session.names,
        [session.documents[row].id for row in order],
        session.rng(PERMUTING),
        blocks=session.blocks.take(order),
        counted=counted[order],
        held=held,
        pairs=pairs,
    )


def _with_difference(found: Assessment, difference: Difference) -> Assessment:
    notes = ("the test of difference looked at a sample of the documents",) if difference.sampled else ()
    return replace(found, tests=difference.tests, telling=difference.telling, notes=(*found.notes, *notes))


def _with_accuracy(found: Assessment, session: DocumentSession, held: HeldOut, picked: Picked) -> Assessment:
    accuracy, interval = measure(session, held, picked.predicted)
    return replace(found, accuracy=accuracy, accuracy_interval=interval)


def _with_holding(
    found: Assessment, session: DocumentSession, held: HeldOut, picked: Picked, chosen: Choice | None
) -> Assessment:
    """How documents were held out, or why they could not be; `chosen` is what was left open and chosen, if any."""
    if not held.folds:
        return replace(found, warnings=(*found.warnings, *why_nothing(session, choosing=chosen is not None)))
    return replace(found, notes=(*found.notes, *how_held_out(session, held, picked, chosen)))
