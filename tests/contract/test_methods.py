import functools
import itertools

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from visavis.errors import Incompatible, InvalidParameter, MissingGroup, TooFewDocuments
from visavis.inputs import check_groups
from visavis.records import STAGES, Points
from visavis.select import (
    METHODS,
    OBJECTIVES,
    OPTIMIZERS,
    ComparativeSummarizer,
    Request,
    objective_value,
    pose,
    select,
)
from visavis.select.methods import Baseline, Pair, create_objective
from visavis.select.parameters import applicable, check_parameters, decisive_names, tunable
from walking import walk

pytestmark = [
    pytest.mark.filterwarnings("error::RuntimeWarning"),
    pytest.mark.filterwarnings("ignore::visavis.errors.LeftTheData"),
    pytest.mark.filterwarnings("ignore::visavis.errors.MissingGroup"),
]

NEEDS = {"gradient": "gradient", "exchange": "swaps"}  # an optimizer not named here takes any objective
MEANS = {
    "swaps": ("swap_gains", "swap"),
    "gradient": ("value_and_gradient",),
    "lazy": ("gains_among",),
    "tables": ("swap_table",),
}
UNSEEING = ("mmd-critic",)  # groups are unknown to it, so only the total is promised
UNPINNABLE = ("kmeans", "mmd-critic")
ALMOST_EQUAL = ("softmin+exchange",)  # told apart so well that many sets are worth 0, but for 1e-9
LABELS = np.array(["east", "north", "west"])


def goes_together(objective, optimizer):
    abilities = create_objective(objective, {}).abilities
    return optimizer not in NEEDS or getattr(abilities, NEEDS[optimizer])


NAMED = [(row.objective, row.optimizer) for row in METHODS.values() if isinstance(row, Pair) and row.start is None]
UNNAMED = [pair for pair in itertools.product(OBJECTIVES, OPTIMIZERS) if pair not in NAMED]
COMBINATIONS = ["+".join(pair) for pair in UNNAMED if goes_together(*pair)]
IMPOSSIBLE = ["+".join(pair) for pair in UNNAMED if not goes_together(*pair)]
ALL = [*METHODS, *COMBINATIONS]
SEARCHES = [*(name for name, row in METHODS.items() if isinstance(row, Pair)), *COMBINATIONS]
every_method = walk("method", ALL)
every_seeing_method = walk("method", [name for name in ALL if name not in UNSEEING])


def documents():
    rng = np.random.default_rng(11)
    y = rng.permutation(np.repeat([0, 1, 2], [14, 10, 18]))
    return rng.normal(size=(len(y), 4)) + 1.5 * rng.normal(size=(3, 4))[y], LABELS[y]


X, Y = documents()


@functools.cache
def fitted(method):
    return fit(method)


def fit(method, n_prototypes=3, **options):
    return ComparativeSummarizer(method, n_prototypes, **{"random_state": 0, **options}).fit(X, Y)


def objective_of(method):
    row = METHODS.get(method) or Pair(*method.split("+"))
    return row.score if isinstance(row, Baseline) else row.objective


def counts(model):
    return [int(np.sum(model.prototype_groups_ == label)) for label in LABELS]


def in_rounds(model):
    """Places of the picks in the order they were made: all first ones, then all second ones."""
    rank = np.concatenate([np.arange(n) for n in counts(model)])
    return np.lexsort((np.arange(len(rank)), rank))


@every_method
def test_fitted_attributes_have_their_shapes_and_order(method):
    model = fitted(method)
    assert model.classes_.tolist() == LABELS.tolist()
    assert model.n_features_in_ == 4
    assert model.gamma_ > 0
    assert model.prototype_indices_.shape == model.prototype_groups_.shape == model.gains_.shape == (9,)
    assert model.prototype_groups_.tolist() == sorted(model.prototype_groups_.tolist())
    assert model.prototype_groups_.tolist() == Y[model.prototype_indices_].tolist()
    assert np.array_equal(model.prototypes_, X[model.prototype_indices_])
    assert len(set(model.prototype_indices_.tolist())) == 9
    assert method in UNSEEING or counts(model) == [3, 3, 3]


@every_method
def test_the_value_is_that_of_the_picks_and_the_sum_over_groups(method):
    model = fitted(method)
    expected = objective_value(X, Y, model.prototype_indices_, objective=objective_of(method))
    assert list(model.objective_values_) == LABELS.tolist()
    assert model.objective_values_ == pytest.approx(expected, rel=1e-6, abs=1e-6)
    assert model.objective_value_ == pytest.approx(sum(expected.values()), rel=1e-6, abs=1e-6)


@every_method
def test_gains_are_what_each_pick_added_in_the_order_of_picking(method):
    model = fitted(method)
    order = in_rounds(model)
    sequence = model.prototype_indices_[order]
    values = [
        sum(objective_value(X, Y, sequence[:k], objective=objective_of(method)).values()) for k in range(len(order) + 1)
    ]
    assert model.gains_[order] == pytest.approx(np.diff(values), rel=1e-6, abs=1e-6)


@every_method
def test_stages_end_with_the_value_and_absent_ones_are_none(method):
    model = fitted(method)
    for label in LABELS.tolist():
        assert tuple(model.stages_[label]) == STAGES
        present = [value for value in model.stages_[label].values() if value is not None]
        assert np.all(np.isfinite(present))
        assert present[-1] == model.objective_values_[label]


@walk("method", [name for name in SEARCHES if "exchange" in name])
def test_exchange_never_ends_below_its_start(method):
    stages = fit(method, 4).stages_.values()
    assert sum(stage["exchanged"] for stage in stages) >= sum(stage["start"] for stage in stages)


@walk("method", [name for name in SEARCHES if "grad" in name])
@pytest.mark.parametrize("init", ["greedy", "kmeans"])
def test_meta_prototypes_never_end_below_their_start(method, init):
    stages = fit(method, 4, init=init).stages_.values()
    assert sum(stage["optimized"] for stage in stages) >= sum(stage["start"] for stage in stages)


@walk("method", [name for name in SEARCHES if "grad" not in name])
def test_the_precision_of_the_search_changes_no_pick_but_for_one_worth_the_same(method):
    exact, fast = fit(method, dtype="float64"), fitted(method)
    same = exact.prototype_indices_.tolist() == fast.prototype_indices_.tolist()
    assert same or (method in ALMOST_EQUAL and exact.objective_value_ == pytest.approx(fast.objective_value_, abs=1e-8))


@walk("method", [name for name in SEARCHES if "greedy" in name])
def test_greedy_picks_are_nested(method):
    many = fit(method, 5).prototype_indices_.reshape(3, 5)
    assert many[:, :2].ravel().tolist() == fit(method, 2).prototype_indices_.tolist()


@every_method
@walk("options", [{}, {"n_jobs": 2, "memory_mb": 1}])
def test_a_fixed_seed_gives_the_same_picks(method, options):
    model, again = fitted(method), fit(method, **options)
    assert again.prototype_indices_.tolist() == model.prototype_indices_.tolist()
    assert again.gains_ == pytest.approx(model.gains_, rel=1e-6, abs=1e-6)


@every_method
def test_sizes_may_differ_between_groups(method):
    model = fit(method, {"east": 1, "west": 5, "north": 2})
    assert len(model.prototype_indices_) == 8
    assert method in UNSEEING or counts(model) == [1, 2, 5]


@every_method
@walk("budget, init", [(3, "auto"), (7, "kmeans"), (42, "auto")])
def test_a_budget_is_spent_to_the_last_with_a_pick_for_every_group(method, budget, init):
    model = fit(method, budget=budget, init=init)
    assert len(model.prototype_indices_) == len(set(model.prototype_indices_.tolist())) == budget
    assert method in UNSEEING or min(counts(model)) >= 1


@every_method
def test_prediction_is_the_group_of_the_nearest_pick(method):
    model = fitted(method)
    points = np.vstack([X, 3.0 * np.random.default_rng(5).normal(size=(60, 4))])
    nearest = cdist(points, X[model.prototype_indices_]).argmin(axis=1)
    assert model.predict(points).tolist() == Y[model.prototype_indices_][nearest].tolist()


@walk("method", IMPOSSIBLE)
def test_what_does_not_go_together_is_refused_with_what_does(method):
    objective = method.partition("+")[0]
    with pytest.raises(Incompatible, match=rf"{objective}.*(greedy|exchange)"):
        fit(method)


@pytest.mark.parametrize("objective", ["nearest", "softmin"])
def test_objectives_without_a_gradient_say_so_and_name_what_serves_them(objective):
    with pytest.raises(Incompatible, match=f"'{objective}' has no gradient.*greedy or exchange"):
        fit(f"{objective}+gradient")


def test_every_other_combination_works():
    assert IMPOSSIBLE == ["nearest+gradient", "between-prototypes+exchange", "softmin+gradient"]
    assert {"mmd+exchange", "softmin+greedy", "between-prototypes+gradient"} <= set(COMBINATIONS)


def test_mmd_critic_names_the_group_it_misses_and_still_predicts():
    rng = np.random.default_rng(0)
    crowd = np.vstack([rng.normal(size=(20, 3)), rng.normal(size=(20, 3)) + 8.0, rng.normal(size=(2, 3)) * 0.1])
    y = np.repeat(["left", "right", "rare"], [20, 20, 2])
    with pytest.warns(MissingGroup, match="'rare'"):
        model = ComparativeSummarizer("mmd-critic", 1).fit(crowd, y)
    assert len(model.prototype_indices_) == 3
    assert model.objective_values_["rare"] == 0.0
    assert set(model.predict(crowd)) == {"left", "right"}


def pick_with(method, size=3, init="auto", **asked):
    told = applicable(method, {"init": init})
    session = pose(Points.of(X), check_groups(Y, len(X)))
    return select(session, Request(method=method, parameters=told, size=size, **asked))


EAST, NORTH, WEST = (np.flatnonzero(label == Y) for label in LABELS)
PINS = (int(WEST[7]), int(EAST[5]), int(EAST[2]))


@walk("method", [*SEARCHES, "random"])
@pytest.mark.parametrize("options", [{"init": "auto"}, {"init": "kmeans"}, {"budget": 9}], ids=str)
def test_pins_come_first_and_banned_documents_never(method, options):
    banned = [row for row in fitted(method).prototype_indices_.tolist() if row not in PINS]
    allowed = ~np.isin(np.arange(len(X)), banned)
    picked = pick_with(method, pins=PINS, allowed=allowed, **options)
    rows = {label: picked.rows[picked.labels[picked.owner] == label].tolist() for label in LABELS}
    assert rows["east"][:2] == list(PINS[1:])
    assert rows["west"][0] == PINS[0]
    assert len(picked.rows) == len(set(picked.rows.tolist()) - set(banned)) == 9
    assert np.all(np.isfinite(picked.gains))


@every_method
def test_only_what_is_not_banned_is_left_to_pick(method):
    allowed = np.isin(np.arange(len(X)), [*EAST[:3], *NORTH[4:7], *WEST[-3:]])
    assert sorted(pick_with(method, allowed=allowed).rows.tolist()) == np.flatnonzero(allowed).tolist()


@pytest.mark.parametrize("method", UNPINNABLE)
def test_methods_that_cannot_keep_pins_say_so(method):
    with pytest.raises(Incompatible, match=f"{method}.*pinned"):
        pick_with(method, pins=PINS)


@walk("method", [*SEARCHES, "random"])
def test_pins_that_cannot_be_kept_are_refused(method):
    with pytest.raises(InvalidParameter, match="pin it or ban it"):
        pick_with(method, pins=PINS, allowed=np.arange(len(X)) != PINS[0])
    with pytest.raises(InvalidParameter, match=r"'east' has 2 pinned documents but n_prototypes=1"):
        pick_with(method, 1, pins=PINS)
    with pytest.raises(InvalidParameter, match="pinned document 42"):
        pick_with(method, pins=(42,))


@walk("method", [*SEARCHES, "random"])
def test_pins_beyond_the_budget_are_refused_by_name(method):
    with pytest.raises(InvalidParameter, match="budget"):
        pick_with(method, pins=tuple(EAST[:3].tolist()), budget=4)


@every_seeing_method
@walk("quota", [{"size": 1}, {"budget": 6}])
def test_a_group_with_every_document_banned_is_refused_by_name(method, quota):
    with pytest.raises(TooFewDocuments, match="'north'"):
        pick_with(method, allowed=Y != "north", **quota)


@walk("objective", list(OBJECTIVES))
def test_what_an_objective_says_it_can_do_is_there(objective):
    made = create_objective(objective, {})
    for ability, methods in MEANS.items():
        if getattr(made.abilities, ability):
            assert all(callable(getattr(made, method, None)) for method in methods)


@walk("objective", list(OBJECTIVES))
def test_objectives_that_are_told_the_same_are_equal_and_say_what_they_were_told(objective):
    declared = create_objective(objective, {}).parameters
    told = {parameter.name: parameter.grid[-1] for parameter in declared}
    made, again = (create_objective(objective, {**told, "nobody's": 1}) for _ in range(2))
    assert made == again
    assert hash(made) == hash(again)
    assert made.settings() == told
    assert create_objective(objective, {}).settings() == {parameter.name: parameter.default for parameter in declared}
    assert bool(declared) == (made != create_objective(objective, {}))


@every_method
def test_every_declared_parameter_takes_its_default_and_every_value_of_its_grid(method):
    row = METHODS.get(method) or Pair(*method.split("+"))
    assert len({parameter.name for parameter in row.parameters}) == len(row.parameters)
    for parameter in row.parameters:
        assert parameter.help
        assert parameter.check(parameter.default) == parameter.default
        for value in parameter.grid:
            assert check_parameters(method, {parameter.name: value})[parameter.name] == value


@every_method
def test_only_what_decides_the_picks_is_tuned(method):
    declared = {parameter.name for parameter in tunable(method)}
    assert declared <= set(decisive_names(method))
    assert not declared & {"init", "max_iter", "tol"}
