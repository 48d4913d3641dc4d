"""A ledger's entry from what was written of it, read without trust: every part of the type it should have."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from visavis.records.changes import Entry

Record = TypeVar("Record")


def read_entry(told: Any) -> Entry:
    """The entry. Raises ValueError, TypeError or KeyError for what is none."""
    return _record(Entry, told)


def _record(kind: type[Record], told: Any) -> Record:
    """A frozen record from its names and values; names that a later version may have added are passed over."""
    if not isinstance(told, dict):
        raise TypeError(f"{kind.__name__} must be an object")
    hints = get_type_hints(kind)
    names = [one.name for one in fields(kind)]  # type: ignore[arg-type]
    return kind(**{name: _value(hints[name], told[name]) for name in names if name in told})


def _value(kind: Any, told: Any) -> Any:
    if kind is Any:
        return told
    parts = get_args(kind)
    if get_origin(kind) is tuple:
        return tuple(_value(parts[0], one) for one in _checked(list, told))
    if get_origin(kind) is Mapping:
        return {str(key): _value(parts[1], one) for key, one in _checked(dict, told).items()}
    if NoneType in parts:
        return None if told is None else _value(parts[0], told)
    if hasattr(kind, "__dataclass_fields__"):
        return _record(kind, told)
    if kind is float:
        number = float(_checked((int, float), told))
        if not math.isfinite(number):
            raise ValueError("a number that is none")
        return number
    return _checked(kind, told)


def _checked(kind: Any, told: Any) -> Any:
    if not isinstance(told, kind) or (isinstance(told, bool) and kind is not bool):
        raise TypeError(f"{str(told)[:60]!r} is not of the kind that belongs there")
    return told
