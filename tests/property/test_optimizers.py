from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references import NAMES, OBJECTIVES, Reference, documents, few, in_rounds, many, squared
from scipy.optimize import linear_sum_assignment

from visavis.inputs import check_groups
from visavis.records import Compute, Points, Quota
from visavis.select import METHODS, ComparativeSummarizer, Request, pose, select
from visavis.select.methods import create_objective
from visavis.select.optimizers import exchange as optimizer
from visavis.select.optimizers.exchange import exchange, open_for
from visavis.select.optimizers.greedy import greedy
from visavis.select.snapping import snap, snap_all
from walking import walk

GAMMA = 0.3
SWAPPED = [objective for objective in OBJECTIVES if objective != "between-prototypes"]
EXCHANGES = [f"{objective}+exchange" for objective in SWAPPED]
SEARCHES = [*METHODS, *EXCHANGES, *(f"{objective}+greedy" for objective in OBJECTIVES)]
pytestmark = pytest.mark.filterwarnings(
    "ignore::visavis.errors.OnlyOneGroup", "ignore::visavis.errors.LeftTheData", "ignore::visavis.errors.MissingGroup"
)
seeds = st.integers(0, 10**6)


def fitted(X, groups, method, size=3, weights=None, **told):
    settings = {"gamma": GAMMA, "dtype": "float64", "random_state": 0, "sharpness": 25.0, **told}
    return ComparativeSummarizer(method, size, **settings).fit(X, groups, sample_weight=weights)


def posed(X, groups, dtype="float64", weights=None, gamma=GAMMA):
    return pose(Points.of(X, weights), check_groups(groups, len(X)), gamma=gamma, compute=Compute(dtype))


def duplicated(seed, n_distinct=4):
    """Two groups made of a few distinct documents, each many times over, shared between the groups."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n_distinct, 3))[rng.integers(n_distinct, size=24)], np.repeat(NAMES[:2], 12)


class WithoutBounds:
    """An objective that does not tell that its gains never grow."""

    def __init__(self, objective):
        self.name, self.start, self.gains = objective.name, objective.start, objective.gains
        self.add, self.trace, self.shares = objective.add, objective.trace, objective.shares
        self.abilities = replace(objective.abilities, lazy=False)


@pytest.mark.parametrize("seed", range(4))
@walk("objective", OBJECTIVES)
def test_greedy_picks_are_those_of_a_naive_search(objective, seed):
    X, groups = documents(seed, [17, 9, 13])
    sizes = {"north": 4, "east": 2, "west": 3}
    model = fitted(X, groups, f"{objective}+greedy", sizes)
    assert in_rounds(model) == Reference.of(X, groups, gamma=GAMMA).greedy(objective, sizes)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("objective", ["nearest", "mmd"])
def test_lazy_and_eager_and_naive_searches_agree_on_many_documents(objective, seed):
    X, groups = documents(seed, [260, 90])
    session = posed(X, groups)
    measure = create_objective(objective, {"sharpness": 25.0})
    eager = WithoutBounds(measure)
    assert measure.abilities.lazy == (objective == "nearest")
    assert not eager.abilities.lazy
    found, checked = (greedy(way, session.problem(), Quota(sizes=(6, 6))) for way in (measure, eager))
    assert found == checked
    reference = Reference.of(X, groups, gamma=GAMMA)
    assert session.order[list(found[:6])].tolist() == reference.greedy(objective, {"north": 3, "east": 3})


@pytest.mark.parametrize("seed", range(3))
def test_lazy_search_finds_a_winner_whose_old_gain_was_low(seed):
    rng = np.random.default_rng(seed)
    centers = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 9.0]])
    X = centers[np.repeat([0, 1, 2], [200, 70, 50])] + 0.1 * rng.normal(size=(320, 2))
    groups = np.full(320, "north")
    expected = Reference.of(X, groups).greedy("nearest", {"north": 3})
    assert expected[1] >= 200  # after a pick in the crowd, its 199 neighbors still have the largest old gains
    assert in_rounds(fitted(X, groups, "nn-comp-greedy", 3)) == expected


@walk("dtype", ["float32", "float64"])
@walk("objective", OBJECTIVES)
def test_greedy_runs_are_nested(objective, dtype):
    X, groups = documents(5, [30, 20, 25])
    runs = {m: fitted(X, groups, f"{objective}+greedy", m, dtype=dtype) for m in (2, 4, 8, 16)}
    for m in (2, 4, 8):
        assert in_rounds(runs[m]) == in_rounds(runs[16])[: 3 * m]


def nearest_cost(X, rows, chosen):
    return np.sqrt(squared(X[rows], X[list(chosen)])).min(axis=1).sum()


def test_greedy_nearest_is_within_a_tenth_of_the_best_on_tiny_instances():
    rng = np.random.default_rng(0)  # in one or two dimensions, which no embedding has, greedy itself does worse
    good = 0
    for seed in range(200):
        n, size = int(rng.integers(8, 11)), int(rng.integers(2, 4))
        X, groups = documents(seed, [n], int(rng.integers(4, 11)))
        model = fitted(X, groups, "nn-comp-greedy", size)
        rows = np.arange(n)
        best = min(nearest_cost(X, rows, chosen) for chosen in combinations(range(n), size))
        good += nearest_cost(X, rows, model.prototype_indices_) <= 1.1 * best
    assert good >= 190


@pytest.mark.parametrize("objective", SWAPPED)
@given(seed=seeds, size=st.integers(1, 3))
@few
def test_exchange_never_ends_below_greedy_nor_where_a_swap_would_help(objective, seed, size):
    X, groups = documents(seed, [8, 6])
    reference = Reference.of(X, groups, gamma=GAMMA)
    first = in_rounds(fitted(X, groups, f"{objective}+greedy", size))
    last = in_rounds(fitted(X, groups, f"{objective}+exchange", size))
    value = reference.total(objective, last)
    assert value >= reference.total(objective, first) - 1e-12
    for place, leaving in enumerate(last):
        for entering in set(np.flatnonzero(groups == groups[leaving]).tolist()) - set(last):
            swapped = reference.total(objective, [*last[:place], entering, *last[place + 1 :]])
            assert swapped - value <= 2e-9 * max(1.0, abs(value))


@pytest.mark.parametrize("method", [name for name in [*METHODS, *EXCHANGES] if name.endswith("exchange")])
@pytest.mark.parametrize("init", ["greedy", "kmeans"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_exchanged_picks_are_worth_no_less_than_their_start_in_all(method, init, dtype):
    for seed in range(5):
        X, groups = documents(seed, [25, 15, 20])
        model = fitted(X, groups, method, 4, init=init, dtype=dtype)
        start, exchanged = (sum(stages[name] for stages in model.stages_.values()) for name in ("start", "exchanged"))
        assert exchanged >= start
        assert model.objective_value_ == pytest.approx(exchanged, abs=1e-12)
        assert all(stages["snapped"] is None for stages in model.stages_.values())


class Watched(WithoutBounds):
    """An objective that notes what its picks are worth, exactly, after each swap."""

    def __init__(self, objective, problem, picks):
        super().__init__(objective)
        self.inner, self.problem, self.picks = objective, problem, list(picks)
        self.swap_gains, self.swap_table = objective.swap_gains, getattr(objective, "swap_table", None)
        self.totals = [self._total()]

    def swap(self, state, leaving, entering):
        self.picks[self.picks.index(leaving)] = entering
        self.totals.append(self._total())
        return self.inner.swap(state, leaving, entering)

    def _total(self):
        return self.trace(self.problem, self.picks)[-1].sum()


@walk("dtype", ["float32", "float64"])
@walk("objective", SWAPPED)
@walk("n_distinct", [1, 4, None])
def test_every_swap_raises_the_exact_value_so_copies_are_never_swapped(objective, dtype, n_distinct):
    measure = create_objective(objective, {"sharpness": 25.0})
    for seed in range(3):
        X, groups = documents(seed, [14, 10]) if n_distinct is None else duplicated(seed, n_distinct)
        problem = posed(X, groups, dtype).problem()
        picks = tuple(range(4)) + tuple(range(problem.n_documents - 4, problem.n_documents))
        watched = Watched(measure, problem, picks)
        exchange(watched, problem, picks, watched.totals[0])
        assert np.all(np.diff(watched.totals) > 0)
        assert n_distinct != 1 or len(watched.totals) == 1


def gains_of_swaps(objective, problem, sequence):
    """What every swap that rules allow would add to the value of these picks, from the objective's exact values."""
    before = float(objective.values(problem, sequence).sum())
    pinned = {pin for pins in problem.pinned for pin in pins}
    for place, leaving in enumerate(sequence):
        group = problem.group_of(leaving)
        for at in np.flatnonzero(open_for(problem, group, sequence, leaving)) if leaving not in pinned else ():
            swapped = [*sequence[:place], int(at) + problem.rows(group).start, *sequence[place + 1 :]]
            yield float(objective.values(problem, swapped).sum()) - before


@pytest.mark.parametrize("method", ["kmedoids", "softmin-exchange", "mmd-diff-exchange"])
@pytest.mark.parametrize("strip", [3, 128])
@given(seed=seeds, size=st.integers(1, 3))
@few
def test_no_swap_that_weights_stories_bans_and_pins_allow_improves_the_picks(method, strip, seed, size):
    X, groups = documents(seed, [13, 9])
    rng = np.random.default_rng(seed)
    points = replace(Points.of(X, rng.exponential(size=len(X)) + 0.1), stories=np.minimum(np.arange(22), 17))
    session = pose(points, check_groups(groups, len(X)), gamma=GAMMA, compute=Compute("float64"))
    allowed = rng.random(len(X)) < 0.8
    allowed[[*np.flatnonzero(groups == "north")[:4], *np.flatnonzero(groups == "east")[:4]]] = True
    pins = (int(np.flatnonzero(groups == "north")[0]),)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(optimizer, "STRIP_CANDIDATES", strip)
        found = select(session, Request(method=method, size=size, allowed=allowed, pins=pins))
    assert pins[0] in found.rows
    assert allowed[found.rows].all()
    slack = 2e-9 * max(1.0, abs(found.values.sum()))
    assert all(gain <= slack for gain in gains_of_swaps(found.objective, found.problem, found.sequence))


@given(seed=seeds, weighted=st.booleans())
@few
def test_the_table_of_swaps_holds_what_each_would_add(seed, weighted):
    X, groups = documents(seed, [8, 7])
    weights = np.random.default_rng(seed).exponential(size=15) + 0.1 if weighted else None
    problem, objective = posed(X, groups, weights=weights).problem(), create_objective("nearest", {})
    picks = [0, 9, 3, 11, 5]
    state = objective.start(problem)
    for document in picks:
        state = objective.add(state, document)
    before = objective.values(problem, picks).sum()
    for group, own in ((0, [0, 3, 5]), (1, [9, 11])):
        rows = problem.rows(group)
        free = np.setdiff1d(np.arange(rows.start, rows.stop), picks)
        table = objective.swap_table(state, group, free)
        for column, leaving in enumerate(own):
            swapped = [[int(entering) if pick == leaving else pick for pick in picks] for entering in free]
            gains = [objective.values(problem, other).sum() - before for other in swapped]
            assert table[:, column] == pytest.approx(gains, abs=1e-9)


@pytest.mark.parametrize("method", ["kmedoids", "softmin-exchange"])
def test_a_sample_of_candidates_and_then_neighbors_find_picks_worth_nearly_as_much(method, monkeypatch):
    shares = []
    for seed in range(5):
        X, groups = documents(seed, [300, 260])
        asked = Request(method=method, size=4)
        whole = select(posed(X, groups), asked)
        with monkeypatch.context() as patch:
            patch.setattr(optimizer, "DRAWN_PER_GROUP", 40)
            patch.setattr(optimizer, "NEAREST_PER_PICK", 15)
            fewer = select(posed(X, groups), asked)
            order = np.random.default_rng(seed).permutation(len(X))
            shuffled = select(posed(X[order], groups[order]), asked)
        assert sorted(order[shuffled.rows].tolist()) == sorted(fewer.rows.tolist())
        start = float(whole.stages["start"].sum())
        shares.append((float(fewer.values.sum()) - start) / (float(whole.values.sum()) - start))
    assert np.median(shares) > 0.8


@pytest.mark.parametrize("method", SEARCHES)
def test_no_document_is_picked_twice_even_among_copies(method):
    for seed in range(3):
        for X, groups in (duplicated(seed), duplicated(seed, 1), documents(seed, [12, 9])):
            indices = fitted(X, groups, method, 6).prototype_indices_
            assert len(set(indices.tolist())) == len(indices) == 12


@pytest.mark.parametrize("method", SEARCHES)
def test_the_same_seed_gives_the_same_picks(method):
    X, groups = documents(8, [25, 15, 20])
    runs = [fitted(X, groups, method, 3, random_state=5, init="kmeans") for _ in range(2)]
    assert runs[0].prototype_indices_.tolist() == runs[1].prototype_indices_.tolist()
    assert np.array_equal(runs[0].gains_, runs[1].gains_)


@pytest.mark.parametrize("method", ["random"])
def test_other_seeds_can_give_other_picks(method):
    X, groups = documents(8, [25, 15, 20])
    runs = {tuple(fitted(X, groups, method, 3, random_state=seed).prototype_indices_) for seed in range(5)}
    assert len(runs) > 1


def least_cost(X, points, usable):
    distances = squared(points, X[usable])
    rows, columns = linear_sum_assignment(distances)
    return distances[rows, columns].sum()


@given(seed=seeds, count=st.integers(1, 6), close=st.booleans(), banned=st.booleans())
@many
def test_snapping_is_the_best_assignment_among_all_documents(seed, count, close, banned):
    X, groups = documents(seed, [14, 11])
    rng = np.random.default_rng(seed)
    allowed = rng.random(len(X)) < 0.7 if banned else np.ones(len(X), bool)
    allowed[np.flatnonzero(groups == "north")[:8]] = True
    session = posed(X, groups)
    points = X[rng.integers(len(X), size=count)] + (0.01 if close else 1.0) * rng.normal(size=(count, X.shape[1]))
    points[:] = points[0] if close else points
    usable = np.flatnonzero((groups == "north") & allowed)
    taken = usable[:2]
    place = [int(np.flatnonzero(session.order == row)[0]) for row in taken]
    found = session.order[list(snap(session.problem(allowed=allowed), points, 1, set(place)))]
    assert len(set(found.tolist())) == count
    assert set(found.tolist()) <= set(usable[2:].tolist())
    cost = sum(((point - X[row]) ** 2).sum() for point, row in zip(points, found, strict=True))
    assert cost == pytest.approx(least_cost(X, points, usable[2:]), rel=1e-9)


def test_snapping_all_groups_keeps_each_to_its_own_documents():
    X, groups = documents(3, [14, 11])
    session = posed(X, groups)
    owner = np.array([0, 0, 1, 1, 1])
    found = session.order[list(snap_all(session.problem(), X[:5], owner))]
    assert groups[found].tolist() == ["east", "north", "east", "north", "north"]


@pytest.mark.parametrize("seed", range(3))
@walk("objective", OBJECTIVES)
def test_a_budget_gives_each_group_one_and_the_rest_to_the_largest_next_gain(objective, seed):
    X, groups = documents(seed, [12, 2, 9])
    expected = Reference.of(X, groups, gamma=GAMMA).greedy(objective, budget=9)
    model = fitted(X, groups, f"{objective}+greedy", budget=9)
    for label in model.classes_:
        own = model.prototype_indices_[model.prototype_groups_ == label].tolist()
        assert own == [i for i in expected if groups[i] == label]
        assert own


@pytest.mark.parametrize("method", SEARCHES)
def test_a_budget_is_spent_whole(method):
    X, groups = documents(2, [12, 2, 9])
    for budget in (3, 10, 23):
        indices = fitted(X, groups, method, budget=budget).prototype_indices_
        assert len(set(indices.tolist())) == len(indices) == budget


@pytest.mark.parametrize("gamma", [GAMMA, "median"])
@pytest.mark.parametrize("objective", OBJECTIVES)
@given(seed=seeds)
@few
def test_greedy_picks_of_whole_weights_equal_those_of_repeated_documents(objective, gamma, seed):
    X, groups = documents(seed, [9, 6, 7])
    weights = np.random.default_rng(seed).integers(1, 4, size=len(X))
    copies = np.repeat(np.arange(len(X)), weights)
    firsts = np.append(True, np.diff(copies) > 0)  # the others count as documents but may not be picked
    request = Request(method=f"{objective}+greedy", size=3)
    once = select(posed(X, groups, weights=weights.astype(float), gamma=gamma), request)
    again = select(posed(X[copies], groups[copies], gamma=gamma), replace(request, allowed=firsts))
    assert copies[again.rows].tolist() == once.rows.tolist()
    assert again.gains == pytest.approx(once.gains, abs=1e-6)


@pytest.mark.parametrize("method", [name for name in SEARCHES if name not in ("kmeans", "random")])
def test_picks_with_zero_weights_are_those_without_the_documents(method):
    for seed in range(4):
        X, groups = documents(seed, [19, 16, 17])
        weights = (np.random.default_rng(seed).random(len(X)) < 0.6) * 1.0
        kept = np.flatnonzero(weights)
        zeroed = fitted(X, groups, method, 3, weights, gamma="median")
        removed = fitted(X[kept], groups[kept], method, 3, gamma="median")
        assert zeroed.prototype_indices_.tolist() == kept[removed.prototype_indices_].tolist()
        assert zeroed.gains_ == pytest.approx(removed.gains_, abs=1e-9)
        assert zeroed.gamma_ == pytest.approx(removed.gamma_, rel=1e-12)
