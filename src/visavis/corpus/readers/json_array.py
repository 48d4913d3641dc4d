"""JSON: an array of objects."""

from __future__ import annotations

import json
import re
from typing import Any

from visavis.corpus.errors import Unreadable
from visavis.corpus.readers import jsonl
from visavis.corpus.readers.base import Dropped, Limits, ReadOptions, Source, Table
from visavis.corpus.text import whole

_SPACE = re.compile(r"[ \t\r\n]*")


def read(source: Source, options: ReadOptions) -> Table:
    """The objects of the array; an element that is none is set aside. Raises Unreadable for anything but an array."""
    text = whole(source, options.limits)
    start = _skip(text, 0)
    if start == len(text):
        raise Unreadable(source.name, "is empty")
    if text[start] != "[":
        raise Unreadable(source.name, "element 1: the file is not a JSON array of objects")
    dropped = Dropped(source.name, "element", options.strict)
    rows: list[tuple[int, dict[str, Any]]] = []
    columns: dict[str, None] = {}
    for number, element in enumerate(_elements(source.name, text, start + 1, options.limits), start=1):
        if isinstance(element, dict):
            rows.append((number, element))
            columns.update(dict.fromkeys(element))
        else:
            dropped.add("element is not a JSON object", number)
    return Table(source.name, source.stem, tuple(columns), rows, unit="element", dropped=tuple(dropped.rows))


def _elements(name: str, text: str, position: int, limits: Limits) -> Any:
    decode = jsonl.decoder().raw_decode
    number = 0
    position = _skip(text, position)
    while text[position : position + 1] != "]" or number:
        number += 1
        where = f"{name}: element {number}"
        try:
            value, end = decode(text, position)
            if end - position > 2 * limits.depth:
                jsonl.check_depth(value, limits.depth)
        except jsonl.Forbidden as error:
            raise Unreadable(where, str(error)) from None
        except RecursionError:
            raise Unreadable(where, f"is nested deeper than {limits.depth} levels") from None
        except ValueError as error:
            raise Unreadable(where, _explain(text, position, error)) from None
        yield value
        position = _skip(text, end)
        mark = text[position : position + 1]
        if mark not in (",", "]"):
            raise Unreadable(where, f"is not followed by a comma or ] (line {_line(text, position)})")
        position = _skip(text, position + 1)
        if mark == "]":
            break
    else:
        position = _skip(text, position + 1)
    if position < len(text):
        raise Unreadable(name, f"line {_line(text, position)}: something follows the end of the array")


def _explain(text: str, position: int, error: ValueError) -> str:
    at = error.pos if isinstance(error, json.JSONDecodeError) else position
    what = error.msg if isinstance(error, json.JSONDecodeError) else "a number is too long"
    return f"is not JSON (line {_line(text, at)}: {what})" if at < len(text) else "the file ends in the middle"


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _skip(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position
