"""From picks to their explanation: joins the selection with everything the explain stage can tell of it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import numpy as np

from visavis.comparing.tune import Asked, Bench, Tuned, honest_accuracy
from visavis.corpus.fields import role_column
from visavis.corpus.periods import read_moments
from visavis.errors import LeftTheData
from visavis.explain.difference import difference_tests
from visavis.explain.holdout import FOLDS, Part, ceiling_accuracy, stability
from visavis.explain.scores import common_ground, losses, nearest_picks, pick_scores
from visavis.explain.views import plane, timeline
from visavis.explain.words import GroupWords
from visavis.kernel.threads import meanwhile
from visavis.records import (
    STAGES,
    Document,
    DocumentMap,
    Floats,
    Grouping,
    GroupSummary,
    Pick,
    Settings,
    Timeline,
    TwoSampleTest,
)
from visavis.select.engine import Picked


@dataclass(frozen=True, eq=False)
class Explained:
    """Everything a report tells beyond the settings. `common` holds rows of the documents."""

    groups: tuple[GroupSummary, ...]
    tests: tuple[TwoSampleTest, ...]
    accuracy: float | None
    ceiling: float | None
    common: tuple[int, ...]
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    gamma: float
    sharpness: float | str
    sizes: Any
    timeline: Timeline | None
    map: DocumentMap


def explain(
    bench: Bench,
    grouping: Grouping,
    texts: Sequence[str],
    asked: Asked,
    tuned: Tuned,
    *,
    pinned: tuple[int, ...],
    pairs: bool,
    budget: int | None,
) -> Explained:
    """Pick, then say why."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        picked = bench.pick(tuned.settings, tuned.sizes, budget, pinned)
    settings = replace(tuned.settings, gamma=picked.posed.gamma)
    tuned = replace(tuned, settings=settings, sizes=_sizes(picked, grouping))
    asked = asked if asked.sizes == "auto" else replace(asked, sizes=tuned.sizes)
    documents = grouping.corpus.documents
    keys = [documents[row].id for row in picked.posed.order]
    problem = picked.posed.problem
    unique = bench.unique[picked.posed.order]
    parts, only_some = bench.parts()
    with meanwhile(lambda: _ceiling(bench, parts, picked.posed.gamma), bench.compute.threads) as ceiling:
        tests, sampled = difference_tests(problem, grouping.names, keys, bench.rng(4), unique=unique, pairs=pairs)
        held = _held_out(bench, asked, tuned, grouping.names, parts, sampled=only_some)
        groups = _groups(bench, grouping, texts, tuned, picked)
        highest = ceiling()
    common = [int(picked.posed.order[i]) for i in common_ground(problem, picked.selection.sequence)]
    notes = ["the test of difference looked at a sample of the documents"] if sampled else []
    return Explained(
        groups=groups,
        tests=tests,
        accuracy=held.accuracy,
        ceiling=highest,
        common=tuple(common),
        warnings=(*_messages(caught, technical=False), *held.warnings),
        notes=(*notes, *held.notes, *_messages(caught, technical=True)),
        gamma=picked.posed.gamma,
        sharpness=_sharpness(picked, settings),
        sizes=_told_sizes(tuned.sizes, grouping.names),
        timeline=timeline(_moments(documents), grouping.codes, len(grouping.names)),
        map=DocumentMap(
            plane(bench.vectors), grouping.codes, tuple(d.id for d in documents), tuple(d.title for d in documents)
        ),
    )


def _moments(documents: Sequence[Document]) -> list[datetime | None]:
    """The documents' dates, without those that grouping would call implausible."""
    found = read_moments(documents, role_column("date"), None, None).found
    return [moment if isinstance(moment, datetime) else None for moment in found]


def _messages(caught: Sequence[warnings.WarningMessage], *, technical: bool) -> tuple[str, ...]:
    """What was warned of, each thing once; how the search went is technical, and no reason to distrust the picks."""
    told = [str(one.message) for one in caught if issubclass(one.category, LeftTheData) is technical]
    return tuple(dict.fromkeys(told))


def _sizes(picked: Picked, grouping: Grouping) -> dict[int, int]:
    counts = np.bincount(grouping.codes[picked.indices], minlength=len(grouping.names))
    return {group: int(count) for group, count in enumerate(counts)}


def _told_sizes(sizes: dict[int, int], names: Sequence[str]) -> Any:
    """One number where all groups have the same."""
    if len(set(sizes.values())) == 1:
        return next(iter(sizes.values()))
    return {names[group]: size for group, size in sizes.items()}


@dataclass(frozen=True)
class _HeldOut:
    """The accuracy of the picks, and what to say of it."""

    accuracy: float | None = None
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def _ceiling(bench: Bench, parts: list[Part], gamma: float) -> float | None:
    """What a classifier that sees everything reaches; libsvm leaves Python to the others while it works."""
    return ceiling_accuracy(parts, bench.codes, bench.vectors, gamma)


def _held_out(
    bench: Bench, asked: Asked, tuned: Tuned, names: Sequence[str], parts: list[Part], *, sampled: bool
) -> _HeldOut:
    if not parts:
        return _HeldOut(warnings=_too_few(bench, asked, names))
    if asked.is_open:
        accuracy = honest_accuracy(bench, asked, parts)
    else:
        accuracy = bench.accuracy(parts, tuned.settings, tuned.sizes)
    notes = ["held-out accuracy was measured on a sample of the documents"] if sampled else []
    if asked.is_open:
        notes.append("for the accuracy, what was left to choose was chosen anew without the documents held out")
    return _HeldOut(accuracy, tuple(notes))


def _too_few(bench: Bench, asked: Asked, names: Sequence[str]) -> tuple[str, ...]:
    """Why nothing could be held out; of a single group nobody expects it."""
    if len(names) < 2:
        return ()
    counts = np.bincount(bench.codes[bench.unique], minlength=len(names))
    fewest = int(counts.argmin())
    copies = "" if bench.unique.all() else " (copies count once)"
    lost = "accuracy is not known" + (", and nothing could be chosen by it" if asked.is_open else "")
    return (f"group {names[fewest]!r} has fewer than {FOLDS} documents to hold out and to learn from{copies}: {lost}",)


def _groups(
    bench: Bench, grouping: Grouping, texts: Sequence[str], tuned: Tuned, picked: Picked
) -> tuple[GroupSummary, ...]:
    names, stages = grouping.names, picked.selection.values
    words = GroupWords(texts, grouping.codes, len(names))
    picks = _picks(bench, grouping, tuned, picked, words)
    return tuple(
        GroupSummary(
            name=name,
            n_documents=int(np.sum(grouping.codes == group)),
            picks=tuple(pick for pick, owner in picks if owner == group),
            value=float(picked.selection.final[group]),
            stages={stage: float(stages[stage][group]) if stage in stages else None for stage in STAGES},
            words=words.of_group(group),
        )
        for group, name in enumerate(names)
    )


def _picks(bench: Bench, grouping: Grouping, tuned: Tuned, picked: Picked, words: GroupWords) -> list[tuple[Pick, int]]:
    problem, sequence = picked.posed.problem, picked.selection.sequence
    documents, order = grouping.corpus.documents, picked.posed.order
    objective = picked.selection.objective
    scores = pick_scores(problem, sequence, grouping.names)
    shares, lost = objective.shares(problem, sequence), losses(objective, problem, sequence)
    gains, nearest = picked.selection.gains, nearest_picks(problem, sequence)
    steady = _stability(bench, tuned, picked)
    found = []
    ranks = np.zeros(len(grouping.names), np.intp)
    for k, document in enumerate(sequence):
        group, row = problem.group_of(document), int(order[document])
        ranks[group] += 1
        found.append(
            (
                Pick(
                    document=documents[row],
                    rank=int(ranks[group]),
                    scores=scores[k],
                    share=float(shares[k]),
                    gain=float(gains[k]),
                    loss=float(lost[k]),
                    stability=float(steady[k]),
                    words=words.of_document(row, group),
                    covers=tuple(documents[i].id for i in np.sort(order[np.flatnonzero(nearest == k)])),
                ),
                group,
            )
        )
    return found


def _sharpness(picked: Picked, settings: Settings) -> float | str:
    """The one that was calibrated, or what was asked for where the objective has none."""
    found: float | str = getattr(picked.selection.objective, "sharpness", settings.sharpness)
    return found


def _stability(bench: Bench, tuned: Tuned, picked: Picked) -> Floats:
    """How steady the picks are while the documents change, and the parameters found for all of them do not."""
    gamma, settings = picked.posed.gamma, tuned.settings
    fixed = replace(settings, sharpness=_sharpness(picked, settings))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return stability(
            picked.posed.original(picked.selection.sequence),
            bench.codes,
            bench.allowed,
            lambda part: bench.pick_part(part, fixed, tuned.sizes),
            lambda left, right: bench.distances(settings, gamma, left, right),
            bench.rng(5),
            bench.compute.threads,
        )
