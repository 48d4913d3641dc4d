"""How typical, distinct and varied a pick is, as bars."""

from __future__ import annotations

from dataclasses import dataclass

from visavis.records import GroupSummary, Pick, Summary
from visavis.report import facts
from visavis.report.text import number
from visavis.shared.text import line

Range = tuple[float, float]


@dataclass(frozen=True)
class Bar:
    """A score among its group's documents, or among all picks: from `start`, `length` long, in hundredths.

    0 lies at `zero`.
    """

    label: str
    about: str
    value: str
    start: float
    length: float
    zero: float


def _scores(pick: Pick) -> dict[str, float | None]:
    scores = pick.scores
    return {"coverage": scores.coverage, "discrimination": scores.discrimination, "diversity": scores.diversity}


def ranges(summary: Summary) -> dict[str, Range]:
    """The lowest and highest value of each score over all picks, 0 among them."""
    picks = [pick for group in summary.groups for pick in group.picks]
    found = {}
    for score in ("coverage", "discrimination", "diversity"):
        values = [value for value in (_scores(pick)[score] for pick in picks) if facts.is_known(value)]
        found[score] = (min(0.0, *values), max(0.0, *values)) if values else (0.0, 0.0)
    return found


def bars(pick: Pick, group: GroupSummary, scale: dict[str, Range]) -> list[Bar]:
    """Percentiles where they are known; other scores on the scale of all picks."""
    labels = {"coverage": "Typical", "discrimination": "Distinct", "diversity": "Varied"}
    ranks = {"coverage": pick.scores.typical, "discrimination": pick.scores.distinct, "diversity": None}
    found = []
    for score, value in _scores(pick).items():
        label, place = labels[score], ranks[score]
        if not facts.is_known(value):
            continue
        if facts.is_known(place):
            about = f"{score} {number(value)}: more {label.lower()} than {facts.rank(place)} of {line(group.name)}"
            found.append(Bar(label, about, facts.rank(place), 0.0, round(place, 2), 0.0))
            continue
        low, high = scale[score]
        extent = (high - low) or 1.0
        start, end = sorted(((0 - low) / extent, (value - low) / extent))
        zero = round(100 * -low / extent, 2)
        about = f"{score} {number(value)}"
        found.append(Bar(label, about, number(value), round(100 * start, 2), round(100 * (end - start), 2), zero))
    return found
