"""Where the story of a document begins, if a page's menu, a letterhead or other boilerplate stands before it."""

from __future__ import annotations

import re

from visavis.corpus.lead import LONGEST
from visavis.records import Document
from visavis.shared.text import line

MUCH = 100  # characters before the story; fewer are shown with it
TITLE = 240  # characters of what was read, in which a page's title may end and its story begin
KNOWN_BY, STEP = 30, 10  # characters by which what was read is found again in the text, and how far it is sought on
SAME = 20  # first characters by which a story begins as its title does
SHOWN = 2_000  # characters that are kept of it

_BEFORE = re.compile(
    r"(?:\s|[|·–—,;:.-]++(?=\s))*+"
)  # what may stand between a menu and a story; a minus is part of it


def opening_of(document: Document, lead: str) -> str:
    """The text from where its story begins; empty where hardly anything stands before that.

    `lead` is what was read of it: title and first sentences without boilerplate. What stands before a menu and was read
    too, mostly the title of the page, is shown with it, unless the story begins with the same.
    """
    story = line(lead.removeprefix(" ".join(document.title.split())))
    text = line(document.text[:LONGEST])
    read, begins = _behind_the_last_gap(story, text)
    if not begins:
        return ""
    opening = _BEFORE.sub("", text[begins : begins + SHOWN], count=1)
    before = story[:read].strip(" |·–—-,;:")
    return opening if opening.startswith(before[:SAME]) else f"{before} … {opening}"


def _behind_the_last_gap(story: str, text: str) -> tuple[int, int]:
    """Where much of a text was left out that stands near its beginning: a place in the story, and that in the text.

    Both are 0 where there is no such gap.
    """
    gap = (0, 0)
    at, found = 0, 0  # so far the story and the text agree
    for sought in range(0, min(TITLE, max(1, len(story) - KNOWN_BY)), STEP):
        place = text.find(story[sought : sought + KNOWN_BY], found)
        if place < 0:
            continue
        if place - found - (sought - at) >= MUCH:
            back = _alike_before(story[at:sought], text[found:place])
            first = story[sought - back : sought]
            if " " in first and story[: sought - back][-1:].strip():  # no word is parted
                back = len(first.partition(" ")[2])
            gap = sought - back, place - back
        at, found = sought, place
    return gap


def _alike_before(story: str, text: str) -> int:
    """How many of the last characters are the same."""
    count = 0
    while count < min(len(story), len(text)) and story[-1 - count] == text[-1 - count]:
        count += 1
    return count
