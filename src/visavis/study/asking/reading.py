"""What a model answered, read as a stranger's text: the strict form, or a reason why it is not used."""

from __future__ import annotations

import json
from typing import Any

from visavis.errors import Unanswered
from visavis.study.preferences import CLEARNESS, REASONS

SIDES = {"A": "left", "B": "right", "X": "left", "Y": "right"}


def read_answer(task: str, said: str, questions: int) -> dict[str, Any]:
    """The answer in the form that the study's interface takes. Raises Unanswered where it is in no such form.

    Words around the JSON object are passed over: many models cannot leave them out.
    """
    try:
        answer = json.loads(said[said.find("{") : said.rfind("}") + 1])
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise Unanswered("the model's answer holds no JSON object")
    return _sides(answer, questions) if task == "sort" else _preference(answer)


def _sides(answer: dict[str, Any], questions: int) -> dict[str, Any]:
    letters = answer.get("answers")
    if (
        not isinstance(letters, list)
        or len(letters) != questions
        or any(not isinstance(one, str) or one not in ("A", "B") for one in letters)
    ):
        raise Unanswered(f"the model's answer is not {questions} letters, A or B")
    return {"answers": [SIDES[letter] for letter in letters]}


def _preference(answer: dict[str, Any]) -> dict[str, Any]:
    choice, clearness, reasons = answer.get("choice"), answer.get("clearness"), answer.get("reasons")
    if not isinstance(choice, str) or choice not in ("X", "Y"):
        raise Unanswered("the model's answer chooses neither X nor Y")
    if not isinstance(clearness, int) or isinstance(clearness, bool) or clearness not in CLEARNESS:
        raise Unanswered(f"the model's answer has no clearness from {min(CLEARNESS)} to {max(CLEARNESS)}")
    given = reasons if isinstance(reasons, list) else []
    known = [name for name in REASONS if name in given]
    return {"answers": [SIDES[choice]], "clearness": clearness, "reasons": known}
