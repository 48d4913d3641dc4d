"""Vectors and groups in, picks out: pose a session, select from it; objectives, optimizers, baselines, estimator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from visavis.select.methods import METHODS, OBJECTIVES, OPTIMIZERS, Pair
from visavis.select.search import Request, Selection, select, select_sizes
from visavis.select.session import Session, pose
from visavis.select.values import objective_value, value_and_gradient

if TYPE_CHECKING:
    from visavis.select.estimators import ComparativeSummarizer

__all__ = [
    "METHODS",
    "OBJECTIVES",
    "OPTIMIZERS",
    "ComparativeSummarizer",
    "Pair",
    "Request",
    "Selection",
    "Session",
    "objective_value",
    "pose",
    "select",
    "select_sizes",
    "value_and_gradient",
]


def __getattr__(name: str) -> Any:
    """The estimator, only where it is asked for: processes that search again do without scikit-learn."""
    if name != "ComparativeSummarizer":
        raise AttributeError(f"module 'visavis.select' has no attribute {name!r}")
    from visavis.select.estimators import ComparativeSummarizer

    return ComparativeSummarizer
