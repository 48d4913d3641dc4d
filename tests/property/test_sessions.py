"""A session answers any sequence of requests as a fresh one would, and a part as if the others were not there."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references import documents, few

from visavis.inputs import check_groups
from visavis.records import Compute, Points
from visavis.select import METHODS, OBJECTIVES, Request, pose, select, select_sizes
from visavis.select.draws import Given, Seeded, SeededByName
from visavis.select.facts import Sequences
from visavis.select.parameters import applicable
from walking import walk

GAMMAS = (0.1, 0.2, 0.5)
PARTS = (None, (0, 1), (0, 2), (1, 2))
UNPINNABLE = ("kmeans", "kmedoids", "mmd-critic")
SEARCHES = [*METHODS, *(f"{objective}+greedy" for objective in OBJECTIVES)]
pytestmark = pytest.mark.filterwarnings(
    "ignore::visavis.errors.LeftTheData", "ignore::visavis.errors.MissingGroup", "ignore::visavis.errors.OnlyOneGroup"
)

seeds = st.integers(0, 10**6)


def posed(X, groups, cells=None, gamma=GAMMAS, weights=None, dtype="float32"):
    return pose(Points.of(X, weights), check_groups(groups, len(X)), gamma=gamma, cells=cells, compute=Compute(dtype))


def some_request(rng, cells):
    """Any method, with sizes, a budget, pins, bans and parameters as they come."""
    method = SEARCHES[rng.integers(len(SEARCHES))]
    part = PARTS[rng.integers(len(PARTS))]
    inside = np.flatnonzero(np.isin(cells, part if part is not None else (0, 1, 2)))
    drawn = rng.permutation(inside)
    pins = () if method in UNPINNABLE else tuple(drawn[: rng.integers(0, 3)].tolist())
    told = {"contrast": float(rng.choice([0.1, 0.6])), "sharpness": rng.choice([7.0, 20.0]), "init": "auto"}
    told["sharpness"] = "auto" if rng.random() < 0.5 else float(told["sharpness"])
    return Request(
        method=method,
        parameters=applicable(method, told),
        size=int(rng.integers(2, 5)),
        budget=int(rng.integers(8, 12)) if rng.random() < 0.3 else None,
        pins=pins,
        allowed=~np.isin(np.arange(len(cells)), drawn[3 : 3 + rng.integers(0, 4)]),
        draws=Seeded((int(rng.integers(3)),)),
        frame=int(rng.integers(len(GAMMAS))),
        part=part,
    )


def assert_same_answer(found, expected):
    """The same picks and parameters, and the same numbers but for the last digits of sums."""
    assert found.rows.tolist() == expected.rows.tolist()
    assert found.parameters == expected.parameters
    assert list(found.stages) == list(expected.stages)
    for name, values in found.stages.items():
        assert values == pytest.approx(expected.stages[name], abs=1e-9)
    for of in (found.objective.shares, found.objective.losses):
        expected_of = getattr(expected.objective, of.__name__)
        assert of(found.problem, found.sequence) == pytest.approx(
            expected_of(expected.problem, expected.sequence), abs=1e-9
        )
    assert found.gains == pytest.approx(expected.gains, abs=1e-9)


@given(seed=seeds)
@few
def test_any_sequence_of_requests_is_answered_like_a_fresh_session(seed):
    X, groups = documents(seed, [24, 21, 27])
    rng = np.random.default_rng(seed)
    cells = rng.permutation(np.arange(len(X)) % 3)
    session = posed(X, groups, cells)
    for request in [some_request(rng, cells) for _ in range(8)]:
        assert_same_answer(select(session, request), select(posed(X, groups, cells), request))


@pytest.mark.parametrize("method", SEARCHES)
def test_a_larger_or_smaller_size_before_changes_nothing(method):
    X, groups = documents(3, [20, 17, 19])
    request = Request(method=method, draws=SeededByName((1,)))
    session = posed(X, groups, gamma=0.2)
    for size in (3, 6, 2, 5):
        asked = replace(request, size=size)
        assert_same_answer(select(session, asked), select(posed(X, groups, gamma=0.2), asked))
    sizes = select_sizes(posed(X, groups, gamma=0.2), request, (2, 6, 3))
    assert list(sizes) == [2, 6, 3]
    for size, selection in sizes.items():
        assert_same_answer(selection, select(session, replace(request, size=size)))


@pytest.mark.parametrize("method", [name for name in SEARCHES if name not in ("kmeans", "kmedoids", "random")])
@walk("part", PARTS[1:], ids=str)
def test_a_part_is_answered_as_if_the_other_cells_were_not_there(method, part):
    X, groups = documents(4, [24, 21, 27])
    cells = np.random.default_rng(4).permutation(np.arange(len(X)) % 3)
    weights = np.random.default_rng(5).uniform(0.5, 2.0, len(X))
    rows = np.flatnonzero(np.isin(cells, part))
    session = posed(X, groups, cells, weights=weights, dtype="float64")
    for frame, gamma in enumerate(GAMMAS):
        request = Request(method=method, size=3, frame=frame, part=part)
        found = select(session, request)
        alone = posed(X[rows], groups[rows], gamma=gamma, weights=weights[rows], dtype="float64")
        expected = select(alone, Request(method=method, size=3))
        assert found.rows.tolist() == rows[expected.rows].tolist()
        assert found.gains == pytest.approx(expected.gains, abs=1e-9)


@given(seed=seeds)
@few
def test_sums_of_cells_add_up_to_those_of_parts_at_every_width(seed):
    X, groups = documents(seed, [13, 9, 11])
    rng = np.random.default_rng(seed)
    cells, weights = rng.permutation(np.arange(len(X)) % 3), rng.exponential(size=len(X)) + 0.1
    session = posed(X, groups, cells, weights=weights)
    for part in PARTS:
        order = session.part_order(part)
        for frame, gamma in enumerate(GAMMAS):
            distances = ((X[order][:, None, :] - X[order][None, :, :]) ** 2).sum(axis=2)
            inside = (groups[order][:, None] == session.labels[None, :]) * weights[order][:, None]
            expected = np.exp(-gamma * distances) @ inside
            found = session.problem(frame=frame, part=part).similarity_sums()
            assert found == pytest.approx(expected, rel=1e-5, abs=1e-5)


def test_no_more_results_of_searches_are_kept_than_there_is_room_for():
    kept, made = Sequences(most=3), []

    def make(value):
        return lambda: made.append(value) or value

    for key in range(5):
        assert kept.longest(key, 2, make((key, 2))) == (key, 2)
    assert kept.longest(4, 1, make("not asked for")) == (4, 2)
    assert kept.longest(4, 3, make((4, 3))) == (4, 3)
    assert kept.longest(0, 2, make("again")) == "again"  # forgotten, for want of room
    assert kept.recall("other", make("other")) == "other"
    assert kept.longest(4, 3, make("not asked for")) == (4, 3)
    assert made == [*((key, 2) for key in range(5)), (4, 3), "again", "other"]


def test_a_generator_of_the_caller_goes_on_from_draw_to_draw():
    X, groups = documents(3, [12, 12])
    session = posed(X, groups, gamma=0.3)
    request = Request(method="random", size=5, draws=Given(np.random.default_rng(3)))
    assert select(session, request).rows.tolist() != select(session, request).rows.tolist()
