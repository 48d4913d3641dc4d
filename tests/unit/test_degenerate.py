import functools
import re

import numpy as np
import pytest
from scipy import sparse

from visavis.errors import LeftTheData, MissingGroup, OnlyOneGroup
from visavis.kernel import mean_similarity
from visavis.select import METHODS, ComparativeSummarizer, objective_value, value_and_gradient
from walking import walk

pytestmark = [
    pytest.mark.filterwarnings("error::RuntimeWarning"),
    pytest.mark.filterwarnings("ignore::visavis.errors.LeftTheData"),
    pytest.mark.filterwarnings("ignore::visavis.errors.MissingGroup"),
]

DISTANCE = ("kmeans", "kmedoids", "nn-comp-greedy")  # their values carry the documents' unit of length
UNITLESS = [name for name in METHODS if name not in DISTANCE]
every_method = pytest.mark.parametrize("method", METHODS)


def documents(n=8, groups=3, features=4, seed=0):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(groups), n)
    X = rng.normal(size=(n * groups, features)) + 1.5 * rng.normal(size=(groups, features))[y]
    return np.round(X * 1024) / 1024, y  # so that an offset of 1e8 loses nothing


def fitted(method, X, y, n_prototypes=2, sample_weight=None, **options):
    model = ComparativeSummarizer(method, n_prototypes, random_state=0, **options)
    return sound(model.fit(X, y, sample_weight=sample_weight), X)


def sound(model, X):
    stages = [value for stage in model.stages_.values() for value in stage.values() if value is not None]
    numbers = [model.gamma_, model.objective_value_, *model.objective_values_.values(), *model.gains_, *stages]
    assert np.all(np.isfinite(np.array(numbers, float)))
    assert len(set(model.prototype_indices_.tolist())) == len(model.prototype_indices_)
    assert set(model.predict(X).tolist()) <= set(model.classes_.tolist())
    return model


@functools.cache
def usual(method):
    """What the documents as they are lead to."""
    return fitted(method, *documents())


def picks(model):
    return model.prototype_indices_.tolist()


@every_method
def test_copies_of_a_few_documents_give_distinct_picks(method):
    X = np.repeat(documents(n=2)[0], 4, axis=0)
    y = np.repeat(np.arange(3), 8)
    assert len(picks(fitted(method, X, y, 4))) == 12


@every_method
@walk("value", [0.0, 7.0, -1e8])
@walk("gamma", ["median", "scale", 1e300])
def test_constant_vectors_give_distinct_picks(method, value, gamma):
    assert len(picks(fitted(method, np.full((12, 3), value), np.repeat([0, 1], 6), 3, gamma=gamma))) == 6


@every_method
def test_identical_groups_give_as_many_picks_as_any(method):
    X, _ = documents(groups=1)
    assert len(picks(fitted(method, np.vstack([X, X]), np.repeat([0, 1], len(X))))) == 4


@every_method
def test_one_document_a_group_is_its_own_prototype(method):
    X, y = documents(n=1)
    model = fitted(method, X, y, 1)
    assert picks(model) == [0, 1, 2]
    assert model.predict(X).tolist() == [0, 1, 2]


@every_method
def test_a_single_document_is_picked(method):
    with pytest.warns(OnlyOneGroup):
        assert picks(fitted(method, [[1.0, 2.0]], ["a"], 1)) == [0]


@every_method
def test_a_single_feature_is_enough(method):
    X, y = documents(features=1)
    assert len(picks(fitted(method, X, y))) == 6


@every_method
def test_size_of_the_whole_group_picks_all_of_it(method):
    X, y = documents(n=5)
    assert sorted(picks(fitted(method, X, y, 5))) == list(range(15))


@every_method
def test_size_beyond_a_group_names_the_group_and_both_numbers(method):
    X, y = documents(n=5)
    labels = np.array(["many", "few", "other"])[y]
    keep = np.flatnonzero((labels != "few") | (np.arange(len(y)) % 2 == 0))
    with pytest.raises(ValueError, match=r"'few' has 2 documents.*n_prototypes=4"):
        fitted(method, X[keep], labels[keep], 4)


@every_method
def test_one_group_warns_and_works(method):
    X, _ = documents()
    with pytest.warns(OnlyOneGroup):
        model = fitted(method, X, np.zeros(len(X)), 3)
    assert len(picks(model)) == 3
    assert set(model.predict(X)) == {0.0}


@every_method
@walk("bad", [np.nan, np.inf, -np.inf])
def test_nan_and_infinity_in_the_documents_are_refused(method, bad):
    X, y = documents()
    X[3, 1] = bad
    with pytest.raises(ValueError, match=r"X contains (NaN|infinity)"):
        fitted(method, X, y)


@pytest.mark.parametrize("shape", [(0, 3), (6, 0)])
def test_no_documents_and_no_features_are_refused(shape):
    with pytest.raises(ValueError, match="Found array with 0"):
        fitted("mmd-diff-grad", np.zeros(shape), np.zeros(shape[0]))


@pytest.mark.parametrize("groups", [[], [0, 1, 2], np.zeros((24, 2))])
def test_labels_that_do_not_match_the_documents_are_refused(groups):
    X, _ = documents()
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples|1d array"):
        fitted("mmd-diff-grad", X, groups)
    with pytest.raises(ValueError, match=r"groups has|1d array"):
        mean_similarity(X, groups, gamma=1.0)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_labels_that_are_no_names_are_refused(bad):
    X, y = documents()
    labels = y.astype(float)
    labels[2] = bad
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        fitted("mmd-diff-grad", X, labels)
    with pytest.raises(ValueError, match="missing or infinite labels"):
        objective_value(X, labels, [0, 9], objective="mmd")


@pytest.mark.parametrize("missing", [np.array([1.0, np.nan], object), np.array(["2020", "NaT"], "datetime64[D]")])
def test_missing_labels_are_refused_whatever_holds_them(missing):
    X, y = documents()
    with pytest.raises(ValueError, match="missing or infinite labels"):
        objective_value(X, missing[y % 2], [0, 9], objective="mmd")


@pytest.mark.parametrize("bad", [None, np.nan, 3])
def test_labels_of_mixed_kinds_are_refused_in_one_clear_error(bad):
    X, y = documents()
    labels = np.array(["a", "b", "c"], dtype=object)[y]
    labels[2] = bad
    with pytest.raises(ValueError, match=r"(?i)label|NaN|y "):
        fitted("mmd-diff-grad", X, labels)
    with pytest.raises(ValueError, match="groups"):
        mean_similarity(X, labels, gamma=1.0)


@every_method
def test_any_kind_of_number_is_read_as_the_same_documents(method):
    X, y = documents()
    for whole, dtypes in (
        (np.abs(np.round(X * 4)), ("float16", "float32", "float64", "int8", "int64", "uint8")),
        ((X > 0).astype(float), ("bool",)),
    ):
        usually = picks(fitted(method, whole, y))
        for dtype in dtypes:
            assert picks(fitted(method, whole.astype(dtype), y)) == usually, dtype


def _strided(X):
    wide = np.zeros((2 * len(X), 3 * X.shape[1]))
    wide[::2, ::3] = X
    return wide[::2, ::3]


def _read_only(X):
    copy = X.copy()
    copy.setflags(write=False)
    return copy


LAYOUTS = {
    "fortran": np.asfortranarray, "strided": _strided, "read-only": _read_only,
    "reversed": lambda X: X[::-1][::-1], "lists": np.ndarray.tolist,
}  # fmt: skip


@every_method
@walk("layout", LAYOUTS)
def test_the_layout_in_memory_plays_no_part(method, layout):
    X, y = documents()
    assert picks(fitted(method, LAYOUTS[layout](X), y)) == picks(usual(method))


@every_method
@walk("offset", [1e6, -1e8])
def test_a_huge_offset_changes_no_pick(method, offset):
    X, y = documents()
    near, far = usual(method), fitted(method, X + offset, y)
    assert picks(far) == picks(near)
    assert far.predict(X + offset).tolist() == near.predict(X).tolist()


@every_method
def test_the_unit_of_length_changes_no_pick(method):
    X, y = documents()
    near = usual(method)
    for power in (-10, 50) if method in DISTANCE else (-150, 150, 400):
        far = fitted(method, X * 2.0**power, y)
        assert picks(far) == picks(near), power
        assert far.predict(X * 2.0**power).tolist() == near.predict(X).tolist(), power


@walk("method", DISTANCE)
@walk("kernel", ["rbf", "precomputed"])
@walk("scale", [1e45, 1e200])
def test_distances_beyond_the_precision_of_the_search_are_served_or_refused(method, kernel, scale):
    X, y = documents()
    try:
        fitted(method, (X @ X.T if kernel == "precomputed" else X) * scale, y, kernel=kernel)
    except ValueError as error:
        assert re.search(r"X holds values so large|kmeans needs vectors", str(error))  # noqa: PT017


@every_method
@walk("gamma", ["median", "scale", 1.0])
def test_values_whose_squares_overflow_are_refused_by_name(method, gamma):
    X, y = documents()
    with pytest.raises(ValueError, match=r"X holds values so large|gamma"):
        fitted(method, X * 1e200, y, gamma=gamma)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_inner_products_that_overflow_are_refused_by_name_and_angles_have_no_length(kind):
    X, y = documents()
    with pytest.raises(ValueError, match="X holds values so large"):
        fitted("mmd-diff-greedy", kind(X * 1e200), y, kernel="linear")
    usual = picks(fitted("mmd-diff-greedy", kind(X), y, kernel="cosine"))
    for scale in (2.0**600, 2.0**-600):
        assert picks(fitted("mmd-diff-greedy", kind(X * scale), y, kernel="cosine")) == usual


@every_method
@walk("scale", [1e-200, 5e-324])
def test_values_whose_squares_vanish_count_as_one_point(method, scale):
    X, y = documents()
    assert len(picks(fitted(method, X * scale, y))) == 6


def test_the_mean_of_a_group_without_weight_is_refused_by_name():
    X, y = documents()
    with pytest.raises(ValueError, match=r"sample_weight.*group.*1"):
        mean_similarity(X, y, gamma=1.0, sample_weight=(y != 1).astype(float))


@pytest.mark.parametrize("method", UNITLESS)
def test_the_unit_of_weight_changes_no_pick(method):
    X, y = documents()
    weights = np.random.default_rng(1).integers(1, 4, len(y)).astype(float)
    near = picks(fitted(method, X, y, sample_weight=weights, gamma=0.2))
    for power in (-200, 40, 200, 900):
        assert picks(fitted(method, X, y, sample_weight=weights * 2.0**power, gamma=0.2)) == near, power


@pytest.mark.parametrize("factor", [1e-200, 1e200])
def test_the_median_rule_takes_weights_of_any_size(factor):
    X, y = documents()
    model = fitted("mmd-diff-greedy", X, y, sample_weight=np.full(len(y), factor))
    assert 0.1 < model.gamma_ / fitted("mmd-diff-greedy", X, y).gamma_ < 10


@every_method
def test_one_overwhelming_weight_leaves_everything_finite(method):
    X, y = documents()
    weights = np.ones(len(y))
    weights[3] = 1e30
    assert len(picks(fitted(method, X, y, sample_weight=weights))) == 6


@pytest.mark.parametrize("scale", [1.0, 1e5, 1e150])
def test_a_gamma_beyond_all_distances_is_refused_or_leaves_everything_finite(scale):
    X, y = documents()
    with pytest.raises(ValueError, match="gamma"):
        fitted("mmd-diff-grad", X * scale, y, gamma=1e300)


@pytest.mark.parametrize("indices", [[0, 0], [-1], [24], [[0, 1]], [0.5], "ab"])
def test_indices_that_are_no_distinct_rows_are_refused(indices):
    X, y = documents()
    with pytest.raises(ValueError, match="indices"):
        objective_value(X, y, indices, objective="mmd-diff")


def test_no_picks_are_worth_nothing():
    X, y = documents()
    assert objective_value(X, y, [], objective="mmd-diff") == {0: 0.0, 1: 0.0, 2: 0.0}


def test_points_of_another_space_or_group_are_refused():
    X, y = documents()
    with pytest.raises(ValueError, match="A has 3 features but X has 4"):
        value_and_gradient(X[:2, :3], X, y, 0)
    with pytest.raises(ValueError, match="group 'x'"):
        value_and_gradient(X[:2], X, y, "x")


def test_meta_prototypes_that_leave_the_data_are_warned_about():
    X = np.vstack([np.full((5, 1), 0.0), np.full((5, 1), 1.0)])
    X[0], X[5] = -0.1, 1.1
    with pytest.warns(LeftTheData):
        fitted("mmd-div-grad", X, np.repeat([0, 1], 5), 1, contrast=5.0)


def test_a_group_that_mmd_critic_misses_is_named_and_never_predicted():
    X, y = documents(groups=2)
    X, y = np.vstack([X, X[:1]]), np.append(y, 7)
    with pytest.warns(MissingGroup, match="7"):
        model = fitted("mmd-critic", X, y, 1)
    assert model.classes_.tolist() == [0, 1, 7]
    assert 7 not in model.predict(X)
