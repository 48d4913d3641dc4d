"""JSON lines: one object a line."""

from __future__ import annotations

import json
import math
from typing import Any

from visavis.corpus.errors import Unreadable, shown
from visavis.corpus.readers.base import Dropped, Limits, ReadOptions, Source, Table
from visavis.corpus.text import lines


class Forbidden(Exception):
    """Legal to some JSON parsers, but not a value a document can hold."""


def read(source: Source, options: ReadOptions) -> Table:
    """The objects; a line that holds none is set aside. Raises Unreadable for NaN, infinity and deep nesting."""
    dropped = Dropped(source.name, "line", options.strict)
    rows: list[tuple[int, dict[str, Any]]] = []
    columns: dict[str, None] = {}
    number = 0
    for number, line in enumerate(lines(source, options.limits), start=1):
        if not line.strip():
            continue
        found = _parse(source.name, number, line, options.limits)
        if isinstance(found, dict):
            rows.append((number, found))
            columns.update(dict.fromkeys(found))
        else:
            ended = line.endswith("\n")
            dropped.add("line is not a JSON object" if ended else "last line is not a whole JSON object", number)
    if number == 0:
        raise Unreadable(source.name, "is empty")
    return Table(source.name, source.stem, tuple(columns), rows, unit="line", dropped=tuple(dropped.rows))


def decoder() -> json.JSONDecoder:
    """A parser that raises Forbidden for numbers JSON does not have."""
    return json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite)


def check_depth(value: Any, limit: int) -> None:
    """Raise Forbidden if lists and objects nest deeper than `limit`."""
    level, depth = [value], 0
    while level:
        level = [item for item in level if isinstance(item, dict | list)]
        depth += bool(level)
        if depth > limit:
            raise Forbidden(f"is nested deeper than {limit} levels")
        level = [inner for item in level for inner in (item.values() if isinstance(item, dict) else item)]


def _parse(name: str, number: int, line: str, limits: Limits) -> Any:
    try:
        value = _DECODER.decode(line)
        if line.count("[") + line.count("{") > limits.depth:
            check_depth(value, limits.depth)
    except Forbidden as error:
        raise Unreadable(f"{name}: line {number}", str(error)) from None
    except RecursionError:
        raise Unreadable(f"{name}: line {number}", f"is nested deeper than {limits.depth} levels") from None
    except ValueError:
        return None
    return value


def _no_constant(name: str) -> float:
    raise Forbidden(f"holds {name}, which is not a number: write null instead")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise Forbidden(f"the number {shown(digits)} is too large")
    return number


_DECODER = decoder()
