"""When documents were published, as far as their dates can be believed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from visavis.corpus.fields import role_column
from visavis.corpus.periods import read_moments
from visavis.records import Document, Floats


def moments_of(documents: Sequence[Document]) -> list[datetime | None]:
    """The documents' dates, without those that grouping would call implausible."""
    found = read_moments(documents, role_column("date"), None, None).found
    return [moment if isinstance(moment, datetime) else None for moment in found]


def days_of(documents: Sequence[Document]) -> Floats:
    """The same as days since a moment long ago, with hours as parts of them; NaN where there is no date."""
    found = [float("nan") if moment is None else day_of(moment) for moment in moments_of(documents)]
    return np.array(found, np.float64)


def day_of(moment: datetime) -> float:
    """Days since a moment long ago."""
    return moment.toordinal() + moment.hour / 24
