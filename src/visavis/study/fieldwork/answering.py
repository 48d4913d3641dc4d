"""What a worker sent, checked: sides of the paper's task, or a preference with how clearly and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from visavis.errors import VisavisError
from visavis.shared.text import storable
from visavis.study.preferences import CLEARNESS, REASONS
from visavis.study.shape import PER_SHEET, SIDES
from visavis.study.tasks import PREFER

LONGEST_COMMENT = 2000


class BadAnswers(VisavisError):
    """What was sent is no whole answer to the questionnaire."""


@dataclass(frozen=True)
class Answers:
    """What a worker sent for one questionnaire: a side per question, as shown, and what else was asked.

    `clearness` and `reasons` are those of a preference.
    """

    item: str
    sides: tuple[str, ...]
    usefulness: int | None = None
    difficulty: int | None = None
    comment: str = ""
    clearness: int | None = None
    reasons: tuple[str, ...] = ()


def check_sides(task: str, sides: Sequence[Any]) -> tuple[str, ...]:
    """A side for each question of the task. Raises BadAnswers."""
    if task == PREFER and (len(sides) != 1 or sides[0] not in SIDES):
        raise BadAnswers("say which of the two summaries serves a reader better")
    if task != PREFER and (len(sides) != PER_SHEET or any(side not in SIDES for side in sides)):
        raise BadAnswers("answer every question with one of the two groups")
    return tuple(str(side) for side in sides)


def check_preference(clearness: Any, reasons: Sequence[Any]) -> tuple[int, tuple[str, ...]]:
    """How clearly and why, each reason once. Raises BadAnswers."""
    if isinstance(clearness, bool) or not isinstance(clearness, int) or clearness not in CLEARNESS:
        raise BadAnswers(f"say how clearly, from {min(CLEARNESS)} to {max(CLEARNESS)}")
    unknown = [reason for reason in reasons if reason not in REASONS]
    if unknown:
        raise BadAnswers(f"reasons are {', '.join(REASONS)}, not {str(unknown[0])[:50]!r}")
    return int(clearness), tuple(name for name in REASONS if name in reasons)


def read_answers(task: str, sent: dict[str, Any]) -> Answers:
    """An answer as machines send it: questionnaire, answers, and for a preference clearness and reasons.

    Raises BadAnswers.
    """
    item, sides, reasons = sent.get("questionnaire"), sent.get("answers"), sent.get("reasons", [])
    if not isinstance(item, str) or not isinstance(sides, list) or not isinstance(reasons, list):
        raise BadAnswers("the body needs 'unit', 'questionnaire' and the list 'answers'")
    if any(not isinstance(each, str) for each in (*sides, *reasons)):
        raise BadAnswers("answers and reasons are lists of words")
    more: dict[str, Any] = {}
    if task == PREFER:
        more["clearness"], more["reasons"] = check_preference(sent.get("clearness"), reasons)
    return Answers(storable(item), check_sides(task, sides), **more)
