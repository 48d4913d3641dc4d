from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.decomposition import PCA

from visavis.select import ComparativeSummarizer

FLOORS = json.loads((Path(__file__).parent / "floors.json").read_text())["usps"]
N_TRAIN = 7291


@pytest.fixture(scope="module")
def splits(data_folder):
    """Training and test parts after PCA to 85 % of the variance: the standard split and two random ones."""
    path = data_folder / "usps" / "usps_u16.npz"
    assert hashlib.sha256(path.read_bytes()).hexdigest() == FLOORS["digest"], "the floors belong to other data"
    with np.load(path, allow_pickle=False) as stored:
        pixels = np.concatenate([stored["x_train"], stored["x_test"]]) / 1000.0 - 1.0
        labels = np.concatenate([stored["y_train"], stored["y_test"]])
    orders = [np.arange(len(labels)), *(np.random.RandomState(seed).permutation(len(labels)) for seed in (1, 2))]
    parts = []
    for order in orders:
        train, test = order[:N_TRAIN], order[N_TRAIN:]
        reduce = PCA(0.85).fit(pixels[train])
        assert reduce.n_components_ == 39
        parts.append((reduce.transform(pixels[train]), labels[train], reduce.transform(pixels[test]), labels[test]))
    return parts


def mean_accuracy(splits, method, size):
    scores = []
    for train, train_labels, test, test_labels in splits:
        model = ComparativeSummarizer(method, size, gamma=0.04, contrast=0.1, random_state=0)
        scores.append(model.fit(train, train_labels).score(test, test_labels))
    return float(np.mean(scores))


@pytest.mark.parametrize("size", [2, 4, 8, 16])
@pytest.mark.parametrize("method", sorted(FLOORS["published"]))
def test_accuracy_is_the_published_one_and_does_not_sink(splits, method, size):
    accuracy = mean_accuracy(splits, method, size)
    assert accuracy == pytest.approx(FLOORS["published"][method][str(size)], abs=0.02)
    assert accuracy >= FLOORS["floor"][method][str(size)], "lowering a floor needs a reason in the changelog"


@pytest.mark.parametrize("size", [1, 4, 8])
def test_with_nothing_tuned_the_default_of_the_estimator_is_ahead_of_clusterings(splits, size):
    def mean(**options):
        scores = [
            ComparativeSummarizer(n_prototypes=size, random_state=0, **options)
            .fit(train[:2500], labels[:2500])
            .score(test, truth)
            for train, labels, test, truth in splits
        ]
        return float(np.mean(scores))

    assert mean() > max(mean(method="kmeans"), mean(method="kmedoids"), mean(method="mmd-diff-grad"))
