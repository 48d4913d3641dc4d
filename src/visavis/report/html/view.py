"""What the templates show: the summary in the words and numbers of the page."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from visavis.records import Document, GroupSummary, Pick, Summary
from visavis.report import facts, markdown
from visavis.report.html import scatter, volume
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
from visavis.shared.text import line

COVERED_SHOWN, NAMED_SHOWN = 8, 20
HELPERS = {
    "percent": percent, "plural": plural, "number": number, "line": line, "hue": hue,
    "NO_TERMS": facts.NO_TERMS, "NO_COMMON": facts.NO_COMMON,
}  # fmt: skip

Range = tuple[float, float]


@dataclass(frozen=True)
class Bar:
    """A score on the scale of all picks: from `start`, `length` long, in hundredths; `zero` where 0 lies."""

    label: str
    term: str
    value: str
    start: float
    length: float
    zero: float


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
    verdict: facts.Verdict
    accuracy: str
    scale: list[tuple[str, str, float]]
    tests: list[tuple[str, str, str, bool]]
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
        verdict=facts.verdict(summary),
        accuracy=facts.accuracy(summary),
        scale=_scale(summary),
        tests=_tests(summary),
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


def _tests(summary: Summary) -> list[tuple[str, str, str, bool]]:
    """Name, distance, p and whether it is small; the first test, by which the verdict goes, is not corrected."""
    ps = [test.adjusted if place else test.p_value for place, test in enumerate(summary.test)]
    return [
        (facts.test_name(test), number(test.mmd2), facts.p_value(p), p < facts.ALPHA)
        for test, p in zip(summary.test, ps, strict=True)
    ]


def _columns(summary: Summary) -> list[Column]:
    titles = facts.titles(summary)
    ranges = _ranges(summary)
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
        cards=[_card(summary, key, pick, titles, ranges, keys) for pick in group.picks],
        value=number(group.value),
        stages=[(line(stage), number(value)) for stage, value in group.stages.items() if value is not None],
    )


def _card(
    summary: Summary, key: str, pick: Pick, titles: dict[str, str], ranges: dict[str, Range], keys: dict[str, str]
) -> Card:
    others = [name for name in pick.covers if name != pick.document.id]
    covered = [shorten(titles.get(name, name), 160) for name in others[:COVERED_SHOWN]]
    return Card(
        key=f"{key}{pick.rank}",
        rank=pick.rank,
        item=_item(pick.document, pick.words),
        bars=_bars(pick, ranges),
        versus=[(keys.get(name, ""), line(name), number(value)) for name, value in pick.scores.versus.items()],
        contribution=facts.contribution(pick, summary),
        stability=facts.stability(pick, summary),
        stands_for=facts.stands_for(pick),
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


def _scores(pick: Pick) -> dict[str, float | None]:
    scores = pick.scores
    return {"coverage": scores.coverage, "discrimination": scores.discrimination, "diversity": scores.diversity}


def _known(value: float | None) -> bool:
    return value is not None and math.isfinite(value)


def _ranges(summary: Summary) -> dict[str, Range]:
    """The lowest and highest value of each score over all picks, 0 among them."""
    picks = [pick for group in summary.groups for pick in group.picks]
    ranges = {}
    for score in ("coverage", "discrimination", "diversity"):
        values = [value for value in (_scores(pick)[score] for pick in picks) if value is not None and _known(value)]
        ranges[score] = (min(values, default=0.0), max(values, default=0.0))
        ranges[score] = (min(0.0, ranges[score][0]), max(0.0, ranges[score][1]))
    return ranges


def _bars(pick: Pick, ranges: dict[str, Range]) -> list[Bar]:
    labels = {"coverage": "Typical", "discrimination": "Distinct", "diversity": "Varied"}
    bars = []
    for score, value in _scores(pick).items():
        if value is None or not _known(value):
            continue
        low, high = ranges[score]
        extent = (high - low) or 1.0
        start, end = sorted(((0 - low) / extent, (value - low) / extent))
        zero = round(100 * -low / extent, 2)
        bars.append(
            Bar(labels[score], score, number(value), round(100 * start, 2), round(100 * (end - start), 2), zero)
        )
    return bars


def _scale(summary: Summary) -> list[tuple[str, str, float]]:
    """Guessing, the picks, every document: label, value, and place in hundredths."""
    if not facts.accuracy(summary) or summary.accuracy is None:
        return []
    found = [("guessing", facts.guess(summary)), ("from the picks", summary.accuracy)]
    if summary.ceiling is not None and _known(summary.ceiling):
        found.append(("from every document", summary.ceiling))
    return [(label, percent(value), round(100 * min(max(value, 0.0), 1.0), 1)) for label, value in found]


def _curve(summary: Summary) -> list[tuple[int, str, float, bool]]:
    """Size, value, length of its bar, and whether it is the size at hand."""
    most = max((value for _, value in summary.size_curve if _known(value)), default=1.0)
    size = max((len(group.picks) for group in summary.groups), default=0)
    return [
        (picks, percent(value), round(100 * max(0.0, value) / max(most, 1.0), 1), picks == size)
        for picks, value in summary.size_curve
        if _known(value)
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
