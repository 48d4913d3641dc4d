"""What a search needs of the memory, and what is left of a stated budget for what it may keep."""

from __future__ import annotations

from dataclasses import replace

from visavis.errors import InvalidParameter
from visavis.records import Compute
from visavis.shared.memory import in_use, written

ROWS = 2  # times the documents' rows at the precision of the tiles: as they are, and mirrored for sums over all pairs
COLUMNS = 4  # times a column of float64 for each pick: kept, stacked, raised to a power, and what documents add
GROUP_COLUMNS = 6  # the same for each group: sums, weights of fields, evidence
PER_DOCUMENT = 96  # bytes of order, weights, marks and numbers
SPARE = 48 * 2**20  # tiles, samples and what they are made of


def needed(n_documents: int, n_features: int, n_groups: int, n_picks: int, *, precision: int = 4) -> int:
    """About how many bytes a search takes beside the vectors it is given."""
    rows = ROWS * (n_features + 2) * precision
    columns = 8 * (COLUMNS * n_picks + GROUP_COLUMNS * n_groups)
    return n_documents * (rows + columns + PER_DOCUMENT) + SPARE


def within(compute: Compute, budget: int | None, needs: int, n_documents: int) -> Compute:
    """The same with what is left of a budget to keep things in, as a power of two. Without a budget nothing changes.

    Raises InvalidParameter where even what is needed does not fit.
    """
    if budget is None:
        return compute
    held = in_use()
    left = budget - held - needs
    if left < 0:
        raise InvalidParameter(
            f"memory={written(budget)} does not hold {n_documents:,} documents: {written(held)} are in use and the "
            f"search takes about {written(needs)} more: raise memory, ask for fewer picks, or compare fewer documents"
        )
    return replace(compute, memory_mb=max(1, 1 << max(0, (left >> 20).bit_length() - 1)))
