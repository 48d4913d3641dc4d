"""Where the story of a document begins, if a page's menu, a letterhead or other boilerplate stands before it."""

from __future__ import annotations

from visavis.corpus.lead import LONGEST
from visavis.records import Document
from visavis.shared.text import line

MUCH = 100  # characters before the story; fewer are shown with it
KNOWN_BY = (60, 30)  # characters by which its beginning is found again in the text as it was read
SHOWN = 2_000  # characters that are kept of it


def opening_of(document: Document, lead: str) -> str:
    """The text from where its story begins; empty where hardly anything stands before that.

    `lead` is what was read of it: title and first sentences without boilerplate.
    """
    story = line(lead.removeprefix(" ".join(document.title.split())))
    text = line(document.text[:LONGEST])
    begins = next((at for size in KNOWN_BY if story and (at := text.find(story[:size])) >= 0), 0)
    return text[begins : begins + SHOWN] if begins >= MUCH else ""
