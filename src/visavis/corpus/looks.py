"""What a text by itself gives away, whatever it is held against: figures, a caption, garbled signs, its script."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from visavis.corpus.notices import is_caption

FIGURES = 0.2  # digits for each letter
ODD = 0.02  # characters that are no text for each that is
LEAST_LETTERS = 0.55  # of the characters, blanks and digits aside

_DIGITS, _MARKS = b"0123456789", bytes(code for code in range(33, 127) if not chr(code).isalnum())
_ODD = re.compile("\ufffd|\u00c3[\u0080-\u00bf]|\u00e2\u20ac|\u00c2[\u00a0-\u00bf]|[\x00-\x08\x0e-\x1f]")
_SCRIPTS = {
    "Greek": "\u0370-\u03ff", "Cyrillic": "\u0400-\u052f", "Hebrew": "\u0590-\u05ff",
    "Arabic": "\u0600-\u06ff\u0750-\u077f", "Indic": "\u0900-\u0dff", "Thai": "\u0e00-\u0eff",
    "Burmese": "\u1000-\u109f", "Khmer": "\u1780-\u17ff",
    "East Asian": "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af",
}  # fmt: skip
_SCRIPT = {name: re.compile(f"[{signs}]") for name, signs in _SCRIPTS.items()}
_ADDRESS = re.compile(r"\S*https?://\S+")  # of the web, with what is stuck before it
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")


@dataclass(frozen=True, slots=True)
class Look:
    """What a text by itself gives away: figures, the form of a caption, garbled signs, its script."""

    figures: bool
    caption: bool
    garbled: bool
    script: str


def _look(written: str) -> Look:
    text = _ADDRESS.sub("", written) if "://" in written else written
    raw = text.encode(errors="replace")
    letters = len(raw.translate(None, _DIGITS + _MARKS + b" "))
    digits = len(raw) - len(raw.translate(None, _DIGITS))
    marks = len(raw) - len(raw.translate(None, _MARKS))
    odd = 0 if text.isascii() else len(_ODD.findall(text))
    return Look(
        digits > FIGURES * max(1, letters),
        is_caption(text),
        odd > max(2, ODD * len(text)) or letters < LEAST_LETTERS * (letters + marks),
        _script(written),
    )


def look_at(texts: Sequence[str]) -> list[Look]:
    """A look at each of these texts."""
    return [_look(text) for text in texts]


def _script(text: str) -> str:
    """The script that most letters of a text are of; empty for none."""
    if text.isascii():
        return "Latin" if _LATIN.search(text) else ""
    if len(text.encode("ascii", "ignore")) > 0.7 * len(text):
        return "Latin"
    counts = {name: len(signs.findall(text)) for name, signs in _SCRIPT.items()} | {"Latin": len(_LATIN.findall(text))}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] else ""
