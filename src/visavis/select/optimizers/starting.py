"""Where searches that improve on something begin."""

from __future__ import annotations

from visavis.errors import InvalidParameter
from visavis.records import Parameter


def check_init(value: object) -> str:
    """One of the ways to begin."""
    if value not in ("auto", "greedy", "kmeans"):
        raise InvalidParameter(f"init must be 'auto', 'greedy' or 'kmeans', got {value!r}")
    return str(value)


INIT = Parameter("init", "auto", check_init, help="where the search begins: greedy picks (auto) or k-means centers")
