import numpy as np
import pytest
from references import NAMES, OBJECTIVES

from visavis.select import METHODS, ComparativeSummarizer
from walking import walk

DRAWING = ("kmeans", "random")
PAIRS = ["softmin+greedy", "between-prototypes+gradient", "mmd+greedy", "mmd+exchange"]
DETERMINISTIC = [*(name for name in METHODS if name not in DRAWING), *PAIRS]
WITHOUT_GRADIENT = [
    name for name in DETERMINISTIC if not name.endswith(("grad", "gradient"))
]  # gradient search is for the RBF kernel
SEEDS = (0, 1)
pytestmark = pytest.mark.filterwarnings("ignore::visavis.errors.LeftTheData", "ignore::visavis.errors.MissingGroup")


def clumped(seed, sizes=(40, 25, 32), d=5):
    """Every group a few clumps of its own and uneven sizes, so that gains differ clearly."""
    rng = np.random.default_rng(seed)
    parts = []
    for n in sizes:
        centers = 3.0 * rng.normal(size=(4, d))
        parts.append(centers[rng.choice(4, n, p=[0.4, 0.3, 0.2, 0.1])] + rng.normal(size=(n, d)))
    labels = np.repeat(NAMES[: len(sizes)], sizes)
    order = rng.permutation(len(labels))
    return np.concatenate(parts)[order], labels[order]


def picks(X, groups, method, weights=None, **told):
    model = ComparativeSummarizer(method, 4, **{"random_state": 0, **told}).fit(X, groups, sample_weight=weights)
    return model.prototype_indices_.tolist()


def uneven(X, seed):
    """Weights that part exact ties: of two documents that have only each other, either serves the pair equally well."""
    return 1.0 + np.random.default_rng(seed + 3).random(len(X))


def rotation(d, seed):
    return np.linalg.qr(np.random.default_rng(seed + 99).normal(size=(d, d)))[0]


def test_the_methods_tested_here_cover_all_objectives():
    named = [METHODS[name].objective for name in DETERMINISTIC if hasattr(METHODS.get(name), "objective")]
    assert {*named, *(name.partition("+")[0] for name in PAIRS)} >= set(OBJECTIVES)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@walk("method", DETERMINISTIC)
@walk("seed", SEEDS)
def test_the_order_of_the_documents_changes_nothing(method, seed, dtype):
    X, groups = clumped(seed)
    weights = uneven(X, seed)
    order = np.random.default_rng(seed + 7).permutation(len(X))
    shuffled = picks(X[order], groups[order], method, weights[order], dtype=dtype)
    assert order[shuffled].tolist() == picks(X, groups, method, weights, dtype=dtype)


@pytest.mark.parametrize("kernel", ["cosine", "linear"])
@walk("method", WITHOUT_GRADIENT)
def test_the_order_of_the_documents_changes_nothing_for_any_kernel(method, kernel):
    X, groups = clumped(5)
    X = X / np.sqrt((X**2).sum(axis=1)).max() if kernel == "linear" else X
    weights = uneven(X, 5)
    order = np.random.default_rng(5).permutation(len(X))
    shuffled = picks(X[order], groups[order], method, weights[order], kernel=kernel)
    assert order[shuffled].tolist() == picks(X, groups, method, weights, kernel=kernel)


@pytest.mark.parametrize("method", DETERMINISTIC)
@walk("seed", SEEDS)
def test_a_shift_by_a_thousand_changes_nothing(method, seed):
    X, groups = clumped(seed)
    assert picks(X + 1e3, groups, method) == picks(X, groups, method)


@pytest.mark.parametrize("method", DETERMINISTIC)
@walk("seed", SEEDS)
def test_a_rotation_changes_nothing(method, seed):
    X, groups = clumped(seed)
    assert picks(X @ rotation(X.shape[1], seed), groups, method) == picks(X, groups, method)


@pytest.mark.parametrize("kernel", ["cosine", "linear"])
@pytest.mark.parametrize("method", ["nn-comp-greedy", "mmd-diff-greedy", "softmin-exchange"])
def test_a_rotation_changes_nothing_for_kernels_of_the_angle(method, kernel):
    X, groups = clumped(6)
    X = X / np.sqrt((X**2).sum(axis=1)).max()
    turned = X @ rotation(X.shape[1], 6)
    assert picks(turned, groups, method, kernel=kernel) == picks(X, groups, method, kernel=kernel)


@pytest.mark.parametrize("method", DETERMINISTIC)
def test_the_number_of_threads_changes_nothing_at_all(method):
    X, groups = clumped(1, (600, 550))
    one, two, four = (
        ComparativeSummarizer(method, 3, n_jobs=threads, random_state=0).fit(X, groups) for threads in (1, 2, 4)
    )
    for other in (two, four):
        assert other.prototype_indices_.tolist() == one.prototype_indices_.tolist()
        assert np.array_equal(other.gains_, one.gains_)
        assert other.stages_ == one.stages_
        assert other.gamma_ == one.gamma_


@walk("method", list(METHODS))
def test_renamed_groups_in_the_same_sorted_order_change_nothing(method):
    X, groups = clumped(2)
    _, codes = np.unique(groups, return_inverse=True)
    assert picks(X, codes * 10 - 5, method) == picks(X, groups, method)


@pytest.mark.parametrize("method", list(METHODS))
def test_the_memory_bound_changes_nothing(method):
    X, groups = clumped(3, (420, 430))
    assert picks(X, groups, method, memory_mb=1) == picks(X, groups, method)
