"""Other things equal: documents weighted so that all groups have the same mix of what is held constant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from visavis.comparing.origins import codes_of
from visavis.corpus.grouping import values_of
from visavis.errors import InvalidParameter
from visavis.records import Booleans, Floats, Grouping, Integers

MOST_NAMED = 5


@dataclass(frozen=True, eq=False)
class Given:
    """What is held constant: each document's stratum, how much it counts, and what a reader should know.

    Documents of strata that some group lacks have the weight 0.
    """

    strata: Integers
    weights: Floats
    notes: tuple[str, ...]


def hold_constant(
    grouping: Grouping, columns: Sequence[str], weights: Floats, date_order: str | None = None
) -> Given | None:
    """The strata of these columns ("COLUMN" or "COLUMN:year") together; None where none are given.

    In every stratum that all groups have, each group gets the same share of its weight, the more the more documents
    the groups have there. Raises UnknownName for a column that is not there, InvalidParameter where no stratum can be
    compared.
    """
    if not columns:
        return None
    names = _names(grouping, columns, date_order)
    strata = codes_of(names)
    n_strata, n_groups = int(strata.max(initial=-1)) + 1, len(grouping.names)
    mass = np.zeros((n_groups, n_strata + 1))  # the last are documents without a value
    np.add.at(mass, (grouping.codes, strata), weights)
    shares = mass / mass.sum(axis=1, keepdims=True)
    shared = np.all(mass > 0, axis=0) & (np.arange(n_strata + 1) < n_strata)
    if not shared.any():
        raise InvalidParameter(
            f"no value of {', '.join(columns)} has documents in every group: nothing can be held equal"
        )
    common = np.where(shared, 1.0 / np.sum(1.0 / np.where(shared, shares, 1.0), axis=0), 0.0)
    common /= common.sum()
    factor = np.where(shared, common / np.where(shared, shares, 1.0), 0.0)
    found = weights * factor[grouping.codes, strata]
    return Given(strata, found, tuple(_notes(names, strata, shared, columns)))


def _names(grouping: Grouping, columns: Sequence[str], date_order: str | None) -> list[str | None]:
    """What each document has in these columns, joined; None where one of them is blank."""
    read = [values_of(grouping.corpus, column, date_order) for column in columns]
    return [
        " / ".join(map(str, values)) if all(isinstance(value, str) for value in values) else None
        for values in zip(*read, strict=True)
    ]


def _notes(names: Sequence[str | None], strata: Integers, shared: Booleans, columns: Sequence[str]) -> list[str]:
    """Which strata could not be compared, and how many documents that concerns."""
    left = list(dict.fromkeys(name for name, code in zip(names, strata, strict=True) if code >= 0 and not shared[code]))
    notes = []
    if left:
        count = int(np.sum(~shared[strata] & (strata >= 0)))
        more = f" and {len(left) - MOST_NAMED} more" if len(left) > MOST_NAMED else ""
        named = ", ".join(str(name) for name in left[:MOST_NAMED]) + more
        notes.append(f"{named}: not in every group, so their {count} documents do not count ({', '.join(columns)})")
    blank = int(np.sum(strata < 0))
    if blank:
        notes.append(f"{blank} documents have no value in {', '.join(columns)} and do not count")
    return notes
