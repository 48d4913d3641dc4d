"""Handwritten digits, 8 × 8 pixels, as they come with scikit-learn."""

from __future__ import annotations

import numpy as np

from visavis.datasets.dataset import Dataset


def load_digits() -> Dataset:
    """1,797 digits in ten groups; 64 gray values from 0 to 16 each."""
    from sklearn.datasets import load_digits as load

    images, labels = load(return_X_y=True)
    return Dataset("digits", np.asarray(images, np.float64), np.asarray(labels, np.intp), init="kmeans", variance=0.85)
