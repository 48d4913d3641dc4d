"""How reports show titles, bodies, names, addresses, dates and numbers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import pairwise
from urllib.parse import urlsplit

from visavis.records import Document
from visavis.shared.text import ADDRESS, clean, isolate, line
from visavis.shared.unspaced import UNSPACED, has_unspaced

SNIPPET = 280
LONG_TITLE = 4  # blanks of a title that a text repeats before it begins anew; a shorter one may begin a sentence
MOST_FINDERS = 4_096  # words whose patterns are kept: those of a group are sought in many documents
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

_BETWEEN = " .,:;-–—|"  # what may stand between a heading and what follows
_NO_SPACES = "\u2e80"  # from here on scripts write words without spaces between them, or with particles behind
_SPACED = rf"(?-i:[^\W{UNSPACED}])"  # a letter of a script that writes spaces; slow to compile


def shorten(text: str, limit: int) -> str:
    """One line of at most `limit` characters, cut between words where it can be."""
    text = line(text)
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    space = cut.rfind(" ")
    kept = cut[:space] if space > limit // 2 else cut
    while kept and unicodedata.combining(text[len(kept)]):  # never part a letter from its accents
        kept = kept[:-1]
    return kept.rstrip(" ,;:.–—-") + "…"


def heading(document: Document) -> str:
    """What to call a document: its title, else its headline, else how it begins, else its id."""
    known = line(document.title) or line(document.headline)
    return known or shorten(document.text, 90) or line(document.id) or "(untitled)"


def snippet(document: Document) -> str:
    """How a document's story begins, without addresses and without what its heading has said already."""
    begun, said = ADDRESS.sub("", document.opening or document.text[: 20 * SNIPPET]), heading(document)
    told = _beyond_title(begun, said) if line(document.title) else _beyond_headline(line(begun), said)
    skipped = "… " if document.opening and told and not told.startswith("…") else ""
    return shorten(skipped + told, SNIPPET)


def _beyond_title(begun: str, title: str) -> str:
    """What a text says behind its title, where it repeats that before it begins; else all of it.

    Its words may also be how the first sentence begins: they are the title where it ends a sentence, a line ends behind
    it, a sign parts it from what begins there, or it is long and a capital follows.
    """
    text = line(begun)
    if text[: len(title)].casefold() != title.casefold():
        return text
    words = r"\s+".join(map(re.escape, title.split()))
    found = re.match(rf"\s*{words}(?P<sign>(?:\s*[.:|–—-]+)?)(?P<gap>\s*)", clean(begun), re.IGNORECASE)
    if found is None:
        return text
    sign, gap, rest = found["sign"], found["gap"], line(begun[found.end() :])
    if not rest or "\n" in sign + gap:
        return rest
    parted = sign and rest[0].isalpha() and not rest[0].islower()
    begins_anew = rest[0].isupper() and (title[-1] in ".!?…" or title.count(" ") >= LONG_TITLE)
    return rest if gap and (parted or begins_anew) else text


def _beyond_headline(text: str, said: str) -> str:
    """What a text says beyond its headline, which is taken from it."""
    bare = said.removesuffix("…")
    before, found, after = text.partition(bare)
    if not found:
        return text
    rest = after.lstrip(_BETWEEN)
    left = f"{before}… {rest}" if before else ("…" if said != bare else "") + rest
    return left if any(map(str.isalnum, before + after)) else ""


def fragments(text: str, words: Sequence[str]) -> list[tuple[str, bool]]:
    """The text in pieces, each with whether it is one of the words or phrases; those that follow each other are one.

    Whole words, whatever their case; of several that begin at one place the longest counts.
    """
    low = text.lower()
    patterns = mentions([word for word in words if _may_hold(low, word)], dense=has_unspaced(text))
    pieces: list[tuple[str, bool]] = []
    done = 0
    for start, end in _joined(text, _spans(text, patterns)):
        pieces += [(text[done:start], False), (text[start:end], True)]
        done = end
    return [piece for piece in (*pieces, (text[done:], False)) if piece[0]]


def _spans(text: str, patterns: Sequence[re.Pattern[str]]) -> Iterator[tuple[int, int]]:
    """Where the patterns are found, one after the other; of those that begin at one place, the first pattern."""
    found = {place: match for place, pattern in enumerate(patterns) if (match := pattern.search(text))}
    while found:
        place = min(found, key=lambda at: (found[at].start(), at))
        start, end = found[place].span()
        yield start, end
        for at in [at for at, match in found.items() if match.start() < end]:
            match = patterns[at].search(text, end)
            if match is None:
                del found[at]
            else:
                found[at] = match


def _joined(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The same, those with nothing but blanks between them being one."""
    begun: tuple[int, int] | None = None
    for start, end in spans:
        if begun is not None and text[begun[1] : start].strip():
            yield begun
            begun = None
        begun = (start if begun is None else begun[0], end)
    if begun is not None:
        yield begun


def _may_hold(text: str, word: str) -> bool:
    """Whether a text, in small letters, may hold a word: a glance that spares patterns, which are slow to make."""
    start = re.split(r"['’\s]", word, maxsplit=1)[0]
    return not start.isascii() or start.lower() in text


def mentions(words: Iterable[str], *, dense: bool = False) -> list[re.Pattern[str]]:
    """What finds each of these words and phrases in a text, the longest first.

    `dense` texts have letters of scripts without spaces, which may stand right beside a word.
    """
    asked = sorted({line(word) for word in words} - {""}, key=lambda word: (-len(word), word))
    return [_finder(word, dense) for word in asked]


@lru_cache(MOST_FINDERS)
def _finder(word: str, dense: bool) -> re.Pattern[str]:
    return re.compile(_pattern(word, _SPACED if dense else r"\w"), re.IGNORECASE)


def _pattern(word: str, letter: str) -> str:
    """A word as it may stand in a text: no letter beside it, except in scripts that write no spaces between words."""
    found = "" if _is_dense(word[0]) else f"(?<!{letter})"
    for before, part in pairwise(["", *word.split(" ")]):
        gap = "" if not before else r"\s*" if _is_dense(before[-1]) or _is_dense(part[0]) else r"\s+"
        found += gap + re.escape(part).replace("'", "['’]")
    return found if _is_dense(word[-1]) else f"{found}(?!{letter})"


def _is_dense(sign: str) -> bool:
    return sign >= _NO_SPACES or has_unspaced(sign)


def web_address(url: str) -> str:
    """The address if it is an ordinary http or https one, else nothing."""
    url = url.strip(" ")
    if not url.isprintable() or any(character in url for character in ' "<>\\^`{|}'):
        return ""
    try:
        parts = urlsplit(url)
        host = parts.hostname
        _ = parts.port  # raises where it is no number
    except ValueError:
        return ""
    return url if parts.scheme in ("http", "https") and host and "@" not in parts.netloc else ""


def outlet(document: Document) -> str:
    """Where a document comes from: its source, else the host of its address."""
    if line(document.source):
        return line(document.source)
    address = web_address(document.url)
    return line(urlsplit(address).hostname or "").removeprefix("www.") if address else ""


def iso_date(date: datetime | None) -> str:
    """A date as data: the day alone where the time is midnight."""
    if date is None:
        return ""
    if (date.hour, date.minute, date.second, date.microsecond) == (0, 0, 0, 0):
        return date.date().isoformat()
    return date.isoformat().replace("+00:00", "Z")


def day(date: datetime | None) -> str:
    """A date for people."""
    return "" if date is None else f"{date.day} {MONTHS[date.month - 1]} {date.year}"


def number(value: float | None) -> str:
    """A score for people: about three digits, with a true minus."""
    if value is None or value != value:
        return "none"
    shown = f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.3f}"
    return "0" if float(shown) == 0 else shown.replace("-", "−")


def percent(value: float) -> str:
    """A fraction for people."""
    return f"{100 * value:.0f} %".replace(" ", "\u202f")


def tenths(value: float) -> str:
    """A fraction for people, where tenths of a percent matter."""
    return f"{100 * value:.1f} %".replace(" ", "\u202f")


def plural(count: int, noun: str) -> str:
    """A count and its noun."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def in_words(count: int) -> str:
    """A small number as a word."""
    return NUMBERS[count] if count < len(NUMBERS) else f"{count:,}"


def listed(names: Iterable[str]) -> str:
    """Names in a sentence: a, b and c."""
    names = [isolate(line(name)) for name in names]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""
