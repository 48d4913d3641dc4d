"""The shape of a study's work, as the paper has it."""

from __future__ import annotations

PER_SHEET = 3  # questions of a questionnaire
PER_UNIT = 3  # questionnaires of a unit, next to one gold
FEWEST_GOLDS = 8  # two for the quiz, six for the rule judged at 18 golds
QUIZ_GOLDS = 2
SIDES = ("left", "right")
OTHER = {"left": "right", "right": "left"}
