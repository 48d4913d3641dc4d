"""What the templates show: the summary in the words and numbers of the page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from visavis.records import Document, GroupSummary, Pick, Summary
from visavis.report import by_model, facts, markdown
from visavis.report.html import bars, pairs, scatter, volume
from visavis.report.html.bars import Bar, Range
from visavis.report.html.pairs import Matrix
from visavis.report.html.palette import HUES, hue
from visavis.report.html.pictures import thumbnail
from visavis.report.text import (
    day,
    fragments,
    heading,
    iso_date,
    number,
    outlet,
    percent,
    plural,
    shorten,
    snippet,
    web_address,
)
from visavis.report.verdict import ANSWERS, Verdict, outcome, p_value, pair_tests, test_name, verdict
from visavis.shared.text import line

COVERED_SHOWN, NAMED_SHOWN = 8, 20
HELPERS = {
    "percent": percent, "plural": plural, "number": number, "line": line, "hue": hue,
    "NO_TERMS": facts.NO_TERMS, "NO_COMMON": facts.NO_COMMON,
}  # fmt: skip


@dataclass(frozen=True)
class Item:
    """A document as listed."""

    heading: str
    url: str
    outlet: str
    date: str
    iso: str
    pieces: list[tuple[str, bool]]
    picture: str


@dataclass(frozen=True)
class Card:
    """A pick: the document and why it was picked."""

    key: str
    rank: int
    item: Item
    bars: list[Bar]
    versus: list[tuple[str, str, str]]
    contribution: str
    stability: str
    stands_for: str
    covers: str
    covered: list[str]
    more: int
    words: str


@dataclass(frozen=True)
class Column:
    """A group and its cards; `terms` are written, with their share of its documents, and with that of the others."""

    index: int
    key: str
    css: str
    name: str
    n_documents: int
    terms: list[tuple[str, str, str]]
    lacks_terms: bool
    cards: list[Card]
    value: str
    stages: list[tuple[str, str]]


@dataclass(frozen=True)
class Page:
    """Everything the page shows."""

    summary: Summary
    title: str
    overview: str
    verdict: Verdict
    by_model: by_model.ByModel | None
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


def page(summary: Summary, *, charts: bool = True) -> Page:
    """The page of a summary, with its charts or without."""
    drawn = scatter.draw(summary) if charts else None
    timed = volume.draw(summary) if charts else None
    columns = _columns(summary)
    return Page(
        summary=summary,
        title=line(summary.title) or "Comparison",
        overview=facts.overview(summary),
        verdict=verdict(summary),
        by_model=by_model.read(summary),
        accuracy=facts.accuracy(summary),
        scale=_scale(summary),
        tests=_tests(summary),
        pairs=pairs.draw(summary),
        columns=columns,
        common=[_item(document, ()) for document in summary.common],
        volume=timed,
        scatter=drawn,
        curve=_curve(summary),
        set_aside=[_aside(aside.reason, aside.where) for aside in summary.set_aside],
        remarks=facts.remarks(summary),
        parameters=facts.parameters(summary),
        data=_data(summary, columns, drawn, timed) if charts else {},
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


def _columns(summary: Summary) -> list[Column]:
    titles = facts.titles(summary)
    ranges = bars.ranges(summary)
    return [_column(summary, index, group, titles, ranges) for index, group in enumerate(summary.groups)]


def _column(
    summary: Summary, index: int, group: GroupSummary, titles: dict[str, str], ranges: dict[str, Range]
) -> Column:
    key = facts.group_key(index)
    keys = {other.name: facts.group_key(place) for place, other in enumerate(summary.groups)}
    return Column(
        index=index,
        key=key,
        css=f"g{index % len(HUES)}",
        name=line(group.name) or "(unnamed)",
        n_documents=group.n_documents,
        terms=[(line(term.term), percent(term.share), facts.term(term)) for term in group.terms],
        lacks_terms=facts.lacks_terms(group, summary),
        cards=[_card(summary, index, pick, titles, ranges, keys) for pick in group.picks],
        value=number(group.value),
        stages=[(line(stage), number(value)) for stage, value in group.stages.items() if value is not None],
    )


def _card(
    summary: Summary, index: int, pick: Pick, titles: dict[str, str], ranges: dict[str, Range], keys: dict[str, str]
) -> Card:
    group = summary.groups[index]
    others = [name for name in pick.covers if name != pick.document.id]
    covered = [shorten(titles.get(name, name), 160) for name in others[:COVERED_SHOWN]]
    return Card(
        key=f"{facts.group_key(index)}{pick.rank}",
        rank=pick.rank,
        item=_item(pick.document, pick.words),
        bars=bars.bars(pick, group, ranges),
        versus=[(keys.get(name, ""), line(name), number(value)) for name, value in pick.scores.versus.items()],
        contribution=facts.contribution(pick, summary),
        stability=facts.stability(pick, summary),
        stands_for=facts.stands_for(pick, group),
        covers=facts.covers(pick, group),
        covered=covered,
        more=len(others) - len(covered),
        words="\n".join(line(word).casefold() for word in pick.words),
    )


def _item(document: Document, words: Iterable[str]) -> Item:
    return Item(
        heading=heading(document),
        url=web_address(document.url),
        outlet=outlet(document),
        date=day(document.date),
        iso=iso_date(document.date),
        pieces=fragments(snippet(document), tuple(words)),
        picture=thumbnail(document.image),
    )


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
        "map": {"width": scatter.WIDTH, "height": scatter.HEIGHT, **drawn.points} if drawn else None,
        "volume": {"periods": [line(p) for p in timed.periods], "counts": timed.counts} if timed else None,
    }
