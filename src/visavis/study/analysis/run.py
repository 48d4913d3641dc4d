"""From judgements to an analysis."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from visavis._version import __version__
from visavis.embed import DEFAULT_EMBEDDER
from visavis.errors import InvalidParameter
from visavis.study.analysis.counting import Judgements, contradicted, judgements_of, read_as
from visavis.study.analysis.files import UNIT, is_table, read_judgements, read_shown
from visavis.study.analysis.flags import flag_results, leave_out
from visavis.study.analysis.machine_readers import by_reader, read_machine
from visavis.study.analysis.preferring.files import holds_preferences, read_preferences
from visavis.study.analysis.preferring.results import PreferenceAnalysis
from visavis.study.analysis.preferring.run import analyze_preferences
from visavis.study.analysis.rehearsed import without_rehearsed
from visavis.study.analysis.results import Analysis, ClassifierResults, Comment, Reading
from visavis.study.analysis.words import reader
from visavis.study.preferences import Preference
from visavis.study.records import REHEARSED, Goal, Judgement, Material
from visavis.study.tasks import PREFER

Path_ = str | os.PathLike[str]


@dataclass(frozen=True)
class Options:
    """How to analyze.

    `questionnaires` and `articles` are files beside a file of judgements: what was shown, and its texts; `page` is the
    number of questions that page_seconds covers. `classifiers` asks for classifiers where their vectors can be had.
    Judgements of workers with a flag of a kind in `leave_out` are set aside.
    """

    questionnaires: Path_ | None = None
    articles: Path_ | None = None
    embedder: str = DEFAULT_EMBEDDER
    classifiers: bool = True
    page: int = UNIT
    resamples: int = 10_000
    seed: int = 0
    title: str = ""
    leave_out: tuple[str, ...] = ()


def analyze(
    source: Path_ | Sequence[Judgement],
    options: Options | None = None,
    *,
    material: Material | None = None,
    goal: Goal | None = None,
) -> Analysis:
    """The whole analysis of a file of judgements, or of judgements from elsewhere with the `material` for classifiers.

    `goal` tells an unfinished study from a finished one. Raises Unreadable and InvalidParameter.
    """
    options = options or Options()
    if options.page < 1 or options.resamples < 1:
        raise InvalidParameter(f"page and resamples must be at least 1, got {options.page} and {options.resamples}")
    records, name = _read(source, options)
    records, about_rehearsal = without_rehearsed(leave_out(records, options.leave_out))
    (first, part), *others = by_reader(records).items()
    judgements = judgements_of(part)
    people = None if first else judgements
    goal = goal if first in ("", REHEARSED) else None
    readings = tuple(read_as(judgements, name, goal.judgements if goal else None) for name in judgements.readings)
    return Analysis(
        title=options.title or f"What {reader(first)} made of {name}",
        readings=readings,
        contradicted=contradicted(judgements),
        questionnaires=len({(judgement.method, judgement.questionnaire) for judgement in judgements.counted}),
        pairs=judgements.pairs,
        per_question=len(readings[0].methods[0].levels) - 1,
        gold=len(judgements.gold),
        gold_correct=sum(judgement.chosen == judgement.truth for judgement in judgements.gold),
        excluded=len(judgements.excluded),
        classifiers=_classifiers(judgements, options, material) if options.classifiers else None,
        comments=_comments(judgements),
        notes=(*judgements.notes, *about_rehearsal, *_notes(readings[0], goal)),
        version=__version__,
        planned=goal.cells * goal.judgements if goal else None,
        machine=first,
        flags=flag_results(judgements.counted),
        machines=tuple(read_machine(*other, people) for other in others),
    )


def _read(source: Path_ | Sequence[Judgement], options: Options) -> tuple[list[Judgement], str]:
    """The judgements, and what to call where they come from."""
    if isinstance(source, str | os.PathLike):
        return read_judgements(source, options.questionnaires, options.page), Path(source).name
    return list(source), "a study"


def analyze_source(source: str, options: Options) -> Analysis | PreferenceAnalysis:
    """The analysis of a file of judgements or preferences, or of the study in a database.

    A file's questionnaires.csv and articles.csv are looked for beside it where none are named. Raises Unreadable,
    InvalidParameter, NoStudy.
    """
    if is_table(source):
        if holds_preferences(source):
            return _preferences(read_preferences(source), options)
        beside = Path(source).parent
        shown = options.questionnaires or _if_there(beside / "questionnaires.csv")
        texts = options.articles or _if_there(beside / "articles.csv")
        return analyze(source, replace(options, questionnaires=shown, articles=texts))
    from visavis.study.store import open_store, read_facts
    from visavis.study.store.comparisons import count_comparisons, preferences
    from visavis.study.store.judgements import goal, judgements, material

    store = open_store(source)
    try:
        with store.reading() as connection:
            facts = read_facts(connection)
        if facts["task"] == PREFER:
            alike = sum(count for *_, count in facts["report"].get("alike", ()))
            return _preferences(preferences(store), options, planned=count_comparisons(store), alike=alike)
        found, wanted = judgements(store), goal(store)
        vectors = material(store) if options.classifiers else None
    finally:
        store.close()
    options = replace(options, questionnaires=None, articles=None)  # a database has its own
    return analyze(found, options, material=vectors, goal=wanted)


def _preferences(records: Sequence[Preference], options: Options, **known: Any) -> PreferenceAnalysis:
    chosen: dict[str, Any] = {"title": options.title, "resamples": options.resamples, "seed": options.seed}
    return analyze_preferences(leave_out(records, options.leave_out), **chosen, **known)


def _if_there(path: Path) -> Path | None:
    return path if path.is_file() else None


def _classifiers(judgements: Judgements, options: Options, material: Material | None) -> ClassifierResults | None:
    from visavis.study.analysis.classifying import classify_questions, material_of

    if material is not None:
        return classify_questions(judgements, material)
    if options.questionnaires is None or options.articles is None:
        return None
    material = material_of(options.articles, read_shown(options.questionnaires), options.embedder)
    return classify_questions(judgements, material, options.embedder)


def _comments(judgements: Judgements) -> tuple[Comment, ...]:
    """Each worker's comment below each questionnaire once, whatever the number of its questions."""
    found: dict[tuple[str, str, str, str], Comment] = {}
    for judgement in (*judgements.counted, *judgements.gold):
        text = judgement.comment.strip()
        if text:
            key = (judgement.questionnaire, judgement.method, judgement.worker, text)
            found.setdefault(key, Comment(judgement.method, judgement.pair, text, judgement.gold))
    return tuple(found.values())


def _notes(reading: Reading, goal: Goal | None) -> list[str]:
    notes = []
    cells = goal.cells if goal else sum(method.questions for method in reading.methods)
    short = cells - sum(sum(method.levels) for method in reading.methods)
    if short:
        wanted = f" of the {goal.judgements} planned for each" if goal else ""
        notes.append(
            f"{short} of {cells} questions under a method still lack judgements{wanted}: the levels of agreement leave "
            f"them out"
        )
    if len({method.questions for method in reading.methods}) > 1:
        notes.append("the methods were not judged on the same questions: sign tests use those they share")
    return notes
