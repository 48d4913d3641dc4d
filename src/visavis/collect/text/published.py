"""When an article appeared, as its page says; where the page does not say the day, it is not known.

What machines are told counts most (JSON-LD, meta, `time`), then the address, then a date that is written as such. A
copyright year, a month, or a date inside the text is no date of the article.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from lxml import html

from visavis.corpus.dates import parse_date

EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)
LONGEST_LINE = 200
NEAR_HEADING = 8  # elements after the headline that may hold a date
MOST_WORDS = 12  # beside the date, in a line that is called one
FEWEST_WORDS = 4  # and in one that merely follows the headline: a sentence that names a day is no date line

LANGUAGES = (
    "en", "fr", "de", "es", "it", "pt", "nl", "pl", "ru", "uk", "cs", "sv", "da", "nb", "fi", "tr", "el", "hu", "ro",
    "ja", "zh", "ko", "ar", "he", "bg", "hr", "sk", "sl", "sr", "ca", "id", "vi", "hi", "th", "fa",
)  # fmt: skip
_META = (
    "article:published_time", "og:article:published_time", "datepublished", "article.published", "parsely-pub-date",
    "sailthru.date", "dc.date.issued", "dcterms.issued", "dcterms.created", "dc.date.created", "dc.date",
    "dcterms.date", "date.issued", "date.created", "pubdate", "publish-date", "publish_date", "publishdate",
    "publication_date", "publicationdate", "article_date_original", "originalpublicationdate",
    "cxenseparse:recs:publishtime",
    "citation_publication_date", "citation_date", "shareaholic:article_published_time", "rnews:datepublished",
    "og:published_time", "article:post_date", "timestamp", "date",
)  # fmt: skip
_DATED = re.compile(r"date|time|publi|posted|byline|dateline|stamp|meta", re.IGNORECASE)
_ELSEWHERE = re.compile(
    r"comment|related|footer|sidebar|copyright|updated|modified|event|calendar|widget|menu|promo|recommend|read-?more",
    re.IGNORECASE,
)
_LEGAL = re.compile(r"©|\(c\)|copyright|rights reserved", re.IGNORECASE)
_UPDATED = re.compile(r"\b(?:updated?|modified|mis à jour|aktualisiert|actualizado|aggiornato)\b", re.IGNORECASE)
_IN_URL = re.compile(r"[/_-](19\d\d|20\d\d)[/-]?(0[1-9]|1[0-2])[/-]?(0[1-9]|[12]\d|3[01])(?=[/_-]|$)")
_SPELLED = "|".join((
    r"\d{4}-\d{1,2}-\d{1,2}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?",
    r"\d{4}\s?[年년]\s?\d{1,2}\s?[月월]\s?\d{1,2}\s?[日일]",
    r"\d{1,2}(?:er|st|nd|rd|th|º|ª|\.)?\s+(?:de\s+|of\s+)?[^\W\d_]{3,12}\.?,?\s+(?:de\s+|del\s+)?\d{4}",
    r"[^\W\d_]{3,12}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}",
    r"\d{1,2}[./]\s?\d{1,2}[./]\s?\d{4}",
))  # fmt: skip
_DATE = re.compile(rf"(?<![\d/.-])(?:{_SPELLED})(?![\d/-])")
_CLOCK = re.compile(
    r"^\D{0,20}?\b(\d{1,2})(?::|h|\.)(\d{2})\b(?::\d{2})?\s*(?:uhr\b)?\s*([ap]\.?m\b\.?)?"
    r"\s*(\(?(?:[A-Z]{2,5}\b|(?:UTC|GMT)?[+-]\d{2}:?\d{2}))?",
    re.IGNORECASE,
)
_NO_DAY = re.compile(r"\d{4}|\d{4}[-/.]\d{1,2}|[^\W\d_]+\.?,?\s+\d{4}")
_WEST = ("en-us", "en_us")  # where 3/5/2018 is in March
_ZONES = {"et": "America/New_York", "ct": "America/Chicago", "mt": "America/Denver", "pt": "America/Los_Angeles"}


def published(tree: html.HtmlElement, url: str, said: str = "", language: str = "") -> datetime | None:
    """The moment an article appeared; `said` is what its JSON-LD says, `language` that of its text."""
    spoken = (tree.get("lang") or "").strip().lower()
    order = "" if spoken in ("", "en") else "mdy" if spoken in _WEST else "dmy"
    for text in (said, *_meta(tree), *_marked(tree)):
        found = _moment(text, order)
        if found is not None:
            return found
    dated = _IN_URL.search(urlsplit(url).path)
    found = _moment("-".join(dated.groups()), order) if dated else None
    if found is not None:
        return found
    named = [code for code in dict.fromkeys((spoken[:2], language[:2])) if code in LANGUAGES]
    return next(filter(None, (_written(line, order, named) for line in _lines(tree))), None)


def warm_up() -> None:
    """Load now what is otherwise loaded when it is first needed."""
    import dateparser

    dateparser.parse("1er août 2018 10:32 CEST", languages=["fr"])
    for language in LANGUAGES:
        importlib.import_module(f"dateparser.data.date_translation_data.{language}")
    for zone in _ZONES.values():
        ZoneInfo(zone)


def _moment(text: str, order: str) -> datetime | None:
    """A moment written for machines; None where the day is missing or could be another."""
    text = " ".join(text.split())
    if _NO_DAY.fullmatch(text):
        return None
    found = parse_date(text, order or None)
    if found.moment is None or (found.ambiguous and not order):
        return None
    return found.moment if EARLIEST <= found.moment <= datetime.now(UTC) + timedelta(days=2) else None


def _meta(tree: html.HtmlElement) -> list[str]:
    known: dict[str, str] = {}
    for element in tree.iter("meta"):
        for name in ("property", "name", "itemprop"):
            known.setdefault((element.get(name) or "").strip().lower(), element.get("content") or "")
    return [known[name] for name in _META if known.get(name)]


def _marked(tree: html.HtmlElement) -> Iterator[str]:
    """What elements say that are marked as the date of publication, then the first time of the article."""
    times = [element for element in tree.iter("time") if not _is_elsewhere(element)]
    first = [one for one in times if one.get("pubdate") is not None or "publish" in (one.get("class") or "").lower()]
    marked = [one for one in tree.iter() if "datePublished" in str(one.get("itemprop", "")).split()]
    for element in (*marked, *first, *times[:1]):
        said = element.get("datetime") or element.get("content") or ""
        if said and not _UPDATED.search(element.text_content()[:60]):
            yield said


def _lines(tree: html.HtmlElement) -> Iterator[str]:
    """Short lines that may hold the date: elements that are called so, then what follows the headline."""
    for element in tree.iter():
        called = f"{element.get('class', '')} {element.get('id', '')} {element.get('itemprop', '')}"
        if element.tag == "time" or (isinstance(element.tag, str) and _DATED.search(called)):
            yield from _line(element, MOST_WORDS)
    heading = next(tree.iter("h1"), None)
    if heading is not None:
        for place, element in enumerate(heading.itersiblings()):
            if place < NEAR_HEADING:
                yield from _line(element, FEWEST_WORDS)


def _line(element: html.HtmlElement, most: int) -> Iterator[str]:
    if isinstance(element.tag, str) and not _is_elsewhere(element):
        text = " ".join(element.text_content().split())
        if len(text) > LONGEST_LINE or _LEGAL.search(text) or not _DATE.search(text):
            return
        if len(re.findall(r"[^\W\d_]{2,}", _DATE.sub(" ", text))) <= most:
            yield text


def _is_elsewhere(element: html.HtmlElement) -> bool:
    """Whether an element belongs to something else than the article."""
    return any(
        one.tag in ("footer", "nav", "aside") or _ELSEWHERE.search(f"{one.get('class', '')} {one.get('id', '')}")
        for one in (element, *element.iterancestors())
        if one.tag not in ("html", "body")
    )


def _written(line: str, order: str, languages: list[str]) -> datetime | None:
    """The first date of a line that is not the one of a change, with the time of day beside it."""
    before = 0
    for found in _DATE.finditer(line):
        said, before = line[before : found.start()], found.end()
        if _UPDATED.search(said):
            continue
        moment = _moment(found[0], order)
        if moment is not None and "T" in found[0]:
            return moment
        clock = _CLOCK.match(line[found.end() : found.end() + 40])
        moment = _spelled(found[0], clock, order, languages)
        if moment is not None:
            return moment
    return None


def _spelled(date: str, clock: re.Match[str] | None, order: str, languages: list[str]) -> datetime | None:
    """A date in words of any language, and a time of day."""
    day = _moment(date, order) or _in_words(date, order, languages)
    if day is None or clock is None:
        return day
    hour, minute, half, zone = clock.groups()
    whole = f"{day:%Y-%m-%d} {hour}:{minute}" + (f" {half}" if half else "")
    local, told = _moment(whole, order) or day, (zone or "").strip("( ")
    if told.lower() in _ZONES:
        return local.replace(tzinfo=ZoneInfo(_ZONES[told.lower()])).astimezone(UTC)
    zoned = _moment(f"{whole} {told}", order) or _in_words(f"{whole} {told}", order, ["en"]) if told else None
    return zoned or local


def _in_words(text: str, order: str, languages: list[str]) -> datetime | None:
    import dateparser

    if re.fullmatch(r"[\d./ ]+", text) and not order and "." not in text:
        return None  # 3/5/2018 in a page that does not say where it is from
    settings: dict[str, Any] = {
        "REQUIRE_PARTS": ["day", "month", "year"],
        "STRICT_PARSING": True,
        "DATE_ORDER": (order or "dmy").upper(),
        "TO_TIMEZONE": "UTC",
        "TIMEZONE": "UTC",
    }
    spoken = languages or list(LANGUAGES[:12])
    found = dateparser.parse(re.sub(r"\s+", " ", text), languages=spoken, settings=settings)
    if found is None:
        return None
    found = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    return found if EARLIEST <= found <= datetime.now(UTC) + timedelta(days=2) else None
