"""What a column says of each document, whether it is asked for by its role or by its own name."""

from __future__ import annotations

import ast
import contextlib
import json
import math
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np

from visavis.records import Corpus, Document
from visavis.shared.names import unknown

ROLES = ("id", "title", "text", "date", "source", "url", "image", "weight")

SHORT, MOST_KNOWN = 100, 4_096  # characters of a value worth remembering, and how many values are
LONGEST_LIST = 10_000  # characters of one that is written out

_LIST = re.compile(r"\s*\[.*\]\s*", re.DOTALL)
_WHOLE = re.compile(r"[+-]?\d{1,30}", re.ASCII)


@dataclass(frozen=True)
class Column:
    """A column under the name it was asked for; `read` gives a document's value, and `is_date` marks the date role."""

    name: str
    read: Callable[[Document], Any]
    is_date: bool = False


def find_column(name: str, corpus: Corpus) -> Column:
    """The column of that role or name; a role goes first. Raises UnknownName with the columns there are."""
    role = _role(name, corpus)
    if role is not None:
        return role_column(role, name)
    if not has_column(name, corpus):
        raise unknown("column", name, column_names(corpus))
    return field_column(name)


def has_column(name: str, corpus: Corpus) -> bool:
    """Whether there is a column of that role or name."""
    return _role(name, corpus) is not None or any(name in document.fields for document in corpus.documents)


def role_column(role: str, name: str | None = None) -> Column:
    """The column in that role."""
    return Column(name or role, lambda document: getattr(document, role), is_date=role == "date")


def field_column(name: str) -> Column:
    """A column by its own name; documents without it have no value there."""
    return Column(name, lambda document: document.fields.get(name))


def column_names(corpus: Corpus) -> list[str]:
    """Roles that are filled, then the other columns in the order in which they stand."""
    names = dict.fromkeys(role for role in ROLES if _role(role, corpus))
    for document in corpus.documents:
        names.update(dict.fromkeys(document.fields))
    return list(names)


def items_of(value: Any) -> tuple[Any, ...] | None:
    """What a list holds, be it written out as `["a", "b"]` or as `['a', 'b']`; None for anything but a list."""
    if isinstance(value, list | tuple):
        return tuple(value)
    if isinstance(value, set | frozenset):
        return tuple(sorted(value, key=str))
    if isinstance(value, np.ndarray):
        return tuple(value.tolist()) if value.ndim == 1 else (value.tolist(),)
    if isinstance(value, str) and len(value) <= LONGEST_LIST and _LIST.fullmatch(value):
        return _written_out(value.strip())
    return None


def is_blank(value: Any) -> bool:
    """Whether a value says nothing: None, NaN, a string of spaces, or an empty list."""
    if isinstance(value, str):
        return not value.strip()
    if isinstance(value, list | tuple | set | frozenset | np.ndarray):
        return len(value) == 0
    if value is None or type(value).__name__ in ("NaTType", "NAType"):
        return True
    return isinstance(value, Real) and bool(value != value)


def as_number(value: Any) -> int | float | None:
    """A finite number as it is or as it is written, whole ones exactly; None for anything else, booleans too."""
    if isinstance(value, str):
        value = value.strip()
        if _WHOLE.fullmatch(value):
            return int(value)
    elif isinstance(value, bool) or type(value).__name__ == "bool":
        return None
    elif isinstance(value, Integral) and abs(int(value)) < 10**30:
        return int(value)
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _written_out(text: str) -> tuple[Any, ...] | None:
    """The items of a list as JSON or Python writes it; None if it is none."""
    for read in (json.loads, ast.literal_eval):
        with contextlib.suppress(ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # an odd backslash is no matter for whoever reads the output
                found = read(text)
            return tuple(found) if isinstance(found, list) else None
    return None


def _role(name: str, corpus: Corpus) -> str | None:
    """The role of that name, if it is filled, or the role in which the column of that name was read."""
    if name in ROLES and (name in corpus.columns or _is_filled(name, corpus)):
        return name
    return next((role for role, column in corpus.columns.items() if column == name and role in ROLES), None)


def _is_filled(role: str, corpus: Corpus) -> bool:
    if role == "weight":
        return any(document.weight != 1 for document in corpus.documents)
    return any(getattr(document, role) for document in corpus.documents)
