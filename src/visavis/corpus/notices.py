"""What is no part of a story by its very form: contacts, datelines, credits, and lines that ask to subscribe.

Passages are looked at in bytes, ASCII letters in lower case and every digit a zero (`fold`), which is quick.
"""

from __future__ import annotations

import re

MOST_WORDS = 25  # of a sentence that asks to subscribe, share or read on
MOST_CONTACT_WORDS = 14  # of a line with a telephone number or an address
MOST_CAPTION_WORDS = 60
HEADER = 700  # characters in which a header on one line with the story is sought
GAP = 60  # characters between two pieces of a header: a name, an office, a room

_FOLDED = bytes.maketrans(
    bytes(range(ord("A"), ord("Z") + 1)) + b"0123456789",
    bytes(range(ord("a"), ord("z") + 1)) + b"0" * 10,
)
_PHONES = (b"000-0000", b"000.0000", b"000 000 0000")
_OPENINGS = (
    b"for immediate release", b"for release", b"not for immediate release", b"embargoed until", b"press release",
    b"news release", b"media advisory", b"contact:", b"contacts:", b"media contact", b"press contact", b"press office",
    b"subscribe", b"sign up for our", b"sign up to receive", b"sign up here", b"sign up to get", b"sign up for the",
    b"get all the latest news", b"click here", b"read more", b"read also", b"read the full", b"read it at", b"related:",
    b"more:", b"more on this", b"follow us", b"follow @", b"- follow ", b"share this", b"share on ", b"tweet this",
    b"listen to article", b"photo:", b"photo by", b"photo credit", b"photos:", b"image:", b"image copyright",
    b"image caption", b"image source", b"media caption", b"media playback", b"enlarge this image", b"getty images",
    b"advertisement", b"story continue", b"article continues", b"continue reading", b"all rights reserved",
    b"copyright 0000", b"\xc2\xa9", b"view comments", b"this article is more than", b"this is a rush transcript",
    b"copy may not be in its final form", b"the opinions expressed by columnists", b"updated at 0", b"published: 0",
    b"last updated", b"originally published", b"download our app", b"download the app", b"watch live:", b"[pullquote]",
)  # fmt: skip
_BEGINNINGS = frozenset(opening[:3] for opening in _OPENINGS)
_ALONE = frozenset(
    b"ad|close|photo|more|share|tweet|email|print|comment|comments|analysis/opinion|story highlights|video|###|-00-|"
    b"et|usa today|press releases|newsroom|home|menu|next|previous|loading|add interest".split(b"|")
)
_CREDITS = (b"getty images", b"/getty", b"/reuters", b"/ap", b"/afp", b"ap images", b"via ap", b"ap photo")
_ADDRESS = re.compile(rb"[a-z0-9]@[a-z]|(?<![0/])000[-.) ]{1,2}000[-.]0000(?!0)")
_NAME = rb"[A-Z][\w.'-]*(?: [A-Z][\w.'-]*){1,3}"
_BYLINE = re.compile(rb"by " + _NAME + rb"(?:,? (?:and|&) " + _NAME + rb")?\W*$")
_DATE = (
    rb"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? )?"
    rb"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? 00?(?:, 0000)?"
)
_DATE_LINE = re.compile(rb"(?:\w+, ?(?:d\.?c\.?|\w+),? )?" + _DATE + rb"\W*$")
_AGENCY = rb"\((?:AP|AFP|UPI|CNN|Reuters|REUTERS|Bloomberg|The Hill|Xinhua|dpa|Kyodo|PTI|ANI)[^)\n]{0,24}\)"
_CITY = rb"[A-Z][A-Z.' /-]{2,30}(?:, (?:D\.?C\.?|[A-Z][\w.]{1,14}))?(?:, [A-Z][a-z]{2,8}\.? \d{1,2})?"
_DATELINE = re.compile(
    rb"\s*(?:(?:" + _CITY + rb"|[A-Z][a-z]+(?: [A-Z][a-z]+)?(?:, [A-Z][\w.]{1,14})?) ?" + _AGENCY
    + rb"\s*(?:-{1,2}|\xe2\x80[\x93\x94])?|" + _CITY + rb"\s*(?:" + _AGENCY + rb")?\s*(?:--|\xe2\x80[\x93\x94]|- )"
    + rb"|" + _AGENCY + rb"\s*(?:-{1,2}|\xe2\x80[\x93\x94])?)\s*"
)  # fmt: skip
_HEADER_PIECE = re.compile(
    rb"(?:(?:for|not for) immediate release:?|(?:media|press) (?:contacts?|release):?|contacts?:|" + _DATE + rb"|"
    rb"\(?000\)?[ .-]{0,2}000[.-]0000|[\w.+-]+@[\w-]+\.[\w.-]*\w|https?://\S+|www\.\S+|"
    rb"(?:longworth|rayburn|cannon|hart|dirksen|russell)[a-z ]{0,24}building|"
    rb"washington,?+ d\.?+c\.?+(?:,? 00000)?+(?! *(?:-{1,2}|\xe2\x80)))"
)
_DEBRIS = re.compile(rb"(?:[\s|:,;.#)-]|\xe2\x80[\x93\x94])*")
_ANY_DATELINE = re.compile(_CITY + rb" ?(?:" + _AGENCY + rb" ?)?(?:--|\xe2\x80[\x93\x94]) ?")


def fold(text: bytes) -> bytes:
    """The same bytes with ASCII letters in lower case and every digit a zero; places stay the same."""
    return text.translate(_FOLDED)


def is_notice(passage: bytes, *, whole_line: bool) -> bool:
    """Whether a folded passage is a notice by its form; one within a line must be more than a word or two."""
    words = passage.count(b" ") + 1
    if passage[:3] in _BEGINNINGS and passage.startswith(_OPENINGS):
        return words <= (MOST_CAPTION_WORDS if whole_line else MOST_WORDS) and (whole_line or words > 2)
    if b"in your inbox" in passage or b"to your inbox" in passage or b"as an interest to stay" in passage:
        return words <= MOST_WORDS
    if not whole_line or words > MOST_CAPTION_WORDS:
        return False
    if words <= MOST_CONTACT_WORDS:
        if passage.strip(b" :*.|-") in _ALONE or _DATE_LINE.match(passage) is not None:
            return True
        if (b"@" in passage or b"000" in passage) and _ADDRESS.search(passage) is not None:
            return True
    return _has_credit(passage)


def _has_credit(passage: bytes) -> bool:
    """Whether a folded passage ends in the credit of a picture."""
    return passage.rstrip(b").").endswith(_CREDITS) or (b"(ap photo" in passage[-60:])


def is_byline(sentence: bytes) -> bool:
    """Whether a sentence does nothing but name who wrote the story."""
    return sentence[:3] in (b"By ", b"BY ") and _BYLINE.match(b"by" + sentence[2:]) is not None


def is_caption(passage: bytes) -> bool:
    """Whether a folded passage ends in the credit of a picture, or begins as captions do."""
    return passage.startswith((b"file - ", b"file photo", b"photo:", b"image:")) or _has_credit(passage)


def dateline_end(text: bytes) -> int:
    """Where the dateline that a text begins with ends; 0 if there is none."""
    found = _DATELINE.match(text[:120])
    return found.end() if found else 0


def header_spans(text: bytes) -> list[tuple[int, int]]:
    """Where the header of a release stands that shares its line with the story, from and to; none if there is none.

    Its pieces follow each other closely from the first word on; a dateline may stand behind the headline.
    """
    head = fold(text[:HEADER])
    if not (b"immediate release" in head or b"contact" in head or any(phone in head for phone in _PHONES)):
        return []
    end = 0
    for piece in _HEADER_PIECE.finditer(head):
        if piece.start() - end > GAP:
            break
        end = piece.end()
    if not end:
        return []
    debris = _DEBRIS.match(text, end)
    end = debris.end() if debris else end
    dateline = _ANY_DATELINE.search(text[end : HEADER + 60])
    spans = [(0, end)]
    return [*spans, (end + dateline.start(), end + dateline.end())] if dateline else spans
