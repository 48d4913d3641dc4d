"""What stands around stories on pages: who took a photo, and the page's own controls.

It says which outlet a page is of, and nothing of what a story is about, so no word is looked for in it.
"""

from __future__ import annotations

import re

_AGENCY = r"(?:getty(?: images)?|ap(?: photos?| images)?|afp|reuters|epa)"
_NAME = r"[\w.'-]{1,30}+"  # bounded, so that no text takes long
_BEGIN = r"(?<![\w.'-])"
_FURNITURE = re.compile(
    rf"\(photo: [^()]{{0,100}}\)"  # (Photo: Paul Vernon, AP)
    rf"|{_BEGIN}(?:photos? by )?(?:{_NAME} )?{_NAME}/(?:\w{{1,20}}+/)?{_AGENCY}\b"  # Jim Watson/AFP/Getty Images
    rf"|\b(?:ap photos?|getty images)\b(?:/{_NAME}(?: {_NAME})?)?"  # AP Photo/Paul Sancya
    rf"|\| ?{_AGENCY}\b|\bfile photo\b|\bimage (?:copyright|caption)\b|\bstory highlights\b"
    r"|\benlarge this image\b|\b(?:toggle|hide) caption\b|\bshare all sharing options\b"
    r"|\bthis article is more than \d+ (?:year|month)s? old\b"
)
_HINTS = (
    "photo", "getty", "/ap", "/afp", "/reuters", "| ap", "| reuters", "caption", "image copyright", "story highlights",
    "sharing options", "this article is more",
)  # fmt: skip
_CONTROL = re.compile(r"\bCLOSE(?=\s+[A-Z][a-z])")  # of a film before the story


def without_furniture(text: str) -> str:
    """The text, case-folded, with a mark in the place of each piece of furniture."""
    folded = (_CONTROL.sub(" . ", text) if "CLOSE" in text else text).casefold().replace("’", "'")
    if any(hint in folded for hint in _HINTS):
        return _FURNITURE.sub(" . ", folded)
    return folded
