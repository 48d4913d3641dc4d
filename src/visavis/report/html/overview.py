"""The page that leads to several comparisons: a row for each, with its verdict, first picks and words, and a curve."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from visavis.errors import VisavisError
from visavis.records import GroupSummary, Summary
from visavis.report import facts
from visavis.report.html.palette import Hue, hue_of, shared_colors
from visavis.report.periods import said
from visavis.report.text import day, heading, listed, percent, plural, shorten
from visavis.report.verdict import DIFFER, NOT_SHOWN, UNDECIDED, p_value, verdict
from visavis.shared.periods import LABELS, read_label
from visavis.shared.text import isolate, line

PICKS, WORDS = 2, 3  # shown of each group
HEADING = 110  # characters of a pick's
MOST_LISTED = 8
FEWEST_DOTS = 3
ANSWERS = {DIFFER: "differ", NOT_SHOWN: "could be chance", UNDECIDED: "not decided", None: "not tested"}


@dataclass(frozen=True)
class Found:
    """A value of the facet, and its comparison with the file that holds it; or why there is none."""

    value: str
    result: Summary | VisavisError
    file: str = ""


@dataclass(frozen=True)
class Cell:
    """A group of a comparison: its words and its first picks, each with its address."""

    css: str
    name: str
    n_documents: int
    words: list[str]
    picks: list[tuple[str, str, str]]
    more: int


@dataclass(frozen=True)
class Row:
    """One comparison, and the file that holds it."""

    key: str
    value: str
    file: str
    outcome: str
    answer: str
    figures: list[str]
    cells: list[Cell]


@dataclass(frozen=True)
class Dot:
    """How well the picks of a row tell groups apart: heights in hundredths from the top; `joined` to the one before."""

    row: Row
    value: str
    y: float
    low: float
    high: float
    guess: float
    joined: bool


@dataclass(frozen=True)
class Index:
    """Everything the page shows; `failed` are the values that could not be compared, each with the reason."""

    title: str
    lead: str
    rows: list[Row]
    failed: list[tuple[str, str]]
    dots: list[Dot]
    hues: list[Hue]


def index(found: Sequence[Found], by: str) -> Index:
    """The page of these comparisons, which were told apart by a column or period."""
    colors = shared_colors(_summaries(found))
    names, hues = list(colors), [hue_of(color) for color in colors.values()]
    rows = {
        one.value: _row(number, one.value, one.file, one.result, names)
        for number, one in enumerate(found, 1)
        if isinstance(one.result, Summary)
    }
    failed = [(_said(one.value), line(str(one.result))) for one in found if one.value not in rows]
    return Index(_title(found, by), _lead(found), list(rows.values()), failed, _dots(found, rows), hues)


def _said(value: str) -> str:
    return isolate(said(value)) or "(blank)"


def _summaries(found: Sequence[Found]) -> list[Summary]:
    return [one.result for one in found if isinstance(one.result, Summary)]


def _title(found: Sequence[Found], by: str) -> str:
    """What the titles of all comparisons have in common, and what tells them apart."""
    titles = [re.split("[,:] ", line(summary.title)) for summary in _summaries(found)]
    alike = takewhile(lambda parts: len(set(parts)) == 1, zip(*titles, strict=False))
    common = ", ".join(parts[0] for parts in alike)
    told = facts.compared_by(by)
    each = f"{told} by {told}" if told in LABELS and all(read_label(one.value) for one in found) else f"by {told}"
    return f"{common.strip(' ,:')}: {each}" if common.strip(" ,:") else f"Comparisons {each if told else ''}".strip()


def _lead(found: Sequence[Found]) -> str:
    """In how many the groups differ, and what that is worth."""
    outcomes = [(said(one.value), verdict(one.result).outcome) for one in found if isinstance(one.result, Summary)]
    n, failed = len(outcomes), len(found) - len(outcomes)
    differ = [value for value, outcome in outcomes if outcome == DIFFER]
    named = f" ({listed(differ)})" if 0 < len(differ) <= MOST_LISTED and len(differ) < n else ""
    count = "all" if len(differ) == n > 1 else len(differ) or "none"
    said_first = f"The groups differ in {count} of {plural(n, 'comparison')}{named}"
    other = [
        f"in {count} {words}"
        for count, words in (
            (sum(outcome == NOT_SHOWN for _, outcome in outcomes), "it could be chance"),
            (sum(outcome == UNDECIDED for _, outcome in outcomes), "nothing can be decided"),
        )
        if count
    ]
    lead = "; ".join([said_first, *other]) + "."
    if failed:
        lead += f" {plural(failed, 'value')} could not be compared."
    return lead + (" Each is tested on its own: where nothing differs, 1 in 20 would still seem to." if n > 1 else "")


def _row(number: int, value: str, file: str, summary: Summary, names: list[str]) -> Row:
    outcome = verdict(summary).outcome
    cells = [_cell(file, place, group, names) for place, group in enumerate(summary.groups)]
    css = (outcome or "untested").replace(" ", "-")
    return Row(f"f{number}", _said(value), file, css, ANSWERS[outcome], _figures(summary), cells)


def _figures(summary: Summary) -> list[str]:
    """Documents, p and accuracy, as far as known."""
    parts = [plural(summary.n_documents, "document")]
    if summary.test and summary.test[0].p_value is not None:
        parts.append(p_value(summary.test[0].p_value))
    if facts.is_known(summary.accuracy):
        parts.append(f"{percent(summary.accuracy)} told apart (guessing {percent(facts.guess(summary))})")
    return parts


def _cell(file: str, place: int, group: GroupSummary, names: list[str]) -> Cell:
    picks = [
        (
            shorten(heading(pick.document), HEADING),
            f"{file}#pick-{facts.pick_key(place, pick)}",
            facts.byline(pick.document, day(pick.document.date), known=group.name),
        )
        for pick in group.picks[:PICKS]
    ]
    words = [isolate(line(term.term)) for term in group.terms[:WORDS] if term.telling]
    css = f"g{names.index(group.name)}"
    return Cell(css, facts.group_name(group), group.n_documents, words, picks, len(group.picks) - len(picks))


def _dots(found: Sequence[Found], rows: dict[str, Row]) -> list[Dot]:
    """The accuracies on one scale, with their intervals and what guessing would do; empty where there are few.

    Those of periods are joined, unless one between them is not known.
    """
    known = [_reached(one.result) for one in found]
    there = [reached for reached in known if reached is not None]
    if len(there) < FEWEST_DOTS:
        return []
    bottom, top = min(min(reached) for reached in there) - 0.02, max(max(reached) for reached in there) + 0.02

    def height(value: float) -> float:
        return round(100 * (top - value) / (top - bottom), 1)

    in_order = all(read_label(one.value) is not None for one in found)
    dots = []
    for place, (one, reached) in enumerate(zip(found, known, strict=True)):
        if reached is not None:
            joined = in_order and place > 0 and known[place - 1] is not None
            y, low, high, guess = map(height, reached)
            dots.append(Dot(rows[one.value], percent(reached[0]), y, low, high, guess, joined))
    return dots


def _reached(result: Summary | VisavisError) -> tuple[float, float, float, float] | None:
    """Accuracy, both ends of its interval, and what guessing would do; None where it is not known."""
    if isinstance(result, VisavisError) or not facts.is_known(result.accuracy):
        return None
    low, high = result.accuracy_interval or (result.accuracy, result.accuracy)
    return result.accuracy, low, high, facts.guess(result)
