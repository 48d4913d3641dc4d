"""What stands in the text of a post: hashtags, links, words."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from visavis.shared import unspaced

_URL = re.compile(r"https?://[^\s<>\"“”«»{}|\\^`]+", re.IGNORECASE)
WORD = re.compile(r"\w+(?:['’]\w+)*")
# scripts that write no spaces between words: there a word matches wherever it stands
UNSPACED = re.compile(f"[{unspaced.UNSPACED}]")
COMMON = frozenset(
    "a an and are as at be by for from has have in is it its of on or that the their this to was were will with".split()  # noqa: SIM905
)
_CLOSERS = {")": "(", "]": "[", "}": "{"}


@cache
def _marks() -> str:
    """Combining marks as ranges of a character class: \\w leaves them out, and words of Hindi or Thai need them."""
    found = [code for code in range(0x300, 0xFE30) if unicodedata.category(chr(code)).startswith("M")]
    ranges: list[list[int]] = []
    for code in [*found, 0x200C, 0x200D]:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)


@cache
def _hashtag() -> re.Pattern[str]:
    letter = rf"[\w{_marks()}]"
    return re.compile(rf"(?<![\w&/])[#＃](?=\w*[^\W\d_])({letter}+)")


@cache
def _word() -> re.Pattern[str]:
    return re.compile(rf"[\w{_marks()}]+")


def hashtags(text: str) -> tuple[str, ...]:
    """The hashtags of a text, case-folded, without "#", each once, in their order; those inside links do not count."""
    if "#" not in text and "＃" not in text:
        return ()
    bare = _URL.sub(" ", text) if "://" in text else text
    return tuple(dict.fromkeys(tag.casefold() for tag in _hashtag().findall(bare)))


def plain_tag(tag: str) -> str:
    """A hashtag as it is kept: case-folded, without "#", "" where it has no letter or number."""
    tag = tag.strip().lstrip("#＃").casefold()
    return tag if tag and not any(mark.isspace() for mark in tag) else ""


def links(text: str) -> tuple[str, ...]:
    """The http(s) links of a text, each once, without the punctuation that follows them."""
    if "://" not in text:
        return ()
    return tuple(dict.fromkeys(_trimmed(found) for found in _URL.findall(text)))


def _trimmed(url: str) -> str:
    url = url.rstrip(".,;:!?'’…*_~")
    while url and url[-1] in _CLOSERS and url.count(url[-1]) > url.count(_CLOSERS[url[-1]]):
        url = url[:-1].rstrip(".,;:!?'’…")
    return url


def words(text: str) -> tuple[str, ...]:
    """The words of a text, case-folded."""
    return tuple(_word().findall(text.casefold()))


def words_of(text: str) -> list[str]:
    """The words of an article, case-folded; what an apostrophe joins is one."""
    return WORD.findall(text.casefold())


def count_words(text: str) -> int:
    """How many words there are; where they stand without spaces between them, every letter counts."""
    letters = sum(map(str.isalpha, UNSPACED.findall(text)))
    return len(WORD.findall(UNSPACED.sub(" ", text) if letters else text)) + letters


def with_title(text: str, title: str) -> str:
    """A post and, in a line of its own, the title of the page it links to, by which it can be found as well."""
    title = " ".join(title.split())
    return f"{text}\n{title}".strip() if title and title not in text else text


_REPEATED = re.compile(r"rt @\w+:?\s*", re.IGNORECASE)


def gist(text: str) -> str:
    """What a post says, whoever repeats it and whatever it links to: equal for copies of one text."""
    said = _URL.sub(" ", text) if "://" in text else text
    return " ".join((_REPEATED.sub("", said, count=1) if said[:4].lower() == "rt @" else said).casefold().split())
