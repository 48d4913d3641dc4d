import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics.pairwise import pairwise_kernels

from checks import assert_passes_checks
from visavis.contracts import Kernel
from visavis.errors import Incompatible
from visavis.kernel import KERNELS, kernel_at, kernel_kind, mean_similarity, needs_gamma
from visavis.kernel.binding import bind_here
from visavis.kernel.pairs import PlainPairs
from visavis.kernel.vectors import DocumentVectors
from visavis.records import Compute
from visavis.select import METHODS, ComparativeSummarizer, objective_value
from visavis.select.methods import Baseline, Pair
from walking import walk

pytestmark = [
    pytest.mark.filterwarnings("error::RuntimeWarning"),
    pytest.mark.filterwarnings("ignore::visavis.errors.LeftTheData"),
    pytest.mark.filterwarnings("ignore::visavis.errors.MissingGroup"),
    pytest.mark.filterwarnings("ignore::visavis.errors.OnlyOneGroup"),
]

GAMMA = 0.4


def quadratic(left, right):
    return (1.0 + left @ right.T) ** 2


CHOICES = [*KERNELS, quadratic]


def name_of(kernel):
    return kernel if isinstance(kernel, str) else kernel.__name__


every_kernel = pytest.mark.parametrize("kernel", CHOICES, ids=name_of)


def documents(n=30, seed=2):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    points = 0.5 * rng.normal(size=(n, 4)) + 0.6 * rng.normal(size=(3, 4))[y]
    return points, y


def brute_force(kernel, left, right):
    """Kernel values by another library; "precomputed" stands for a kernel the caller worked out."""
    if callable(kernel):
        return kernel(left, right)
    options = {"gamma": GAMMA} if kernel == "rbf" else {}
    return pairwise_kernels(left, right, metric="linear" if kernel == "precomputed" else kernel, **options)


def as_given(kernel, left, right):
    return brute_force(kernel, left, right) if kernel == "precomputed" else left


def bind(kernel, points, order, dtype="float32", threads=1):
    vectors = DocumentVectors(as_given(kernel, points, points), order)
    return bind_here(kernel_at(kernel, GAMMA), vectors, Compute(dtype, threads))


def accepts(row, kernel):
    if isinstance(row, Pair):
        return row.optimizer != "gradient" or kernel_kind(kernel).abilities.smooth
    return "kmeans" not in row.target.target or kernel != "precomputed"


def fit(method, kernel, points, y, **options):
    model = ComparativeSummarizer(method, 2, kernel=kernel, gamma=GAMMA, random_state=0, **options)
    return model.fit(as_given(kernel, points, points), y)


@pytest.mark.parametrize("method", METHODS)
@walk("kernel", CHOICES, ids=name_of)
def test_every_method_works_with_every_kernel_it_accepts_and_names_a_way_out_of_the_others(method, kernel):
    points, y = documents()
    row = METHODS[method]
    if not accepts(row, kernel):
        with pytest.raises(Incompatible, match="greedy"):
            fit(method, kernel, points, y)
        return
    model = fit(method, kernel, points, y)
    objective = row.score if isinstance(row, Baseline) else row.objective
    expected = objective_value(
        as_given(kernel, points, points), y, model.prototype_indices_, objective=objective, kernel=kernel, gamma=GAMMA
    )
    assert len(set(model.prototype_indices_.tolist())) == 6
    assert np.all(np.isfinite(model.gains_))
    assert model.objective_values_ == pytest.approx(expected, rel=1e-6, abs=1e-6)


@every_kernel
@walk("method", ["mmd-div-greedy", "nn-comp-greedy", "kmedoids"])
def test_prediction_is_the_group_of_the_nearest_pick_in_the_geometry_of_the_kernel(method, kernel):
    points, y = documents()
    fresh = np.random.default_rng(9).normal(size=(80, 4))
    model = fit(method, kernel, points, y)
    picks = points[model.prototype_indices_]
    own = np.array([brute_force(kernel, p[None], p[None])[0, 0] for p in picks])
    nearest = (own[None, :] - 2.0 * brute_force(kernel, fresh, picks)).argmin(axis=1)
    assert model.predict(as_given(kernel, fresh, points)).tolist() == y[model.prototype_indices_][nearest].tolist()


@every_kernel
@walk("optimizer", ["gradient", "greedy", "exchange"])
def test_gradient_search_on_a_kernel_without_one_names_greedy_and_exchange(kernel, optimizer):
    points, y = documents()
    if optimizer == "gradient" and not kernel_kind(kernel).abilities.smooth:
        with pytest.raises(Incompatible, match=r"greedy.*exchange"):
            fit("mmd-diff+gradient", kernel, points, y)
    else:
        assert len(fit(f"mmd-diff+{optimizer}", kernel, points, y).gains_) == 6


@every_kernel
def test_a_kernel_answers_as_brute_force_does(kernel):
    points, _ = documents(600)
    order = np.random.default_rng(1).permutation(600)
    exact = brute_force(kernel, points, points)[np.ix_(order, order)]
    bound = bind(kernel, points, order)
    weights = np.random.default_rng(3).random((600, 2))
    rows, columns = np.array([5, 599, 17]), slice(2, 21)
    assert isinstance(kernel_at(kernel, GAMMA), Kernel)
    assert bound.n_documents == 600
    assert bound.diagonal == pytest.approx(np.diag(exact), rel=1e-12)
    assert bound.block(rows, columns, exact=True) == pytest.approx(exact[rows][:, columns], rel=1e-9, abs=1e-12)
    assert bound.block(rows, columns) == pytest.approx(exact[rows][:, columns], rel=1e-5, abs=1e-6)
    assert bound.sums(weights) == pytest.approx(exact @ weights, rel=1e-5, abs=1e-5)
    near = bound.proximity(rows, columns, exact=True)
    assert bound.proximity(rows, columns) == pytest.approx(near, rel=1e-4, abs=1e-4)
    assert bound.columns(rows, exact=True) == pytest.approx(exact[:, rows], rel=1e-9, abs=1e-12)
    assert bound.gram(rows, exact=True) == pytest.approx(exact[np.ix_(rows, rows)], rel=1e-9, abs=1e-12)


@every_kernel
def test_what_a_kernel_says_it_can_do_is_there_once_it_is_bound(kernel):
    points, _ = documents()
    bound = bind(kernel, points, np.arange(30))
    assert bound.abilities == kernel_at(kernel, GAMMA).abilities
    assert bound.abilities.smooth == all(hasattr(bound, name) for name in ("unit", "field", "beyond", "interaction"))
    everyone = slice(0, 30)
    if bound.abilities.widths:
        narrow = bind_here(kernel_at(kernel, 4 * GAMMA), DocumentVectors(points, np.arange(30)), Compute())
        powers = bound.block(everyone, everyone, exact=True) ** 4
        assert narrow.block(everyone, everyone, exact=True) == pytest.approx(powers, rel=1e-9, abs=1e-12)
    else:
        assert not needs_gamma(kernel)  # so that no test at several widths passes it over


@pytest.mark.parametrize("kernel", [kernel for kernel in CHOICES if kernel != "precomputed"], ids=name_of)
def test_the_tiles_of_a_kernel_alone_answer_as_its_fast_way_does(kernel):
    points, _ = documents(600)
    order = np.random.default_rng(1).permutation(600)
    plain = PlainPairs(kernel_at(kernel, GAMMA), DocumentVectors(points, order), Compute())
    fast = bind(kernel, points, order, "float64")
    weights = np.random.default_rng(3).random((600, 2))
    rows, columns = np.array([5, 599, 17]), slice(30, 60)
    assert type(plain) is not type(fast)
    assert plain.diagonal == pytest.approx(fast.diagonal, rel=1e-12)
    assert plain.block(rows, columns) == pytest.approx(fast.block(rows, columns, exact=True), rel=1e-9, abs=1e-12)
    near = fast.proximity(rows, columns, exact=True)
    assert plain.proximity(rows, columns) == pytest.approx(near, rel=1e-9, abs=1e-9)
    assert plain.sums(weights) == pytest.approx(fast.sums(weights), rel=1e-9)


@every_kernel
def test_proximity_ranks_documents_as_the_kernel_does(kernel):
    points, _ = documents()
    bound = bind(kernel, points, np.arange(30))
    near, similar = (ask(slice(0, 30), slice(0, 30), exact=True) for ask in (bound.proximity, bound.block))
    assert np.argsort(near, axis=1, kind="stable").tolist() == np.argsort(similar, axis=1, kind="stable").tolist()


@every_kernel
def test_threads_change_no_bit(kernel):
    points, _ = documents(1100)
    weights = np.random.default_rng(3).random((1100, 2))
    one, two = (bind(kernel, points, np.arange(1100), threads=n).sums(weights) for n in (1, 3))
    assert one.tobytes() == two.tobytes()


@every_kernel
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_mean_similarity_is_the_weighted_mean_of_each_group(kernel, dtype):
    points, y = documents(60)
    weights = np.random.default_rng(4).integers(0, 4, 60).astype(float)
    exact = brute_force(kernel, points, points)
    expected = np.column_stack([np.average(exact[:, y == g], axis=1, weights=weights[y == g]) for g in range(3)])
    data = as_given(kernel, points, points)
    found = mean_similarity(data, y, kernel=kernel, gamma=GAMMA, sample_weight=weights, dtype=dtype)
    assert found == pytest.approx(expected, rel=1e-5, abs=1e-6)


EXPECTED_FAILURES = {
    "precomputed": {
        "check_classifiers_one_label_sample_weights": "the check hands over a matrix that is no symmetric kernel"
    }
}


@pytest.mark.parametrize("kernel", list(KERNELS))
def test_every_kernel_makes_a_scikit_learn_classifier(kernel):
    model = ComparativeSummarizer("mmd-div-greedy", 1, kernel=kernel)
    assert_passes_checks(model, EXPECTED_FAILURES.get(kernel, {}))


@pytest.mark.parametrize("method", [name for name, row in METHODS.items() if accepts(row, "linear")])
@walk("kernel", ["linear", "cosine"])
@walk("container", [sparse.csr_array, sparse.csc_array, sparse.coo_array, sparse.csr_matrix])
def test_sparse_documents_give_the_picks_of_dense_ones(method, kernel, container):
    points, y = documents()
    points[np.abs(points) < 0.3] = 0.0
    dense, thin = (
        ComparativeSummarizer(method, 2, kernel=kernel, random_state=0).fit(c, y) for c in (points, container(points))
    )
    if method != "kmeans":  # scikit-learn's k-means takes another path on sparse rows
        assert thin.prototype_indices_.tolist() == dense.prototype_indices_.tolist()
    assert sparse.issparse(thin.prototypes_)
    assert set(thin.predict(container(points)).tolist()) <= {0, 1, 2}


@walk("method", METHODS)
@walk("kernel", ["rbf", "precomputed", quadratic], ids=name_of)
def test_sparse_documents_are_refused_where_a_kernel_needs_dense_ones(method, kernel):
    points, y = documents()
    with pytest.raises(ValueError, match=r"(?i)dense|sparse"):
        ComparativeSummarizer(method, 2, kernel=kernel).fit(sparse.csr_array(points), y)


@walk("method", METHODS)
def test_a_matrix_that_is_no_kernel_is_refused(method):
    points, y = documents()
    with pytest.raises(ValueError, match=r"square.*\(30, 4\)"):
        ComparativeSummarizer(method, 2, kernel="precomputed").fit(points, y)
    with pytest.raises(ValueError, match="symmetric"):
        ComparativeSummarizer(method, 2, kernel="precomputed").fit(np.triu(points @ points.T), y)


BROKEN = {
    "transposed": lambda left, right: (left @ right.T).T[:, :1],
    "scalar": lambda left, right: 1.0,  # noqa: ARG005
    "nan": lambda left, right: np.full((len(left), len(right)), np.nan),
    "inf": lambda left, right: np.full((len(left), len(right)), np.inf),
    "nan off the diagonal": lambda left, right: np.where(left @ right.T > 0, left @ right.T, np.nan),
    "text": lambda left, right: np.full((len(left), len(right)), "x"),
    "nothing": lambda left, right: None,  # noqa: ARG005
}


@walk("method", ["mmd-div-greedy", "nn-comp-greedy", "softmin-exchange", "kmedoids", "mmd-critic"])
@walk("broken", BROKEN)
def test_a_function_that_returns_no_kernel_is_refused_by_name(method, broken):
    points, y = documents()
    with pytest.raises(ValueError, match="kernel function"):
        ComparativeSummarizer(method, 2, kernel=BROKEN[broken]).fit(points, y)
