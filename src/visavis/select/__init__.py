"""Vectors and groups in, picks out: pose a session, select from it; objectives, optimizers, baselines, estimator."""

from visavis.select.estimators import ComparativeSummarizer
from visavis.select.methods import METHODS, OBJECTIVES, OPTIMIZERS, Pair
from visavis.select.search import Request, Selection, select, select_sizes
from visavis.select.session import Session, pose
from visavis.select.values import objective_value, value_and_gradient

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
