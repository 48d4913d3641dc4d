import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.exceptions import NotFittedError
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from checks import assert_passes_checks
from visavis.select import METHODS, ComparativeSummarizer
from visavis.select.methods import Pair
from walking import walk

pytestmark = [
    pytest.mark.filterwarnings("error::RuntimeWarning"),
    pytest.mark.filterwarnings("ignore::visavis.errors.LeftTheData"),
    pytest.mark.filterwarnings("ignore::visavis.errors.MissingGroup"),
    pytest.mark.filterwarnings("ignore::visavis.errors.OnlyOneGroup"),
]

PAIRS = [name for name, row in METHODS.items() if isinstance(row, Pair)]
every_method = pytest.mark.parametrize("method", METHODS)

WEIGHT_OR_COPIES = "check_sample_weight_equivalence_on_dense_data"
EXPECTED_FAILURES = {
    "random": {WEIGHT_OR_COPIES: "a document repeated is drawn more often, one of weight 2 is not"},
    "mmd-critic": {"check_classifiers_train": "it is told no groups, so its few picks may miss some"},
}


@every_method
def test_every_method_is_a_scikit_learn_classifier(method):
    assert_passes_checks(ComparativeSummarizer(method, n_prototypes=1), EXPECTED_FAILURES.get(method, {}))


@pytest.fixture
def blobs():
    return make_blobs(45, n_features=4, centers=3, cluster_std=2.0, random_state=3)


@every_method
def test_it_works_in_a_pipeline(method, blobs):
    X, y = blobs
    model = make_pipeline(StandardScaler(), ComparativeSummarizer(method, 2, random_state=0)).fit(
        X * [1, 10, 100, 1000], y
    )
    assert model.score(X * [1, 10, 100, 1000], y) > 0.6
    assert model[-1].prototypes_.shape == (6, 4)


@pytest.mark.parametrize("method", ["mmd-diff-grad", "mmd-diff-greedy", "softmin-exchange"])
def test_a_grid_over_contrast_and_size_finds_the_best_of_each(method, blobs):
    X, y = blobs
    grid = {"contrast": [0.0, 0.1, 0.5], "n_prototypes": [1, 3]}
    search = GridSearchCV(ComparativeSummarizer(method, random_state=0), grid, cv=3, error_score="raise").fit(X, y)
    assert len(search.cv_results_["params"]) == 6
    assert np.all(np.isfinite(search.cv_results_["mean_test_score"]))
    assert len(search.best_estimator_.prototype_indices_) == 3 * search.best_params_["n_prototypes"]


def test_a_clone_has_the_parameters_and_nothing_fitted(blobs):
    sizes = {0: 1, 1: 2, 2: 3}
    model = ComparativeSummarizer("mmd-div-greedy", sizes, contrast=2.0, gamma=0.3, dtype="float64").fit(*blobs)
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    assert not hasattr(copy, "prototypes_")
    assert copy.fit(*blobs).prototype_indices_.tolist() == model.prototype_indices_.tolist()


@pytest.mark.parametrize("kernel", ["rbf", "cosine", "linear", "precomputed"])
def test_a_fitted_model_survives_pickling(kernel, blobs):
    X, y = blobs
    X = X @ X.T if kernel == "precomputed" else X
    model = ComparativeSummarizer("mmd-div-greedy", 2, kernel=kernel).fit(X, y)
    copy = pickle.loads(pickle.dumps(model))  # noqa: S301 (our own bytes)
    assert copy.predict(X).tolist() == model.predict(X).tolist()
    assert copy.stages_ == model.stages_


def test_prediction_before_fit_is_refused(blobs):
    with pytest.raises(NotFittedError):
        ComparativeSummarizer().predict(blobs[0])


def test_a_data_frame_gives_its_column_names(blobs):
    X, y = blobs
    frame = pd.DataFrame(X, columns=list("abcd"), index=np.arange(len(X))[::-1])
    labels = pd.Series(np.array(["x", "y", "z"])[y], index=frame.index)
    model = ComparativeSummarizer("mmd-diff-greedy", 2).fit(frame, labels)
    assert model.feature_names_in_.tolist() == list("abcd")
    assert model.n_features_in_ == 4
    assert (
        model.prototype_indices_.tolist()
        == ComparativeSummarizer("mmd-diff-greedy", 2).fit(X, y).prototype_indices_.tolist()
    )
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[list("dcba")])


@every_method
@walk(
    "names",
    [["north", "south", "zürich"], [False, True, True], [-5, 0, 2**40], [1.0, 2.0, 3.0]],
)
def test_labels_of_any_kind_come_back_as_they_were(method, names, blobs):
    X, y = blobs
    labels = np.array(names)[y]
    model = ComparativeSummarizer(method, 2, random_state=0).fit(X, labels)
    assert model.classes_.tolist() == sorted(set(names))
    assert list(model.objective_values_) == list(model.stages_) == sorted(set(names))
    assert model.prototype_groups_.tolist() == labels[model.prototype_indices_].tolist()
    assert model.predict(X).dtype == labels.dtype


def test_score_is_balanced_accuracy(blobs):
    X, y = blobs
    keep = np.flatnonzero((y != 1) | (np.arange(len(y)) % 5 == 0))
    model = ComparativeSummarizer("mmd-diff-greedy", 1, gamma=0.001).fit(X[keep], y[keep])
    assert model.score(X, y) == balanced_accuracy_score(y, model.predict(X))
    weights = np.arange(1.0, len(y) + 1)
    assert model.score(X, y, weights) == balanced_accuracy_score(y, model.predict(X), sample_weight=weights)


@every_method
@walk("kernel", ["rbf", "cosine", "linear"])
@walk("dtype", ["float32", "float64"])
def test_the_input_is_never_changed(method, kernel, dtype, blobs):
    if kernel != "rbf" and "grad" in method:
        kernel = "rbf"
    inputs = [blobs[0].astype(dtype) / 10, blobs[1].copy(), np.linspace(0.5, 2.0, 45)]
    before = [part.tobytes() for part in inputs]
    model = ComparativeSummarizer(method, 2, kernel=kernel, dtype=dtype, random_state=0)
    model.fit(inputs[0], inputs[1], sample_weight=inputs[2]).score(*inputs)
    assert [part.tobytes() for part in inputs] == before
    for part in inputs:
        part.setflags(write=False)
    picked = model.prototype_indices_.tolist()
    assert model.fit(inputs[0], inputs[1], sample_weight=inputs[2]).prototype_indices_.tolist() == picked


@pytest.mark.parametrize("make", [np.random.RandomState, np.random.default_rng, int], ids=lambda make: make.__name__)
def test_any_source_of_randomness_repeats_itself(make, blobs):
    picked = [ComparativeSummarizer("random", 3, random_state=make(7)).fit(*blobs).prototype_indices_ for _ in range(2)]
    assert picked[0].tolist() == picked[1].tolist()


BAD_ANYWHERE = [
    *(("gamma", value) for value in (0, -1.0, np.nan, np.inf, "typo", True, None, [1.0])),
    *(("n_prototypes", value) for value in (0, -1, 2.5, True, None, "4", {}, {0: 1, 1: 1}, {0: 1, 1: 1, 2: 1, "x": 1})),
    *(("n_prototypes", {0: 1, 1: 1, 2: value}) for value in (0, 2.5, True)),
    *(("budget", value) for value in (0, 2, -3, 4.5, True, "6", 46)),
    *(("n_jobs", value) for value in (0, 1.5, "all")),
    *(("dtype", value) for value in ("float16", "x", np.float16)),
    *(("memory_mb", value) for value in (0, -5, 1.5, None)),
    *(("kernel", value) for value in ("x", None, 3, ["rbf"])),
    *(("method", value) for value in ("x", None, 3, ["kmeans"], "", "mmd-diff+x", "x+greedy")),
]


@walk("name, value", BAD_ANYWHERE)
@pytest.mark.parametrize(
    "method", ["mmd-diff-grad", "softmin-exchange", "nn-comp-greedy", "kmeans", "mmd-critic", "random"]
)
def test_a_bad_parameter_is_refused_by_name(method, name, value, blobs):
    with pytest.raises(ValueError, match=f"{name}|objective|optimizer" if name == "method" else name):
        ComparativeSummarizer(**{"method": method, name: value}).fit(*blobs)


BAD_SEARCHES = [
    *(("tol", value) for value in (-1e-6, np.nan, np.inf, "x", None)),
    *(("max_iter", value) for value in (0, -1, 2.5, True, None)),
    *(("init", value) for value in ("x", None, 3)),
]


@walk("name, value", BAD_SEARCHES)
@walk("method", PAIRS)
def test_a_bad_search_parameter_is_refused_by_name(method, name, value, blobs):
    with pytest.raises(ValueError, match=name):
        ComparativeSummarizer(method, 2, **{name: value}).fit(*blobs)


@walk("value", [-0.1, np.nan, np.inf, "x", None, True])
@walk("method", [name for name in PAIRS if name != "nn-comp-greedy"])
def test_a_bad_contrast_is_refused_by_name(method, value, blobs):
    with pytest.raises(ValueError, match="contrast"):
        ComparativeSummarizer(method, 2, contrast=value).fit(*blobs)


@walk("value", [1, 1.0, 5.0])
@pytest.mark.parametrize("method", ["mmd-diff-greedy", "mmd-diff-grad", "mmd-diff-exchange"])
def test_a_contrast_that_collapses_the_picks_is_refused_with_a_way_out(method, value, blobs):
    with pytest.raises(ValueError, match=r"contrast.*below 1.*mmd-div"):
        ComparativeSummarizer(method, 2, contrast=value).fit(*blobs)


@walk("value", [0, 1.0, 5.0, 1e6])
@walk("method", [name for name in PAIRS if "div" in name or "between" in name])
def test_diverse_methods_take_any_contrast(method, value, blobs):
    model = ComparativeSummarizer(method, 2, contrast=value).fit(*blobs)
    assert np.all(np.isfinite([*model.gains_, *model.objective_values_.values()]))


@walk("method", [name for name in PAIRS if "div" in name or "between" in name])
def test_a_contrast_beyond_all_sense_is_refused_by_name(method, blobs):
    with pytest.raises(ValueError, match=r"contrast must be at least 0 and at most 1e\+06"):
        ComparativeSummarizer(method, 2, contrast=1e100).fit(*blobs)


@walk("value", [0, -1, np.nan, np.inf, "x", None, True, 1e9])
def test_a_bad_sharpness_is_refused_by_name(value, blobs):
    for method in ("softmin-exchange", "softmin+greedy"):
        with pytest.raises(ValueError, match="sharpness"):
            ComparativeSummarizer(method, 2, sharpness=value).fit(*blobs)


@pytest.mark.parametrize("value", [1e-9, 1, 400.0])
def test_any_other_sharpness_works(value, blobs):
    model = ComparativeSummarizer("softmin-exchange", 2, sharpness=value).fit(*blobs)
    assert np.all(np.isfinite([*model.gains_, *model.objective_values_.values()]))


def test_a_misspelled_method_is_answered_with_the_nearest_one(blobs):
    with pytest.raises(ValueError, match=r"'mmd-dif-greedy'; did you mean 'mmd-diff-greedy'\?"):
        ComparativeSummarizer("mmd-dif-greedy").fit(*blobs)


@walk("options", [{"tol": 0}, {"max_iter": 1}, {"init": "kmeans"}, {"memory_mb": 1}, {"n_jobs": -1}])
@every_method
def test_the_least_of_every_parameter_works(method, options, blobs):
    model = ComparativeSummarizer(method, 2, random_state=0, **options).fit(*blobs)
    assert len(model.prototype_indices_) == 6
    assert np.all(np.isfinite(model.gains_))


@every_method
@walk(
    "weights, says",
    [
        (-np.ones(45), "negative"),
        (np.full(45, np.nan), r"finite|NaN"),
        (np.full(45, np.inf), r"finite|infinity"),
        (np.zeros(45), r"zero|0 everywhere"),
        (np.ones(44), "shape"),
        (np.ones((45, 2)), "shape"),
        (["heavy"] * 45, "numbers"),
    ],
    ids=str,
)
def test_weights_that_are_none_are_refused_by_name(method, weights, says, blobs):
    with pytest.raises(ValueError, match=rf"(?s)sample_weight.*({says})"):
        ComparativeSummarizer(method, 2).fit(*blobs, sample_weight=weights)


@every_method
def test_documents_of_weight_zero_are_never_picked(method, blobs):
    weights = np.zeros(45)
    counted = np.sort(np.concatenate([np.flatnonzero(blobs[1] == group)[3:7] for group in range(3)]))
    weights[counted] = 0.5
    model = ComparativeSummarizer(method, 4, random_state=0).fit(*blobs, sample_weight=weights)
    assert sorted(model.prototype_indices_.tolist()) == counted.tolist()
    with pytest.raises(ValueError, match=r"4 documents.*n_prototypes=5"):
        ComparativeSummarizer(method, 5).fit(*blobs, sample_weight=weights)


@every_method
def test_a_group_without_weight_is_left_out(method, blobs):
    X, y = blobs
    model = ComparativeSummarizer(method, 2, random_state=0).fit(X, y, sample_weight=(y != 1).astype(float))
    assert model.classes_.tolist() == [0, 2]
    assert set(model.predict(X)) <= {0, 2}
