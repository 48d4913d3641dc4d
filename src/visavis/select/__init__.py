"""Vectors and groups in, picks out: objectives, optimizers, baselines, and the estimators on top."""

from visavis.select.engine import objective_value, value_and_gradient
from visavis.select.estimators import ComparativeSummarizer
from visavis.select.methods import METHODS, OBJECTIVES, OPTIMIZERS

__all__ = ["METHODS", "OBJECTIVES", "OPTIMIZERS", "ComparativeSummarizer", "objective_value", "value_and_gradient"]
