"""From preferences to an analysis."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from visavis._version import __version__
from visavis.study.analysis.preferring.counting import PEOPLE, Answers, answers_by_reader, results_of
from visavis.study.analysis.preferring.flagged import flagged_readers
from visavis.study.analysis.preferring.results import PreferenceAnalysis
from visavis.study.analysis.preferring.versus import machines_beside_people
from visavis.study.analysis.rehearsed import without_rehearsed
from visavis.study.analysis.results import Comment
from visavis.study.preferences import Preference


def analyze_preferences(
    records: Iterable[Preference],
    *,
    title: str = "",
    resamples: int = 10_000,
    seed: int = 0,
    planned: int | None = None,
    alike: int = 0,
) -> PreferenceAnalysis:
    """The whole analysis; `planned` is how many answers of people are wanted, `alike` how many comparisons were ties.

    Raises InvalidParameter where nothing can be counted.
    """
    given, about_rehearsal = without_rehearsed(records)
    answers = answers_by_reader(given)
    return PreferenceAnalysis(
        title=title or "Which summaries serve readers better",
        readers=tuple(replace(results_of(each, resamples, seed), flags=flagged_readers(each)) for each in answers),
        versus=tuple(machines_beside_people(answers)),
        groups=tuple(sorted({record.pair for record in given if not record.gold})),
        comments=_comments(given),
        notes=(*_notes(answers), *about_rehearsal),
        resamples=resamples,
        seed=seed,
        version=__version__,
        planned=planned,
        alike=alike,
    )


def _comments(records: Sequence[Preference]) -> tuple[Comment, ...]:
    """What people wrote; machines are asked for no comments."""
    written = [one for one in records if one.comment.strip() and not one.machine]
    return tuple(Comment(" or ".join(one.methods), one.pair, one.comment.strip(), one.gold) for one in written)


def _notes(answers: Sequence[Answers]) -> list[str]:
    notes = [
        f"{each.twice} answers of {each.name} repeat one by the same worker to the same comparison and do not count"
        for each in answers
        if each.twice
    ]
    if all(each.name != PEOPLE for each in answers):
        notes.append("no person has answered yet: machines are not people, ask some before you decide")
    return notes
