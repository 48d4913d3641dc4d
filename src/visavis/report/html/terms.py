"""The words that set groups apart: with their shares and counts, and the documents that hold them."""

from __future__ import annotations

from dataclasses import dataclass

from visavis.records import Document, Summary, Term
from visavis.report import facts, sentences
from visavis.report.text import day, heading, percent, shorten, web_address
from visavis.shared.text import line

MOST_LISTED = 3_000  # documents listed under all words of a page
IN_HEAD, IN_NARROW_HEAD = 5, 3  # words above a group's picks, where there are two groups and where there are more


@dataclass(frozen=True)
class Holder:
    """A document that holds a word; `pick` is its card, if it is a pick."""

    heading: str
    url: str
    byline: str
    pick: str


@dataclass(frozen=True)
class Word:
    """A word or phrase of a group: the id of the place that lists its documents, and how frequent it is."""

    key: str
    term: str
    share: str
    count: str
    said: str
    holders: list[Holder]
    more: int


def in_head(n_groups: int) -> int:
    """How many words stand above a group's picks."""
    return IN_HEAD if n_groups <= 2 else IN_NARROW_HEAD


def words_of(summary: Summary, index: int) -> list[Word]:
    """The words of a group, each with as many of its documents as there is room for."""
    group = summary.groups[index]
    room = MOST_LISTED // max(1, sum(len(other.terms) for other in summary.groups))
    picks = {pick.document.id: facts.pick_key(index, pick) for pick in group.picks}
    return [_word(facts.word_key(index, place), term, picks, room) for place, term in enumerate(group.terms)]


def _word(key: str, term: Term, picks: dict[str, str], room: int) -> Word:
    shown = [_holder(document, picks) for document in term.holders[:room]]
    return Word(
        key=key,
        term=line(term.term),
        share=percent(term.share),
        count=f"{term.documents:,}",
        said=sentences.term(term),
        holders=shown,
        more=term.documents - len(shown) if shown else 0,
    )


def _holder(document: Document, picks: dict[str, str]) -> Holder:
    return Holder(
        heading=shorten(heading(document), 160),
        url=web_address(document.url),
        byline=facts.byline(document, day(document.date)),
        pick=picks.get(document.id, ""),
    )
