"""How typical, distinct and varied a pick is, as bars: each a place among others, so that picks can be told apart."""

from __future__ import annotations

from dataclasses import dataclass

from visavis.records import GroupSummary, Pick, Summary
from visavis.report import facts
from visavis.report.text import number

LABELS = {"coverage": "Typical", "discrimination": "Distinct", "diversity": "Varied"}


@dataclass(frozen=True)
class Bar:
    """A score's place among those of its group's documents, or among those of all picks; `length` in hundredths."""

    label: str
    about: str
    value: str
    raw: str
    length: float


def _scores(pick: Pick) -> dict[str, float | None]:
    scores = pick.scores
    return {"coverage": scores.coverage, "discrimination": scores.discrimination, "diversity": scores.diversity}


def known_scores(summary: Summary) -> dict[str, list[float]]:
    """Each score of all picks, as far as known."""
    every = [_scores(pick) for group in summary.groups for pick in group.picks]
    return {score: [value for one in every if facts.is_known(value := one[score])] for score in LABELS}


def bars(pick: Pick, group: GroupSummary, known: dict[str, list[float]]) -> list[Bar]:
    """Percentiles among the group's documents where they are known; else the place among all picks."""
    ranks = {"coverage": pick.scores.typical, "discrimination": pick.scores.distinct, "diversity": None}
    found = []
    for score, value in _scores(pick).items():
        label, rank, others = LABELS[score], ranks[score], len(known[score]) - 1
        if not facts.is_known(value):
            continue
        if facts.is_known(rank):
            about = (
                f"more {label.lower()} than {facts.rank(rank)} of {facts.group_name(group)} ({score} {number(value)})"
            )
            found.append(Bar(label, about, facts.rank(rank), number(value), round(rank, 2)))
        elif others > 0:
            less = sum(other < value for other in known[score])
            about = f"more {label.lower()} than {less} of the {others} other picks here ({score} {number(value)})"
            found.append(Bar(label, about, f"{less} of {others}", number(value), round(100 * less / others, 2)))
    return found
