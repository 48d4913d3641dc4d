"""What a method picks in a part at a setting, for every size, sharing whatever settings and methods share."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import numpy as np

from visavis.errors import LeftTheData, MissingGroup, OnlyOneGroup
from visavis.evaluate.grid import Setting
from visavis.evaluate.sharing import Shared
from visavis.kernel.threads import limited_to
from visavis.records import Integers
from visavis.select.draws import SeededByName
from visavis.select.methods import Pair, row_of
from visavis.select.search import Request, select_sizes


def picks_of(
    shared: Shared, method: str, part: int, settings: Sequence[Setting], sizes: Sequence[int]
) -> list[Mapping[int, Integers]]:
    """For each setting, the rows picked at each size. Settings of one γ should stand together.

    Where only some may be picked, a group gives as many as it has; none at all where no group has any.
    """
    plan, room = shared.plan, shared.room(part)
    if room is not None and not room.any():
        return [dict.fromkeys(sizes, np.zeros(0, np.intp)) for _ in settings]
    there = None if room is None else room[room > 0].tolist()
    found: list[Mapping[int, Integers]] = []
    row = row_of(method)
    begin = {"init": plan.init} if isinstance(row, Pair) and row.moves_points else {}
    for setting in settings:
        request = Request(
            method=method,
            parameters={**begin, **setting.parameters},
            draws=SeededByName((plan.seed, shared.split), (part,)),
            frame=setting.gamma or 0,
            part=shared.cells(part),
            allowed=None if shared.candidates is None else shared.candidates.allowed,
        )
        with limited_to(1), warnings.catch_warnings():
            for known in (LeftTheData, MissingGroup, OnlyOneGroup):  # counted in the results, or known to the caller
                warnings.simplefilter("ignore", known)
            selections = select_sizes(shared.session_of(part), request, sizes, there)
        found.append({size: selection.rows for size, selection in selections.items()})
    return found
