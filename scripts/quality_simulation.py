"""How the study's quality control treats workers of known accuracy: the table in docs/study.md.

Run it to print the table; with --write it is put into the page between its markers. Every worker answers golds by
chance with their accuracy; the decisions are those of the program itself.
"""

from __future__ import annotations

import numpy as np

from visavis.study.fieldwork import quality
from visavis.study.tasks import RULES, SORT

BEGIN, END = "<!-- quality table: scripts/quality_simulation.py --write -->", "<!-- end of the quality table -->"
ACCURACIES = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95)
RUNS = 20_000
RULE = RULES[SORT]
PER_QUIZ = RULE.quiz_golds * RULE.questions


def fate(answers: list[bool]) -> tuple[int, bool]:
    """A worker who stays until 18 golds are answered: quizzes taken, and whether they stay at the end."""
    for attempt in range(1, RULE.attempts + 1):
        right = sum(answers[(attempt - 1) * PER_QUIZ : attempt * PER_QUIZ])
        what = quality.judge_quiz(right, attempt, RULE).what
        if what == "go on":
            verdict = quality.judge_golds(answers, RULE)
            return attempt, verdict.what == "go on"
        if what == "failed":
            return attempt, False
    return RULE.attempts, False


def row(accuracy: float, runs: int = RUNS, seed: int = 0) -> tuple[float, float, float]:
    """Shares of workers of this accuracy: through the first quiz, through any quiz, and there after 18 golds."""
    rng = np.random.default_rng([seed, round(1000 * accuracy)])
    draws = rng.random((runs, RULE.rule_at)) < accuracy
    first = any_quiz = stayed = 0
    for answers in draws.tolist():
        attempts, stays = fate(answers)
        passed = sum(answers[(attempts - 1) * PER_QUIZ : attempts * PER_QUIZ]) >= RULE.quiz_pass
        first += passed and attempts == 1
        any_quiz += passed
        stayed += stays
    return first / runs, any_quiz / runs, stayed / runs


def table() -> str:
    """The table in Markdown."""
    lines = [
        "| a worker's accuracy | passes the first quiz | passes one of three | stays after 18 golds | goes |",
        "|---|---|---|---|---|",
    ]
    for accuracy in ACCURACIES:
        first, passed, stayed = row(accuracy)
        cells = [f"{100 * accuracy:.0f} %", *(f"{100 * value:.1f} %" for value in (first, passed, stayed, 1 - stayed))]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    from tables import tell_table

    tell_table(__doc__, table, BEGIN, END)
