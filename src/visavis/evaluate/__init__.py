"""Which method, how many picks, on this data? The protocol of the paper, sharing work, resumable.

The package is named like its function, so it can be called: `visavis.evaluate(vectors, groups)` is
`visavis.evaluate.evaluate(vectors, groups)`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from visavis.evaluate.compare import AcrossTasks, Comparison, across_tasks, compare_runs
from visavis.evaluate.grid import GRIDS, Grid
from visavis.evaluate.plan import PAPER_METHODS, Plan
from visavis.evaluate.results import Cell, Evaluation, Result, Versus, read_evaluation
from visavis.evaluate.run import evaluate

__all__ = [
    "GRIDS",
    "PAPER_METHODS",
    "AcrossTasks",
    "Cell",
    "Comparison",
    "Evaluation",
    "Grid",
    "Plan",
    "Result",
    "Versus",
    "across_tasks",
    "compare_runs",
    "evaluate",
    "read_evaluation",
]


class _Callable(ModuleType):
    def __call__(self, *args: Any, **options: Any) -> Evaluation:
        return evaluate(*args, **options)


sys.modules[__name__].__class__ = _Callable
