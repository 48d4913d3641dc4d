"""The picks as cards, group by group: the document, why it was picked, and its whole text within limits."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from visavis.records import Document, Pick, Summary
from visavis.report import changes, facts, sentences
from visavis.report.bars import Bar, bars, known_scores
from visavis.report.html.palette import hues
from visavis.report.html.pictures import thumbnail
from visavis.report.html.terms import Word, words_of
from visavis.report.text import day, fragments, heading, iso_date, number, outlet, plural, shorten, snippet, web_address
from visavis.report.why import from_one_source, why
from visavis.shared.text import clean, line
from visavis.shared.unspaced import count_words

COVERED_SHOWN = 8
WHOLE_TEXTS, WHOLE_TEXT = 500_000, 60_000  # characters that may be unfolded on one page, and of one pick

Pieces = list[tuple[str, bool]]

_PARAGRAPHS = re.compile(r"\n\s*\n|\n")


@dataclass(frozen=True)
class Item:
    """A document as listed."""

    heading: str
    url: str
    outlet: str
    date: str
    iso: str
    pieces: Pieces
    picture: str


@dataclass(frozen=True)
class Card:
    """A pick: the document and why it was picked; `whole` is its text by paragraphs, `cut` what of it is missing.

    `mark` says whether it was kept or is new since an earlier summary, if there was one.
    """

    key: str
    rank: int
    item: Item
    whole: list[Pieces]
    cut: str
    bars: list[Bar]
    why: list[str]
    scores: str
    versus: list[tuple[str, str, str]]
    contribution: str
    stability: str
    stands_for: str
    covers: str
    covered: list[str]
    more: int
    mark: str


@dataclass(frozen=True)
class Column:
    """A group and its cards."""

    index: int
    key: str
    css: str
    color: str
    name: str
    n_documents: int
    words: list[Word]
    lacks_terms: bool
    only_gaps: bool
    from_one_source: str
    cards: list[Card]
    value: str
    stages: list[tuple[str, str]]


def columns(summary: Summary) -> list[Column]:
    """All groups with their cards."""
    titles, known, colors = facts.titles(summary, _covered(summary)), known_scores(summary), hues(summary)
    room = min(WHOLE_TEXT, WHOLE_TEXTS // max(1, sum(len(group.picks) for group in summary.groups)))
    return [
        Column(
            index=index,
            key=facts.group_key(index),
            css=f"g{index}",
            color=colors[index].light,
            name=facts.group_name(group),
            n_documents=group.n_documents,
            words=words_of(summary, index),
            lacks_terms=facts.lacks_terms(group, summary),
            only_gaps=facts.only_gaps(group),
            from_one_source=from_one_source(group),
            cards=[_card(summary, index, pick, titles, known, room) for pick in group.picks],
            value=number(group.value),
            stages=[(line(stage), number(value)) for stage, value in group.stages.items() if value is not None],
        )
        for index, group in enumerate(summary.groups)
    ]


def _card(
    summary: Summary, index: int, pick: Pick, titles: dict[str, str], known: dict[str, list[float]], room: int
) -> Card:
    group = summary.groups[index]
    others = _others(pick)
    covered = [shorten(titles.get(name, name), 160) for name in others]
    whole, cut = _whole(pick, room)
    return Card(
        key=facts.pick_key(index, pick),
        rank=pick.rank,
        item=item(pick.document, pick.words),
        whole=whole,
        cut=cut,
        bars=bars(pick, group, known),
        why=why(pick, group, summary),
        scores=sentences.raw_scores(pick),
        versus=_versus(pick, summary),
        contribution=sentences.contribution(pick),
        stability=sentences.stability(pick, summary),
        stands_for=sentences.stands_for(pick, group),
        covers=sentences.covers(pick, group),
        covered=covered,
        more=len(pick.covers) - (pick.document.id in pick.covers) - len(covered),
        mark=changes.mark(summary, group.name, pick),
    )


def _others(pick: Pick) -> list[str]:
    """A few of the documents that a pick stands for, besides itself."""
    return [name for name in pick.covers[: COVERED_SHOWN + 1] if name != pick.document.id][:COVERED_SHOWN]


def _covered(summary: Summary) -> set[str]:
    """The documents that are named under the picks that stand for them."""
    return {name for group in summary.groups for pick in group.picks for name in _others(pick)}


def _versus(pick: Pick, summary: Summary) -> list[tuple[str, str, str]]:
    named = {group.name: (facts.group_key(at), facts.group_name(group)) for at, group in enumerate(summary.groups)}
    return [(*named.get(name, ("", line(name))), number(value)) for name, value in pick.scores.versus.items()]


def _whole(pick: Pick, room: int) -> tuple[list[Pieces], str]:
    """The whole text by paragraphs, unless the card shows it all anyway; cut where it would take too much room."""
    if not pick.document.opening and not snippet(pick.document).endswith("…"):
        return [], ""
    text = clean(pick.document.text).strip()
    space = text.rfind(" ", room // 2, room)
    shown = text if len(text) <= room else text[: space if space > 0 else room]
    paragraphs = [part.strip() for part in _PARAGRAPHS.split(shown) if part.strip()]
    left = plural(max(1, count_words(text) - count_words(shown)), "word")
    cut = f"and {left} more, which would make this page too large" if len(shown) < len(text) else ""
    return [fragments(part, pick.words) for part in paragraphs], cut


def item(document: Document, words: Iterable[str] = (), *, picture: bool = True) -> Item:
    """A document as a card or a list shows it, with its picture or without."""
    return Item(
        heading=heading(document),
        url=web_address(document.url),
        outlet=outlet(document),
        date=day(document.date),
        iso=iso_date(document.date),
        pieces=fragments(snippet(document), tuple(words)),
        picture=thumbnail(document.image) if picture else "",
    )
