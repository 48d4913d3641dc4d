"""Which documents are not independent of each other: found in their columns, or told by the user."""

from __future__ import annotations

import numpy as np

from visavis.comparing.moments import days_of
from visavis.comparing.origins import authors, codes_of, sources
from visavis.corpus.grouping import values_of
from visavis.errors import InvalidParameter
from visavis.explain.blocks import divide
from visavis.explain.kinds import Kind, choose_kinds
from visavis.records import Blocks, Grouping, Integers, Points

AUTO, NONE = "auto", "none"


def check_blocks(blocks: tuple[str, ...]) -> None:
    """Raise InvalidParameter for "auto" or "none" beside something else."""
    if len(blocks) != 1 and any(word in blocks for word in (AUTO, NONE)):
        raise InvalidParameter(f"blocks takes columns, or 'auto' or 'none' alone, got {', '.join(blocks)}")


def find_blocks(
    grouping: Grouping,
    points: Points,
    stories: Integers,
    told: tuple[str, ...] = (AUTO,),
    within: Integers | None = None,
    date_order: str | None = None,
) -> Blocks:
    """The blocks of a grouping's documents, each a point.

    `told` names columns, "COLUMN:week" for periods, from the coarsest to the finest; "auto" looks for them, "none"
    takes every document on its own. Copies always belong together. `within` holds something constant. Raises
    UnknownName for a column that is not there.
    """
    codes, copies = grouping.codes, points.families
    if told == (NONE,):
        return divide("documents", copies, codes, [copies], within)
    near = Kind("stories", stories)
    if told == (AUTO,):
        kinds = choose_kinds(_known(grouping, near), codes, points.vectors)
    else:
        columns = [Kind(by, _column(grouping, by, date_order)) for by in told]
        kinds = [*columns, near]
    return divide(kinds[0].by, kinds[0].codes, codes, [*(kind.codes for kind in kinds), copies], within)


def _column(grouping: Grouping, by: str, date_order: str | None) -> Integers:
    labels = values_of(grouping.corpus, by, date_order)
    return codes_of([label if isinstance(label, str) else None for label in labels])


def _known(grouping: Grouping, stories: Kind) -> list[Kind]:
    """What is known of the documents, from where they come from to what they tell."""
    documents = grouping.corpus.documents
    days = days_of(documents)
    kinds = [
        Kind("source", codes_of(sources(documents))),
        Kind("author", codes_of(authors(documents))),
        Kind("date", np.where(np.isfinite(days), days, -1).astype(np.intp)),
        stories,
    ]
    return [kind for kind in kinds if np.any(kind.codes >= 0)]
