"""What a session is asked is checked at the door, and what it keeps stays within bounds."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import visavis
from outsiders import Cauchy, Tilted
from visavis.datasets import sample_path
from visavis.errors import InvalidParameter, TooFewDocuments, UnknownName, VisavisError
from visavis.inputs import Grouped
from visavis.kernel import kernel_kind
from visavis.kernel.operations import LogSums, Rise, Sharpened, Survey
from visavis.records import Abilities, Compute, Parameter, Points
from visavis.select import ComparativeSummarizer, Pair, Request, objective_value, pose, select
from visavis.select.objectives.mmd import MMDDiff
from visavis.select.objectives.softmin import Softmin
from visavis.select.optimizers.exchange import Exchange
from visavis.select.optimizers.gradient import Gradient
from visavis.select.optimizers.greedy import Greedy

N = 90
CODES = np.arange(N) // 30
X = np.random.default_rng(0).normal(size=(N, 4)) + CODES[:, None]
SHARPENED = Sharpened(2.0, 1.1, powers=False, single=False)
GROUPED = Grouped(np.array(["a", "b", "c"], dtype=object), CODES)


def session(**options):
    return pose(Points.of(X), GROUPED, **{"gamma": 0.3, **options})


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"allowed": np.ones(5, bool)}, "allowed has shape"),
        ({"allowed": np.ones(900, bool)}, "allowed has shape"),
        ({"frame": 3}, "no frame 3"),
        ({"part": (7,)}, "cells that are not there"),
        ({"part": ()}, "cells that are not there"),
        ({"parameters": {"contrasts": 1}}, "no parameter 'contrasts'"),
        ({"size": (1, 2)}, "one per group"),
    ],
)
def test_what_a_session_does_not_have_is_refused(asked, said):
    with pytest.raises(VisavisError, match=said):
        select(session(), Request(**{"method": "mmd-diff-greedy", **asked}))


@pytest.mark.parametrize("cells", [np.full(N, -1), np.zeros(5, int), np.zeros(N)])
def test_cells_that_are_no_numbers_of_cells_are_refused(cells):
    with pytest.raises(InvalidParameter, match="cells must hold"):
        session(cells=cells)


def test_points_without_weight_or_group_are_refused():
    with pytest.raises(InvalidParameter, match="nothing to pick from"):
        pose(Points.of(X, np.zeros(N)), GROUPED)


@pytest.mark.parametrize("missing", [1, 2])
def test_a_group_that_a_part_leaves_without_documents_is_named(missing):
    asked = session(cells=np.where(missing == CODES, 1, 0))
    with pytest.raises(TooFewDocuments, match=f"group '{'abc'[missing]}' has no document"):
        select(asked, Request(method="mmd-diff-greedy", size=1, part=(0,)))


def test_candidates_of_another_group_are_not_read_off_a_kept_square():
    pairs, fresh = session().problem().pairs, session().problem().pairs
    weights, inside = np.ones(30), slice(30, 60)
    pairs.reduce(Survey(weights, keeps=900), inside, inside)
    for candidates in (np.arange(30), slice(60, 90), np.array([0, 40])):
        operation = Rise(np.full(30, -2.0), weights)
        assert pairs.reduce(operation, candidates, inside)[0] == pytest.approx(
            fresh.reduce(operation, candidates, inside)[0], rel=1e-6
        )


def test_tiles_of_an_operation_may_be_cut_as_it_likes():
    pairs = session(compute=Compute("float64")).problem().pairs
    rest, own, weights, reads = (
        np.full(N, 0.4),
        np.full(N, 0.6),
        np.full(N, 0.1),
        SHARPENED,
    )
    whole = pairs.reduce(LogSums(rest, own, weights, reads), slice(0, N), slice(0, N))[0]
    cut = pairs.reduce(LogSums(rest, own, weights, reads, shape=(16, 32)), slice(0, N), slice(0, N))[0]
    assert cut == pytest.approx(whole, rel=1e-9)


def test_what_is_kept_of_pairs_stays_within_the_budget():
    pairs = session(compute=Compute("float64", 1, 1)).problem().pairs
    for start in range(0, 80, 4):
        rows = slice(start, start + 10)
        pairs.reduce(
            LogSums(*np.full((3, N), 0.5), SHARPENED, keeps=10 * N),
            rows,
            np.arange(N),
        )
    big = [slice(0, N), slice(1, N), slice(2, N)]
    for rows in big:
        pairs.reduce(
            LogSums(*np.full((3, N), 0.5), SHARPENED, keeps=N * N),
            rows,
            np.arange(N),
        )
    assert pairs._kept._held() <= 2**20


def test_pairs_of_a_few_parts_are_kept():
    asked = session(cells=np.arange(N) % 6)
    for left_out in range(6):
        part = tuple(cell for cell in range(6) if cell != left_out)
        select(asked, Request(method="mmd-diff-greedy", size=2, part=part))
    assert len(asked._bound) == 2


@dataclass(frozen=True)
class Coupled(Tilted):
    """Gains shrink with every pick of any group: lazy, but not separable."""

    abilities: ClassVar[Abilities] = Abilities(lazy=True)

    def gains(self, state, group):
        return super().gains(state, group) * 0.9 ** sum(1 + state[0].group_of(pick) for pick in state[1])

    def gains_among(self, *_):
        raise AssertionError("groups touch: old gains of this group may be stale")


def test_a_search_is_lazy_only_where_groups_do_not_touch():
    found = select(session(), Request(method=Pair(Coupled(), "greedy"), budget=9))
    assert len(found.rows) == 9


def test_objects_are_told_nothing_more_and_keep_what_they_are():
    made = Pair(MMDDiff(0.5), Gradient(max_iter=2))
    assert made.parameters == ()
    with pytest.raises(UnknownName, match="no parameter 'contrast'"):
        select(session(), Request(method=made, parameters={"contrast": 0.9}))
    half = Pair("mmd-diff", Gradient(max_iter=2))
    assert [parameter.name for parameter in half.parameters] == ["contrast"]
    assert select(session(), Request(method=half, size=2)).n_iter <= 2


def test_an_optimizer_object_begins_where_it_says(monkeypatch):
    from visavis.select.baselines import kmeans

    begun = []
    real = kmeans._begin
    monkeypatch.setattr(kmeans, "_begin", lambda *given: begun.append(1) or real(*given))
    select(session(), Request(method=Pair("mmd-diff", Exchange(init="kmeans")), size=2))
    select(session(), Request(method="mmd-diff-exchange", parameters={"init": "kmeans"}, size=2))
    select(session(), Request(method="mmd-diff-exchange", size=2))
    assert len(begun) == 2


def test_a_comparison_names_a_method_made_of_objects():
    found = visavis.compare(sample_path(), by="outlet", size=1, method=Pair("mmd-diff", Greedy()))
    assert found.method == "mmd-diff+greedy"


def test_a_whole_number_is_a_sharpness():
    found = select(session(), Request(method=Pair(Softmin(sharpness=8), "exchange", start="mmd-diff"), size=2))
    assert len(found.rows) == 6


def test_the_value_of_picks_takes_what_objective_and_kernel_declare_and_nothing_else():
    narrow, wide = (
        objective_value(X, CODES, [0, 40, 80], objective="mmd-diff", kernel=Cauchy, parameters={"width": width})
        for width in (1.0, 9.0)
    )
    assert narrow != wide
    with pytest.raises(UnknownName, match="sharpnes"):
        objective_value(X, CODES, [0], objective="mmd-diff", parameters={"sharpnes": 9.0})


@dataclass(frozen=True)
class Clash(Cauchy):
    """Declares what the method declares, too."""

    contrast: float = 1.0
    parameters: ClassVar[tuple[Parameter, ...]] = (Parameter("contrast", 1.0, float),)


def test_a_name_that_kernel_and_method_both_declare_is_refused():
    with pytest.raises(InvalidParameter, match="both have a parameter 'contrast'"):
        ComparativeSummarizer("mmd-diff-greedy", 2, kernel=Clash).fit(X, CODES)


@pytest.mark.parametrize("kernel", [int, dict, object])
def test_a_class_that_makes_no_kernel_is_refused(kernel):
    with pytest.raises(InvalidParameter, match="makes no kernel"):
        kernel_kind(kernel)


def test_several_widths_of_one_kernel_come_from_one_pass():
    asked = pose(Points.of(X), GROUPED, gamma=(0.1, 0.3), cells=np.arange(N) % 2)
    for frame, gamma in enumerate((0.1, 0.3)):
        alone = pose(Points.of(X), GROUPED, gamma=gamma).problem().similarity_sums()
        assert asked.problem(frame=frame).similarity_sums() == pytest.approx(alone, rel=1e-5)


def test_threads_that_ask_at_once_for_other_settings_do_not_disturb_each_other():
    asked = [Request(method="softmin-exchange", parameters={"sharpness": s}, size=6) for s in (2.0, 4.0, 8.0, 16.0)]
    alone = [select(session(), request).sequence for request in asked]
    shared = session()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda request: select(shared, request).sequence, asked * 8))
    assert found == alone * 8
