import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references import OBJECTIVES, Reference, documents, few, in_rounds, many, polynomial, rbf

from visavis.inputs import check_groups
from visavis.kernel import resolve_width
from visavis.kernel.vectors import DocumentVectors
from visavis.records import Compute, Points
from visavis.select import METHODS, ComparativeSummarizer, objective_value, pose
from visavis.select import OBJECTIVES as TABLE
from visavis.select.methods import Baseline, create_objective, settle
from visavis.select.objectives.base import BaseObjective
from walking import walk

GAMMA = 0.3
KERNELS = ["rbf", "cosine", "linear", "precomputed", polynomial]
WITHOUT_GRADIENT = ("nearest", "softmin")
PAIRS = [
    f"{objective}+{optimizer}"
    for objective in OBJECTIVES
    for optimizer in ("greedy", "exchange", "gradient")
    if not (optimizer == "gradient" and objective in WITHOUT_GRADIENT)
    and not (optimizer == "exchange" and objective == "between-prototypes")
]
SCORED = {f"{pair}": pair.rpartition("+")[0] for pair in PAIRS} | {
    name: row.score if isinstance(row, Baseline) else row.objective for name, row in METHODS.items()
}
pytestmark = pytest.mark.filterwarnings(
    "ignore::visavis.errors.OnlyOneGroup", "ignore::visavis.errors.LeftTheData", "ignore::visavis.errors.MissingGroup"
)

seeds = st.integers(0, 10**6)
group_sizes = st.lists(st.integers(1, 9), min_size=1, max_size=4)


def posed_problem(X, groups, dtype="float64", weights=None, kernel="rbf", gamma=GAMMA):
    points = Points.of(X, weights)
    return pose(points, check_groups(groups, len(X)), kernel=kernel, gamma=gamma, compute=Compute(dtype)).problem()


def some_picks(seed, n):
    rng = np.random.default_rng(seed + 1)
    return rng.permutation(n)[: rng.integers(0, n + 1)].tolist()


@pytest.mark.parametrize("kernel", KERNELS)
@walk("objective", OBJECTIVES)
@given(seed=seeds, sizes=group_sizes, contrast=st.sampled_from([0.0, 0.1, 0.9]), weighted=st.booleans())
@few
def test_objective_value_equals_the_formula(objective, kernel, seed, sizes, contrast, weighted):
    X, groups = documents(seed, sizes)
    X = rbf(X, X, GAMMA) if kernel == "precomputed" else X
    weights = np.random.default_rng(seed).exponential(size=len(X)) + 0.01 if weighted else None
    picks = some_picks(seed, len(X))
    told = {"contrast": contrast, "sharpness": 7.0}
    reference = Reference.of(X, groups, kernel=kernel, gamma=GAMMA, weights=weights, **told)
    found = objective_value(
        X, groups, picks, objective=objective, gamma=GAMMA, kernel=kernel, sample_weight=weights, **told
    )
    assert found == pytest.approx(reference.values(objective, picks), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("objective", ["mmd-diff", "mmd-div"])
def test_with_a_single_group_contrast_takes_nothing_from_the_merit(objective):
    X, groups = documents(1, [12])
    far, near = (objective_value(X, groups, [2], objective=objective, gamma=GAMMA, contrast=c) for c in (0.0, 0.9))
    repulsion = 1.0 if objective == "mmd-div" else 1.0 - 0.9
    assert near["north"] == pytest.approx(far["north"] + 1.0 - repulsion, abs=1e-12)


@pytest.mark.parametrize("objective", ["mmd-div", "between-prototypes"])
def test_contrast_above_one_follows_the_formula_too(objective):
    X, groups = documents(2, [8, 5, 6])
    picks = [0, 5, 7, 11, 3]
    found = objective_value(X, groups, picks, objective=objective, gamma=GAMMA, contrast=5.0)
    assert found == pytest.approx(Reference.of(X, groups, gamma=GAMMA, contrast=5.0).values(objective, picks), abs=1e-9)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_value_of_picks_does_not_depend_on_their_order(objective):
    X, groups = documents(3, [9, 7, 8])
    picks = [0, 4, 9, 13, 20, 2]
    one, other = (objective_value(X, groups, p, objective=objective, gamma=GAMMA) for p in (picks, picks[::-1]))
    assert one == pytest.approx(other, abs=1e-12)


@pytest.mark.parametrize("method", sorted(SCORED))
@walk("sizes", [2, {"north": 3, "east": 1, "west": 4}])
def test_gains_are_differences_of_values_and_telescope(method, sizes):
    X, groups = documents(4, [14, 9, 11])
    if method == "mmd-critic" and isinstance(sizes, dict):
        sizes = 3
    model = ComparativeSummarizer(method, sizes, gamma=GAMMA, random_state=0).fit(X, groups)

    def total(picks):
        return sum(objective_value(X, groups, picks, objective=SCORED[method], gamma=GAMMA).values())

    sequence = in_rounds(model)
    totals = [total(sequence[:k]) for k in range(len(sequence) + 1)]
    expected = dict(zip(sequence, np.diff(totals), strict=True))
    found = dict(zip(model.prototype_indices_.tolist(), model.gains_, strict=True))
    assert found == pytest.approx(expected, abs=1e-6)
    assert model.gains_.sum() == pytest.approx(totals[-1] - totals[0], abs=1e-6)
    assert model.objective_value_ == pytest.approx(totals[-1], abs=1e-6)
    assert model.objective_values_ == pytest.approx(
        objective_value(X, groups, sequence, objective=SCORED[method], gamma=GAMMA), abs=1e-6
    )


@pytest.mark.parametrize(("dtype", "tolerance"), [("float64", 1e-9), ("float32", 3e-5)])
@pytest.mark.parametrize("kernel", ["rbf", "cosine"])
@pytest.mark.parametrize("objective", OBJECTIVES)
@given(seed=seeds, sizes=group_sizes, weighted=st.booleans())
@few
def test_gains_of_the_search_are_differences_of_the_exact_trace(
    objective, kernel, dtype, tolerance, seed, sizes, weighted
):
    X, groups = documents(seed, sizes)
    weights = np.random.default_rng(seed).exponential(size=len(X)) + 0.1 if weighted else None
    problem = posed_problem(X, groups, dtype, weights, kernel)
    measure = create_objective(objective, {"sharpness": 25.0})
    state, picks = measure.start(problem), []
    for document in np.random.default_rng(seed + 2).permutation(len(X))[:6].tolist():
        before = measure.trace(problem, picks)[-1].sum()
        for group in range(problem.n_groups):
            rows = problem.rows(group)
            gains = measure.gains(state, group)
            assert gains.shape == (rows.stop - rows.start,)
            for i in set(range(rows.start, rows.stop)) - set(picks):
                after = measure.trace(problem, [*picks, i])[-1].sum()
                assert gains[i - rows.start] == pytest.approx(after - before, abs=tolerance * max(1.0, len(X) / 10))
        state = measure.add(state, document)
        picks.append(document)


@walk("dtype, tolerance", [("float64", 1e-9), ("float32", 3e-5)])
@walk("objective", [objective for objective in OBJECTIVES if objective != "between-prototypes"])
@given(seed=seeds, sizes=st.lists(st.integers(2, 9), min_size=1, max_size=3), weighted=st.booleans())
@few
def test_swap_gains_of_the_search_are_differences_of_the_exact_trace(
    objective, dtype, tolerance, seed, sizes, weighted
):
    X, groups = documents(seed, sizes)
    weights = np.random.default_rng(seed).exponential(size=len(X)) + 0.1 if weighted else None
    problem = posed_problem(X, groups, dtype, weights)
    measure = create_objective(objective, {"sharpness": 25.0})
    assert measure.abilities.swaps
    rng = np.random.default_rng(seed + 2)
    picks = rng.permutation(len(X))[: len(X) // 2].tolist()
    state = measure.start(problem)
    for document in picks:
        state = measure.add(state, document)
    for _ in range(5):
        place = int(rng.integers(len(picks)))
        rows = problem.rows(problem.group_of(picks[place]))
        before = measure.trace(problem, picks)[-1].sum()
        free = sorted(set(range(rows.start, rows.stop)) - set(picks))
        gains = measure.swap_gains(state, picks[place], np.array(free, np.intp)) if free else ()
        for i, gain in zip(free, gains, strict=True):
            after = measure.trace(problem, [*picks[:place], i, *picks[place + 1 :]])[-1].sum()
            assert gain == pytest.approx(after - before, abs=tolerance * max(1.0, len(X) / 10))
        if free:
            state = measure.swap(state, picks[place], free[0])
            picks[place] = free[0]


@pytest.mark.parametrize("objective", OBJECTIVES)
@given(seed=seeds, sizes=group_sizes, weighted=st.booleans())
@few
def test_what_picks_are_worth_is_where_their_trace_ends(objective, seed, sizes, weighted):
    X, groups = documents(seed, sizes)
    weights = np.random.default_rng(seed).exponential(size=len(X)) + 0.01 if weighted else None
    problem = posed_problem(X, groups, weights=weights)
    settled, picks = settle(create_objective(objective, {}), problem), some_picks(seed, len(X))
    assert settled.values(problem, picks) == pytest.approx(settled.trace(problem, picks)[-1], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_trace_holds_the_values_of_all_prefixes(objective):
    X, groups = documents(5, [9, 7, 8])
    problem = posed_problem(X, groups)
    measure = create_objective(objective, {"sharpness": 25.0})
    picks = [20, 3, 11, 4, 0, 23]
    trace = measure.trace(problem, picks)
    assert trace.shape == (7, 3)
    for k in range(7):
        assert trace[k] == pytest.approx(measure.trace(problem, picks[:k])[-1], abs=1e-12)


@walk("gamma", [GAMMA, "median"])
@walk("objective", OBJECTIVES)
@given(seed=seeds)
@few
def test_values_of_whole_weights_equal_those_of_repeated_documents(objective, gamma, seed):
    X, groups = documents(seed, [7, 5, 6])
    weights = np.random.default_rng(seed).integers(1, 4, size=len(X))
    picks = some_picks(seed, len(X))
    copies = np.repeat(np.arange(len(X)), weights)
    firsts = np.searchsorted(copies, picks)
    weighted = objective_value(X, groups, picks, objective=objective, gamma=gamma, sharpness=9.0, sample_weight=weights)
    repeated = objective_value(X[copies], groups[copies], firsts, objective=objective, gamma=gamma, sharpness=9.0)
    tolerance = 1e-6 if objective == "nearest" else 1e-9  # copies lie apart by the root of rounding
    assert weighted == pytest.approx(repeated, rel=1e-9, abs=tolerance)


@pytest.mark.parametrize("kernel", ["rbf"])
@given(seed=seeds, heaviest=st.integers(1, 20))
@many
def test_the_median_bandwidth_of_whole_weights_equals_that_of_repeated_documents(kernel, seed, heaviest):
    X, _ = documents(seed, [6])
    weights = np.ones(6)
    weights[0] = heaviest
    copies = np.repeat(np.arange(6), weights.astype(int))
    once = resolve_width("median", kernel, DocumentVectors(X, np.arange(6)), weights)
    again = resolve_width("median", kernel, DocumentVectors(X[copies], np.arange(len(copies))), np.ones(len(copies)))
    assert once == pytest.approx(again, rel=1e-9)


@pytest.mark.parametrize("gamma", [GAMMA, "median", "scale"])
@walk("objective", OBJECTIVES)
@given(seed=seeds)
@few
def test_values_with_zero_weights_equal_those_without_the_documents(objective, gamma, seed):
    X, groups = documents(seed, [7, 5, 6])
    rng = np.random.default_rng(seed)
    weights = rng.exponential(size=len(X)) * (rng.random(len(X)) < 0.6)
    weights[[0, 1]] = 1.0
    kept = np.flatnonzero(weights)
    picks = rng.permutation(kept)[: len(kept) // 2]
    told = {"objective": objective, "gamma": gamma}
    zeroed = objective_value(X, groups, picks, sample_weight=weights, **told)
    removed = objective_value(X[kept], groups[kept], np.searchsorted(kept, picks), sample_weight=weights[kept], **told)
    assert zeroed == pytest.approx(removed, rel=1e-12, abs=1e-12)


every_objective = pytest.mark.parametrize("objective", [*TABLE])
every_precision = pytest.mark.parametrize("dtype", ["float32", "float64"])


def measured(objective, problem, **told):
    """An objective of the table, with nothing left open."""
    return settle(create_objective(objective, told), problem)


def weights_of(seed, n, weighted):
    return np.random.default_rng(seed).exponential(size=n) + 0.01 if weighted else None


def rest_of(picks, place):
    return [*picks[:place], *picks[place + 1 :]]


def assert_shares_add_up(measure, problem, picks):
    trace, shares = measure.trace(problem, picks), measure.shares(problem, picks)
    owner = np.array([problem.group_of(pick) for pick in picks], np.intp)
    assert shares.shape == (len(picks),)
    for group in set(owner.tolist()):
        risen = trace[-1, group] - trace[0, group]
        assert shares[owner == group].sum() == pytest.approx(risen, rel=1e-9, abs=1e-9)


def assert_losses_are_differences(measure, problem, picks):
    whole = measure.trace(problem, picks)[-1].sum()
    expected = [whole - measure.trace(problem, rest_of(picks, k))[-1].sum() for k in range(len(picks))]
    found = measure.losses(problem, picks)
    assert found.shape == (len(picks),)
    assert found == pytest.approx(np.array(expected), rel=1e-9, abs=1e-9 * max(1.0, abs(whole)))


def test_every_objective_of_the_table_has_a_formula_to_be_held_against():
    assert set(OBJECTIVES) == {*TABLE}


@every_objective
@every_precision
@walk("kernel", KERNELS)
@given(seed=seeds, sizes=group_sizes, contrast=st.sampled_from([0.0, 0.1, 0.9]), weighted=st.booleans())
@few
def test_shares_of_a_group_add_up_to_its_value_less_that_of_no_picks(
    objective, dtype, kernel, seed, sizes, contrast, weighted
):
    X, groups = documents(seed, sizes)
    X = rbf(X, X, GAMMA) if kernel == "precomputed" else X
    problem = posed_problem(X, groups, dtype, weights_of(seed, len(X), weighted), kernel)
    assert_shares_add_up(measured(objective, problem, contrast=contrast), problem, some_picks(seed, len(X)))


@every_objective
@every_precision
@walk("kernel", KERNELS)
@given(seed=seeds, sizes=group_sizes, contrast=st.sampled_from([0.0, 0.1, 0.9]), weighted=st.booleans())
@few
def test_a_loss_is_the_total_less_that_of_the_other_picks(objective, dtype, kernel, seed, sizes, contrast, weighted):
    X, groups = documents(seed, sizes)
    X = rbf(X, X, GAMMA) if kernel == "precomputed" else X
    problem = posed_problem(X, groups, dtype, weights_of(seed, len(X), weighted), kernel)
    assert_losses_are_differences(measured(objective, problem, contrast=contrast), problem, some_picks(seed, len(X)))


class Told(BaseObjective):
    """An objective that leaves shares and losses to what every objective has."""

    name = "told"

    def __init__(self, objective):
        self.start, self.gains, self.add, self.trace = objective.start, objective.gains, objective.add, objective.trace

    start = gains = add = trace = None


@every_objective
@given(seed=seeds, sizes=group_sizes, weighted=st.booleans())
@few
def test_an_objective_that_tells_values_alone_has_shares_and_losses_that_add_up(objective, seed, sizes, weighted):
    X, groups = documents(seed, sizes)
    problem = posed_problem(X, groups, weights=weights_of(seed, len(X), weighted))
    picks = some_picks(seed, len(X))
    plain = Told(measured(objective, problem))
    assert_shares_add_up(plain, problem, picks)
    assert_losses_are_differences(plain, problem, picks)


@every_objective
@given(seed=seeds)
@few
def test_groups_touch_unless_an_objective_says_that_they_do_not(objective, seed):
    X, groups = documents(seed, [7, 5, 6])
    problem = posed_problem(X, groups)
    measure = measured(objective, problem, contrast=0.5)
    own, others = [1, 3], [problem.bounds[1] + 2, problem.bounds[2] + 1]
    alone, among = (measure.trace(problem, picks)[-1, 0] for picks in (own, [*own, *others]))
    assert (alone == pytest.approx(among, abs=1e-12)) == measure.abilities.separable


@every_objective
@given(seed=seeds)
@few
def test_the_width_of_the_kernel_changes_values_unless_an_objective_says_that_it_does_not(objective, seed):
    X, groups = documents(seed, [7, 5, 6])
    picks = [1, 3, 8, 14]
    wide, narrow = (posed_problem(X, groups, gamma=gamma) for gamma in (GAMMA, 3 * GAMMA))
    one, other = (create_objective(objective, {"sharpness": 9.0}).trace(p, picks)[-1] for p in (wide, narrow))
    assert (one != pytest.approx(other, abs=1e-9)) == measured(objective, wide).abilities.kernel


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("objective", [name for name in TABLE if TABLE.load(name).abilities.lazy])
@given(seed=seeds, weighted=st.booleans())
@few
def test_gains_that_are_said_never_to_grow_never_do(objective, dtype, seed, weighted):
    X, groups = documents(seed, [9, 6])
    problem = posed_problem(X, groups, dtype, weights_of(seed, len(X), weighted))
    measure = measured(objective, problem)
    state = measure.start(problem)
    before = [measure.gains(state, group) for group in range(2)]
    for document in some_picks(seed, len(X)):
        state = measure.add(state, document)
        after = [measure.gains(state, group) for group in range(2)]
        for group in range(2):
            rows = problem.rows(group)
            assert np.all(after[group] <= before[group] + 1e-5)
            some = np.arange(rows.start, rows.stop)[::2]
            assert measure.gains_among(state, group, some) == pytest.approx(after[group][::2], abs=1e-5)
        before = after
