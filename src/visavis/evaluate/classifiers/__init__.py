"""What is trained on the picks: one file a classifier, one row in the table."""

from __future__ import annotations

from visavis.registry import Registry, Row

__all__ = ["CLASSIFIERS"]

CLASSIFIERS = Registry(
    "classifier",
    {
        "1-nn": Row("visavis.evaluate.classifiers.nearest:NearestPick", "the group of the nearest pick"),
        "svm": Row("visavis.evaluate.classifiers.svm:KernelSVM", "RBF support vectors, groups balanced"),
    },
)
