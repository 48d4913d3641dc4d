from __future__ import annotations

import pytest

from visavis.errors import InvalidParameter, UnknownName
from visavis.evaluate.grid import GRIDS, Grid, Setting, settings_of
from visavis.evaluate.plan import CEILING, PAPER_METHODS, Plan
from visavis.records import Parameter
from visavis.select.methods import METHODS
from visavis.select.parameters import decisive_names, tunable


@pytest.mark.parametrize(
    ("method", "parameters"),
    [
        ("kmeans", ()),
        ("random", ()),
        ("nn-comp-greedy", ()),
        ("kmedoids", ()),
        ("mmd-critic", ("gamma",)),
        ("mmd+greedy", ("gamma",)),
        ("mmd-diff-grad", ("gamma", "contrast")),
        ("mmd-between-greedy", ("gamma", "contrast")),
        ("softmin-exchange", ("gamma", "sharpness")),
    ],
)
def test_what_each_method_is_tuned_by(method, parameters):
    assert decisive_names(method) == parameters
    assert tuple(parameter.name for parameter in tunable(method)) == tuple(n for n in parameters if n != "gamma")


def test_parameters_the_grid_does_not_name_are_tried_as_they_are_declared_unless_nothing_is_tuned():
    own = Parameter("depth", 2, int, (1, 2, 3))
    assert Grid().values_of(own) == (1, 2, 3)
    assert GRIDS["fixed"].values_of(own) == (2,)
    assert Grid(contrasts=(0.5,)).values_of(Parameter("contrast", 0.1, float, (0.2,))) == (0.5,)


def test_the_grid_of_a_method_has_every_combination_gamma_slowest():
    settings = settings_of("mmd-diff-greedy", Grid(gammas=(1.0, 2.0), contrasts=(0.1, 0.2, 0.3)))
    first = [(setting.gamma, setting.parameters) for setting in settings[:4]]
    assert first == [(0, {"contrast": 0.1}), (0, {"contrast": 0.2}), (0, {"contrast": 0.3}), (1, {"contrast": 0.1})]
    assert len(settings) == 6
    assert settings_of("kmeans", Grid()) == (Setting(),)
    assert len(settings_of("softmin-exchange", Grid())) == 5
    assert len(settings_of("softmin-exchange", Grid(sharpness=(4.0, 12.0, "auto")))) == 15


def test_the_named_grids_are_those_of_the_documentation():
    assert GRIDS["usps"].gammas == (0.01, 0.02, 0.04, 0.08, 0.16)
    assert GRIDS["notebook"].gammas == (0.05, 0.1, 0.2, 0.4, 0.8)
    assert GRIDS["default"].gammas == (0.25, 0.5, 1.0, 2.0, 4.0)
    assert not GRIDS["default"].absolute
    assert GRIDS["usps"].absolute
    assert GRIDS["notebook"].absolute


def test_by_default_every_named_method_and_the_ceilings_are_evaluated():
    assert set(Plan().units) == {*METHODS, CEILING}
    assert set(PAPER_METHODS) <= set(METHODS)
    assert CEILING not in Plan(ceilings=False).units


def test_sizes_are_sorted_and_repeated_names_dropped():
    plan = Plan(sizes=(8, 2, 8), methods=("kmeans", "random", "kmeans"))
    assert plan.sizes == (2, 8)
    assert plan.methods == ("kmeans", "random")


@pytest.mark.parametrize(
    "wrong",
    [
        {"sizes": ()},
        {"sizes": (0,)},
        {"methods": "kmeans"},
        {"splits": 0},
        {"folds": 1},
        {"test_share": 0.0},
        {"test_share": 0.95},
        {"variance": 1.5},
        {"init": "random"},
        {"grid": "other"},
        {"seed": -1},
    ],
)
def test_a_plan_that_makes_no_sense_is_refused_by_name(wrong):
    with pytest.raises(InvalidParameter, match=next(iter(wrong))):
        Plan(**wrong)


def test_unknown_methods_and_classifiers_are_refused_with_a_hint():
    with pytest.raises(UnknownName, match="did you mean 'kmeans'"):
        Plan(methods=("kmeens",))
    with pytest.raises(UnknownName, match="1-nn"):
        Plan(classifiers=("2-nn",))
    with pytest.raises(UnknownName, match="objective"):
        Plan(methods=("mmdd+greedy",))


@pytest.mark.parametrize("wrong", [{"gammas": ()}, {"gammas": (0.0,)}, {"costs": (-1.0,)}, {"contrasts": (-0.1,)}])
def test_a_grid_that_makes_no_sense_is_refused_by_name(wrong):
    with pytest.raises(InvalidParameter, match=next(iter(wrong))):
        Grid(**wrong)
