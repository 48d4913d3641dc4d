"""The questions a researcher asks at the end."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from visavis.errors import InvalidParameter

MOST_QUESTIONS, MOST_CHOICES, LONGEST_ANSWER = 40, 100, 2000


@dataclass(frozen=True)
class ExitQuestion:
    """A question: with `choices` one of them is chosen, without them a text is written. Leaving it out is allowed."""

    name: str
    text: str
    choices: tuple[str, ...] = ()


def read_exit_questions(record: Mapping[str, Any], place: str) -> tuple[ExitQuestion, ...]:
    """The questions of a file's list `questions`. Raises InvalidParameter, naming the place."""
    listed = record.get("questions")
    if not isinstance(listed, list) or not 1 <= len(listed) <= MOST_QUESTIONS:
        raise InvalidParameter(f"{place}: needs a list `questions` of 1 to {MOST_QUESTIONS}")
    found = tuple(_question(one, f"{place}, question {number}") for number, one in enumerate(listed, 1))
    if len({one.name for one in found}) < len(found):
        raise InvalidParameter(f"{place}: two questions have the same name")
    return found


def _question(record: Any, place: str) -> ExitQuestion:
    if not isinstance(record, Mapping) or not set(record) <= {"name", "text", "choices"}:
        raise InvalidParameter(f"{place}: a question has name, text and, where one is to be chosen, choices")
    name, text, choices = record.get("name"), record.get("text"), record.get("choices", [])
    if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", name):
        raise InvalidParameter(f"{place}: name is a short word of small letters, got {name!r}")
    if not isinstance(text, str) or not text.strip():
        raise InvalidParameter(f"{place}: text is what people are asked, got {text!r}")
    if not isinstance(choices, list) or not all(isinstance(one, str) and one.strip() for one in choices):
        raise InvalidParameter(f"{place}: choices is a list of texts")
    if len(choices) == 1 or len(choices) > MOST_CHOICES or len(set(choices)) < len(choices):
        raise InvalidParameter(f"{place}: choices are 2 to {MOST_CHOICES} different texts, or none")
    return ExitQuestion(name, text, tuple(choices))


def check_exit_answers(questions: tuple[ExitQuestion, ...], written: Mapping[str, str]) -> dict[str, str]:
    """What was answered. Raises ValueError for a choice that is none."""
    found = {}
    for question in questions:
        answer = written.get(question.name, "").strip()[:LONGEST_ANSWER]
        if answer and question.choices and answer not in question.choices:
            raise ValueError(f"{question.name}: {answer!r} is none of the choices")
        if answer:
            found[question.name] = answer
    return found
