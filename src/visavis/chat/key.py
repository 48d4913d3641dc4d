"""The key of a model's server: where it is read, and whether a text shows it."""

from __future__ import annotations

import os
import unicodedata

from visavis.chat.endpoint import KEY
from visavis.errors import InvalidParameter

SHORTEST_SECRET = 8  # shorter keys are fillers for servers that want none, such as "ollama"


def read_key() -> str:
    """The key, blank where there is none. Raises InvalidParameter for what no header can hold."""
    key = _given()
    if not key.isascii() or not key.isprintable() or " " in key:
        raise InvalidParameter(f"{KEY} holds something that is no key: printable ASCII without blanks is needed")
    return key


def holds_key(text: str) -> bool:
    """Whether a reader of the text would see the key, whatever invisible signs stand between its letters."""
    key = _given()
    seen = "".join(sign for sign in text if unicodedata.category(sign)[0] != "C")
    return len(key) >= SHORTEST_SECRET and key in seen


def _given() -> str:
    return os.environ.get(KEY, "").strip()
