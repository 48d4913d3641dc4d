"""What the templates show: the summary in the words and numbers of the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from visavis.records import Summary
from visavis.report import by_model, changes, facts, markdown, sentences
from visavis.report.differences import Differences, differences
from visavis.report.html import cards, live, pairs, scatter, terms, volume
from visavis.report.html.cards import Column, Item
from visavis.report.html.pairs import Matrix
from visavis.report.text import number, percent, plural, shorten
from visavis.report.verdict import ANSWERS, Verdict, outcome, p_value, pair_tests, test_name, verdict
from visavis.shared.text import direction, line

NAMED_SHOWN = 20
LONGEST_TITLE = 170  # characters; the rest of a title can be unfolded
LINES_SHOWN = 24  # groups whose lines stand under the verdict; those of the others are folded away
HELPERS = {
    "plural": plural, "line": line, "shorten": shorten, "direction": direction, "in_head": terms.in_head,
    "LONGEST_TITLE": LONGEST_TITLE, "LINES_SHOWN": LINES_SHOWN, "SHAPES": scatter.SHAPES,
    "NO_TERMS": sentences.NO_TERMS, "GAPS": sentences.GAPS, "NO_COMMON": sentences.NO_COMMON,
}  # fmt: skip

Range = tuple[float, float]


@dataclass(frozen=True)
class Page:
    """Everything the page shows."""

    summary: Summary
    title: str
    overview: str
    asked: str
    verdict: Verdict
    differences: Differences
    by_model: by_model.ByModel | None
    changes: changes.Told | None
    accuracy: str
    scale: list[tuple[str, str, float, Range | None]]
    tests: list[tuple[str, str, str, str]]
    pairs: Matrix | None
    columns: list[Column]
    common: list[Item]
    volume: volume.Volume | None
    scatter: scatter.Scatter | None
    curve: list[tuple[int, str, float, bool]]
    set_aside: list[tuple[str, int, list[str], int]]
    remarks: list[str]
    parameters: list[tuple[str, str]]
    data: dict[str, Any]
    live: dict[str, Any] | None

    @property
    def has_words(self) -> bool:
        """Whether any group has words that set it apart."""
        return any(column.words for column in self.columns)

    @property
    def figures(self) -> bool:
        """Whether there is more to tell of the tests than the verdict does."""
        return bool(self.accuracy or self.pairs or len(self.tests) > 1)


def page(summary: Summary, *, charts: bool = True) -> Page:
    """The page of a summary, with its charts or without."""
    drawn = scatter.draw(summary) if charts else None
    timed = volume.draw(summary) if charts else None
    columns = cards.columns(summary)
    return Page(
        summary=summary,
        title=line(summary.title) or "Comparison",
        overview=sentences.overview(summary),
        asked=sentences.asked(summary),
        verdict=verdict(summary),
        differences=differences(summary),
        by_model=by_model.read(summary),
        changes=changes.read(summary),
        accuracy=sentences.accuracy(summary),
        scale=_scale(summary),
        tests=_tests(summary),
        pairs=pairs.draw(summary),
        columns=columns,
        common=[cards.item(document) for document in summary.common],
        volume=timed,
        scatter=drawn,
        curve=_curve(summary),
        set_aside=[_aside(aside.reason, aside.where) for aside in summary.set_aside],
        remarks=sentences.remarks(summary),
        parameters=facts.parameters(summary),
        data=_data(summary, columns, drawn, timed) if charts else {},
        live=live.as_record(summary.shortlist) if charts and summary.shortlist else None,
    )


def rules(shown: Page) -> str:
    """Style rules that depend on the summary: in how many rows the groups' cards line up."""
    most = max((len(column.cards) for column in shown.columns), default=0)
    return f".column{{grid-row:span {most + 1}}}"


def _tests(summary: Summary) -> list[tuple[str, str, str, str]]:
    """Name, distance, p and the answer; the first test, by which the verdict goes, is not corrected.

    Pairs are left out where they have a picture of their own.
    """
    drawn = pair_tests(summary) if pairs.fits(summary) else ()
    found = []
    for place, test in enumerate(summary.test):
        if test not in drawn:
            p = test.adjusted if place else test.p_value
            said = ANSWERS[outcome(test, corrected=place > 0)]
            found.append((test_name(test), number(test.mmd2), p_value(p), said))
    return found


def _scale(summary: Summary) -> list[tuple[str, str, float, Range | None]]:
    """Guessing, the picks, every document: label, value, place and interval in hundredths."""
    if not facts.is_known(summary.accuracy):
        return []
    found = [("guessing", facts.guess(summary), None), ("from the picks", summary.accuracy, summary.accuracy_interval)]
    if facts.is_known(summary.ceiling):
        found.append(("from every document", summary.ceiling, summary.ceiling_interval))
    return [
        (label, facts.with_interval(value, interval), _hundredths(value), _span(interval))
        for label, value, interval in found
    ]


def _span(interval: Range | None) -> Range | None:
    return None if interval is None else (_hundredths(interval[0]), _hundredths(interval[1]))


def _hundredths(value: float) -> float:
    return round(100 * min(max(value, 0.0), 1.0), 1)


def _curve(summary: Summary) -> list[tuple[int, str, float, bool]]:
    """Size, value, length of its bar, and whether it is the size at hand."""
    most = max((value for _, value in summary.size_curve if facts.is_known(value)), default=1.0)
    size = max((len(group.picks) for group in summary.groups), default=0)
    return [
        (picks, percent(value), round(100 * max(0.0, value) / max(most, 1.0), 1), picks == size)
        for picks, value in summary.size_curve
        if facts.is_known(value)
    ]


def _aside(reason: str, where: tuple[str, ...]) -> tuple[str, int, list[str], int]:
    shown = [shorten(name, 120) for name in where[:NAMED_SHOWN]]
    return line(reason), len(where), shown, len(where) - len(shown)


def _data(
    summary: Summary, columns: list[Column], drawn: scatter.Scatter | None, timed: volume.Volume | None
) -> dict[str, Any]:
    """What the script needs: Markdown to copy, the map's points, the volumes."""
    return {
        "all": markdown.render(summary),
        "picks": {
            card.key: markdown.pick_line(pick.document)
            for column, group in zip(columns, summary.groups, strict=True)
            for card, pick in zip(column.cards, group.picks, strict=True)
        },
        "groups": [f"{column.key} {shorten(column.name, 80)}" for column in columns],
        "map": {"width": scatter.WIDTH, **drawn.points} if drawn else None,
        "volume": {"periods": [line(p) for p in timed.periods], "counts": timed.counts} if timed else None,
    }
