import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references import documents, group_means, kernel_matrix, many, polynomial, proximity_matrix, rbf
from scipy import sparse

from visavis.kernel import kernel_at, mean_similarity
from visavis.kernel.binding import bind_here
from visavis.kernel.vectors import DocumentVectors
from visavis.records import Compute
from walking import walk

KERNELS = ["rbf", "cosine", "linear", "precomputed", polynomial]
GAMMA = 0.2
BOUNDARIES = [511, 512, 513, 1030]
TOLERANCE = {"float32": 3e-6, "float64": 1e-12}


def given_as(kernel, X):
    return rbf(X, X, GAMMA) if kernel == "precomputed" else X


def bound(kernel, X, dtype="float64", order=None, gamma=GAMMA):
    order = np.arange(len(X)) if order is None else order
    return bind_here(kernel_at(kernel, gamma), DocumentVectors(X, order), Compute(dtype))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kernel", KERNELS)
@given(seed=st.integers(0, 10**6), sizes=st.lists(st.integers(1, 12), min_size=1, max_size=4), d=st.integers(1, 6))
@many
def test_mean_similarity_equals_brute_force(kernel, dtype, seed, sizes, d):
    X, groups = documents(seed, sizes, d)
    X = given_as(kernel, X)
    found = mean_similarity(X, groups, kernel=kernel, gamma=GAMMA, dtype=dtype)
    expected = group_means(kernel_matrix(kernel, X, GAMMA), groups)
    assert found.shape == (len(X), len(sizes))
    assert found == pytest.approx(expected, rel=TOLERANCE[dtype], abs=TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kernel", KERNELS)
@given(seed=st.integers(0, 10**6))
@many
def test_weighted_mean_similarity_equals_brute_force(kernel, dtype, seed):
    X, groups = documents(seed, [9, 4, 7])
    X = given_as(kernel, X)
    rng = np.random.default_rng(seed + 1)
    weights = rng.exponential(size=len(X)) * (rng.random(len(X)) < 0.7)
    weights[[np.flatnonzero(groups == g)[0] for g in np.unique(groups)]] = 0.5
    found = mean_similarity(X, groups, kernel=kernel, gamma=GAMMA, sample_weight=weights, dtype=dtype)
    expected = group_means(kernel_matrix(kernel, X, GAMMA), groups, weights)
    assert found == pytest.approx(expected, rel=TOLERANCE[dtype], abs=TOLERANCE[dtype])


@pytest.mark.parametrize("n", BOUNDARIES)
@walk("kernel", KERNELS)
def test_mean_similarity_is_right_on_both_sides_of_a_tile_boundary(kernel, n):
    X, groups = documents(n, [n - 2 * (n // 3), n // 3, n // 3], 3)
    X = given_as(kernel, X)
    expected = group_means(kernel_matrix(kernel, X, GAMMA), groups)
    found = mean_similarity(X, groups, kernel=kernel, gamma=GAMMA)
    assert found == pytest.approx(expected, rel=3e-6, abs=3e-6)


@pytest.mark.parametrize("make", [sparse.csr_array, sparse.csr_matrix])
@pytest.mark.parametrize("kernel", ["linear", "cosine"])
@pytest.mark.parametrize("weighted", [False, True])
def test_sparse_rows_count_as_their_dense_selves(kernel, make, weighted):
    X, groups = documents(3, [20, 30], 8)
    X[np.random.default_rng(0).random(X.shape) < 0.7] = 0.0
    X[5] = 0.0
    weights = np.random.default_rng(1).exponential(size=len(X)) if weighted else None
    found = mean_similarity(make(X), groups, kernel=kernel, gamma=1.0, sample_weight=weights)
    assert found == pytest.approx(group_means(kernel_matrix(kernel, X, 1.0), groups, weights), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("kernel", ["rbf"])
@pytest.mark.parametrize("n", [40, 513])
@pytest.mark.parametrize("offset", [25.0, 1e3])
def test_a_shift_costs_float32_tiles_nothing(kernel, n, offset):
    X, groups = documents(7, [n // 2, n - n // 2])
    expected = group_means(kernel_matrix(kernel, X, GAMMA), groups)
    found = mean_similarity(X + offset, groups, kernel=kernel, gamma=GAMMA, dtype="float32")
    assert found == pytest.approx(expected, rel=3e-6, abs=3e-6)


@pytest.mark.parametrize("kernel", KERNELS)
def test_mean_similarity_is_bitwise_the_same_for_any_number_of_threads(kernel):
    X, groups = documents(5, [400, 700])
    X = given_as(kernel, X)
    one, two, four = (mean_similarity(X, groups, kernel=kernel, gamma=GAMMA, n_jobs=k) for k in (1, 2, 4))
    assert np.array_equal(one, two)
    assert np.array_equal(one, four)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@walk(
    "ratios",
    [(1, 2, 4, 8), (1, 3), (0.5, 1, 2), (2, 4), (4, 1, 2, 0.7), (3,), (1,), (1, 1), (0.25, 0.5, 1, 2, 4), (2, 1.5, 3)],
)
@walk("n", [60, 513])
def test_sums_at_several_gammas_equal_sums_at_each(n, ratios, dtype):
    X, _ = documents(11, [n])
    weights = np.random.default_rng(2).normal(size=(n, 3))
    gammas = [GAMMA * ratio for ratio in ratios]
    together = bound("rbf", X, dtype).sums(weights, gammas)
    for gamma, found in zip(gammas, together, strict=True):
        scale = rbf(X, X, gamma) @ np.abs(weights)
        alone = bound("rbf", X, dtype, gamma=gamma).sums(weights)
        assert np.all(np.abs(found - alone) <= 10 * TOLERANCE[dtype] * scale)
        assert np.all(np.abs(found - rbf(X, X, gamma) @ weights) <= 10 * TOLERANCE[dtype] * scale)


@pytest.mark.parametrize("kernel", KERNELS)
@given(seed=st.integers(0, 10**6))
@many
def test_blocks_of_renumbered_documents_hold_their_pairs(kernel, seed):
    X, _ = documents(seed, [15])
    X[3] = X[4]
    X = given_as(kernel, X)
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(X))[:12]
    K = kernel_matrix(kernel, X, GAMMA)[np.ix_(order, order)]
    for rows in (slice(2, 9), rng.permutation(12)[:5]):
        for columns in (slice(0, 12), rng.permutation(12)[:4]):
            for dtype in ("float32", "float64"):
                kept = bound(kernel, X, dtype, order)
                assert kept.block(rows, columns) == pytest.approx(K[rows][:, columns], rel=3e-6, abs=3e-6)
                assert kept.block(rows, columns, exact=True) == pytest.approx(K[rows][:, columns], rel=1e-12, abs=1e-12)
                assert kept.diagonal == pytest.approx(np.diag(K), rel=1e-12)


@pytest.mark.parametrize("offset", [0.0, 1e3])
@pytest.mark.parametrize("kernel", ["rbf"])
def test_proximity_is_minus_the_distance_of_the_kernel(kernel, offset):
    X, _ = documents(13, [30])
    X[3] = X[4]
    expected = proximity_matrix(kernel, X, GAMMA)
    everyone = slice(0, 30)
    exact = bound(kernel, X + offset).proximity(everyone, everyone, exact=True)
    tiled = bound(kernel, X + offset, "float32").proximity(everyone, everyone)
    assert exact == pytest.approx(expected, abs=1e-6)
    assert tiled == pytest.approx(expected, abs=5e-3)
    apart = expected < -0.5
    assert exact[apart] == pytest.approx(expected[apart], rel=1e-10)
    assert tiled[apart] == pytest.approx(expected[apart], rel=3e-5)
    assert np.all(np.diag(exact) == 0.0)
    assert np.all(np.diag(tiled) == 0.0)


@pytest.mark.parametrize("offset", [0.0, 1e3, 1e6])
def test_a_document_resembles_itself_exactly(offset):
    X, _ = documents(17, [600])
    kernel = bound("rbf", X + offset, "float32", gamma=1.0)
    assert np.all(np.diag(kernel.block(slice(0, 600), slice(0, 600))) == 1.0)
    assert np.all(np.diag(kernel.block(slice(0, 600), slice(0, 600), exact=True)) == 1.0)
    assert np.all(kernel.diagonal == 1.0)
