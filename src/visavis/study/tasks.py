"""The two tasks of a study: sort articles into groups, as in the paper, or prefer one of two summaries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from visavis.study.shape import FEWEST_GOLDS, PER_SHEET, QUIZ_GOLDS

SORT, PREFER = "sort", "prefer"
TASKS = (SORT, PREFER)


@dataclass(frozen=True)
class Rules:
    """By which golds workers are judged: a quiz of so many golds, passed with so many questions right, and one rule.

    The quiz may be taken `attempts` times. The rule is judged once, when `rule_at` gold questions are answered: fewer
    than `rule_pass` right excludes the worker.
    """

    questions: int  # of a gold
    quiz_golds: int
    quiz_pass: int
    attempts: int
    rule_at: int
    rule_pass: int
    fewest_golds: int

    def golds_needed(self, *, few: bool) -> int:
        """How many golds must be in use before people are asked; where `few` suffice, enough for a quiz and a unit."""
        return self.quiz_golds + 1 if few else self.fewest_golds


RULES = {
    SORT: Rules(PER_SHEET, QUIZ_GOLDS, 5, 3, 18, 13, FEWEST_GOLDS),
    PREFER: Rules(1, 3, 3, 3, 12, 9, 12),
}


OF_A_MACHINE = {SORT: 1, PREFER: 2}  # answers to every cell: to prefer in both orders, as models favor a side


def rules_of(facts: Mapping[str, Any]) -> Rules:
    """The rules of a study, by its task."""
    return RULES[facts["task"]]


def cell_methods(facts: Mapping[str, Any]) -> tuple[str, ...]:
    """What a questionnaire is asked under: each method; a comparison has its methods in itself, and is asked once."""
    return ("",) if facts["task"] == PREFER else tuple(facts["methods"])
