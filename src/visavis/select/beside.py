"""What a search weighs beside its objective: what other picks leave untold, and which documents are worth showing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from visavis.records import Booleans, Floats
from visavis.select.untold import Untold


@dataclass(frozen=True, eq=False)
class Beside:
    """How much documents count beside the objective: ε·t + η·q, shared among G groups of M picks each.

    t is how telling a document is beside the other picks of its group, as a share of the most telling one, q how much
    it is worth showing, where documents were weighed; `emphasis` is ε, `worth` η, and `unit` what 1 is of the
    objective.
    """

    untold: Untold
    emphasis: float
    worth: float
    unit: float

    def counts(self, group: int, others: Sequence[int], open_: Booleans) -> Floats:
        """What each document of a group counts beside its other picks, told as the objective is; shape (N_g,)."""
        told = self.untold.told(group, others)
        most = float(told[open_].max(initial=0.0))
        found = self.emphasis * np.maximum(told, 0.0) / most if most > 0.0 else np.zeros(len(told))
        if (worth := self.untold.worth(group)) is not None:
            found = found + self.worth * worth
        each = self.unit / (self.untold.problem.n_groups * (len(others) + 1))
        return np.asarray(each * found)
