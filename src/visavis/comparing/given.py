"""What is held constant while groups are compared: columns whose values all groups have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from visavis.comparing.origins import codes_of
from visavis.corpus.grouping import values_of
from visavis.errors import InvalidParameter
from visavis.explain.equal import equal_mix
from visavis.records import Booleans, Floats, Grouping, Integers

MOST_NAMED = 5


@dataclass(frozen=True, eq=False)
class Given:
    """What is held constant: each document's stratum, how many times its weight it counts, and what to say of it.

    Documents of strata that some group lacks count 0 times: they are no part of the comparison.
    """

    strata: Integers
    factors: Floats
    notes: tuple[str, ...] = ()

    def take(self, places: Integers) -> Given:
        """Those of these documents alone."""
        return replace(self, strata=self.strata[places], factors=self.factors[places])


def hold_constant(
    grouping: Grouping, columns: Sequence[str], weights: Floats, date_order: str | None = None
) -> Given | None:
    """The strata of these columns ("COLUMN" or "COLUMN:year") together; None where none are given.

    Raises UnknownName for a column that is not there, InvalidParameter where no stratum can be compared.
    """
    if not columns:
        return None
    names = _names(grouping, columns, date_order)
    strata = codes_of(names)
    factors = equal_mix(grouping.codes, strata, weights)
    if not factors.any():
        raise InvalidParameter(
            f"no value of {', '.join(columns)} has documents in every group: nothing can be held equal"
        )
    return Given(strata, factors, tuple(_notes(names, strata, factors > 0, columns)))


def _names(grouping: Grouping, columns: Sequence[str], date_order: str | None) -> list[str | None]:
    """What each document has in these columns, joined; None where one of them is blank."""
    read = [values_of(grouping.corpus, column, date_order) for column in columns]
    return [
        " / ".join(map(str, values)) if all(isinstance(value, str) for value in values) else None
        for values in zip(*read, strict=True)
    ]


def _notes(names: Sequence[str | None], strata: Integers, counts: Booleans, columns: Sequence[str]) -> list[str]:
    """Which strata could not be compared, and how many documents that concerns."""
    alone = (strata >= 0) & ~counts
    left = list(dict.fromkeys(name for name, out in zip(names, alone, strict=True) if out))
    notes = []
    if left:
        more = f" and {len(left) - MOST_NAMED} more" if len(left) > MOST_NAMED else ""
        named = ", ".join(str(name) for name in left[:MOST_NAMED]) + more
        count = int(alone.sum())
        notes.append(f"{named}: not in every group, so their {count} documents do not count ({', '.join(columns)})")
    blank = int(np.sum(strata < 0))
    if blank:
        notes.append(f"{blank} documents have no value in {', '.join(columns)} and do not count")
    return notes
