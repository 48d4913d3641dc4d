"""What people who take part read, in English or in another language."""

from __future__ import annotations

import json
import string
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from visavis.errors import InvalidParameter
from visavis.shared.names import unknown

Texts = Mapping[str, str]


def english_file() -> str:
    """The file that translations begin with."""
    return (resources.files("visavis.study.app") / "english.toml").read_text(encoding="utf-8")


@cache
def english() -> Texts:
    """All texts by name."""
    return {name: text.strip() for name, text in tomllib.loads(english_file()).items()}


def read_record(path: Path) -> dict[str, Any]:
    """What a .toml or .json file holds. Raises InvalidParameter."""
    readers = {".toml": tomllib.loads, ".json": json.loads}
    if path.suffix.lower() not in readers:
        raise InvalidParameter(f"{str(path)!r} is of no known kind: end it in .toml or .json")
    try:
        found = readers[path.suffix.lower()](path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise InvalidParameter(f"cannot read {str(path)!r}: {error}") from error
    if not isinstance(found, dict):
        raise InvalidParameter(f"{str(path)!r} holds a list: names and their values are wanted")
    return found


def read_texts(path: Path) -> Texts:
    """The texts of a file; what it leaves out stays English. Raises InvalidParameter, UnknownName."""
    own = english()
    found = read_record(path)
    for name, text in found.items():
        if name not in own:
            raise unknown(f"text in {path.name}", name, own)
        if not isinstance(text, str) or not text.strip():
            raise InvalidParameter(f"{path.name}: {name} must be a text, got {text!r}")
        if _fields(text) != _fields(own[name]):
            wanted = ", ".join(sorted(_fields(own[name]))) or "none"
            raise InvalidParameter(f"{path.name}: {name} must have the words in braces that English has: {wanted}")
    if found.get("direction", "ltr") not in ("ltr", "rtl"):
        raise InvalidParameter(f"{path.name}: direction is ltr or rtl, got {found['direction']!r}")
    return {**own, **{name: text.strip() for name, text in found.items()}}


def _fields(text: str) -> set[str]:
    try:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
    except ValueError:
        return {"(a brace that is not closed)"}
