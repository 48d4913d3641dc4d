"""Notices: what is no part of a story by its very form, such as contacts, datelines, credits, invitations to subscribe.

How they begin and end is data, one file a language in `data/notices`; the rules here hold for all of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files

MOST_SENTENCE_WORDS = 25  # of a notice among other sentences
MOST_LINE_WORDS = 60  # of a notice on a line of its own: captions are long
MOST_CONTACT_WORDS = 14  # of a line with a telephone number, an address or a date
DATELINE_CHARACTERS = 120  # in which a dateline is sought

_CONTACT = re.compile(r"[\w.]@[a-z]|(?<![\d/])\d{3}[-.) ]{1,2}\d{3}[-.]\d{4}(?!\d)")
_NAME = r"[A-Z][\w.'-]*(?: [A-Z][\w.'-]*){1,3}"
_BYLINE = re.compile(rf"[Bb][Yy] {_NAME}(?:,? (?:and|&) {_NAME})?\W*$")
_CITY = r"[A-Z][A-Z.' /-]{2,30}(?:, (?:D\.?C\.?|[A-Z][\w.]{1,14}))?(?:, [A-Z][a-z]{2,8}\.? \d{1,2})?"
_AROUND = " :*.|-"  # what may stand around a line that is a notice
_DASH = r"(?:-{1,2}|[–—])"


@cache
def word_lists() -> dict[str, tuple[str, ...]]:
    """The lists of all languages, by their names."""
    lists: dict[str, tuple[str, ...]] = {}
    for path in sorted(files("visavis.corpus").joinpath("data/notices").iterdir(), key=lambda path: path.name):
        for name, words in json.loads(path.read_text(encoding="utf-8")).items():
            lists[name] = (*lists.get(name, ()), *words)
    return lists


@cache
def _date_line() -> re.Pattern[str]:
    """A line of nothing but a date, with a city before it perhaps."""
    days, months = "|".join(word_lists()["days"]), "|".join(word_lists()["months"])
    return re.compile(rf"(?:\w+, ?(?:d\.?c\.?|\w+),? )?(?:(?:{days}),? )?(?:{months})\.? \d\d?(?:, \d{{4}})?\W*$")


@cache
def _dateline() -> re.Pattern[str]:
    """A city, an agency or both, and a dash behind them; the dash may be missing behind both."""
    agency = rf"\((?:{'|'.join(word_lists()['agencies'])})[^)\n]{{0,24}}\)"
    city = rf"(?:{_CITY}|[A-Z][a-z]+(?: [A-Z][a-z]+)?(?:, [A-Z][\w.]{{1,14}})?) ?"
    return re.compile(rf"\s*(?:(?:{city})?{agency}\s*{_DASH}?|{_CITY}\s*(?:--|[–—]|- ))\s*")


@cache
def _first_letters() -> frozenset[str]:
    return frozenset(opening[:3] for opening in word_lists()["openings"])


def find_notices(text: str, passages: Iterable[tuple[int, int, bool]]) -> Iterator[bool]:
    """Which passages of a text, each from, to and whether it is a line, are notices; most are quickly ruled out."""
    lower = text.lower()
    lower = lower if len(lower) == len(text) else text  # a capital of few languages is two small letters
    hints = _first_letters()
    anywhere = any(phrase in lower for phrase in word_lists()["anywhere"])
    for start, end, line in passages:
        likely = line or anywhere or lower[start : start + 3] in hints
        yield likely and is_notice(lower[start:end], whole_line=line)


def is_notice(passage: str, *, whole_line: bool) -> bool:
    """Whether a sentence or line, in lower case, is a notice by its form; a sentence has more than two words."""
    words = passage.count(" ") + 1
    if words > MOST_LINE_WORDS:
        return False
    lists = word_lists()
    if passage.startswith(lists["openings"]):
        return whole_line or 2 < words <= MOST_SENTENCE_WORDS
    if words <= MOST_SENTENCE_WORDS:
        for phrase in lists["anywhere"]:
            if phrase in passage:
                return True
    if not whole_line:
        return False
    if passage.startswith(lists["line_openings"]):  # on one line with the story they are part of its first sentence
        return True
    short = words <= MOST_CONTACT_WORDS
    if short and (passage.strip(_AROUND) in _lines() or _date_line().match(passage) or _CONTACT.search(passage)):
        return True
    return ends_in_credit(passage)


@cache
def _lines() -> frozenset[str]:
    return frozenset(line.strip(_AROUND) for line in word_lists()["lines"])


def ends_in_credit(passage: str) -> bool:
    """Whether a passage in lower case ends in the credit of a picture."""
    return passage.rstrip(").").endswith(word_lists()["credits"]) or "(ap photo" in passage[-60:]


def is_caption(text: str) -> bool:
    """Whether a text ends in the credit of a picture, or begins as captions do."""
    return text[:20].lower().startswith(word_lists()["captions"]) or ends_in_credit(text[-80:].lower())


def is_byline(sentence: str) -> bool:
    """Whether a sentence does nothing but name who wrote the story."""
    return sentence[:3] in ("By ", "BY ") and _BYLINE.match(sentence) is not None


def dateline_end(text: str) -> int:
    """Where the dateline that a text begins with ends; 0 if there is none."""
    match = _dateline().match(text[:DATELINE_CHARACTERS])
    return match.end() if match else 0
