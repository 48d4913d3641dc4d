"""How far the picks can be trusted: do the groups differ, what do the picks tell, do they return? Each when asked."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from visavis.comparing.again import Choose, PickAgain, held_out_accuracy, held_out_folds
from visavis.comparing.choice import Choice
from visavis.comparing.documents import as_texts
from visavis.comparing.session import PERMUTING, RESAMPLING, DocumentSession
from visavis.explain.difference import difference_tests
from visavis.explain.holdout import FOLDS, RESAMPLES, Fold, everything_accuracy, neighborhoods, resamples
from visavis.kernel.rbf import RBF
from visavis.kernel.threads import meanwhile
from visavis.records import Assessment, Booleans, Floats, Frame, Integers
from visavis.select.search import Selection
from visavis.shared.names import unknown
from visavis.shared.progress import Progress, silent

QUESTIONS = ("difference", "accuracy", "ceiling", "stability")

Ceiling = Callable[[], float | None]


def assess(
    session: DocumentSession,
    selection: Selection,
    questions: Iterable[str] = QUESTIONS,
    *,
    pairs: bool = False,
    choose: Choose | None = None,
    ceiling: Ceiling | None = None,
    progress: Progress | None = None,
) -> Assessment:
    """Answers to these questions alone; the others stay None.

    "difference": do the groups differ? (`pairs`: also every two of them.) "accuracy": do the picks tell unseen
    documents' groups? "ceiling": what would all documents tell? "stability": are they picked again? `choose` says how
    to pick from training rows where that was itself chosen on held-out documents. `ceiling` is how to ask for the
    ceiling where it was begun before (`begin_ceiling`). `progress` is told what is being done; whatever it raises ends
    the work. Raises UnknownName for a question that is none.
    """
    asked = set(as_texts(questions))
    for question in sorted(asked - set(QUESTIONS)):
        raise unknown("question", question, QUESTIONS)
    tell = progress or silent
    choice, allowed = _choice_of(session, selection), _allowed(session, selection)
    folds, sampled = held_out_folds(session) if "accuracy" in asked else ([], False)
    found = Assessment()
    begun = begin_ceiling(session) if "ceiling" in asked and ceiling is None else nullcontext(ceiling)
    with begun as highest:
        if "difference" in asked:
            tell("testing whether the groups differ")
            found = _with_difference(found, session, pairs)
        if "accuracy" in asked:
            tell("measuring what the picks tell")
            found = _with_accuracy(found, session, choice, folds, sampled, choose, tell, allowed)
        if "stability" in asked:
            found = replace(found, stability=tuple(_stability(session, selection, choice, tell, allowed).tolist()))
        if "ceiling" in asked and highest is not None:
            tell("measuring what all documents tell")
            found = replace(found, ceiling=highest())
    return found


def begin_ceiling(session: DocumentSession) -> AbstractContextManager[Ceiling]:
    """A context in which the ceiling is measured beside other work; it yields the way to ask for it.

    It depends on no picks, and libsvm needs no Python: begun early, it costs hardly any time.
    """
    return meanwhile(partial(_ceiling, session), session.compute.threads)


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


def _with_difference(found: Assessment, session: DocumentSession, pairs: bool) -> Assessment:
    keys = [session.documents[row].id for row in session.order]
    unique = session.points.unique[session.order]
    tests, sampled = difference_tests(
        session.problem(), session.engine, session.names, keys, session.rng(PERMUTING), unique=unique, pairs=pairs
    )
    notes = ("the test of difference looked at a sample of the documents",) if sampled else ()
    return replace(found, tests=tests, notes=(*found.notes, *notes))


def _with_accuracy(
    found: Assessment,
    session: DocumentSession,
    choice: Choice,
    folds: list[Fold],
    sampled: bool,
    choose: Choose | None,
    tell: Progress,
    allowed: Booleans,
) -> Assessment:
    if not folds:
        return replace(found, warnings=(*found.warnings, *_too_few(session, choosing=choose is not None)))
    if choose is None:
        accuracy = held_out_accuracy(session, choice, folds, allowed)
    else:
        accuracy = _honest_accuracy(session, choose, folds, tell, allowed)
    notes = ["held-out accuracy was measured on a sample of the documents"] if sampled else []
    if choose is not None:
        notes.append("for the accuracy, what was left to choose was chosen anew without the documents held out")
    return replace(found, accuracy=accuracy, notes=(*found.notes, *notes))


def _honest_accuracy(
    session: DocumentSession, choose: Choose, folds: list[Fold], tell: Progress, allowed: Booleans
) -> float | None:
    """Held-out accuracy where each training part alone decides what was left open, so that no choice is flattered."""
    scores = []
    for number, (train, test) in enumerate(folds, 1):
        tell(f"measuring what the picks tell: fold {number} of {len(folds)}")
        scores.append(held_out_accuracy(session, choose(train), [(train, test)], allowed))
    known = [score for score in scores if score is not None]
    return float(np.mean(known)) if known else None


def _too_few(session: DocumentSession, *, choosing: bool) -> tuple[str, ...]:
    """Why nothing could be held out; of a single group nobody expects it."""
    if len(session.names) < 2:
        return ()
    unique = session.points.unique
    counts = np.bincount(session.codes[unique], minlength=len(session.names))
    name = session.names[int(counts.argmin())]
    copies = "" if unique.all() else " (copies count once)"
    lost = "accuracy is not known" + (", and nothing could be chosen by it" if choosing else "")
    return (f"group {name!r} has fewer than {FOLDS} documents to hold out and to learn from{copies}: {lost}",)


def _ceiling(session: DocumentSession) -> float | None:
    """Mean over folds of what a classifier that sees every training document reaches; None without folds."""
    folds, _ = held_out_folds(session)
    if not folds:
        return None
    rows = np.sort(np.concatenate([test for _, test in folds]))
    frame = Frame(RBF(session.gamma), session.gamma)
    pairs = session.engine.bind(frame.kernel, session.engine.place(session.points.vectors, rows), frame)
    task = TellByEverything(pairs.gram(np.arange(len(rows)), exact=True), session.codes[rows])
    within = [(np.searchsorted(rows, train), np.searchsorted(rows, test)) for train, test in folds]
    return float(np.mean([task(fold) for fold in within]))


@dataclass(frozen=True, eq=False)
class TellByEverything:
    """What a classifier that sees every training document tells of the others: a task that can be pickled."""

    gram: Floats
    codes: Integers

    def __call__(self, fold: Fold) -> float:
        """Balanced accuracy on the rows held out."""
        return everything_accuracy(self.gram, self.codes, fold)


def _stability(
    session: DocumentSession, selection: Selection, choice: Choice, tell: Progress, allowed: Booleans
) -> Floats:
    """In what fraction of resamples each pick, or a near neighbor of it that may be picked, is picked again."""
    picks, codes = selection.rows, session.codes
    near = neighborhoods(picks, codes, allowed, session.frames[0].kernel, session.points.vectors)
    calibrated = replace(choice, parameters=selection.parameters)  # on all documents
    task = PickAgain.of(session, calibrated, allowed)
    samples = resamples(codes, session.rng(RESAMPLING))
    returned = np.zeros(len(picks))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what the main selection warned of need not be said again
        for number, (again, _) in enumerate(session.engine.each(task, samples), 1):
            tell(f"picking again from resamples: {number} of {RESAMPLES}")
            chosen = set(again.tolist())
            returned += [not chosen.isdisjoint(around) for around in near]
    return returned / RESAMPLES
