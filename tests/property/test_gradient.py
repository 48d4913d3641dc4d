import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from references import central_difference, complex_step, documents, few, many, rbf, smooth_value

from visavis.inputs import check_groups
from visavis.records import Compute, Points
from visavis.select import ComparativeSummarizer, pose, value_and_gradient
from visavis.select.methods import create_objective

GAMMA = 0.25
REPULSION = {
    "mmd-diff": lambda contrast: (contrast, 1.0 - contrast),
    "mmd-div": lambda contrast: (contrast, 1.0),
    "mmd": lambda contrast: (0.0 * contrast, 1.0),
    "between-prototypes": lambda contrast: (0.0 * contrast, 1.0),
}
pytestmark = pytest.mark.filterwarnings("ignore::visavis.errors.OnlyOneGroup", "ignore::visavis.errors.LeftTheData")

seeds = st.integers(0, 10**6)
contrasts = st.sampled_from([0.0, 0.1, 0.5, 0.95])


def points_among(X, seed, count):
    rng = np.random.default_rng(seed + 1)
    return X[rng.permutation(len(X))[:count]] + 0.3 * rng.normal(size=(count, X.shape[1]))


def reference_of(X, groups, group, objective, contrast, gamma=GAMMA):
    return lambda A: smooth_value(A, X, groups, group, gamma, *REPULSION[objective](contrast))


def close(found, expected, tolerance):
    return np.abs(found - expected).max() <= tolerance * np.abs(expected).max()


@pytest.mark.parametrize("offset", [0.0, 1e3])
@pytest.mark.parametrize("objective", sorted(REPULSION))
@given(seed=seeds, contrast=contrasts, count=st.integers(1, 5), n_groups=st.integers(1, 3))
@few
def test_the_float64_gradient_equals_the_complex_step(objective, offset, seed, contrast, count, n_groups):
    X, groups = documents(seed, [9, 6, 7][:n_groups])
    X, A = X + offset, points_among(X, seed, count) + offset
    reference = reference_of(X, groups, "north", objective, contrast)
    value, gradient = value_and_gradient(A, X, groups, "north", gamma=GAMMA, contrast=contrast, objective=objective)
    assert gradient.dtype == np.float64
    assert gradient.shape == A.shape
    assert value == pytest.approx(reference(A), abs=1e-10)
    assert close(gradient, complex_step(reference, A), 1e-10)


@pytest.mark.parametrize("offset", [0.0, 1e3])
@pytest.mark.parametrize("objective", sorted(REPULSION))
@given(seed=seeds, contrast=contrasts, count=st.integers(1, 4))
@few
def test_the_float64_gradient_equals_central_differences_of_its_own_value(objective, offset, seed, contrast, count):
    X, groups = documents(seed, [9, 6, 7])
    X, A = X + offset, points_among(X, seed, count) + offset
    told = {"gamma": GAMMA, "contrast": contrast, "objective": objective}
    _, gradient = value_and_gradient(A, X, groups, "east", **told)
    numerical = central_difference(lambda B: value_and_gradient(B, X, groups, "east", **told)[0], A, 1e-4)
    assert close(gradient, numerical, 1e-5)
    assert close(gradient, central_difference(reference_of(X, groups, "east", objective, contrast), A, 1e-4), 1e-5)


@pytest.mark.parametrize("offset", [0.0, 1e3])
@pytest.mark.parametrize("objective", sorted(REPULSION))
@given(seed=seeds, contrast=contrasts, count=st.integers(1, 5))
@few
def test_the_float32_gradient_equals_the_complex_step(objective, offset, seed, contrast, count):
    X, groups = documents(seed, [19, 16, 17])
    X, A = (X + offset).astype(np.float32), (points_among(X, seed, count) + offset).astype(np.float32)
    reference = reference_of(X.astype(np.float64), groups, "west", objective, contrast)
    value, gradient = value_and_gradient(A, X, groups, "west", gamma=GAMMA, contrast=contrast, objective=objective)
    assert gradient.dtype == np.float32
    assert value == pytest.approx(reference(A.astype(np.float64)), abs=1e-5)
    assert close(gradient, complex_step(reference, A.astype(np.float64)), 1e-4)


@pytest.mark.parametrize("n", [2047, 2049])
def test_the_gradient_is_right_on_both_sides_of_a_strip_boundary(n):
    X, groups = documents(n, [n - 900, 900], 3)
    A = points_among(X, 0, 3)
    reference = reference_of(X, groups, "north", "mmd-diff", 0.3)
    value, gradient = value_and_gradient(A, X, groups, "north", gamma=GAMMA, contrast=0.3)
    assert value == pytest.approx(reference(A), abs=1e-10)
    assert close(gradient, complex_step(reference, A), 1e-10)


@given(seed=seeds)
@many
def test_the_gradient_of_whole_weights_equals_that_of_repeated_documents(seed):
    X, groups = documents(seed, [9, 6, 7])
    weights = np.random.default_rng(seed).integers(0, 4, size=len(X))
    weights[:2] = 1
    weights[[np.flatnonzero(groups == g)[0] for g in np.unique(groups)]] = 2
    copies = np.repeat(np.arange(len(X)), weights)
    A = points_among(X, seed, 3)
    value, gradient = value_and_gradient(A, X, groups, "east", gamma=GAMMA, sample_weight=weights)
    reference = reference_of(X[copies], groups[copies], "east", "mmd-diff", 0.1)
    assert value == pytest.approx(reference(A), abs=1e-10)
    assert close(gradient, complex_step(reference, A), 1e-10)


def printed_gradient(A, X, groups, group, contrast, divisor):
    """(4γ/M)[Σ_j w_j k(a_l,x_j)(x_j − a_l) − (ρ/divisor) Σ_m k(a_m,a_l)(a_m − a_l)]."""
    inside = groups == group
    w = np.where(inside, 1.0 / inside.sum(), -contrast / (~inside).sum())
    toward, among = rbf(A, X, GAMMA) * w, rbf(A, A, GAMMA)
    pull = np.stack([(toward[k][:, None] * (X - A[k])).sum(axis=0) for k in range(len(A))])
    push = np.stack([(among[k][:, None] * (A - A[k])).sum(axis=0) for k in range(len(A))])
    return 4.0 * GAMMA / len(A) * (pull - (1.0 - contrast) / divisor * push)


@given(seed=seeds, count=st.integers(2, 5))
@many
def test_the_second_sum_has_one_over_m_and_the_printed_one_over_m_squared_is_wrong(seed, count):
    X, groups = documents(seed, [9, 6, 7])
    A = points_among(X, seed, count)
    numerical = complex_step(reference_of(X, groups, "north", "mmd-diff", 0.1), A)
    right = printed_gradient(A, X, groups, "north", 0.1, count)
    wrong = printed_gradient(A, X, groups, "north", 0.1, count**2)
    assume(not close(wrong, right, 2e-3))  # points that lie far apart hardly push each other
    _, gradient = value_and_gradient(A, X, groups, "north", gamma=GAMMA, contrast=0.1)
    assert close(right, numerical, 1e-10)
    assert not close(wrong, numerical, 1e-3)
    assert close(gradient, right, 1e-10)
    assert not close(gradient, wrong, 1e-3)


def joint_value(A, owner, X, groups, labels, contrast, objective):
    """Σ_g of what each group's points are worth, for complex A too."""
    total = 0.0
    for k, label in enumerate(labels):
        own, others = A[owner == k], A[owner != k]
        total = total + smooth_value(own, X, groups, label, GAMMA, *REPULSION[objective](contrast))
        if objective == "between-prototypes":
            total = total - 2.0 * contrast * rbf(own, others, GAMMA).sum() / (len(own) * len(others))
    return total


@pytest.mark.parametrize("objective", sorted(REPULSION))
@given(seed=seeds, contrast=contrasts)
@few
def test_the_joint_gradient_of_all_groups_equals_the_complex_step(objective, seed, contrast):
    X, groups = documents(seed, [9, 6, 7])
    session = pose(Points.of(X), check_groups(groups, len(X)), gamma=GAMMA, compute=Compute("float64"))
    owner = np.array([0, 1, 2, 0, 2, 2])
    A = points_among(X, seed, len(owner))
    measure = create_objective(objective, {"contrast": contrast})
    values, gradient = measure.value_and_gradient(session.problem(), A, owner)

    def reference(B):
        return joint_value(B, owner, X, groups, session.labels, contrast, objective)

    assert values.sum() == pytest.approx(reference(A), abs=1e-10)
    assert close(gradient, complex_step(reference, A), 1e-10)


@pytest.mark.parametrize("method", ["mmd-diff-grad", "mmd-div-grad"])
@pytest.mark.parametrize("init", ["greedy", "kmeans"])
@given(seed=seeds)
@few
def test_no_group_ends_its_ascent_below_its_start(method, init, seed):
    X, groups = documents(seed, [13, 3, 9])
    model = ComparativeSummarizer(method, 3, init=init, random_state=0).fit(X, groups)
    for stages in model.stages_.values():
        assert stages["optimized"] >= stages["start"]
        assert stages["snapped"] is not None
        assert stages["exchanged"] is None


@pytest.mark.parametrize("seed", [25, 26, 75])
def test_no_group_ends_below_its_start_by_rounding_where_it_cannot_climb(seed):
    X, groups = documents(seed, [13, 3, 9], 2)
    model = ComparativeSummarizer("mmd-div-grad", 3, gamma=30.0).fit(X, groups)
    for stages in model.stages_.values():
        assert stages["optimized"] >= stages["start"]


@given(seed=seeds)
@few
def test_the_total_of_coupled_groups_ends_its_ascent_no_lower_than_its_start(seed):
    X, groups = documents(seed, [13, 3, 9])
    model = ComparativeSummarizer("between-prototypes+gradient", 3, contrast=0.5).fit(X, groups)
    start, optimized = (sum(stages[name] for stages in model.stages_.values()) for name in ("start", "optimized"))
    assert optimized >= start


def test_the_ascent_gains_something_where_there_is_something_to_gain():
    X, groups = documents(3, [40, 40])
    model = ComparativeSummarizer("mmd-diff-grad", 3).fit(X, groups)
    for stages in model.stages_.values():
        assert stages["optimized"] > stages["start"] + 1e-3
