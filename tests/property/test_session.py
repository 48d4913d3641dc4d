"""A session may be asked anything in any order: history never shows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from visavis.inputs import Grouped
from visavis.records import Points
from visavis.select import METHODS, Request, pose, select
from visavis.select.draws import Seeded, SeededByName
from visavis.select.parameters import applicable

pytestmark = [
    pytest.mark.filterwarnings("ignore::visavis.errors.LeftTheData"),
    pytest.mark.filterwarnings("ignore::visavis.errors.MissingGroup"),
]
N, FOLDS = 72, 3
RNG = np.random.default_rng(8)
CODES = np.arange(N) % 3
X = RNG.normal(size=(N, 4)) + 0.8 * RNG.normal(size=(3, 4))[CODES]
WEIGHTS = RNG.integers(1, 4, N).astype(float)
CELLS = np.arange(N) // 3 % FOLDS
PINNABLE = [name for name in METHODS if name not in ("kmeans", "kmedoids", "mmd-critic")]


def posed(**options):
    grouped = Grouped(np.array(["a", "b", "c"], dtype=object), CODES)
    return pose(Points.of(X, WEIGHTS), grouped, **options)


@st.composite
def requests(draw, methods=tuple(METHODS), frames=1, parts=(None,)):
    method = draw(st.sampled_from(methods))
    chosen = {
        "contrast": draw(st.sampled_from([0.0, 0.1, 0.6, 0.9])),
        "sharpness": draw(st.sampled_from(["auto", 8.0])),
    }
    part = draw(st.sampled_from(parts))
    pins = draw(st.lists(st.sampled_from(range(0, N, 9)), max_size=2, unique=True)) if method in PINNABLE else []
    bans = draw(st.lists(st.sampled_from(range(1, N, 7)), max_size=4, unique=True))
    inside = {row for row in range(N) if part is None or CELLS[row] in part}
    return Request(
        method=method,
        parameters=applicable(method, chosen),
        size=draw(st.sampled_from([2, 3, 5, (2, 3, 4)])),
        pins=tuple(row for row in pins if row in inside and row not in bans),
        bans=tuple(row for row in bans if row not in pins),
        draws=draw(st.sampled_from([Seeded((0,)), Seeded((1,)), SeededByName((0, 1), (2,))])),
        frame=draw(st.sampled_from(range(frames))),
        part=part,
    )


def same(found, expected):
    assert found.rows.tolist() == expected.rows.tolist()
    assert found.parameters == pytest.approx(expected.parameters)
    assert found.trace == pytest.approx(expected.trace, rel=1e-9, abs=1e-12)
    assert list(found.stages) == list(expected.stages)
    for stage, values in expected.stages.items():
        assert found.stages[stage] == pytest.approx(values, rel=1e-9, abs=1e-12)
    for ask in ("shares", "losses"):
        answers = [getattr(s.objective, ask)(s.problem, s.sequence) for s in (found, expected)]
        assert answers[0] == pytest.approx(answers[1], rel=1e-9, abs=1e-12)


@given(asked=st.lists(requests(), min_size=1, max_size=6))
@settings(max_examples=40, deadline=None, derandomize=True, database=None)
def test_any_sequence_of_requests_is_answered_like_fresh_ones(asked):
    session = posed(gamma=0.3)
    for request in asked:
        same(select(session, request), select(posed(gamma=0.3), request))


PARTS = (None, (0, 1), (1, 2), (0, 1, 2))
SEVERAL = {"gamma": (0.1, 0.2, 0.5), "cells": CELLS}


@given(asked=st.lists(requests(frames=3, parts=PARTS), min_size=2, max_size=5))
@settings(max_examples=25, deadline=None, derandomize=True, database=None)
def test_the_same_holds_for_several_widths_and_parts(asked):
    session = posed(**SEVERAL)
    for request in asked:
        same(select(session, request), select(posed(**SEVERAL), request))


@pytest.mark.parametrize("method", ["mmd-diff-greedy", "mmd-between-exchange", "likelihood-exchange", "mmd-critic"])
@pytest.mark.parametrize("part", [(0, 1), (2,), (0, 1, 2)])
@pytest.mark.parametrize("frame", [0, 2])
def test_a_part_at_one_width_is_what_it_is_alone(method, part, frame):
    found = select(posed(**SEVERAL), Request(method=method, size=3, frame=frame, part=part))
    rows = np.flatnonzero(np.isin(CELLS, part))
    grouped = Grouped(np.array(["a", "b", "c"], dtype=object), CODES[rows])
    alone = pose(Points.of(X[rows], WEIGHTS[rows]), grouped, gamma=SEVERAL["gamma"][frame])
    expected = select(alone, Request(method=method, size=3))
    assert found.rows.tolist() == rows[expected.rows].tolist()
    assert found.trace == pytest.approx(expected.trace, rel=1e-5, abs=1e-7)
    assert found.problem.similarity_sums() == pytest.approx(expected.problem.similarity_sums(), rel=1e-5)


@pytest.mark.parametrize("method", [name for name in METHODS if "greedy" in name])
def test_a_longer_greedy_run_holds_the_shorter_ones(method):
    session = posed(gamma=0.3)
    long = select(session, Request(method=method, size=8))
    for size in (1, 3, 8):
        short = select(session, Request(method=method, size=size))
        assert short.sequence == long.sequence[: 3 * size]
        assert short.rows.tolist() == select(posed(gamma=0.3), Request(method=method, size=size)).rows.tolist()


def test_a_generator_of_the_caller_goes_on_from_draw_to_draw():
    from visavis.select.draws import Given

    session, generator = posed(gamma=0.3), np.random.default_rng(3)
    request = Request(method="random", size=5, draws=Given(generator))
    first, second = select(session, request), select(session, request)
    assert first.rows.tolist() != second.rows.tolist()
    kmeans = replace(request, method="mmd-diff-grad", parameters={"init": "kmeans"})
    assert len(select(session, kmeans).rows) == len(select(session, kmeans).rows) == 15
