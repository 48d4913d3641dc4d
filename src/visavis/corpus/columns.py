"""Which column plays which role: by the names people give them, or as told."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from visavis.corpus.errors import listed, one_line
from visavis.corpus.readers.base import ROLES
from visavis.errors import UnknownName
from visavis.shared.names import did_you_mean

COMMON_NAMES = {  # in the order in which they are preferred, without separators
    "title": ("title", "headline"),
    "text": ("text", "body", "content", "article", "lead", "description"),
    "date": ("date", "published", "publishedat", "createdat", "datetime", "time", "timestamp"),
    "source": ("source", "outlet", "publisher", "site"),
    "url": ("url", "link"),
    "id": ("id", "docid"),
    "weight": ("weight", "shares"),
}


def check_roles(told: Mapping[str, str]) -> None:
    """Raise UnknownName for a role that does not exist."""
    for role in told:
        if role not in ROLES:
            raise UnknownName(
                one_line(
                    f"unknown role {role!r} for a column; {did_you_mean(role, ROLES)}there are: {', '.join(ROLES)}"
                )
            )


def recognize(name: str, columns: Sequence[str], told: Mapping[str, str]) -> dict[str, str]:
    """The column of each role that has one; `told` goes first. Raises UnknownName for a column that is not there."""
    found = {}
    for role, column in told.items():
        if column not in columns:
            there = f"{did_you_mean(column, columns)}there are: {listed(columns)}"
            raise UnknownName(one_line(f"{name}: there is no column {column!r} to take the {role} from; {there}"))
        found[role] = column
    taken = set(found.values())
    by_name: dict[str, str] = {}
    for column in columns:
        by_name.setdefault(re.sub(r"[\W_]+", "", column.casefold()), column)
    for role, names in COMMON_NAMES.items():
        match = next((by_name[known] for known in names if known in by_name and by_name[known] not in taken), None)
        if role not in found and match is not None:
            found[role] = match
            taken.add(match)
    return found
