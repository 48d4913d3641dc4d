"""Objectives add up: how mixtures are named, told their parameters, and brought to one scale."""

import numpy as np
import pytest

from visavis.errors import Incompatible, InvalidParameter, UnknownName
from visavis.inputs import check_groups
from visavis.records import Points
from visavis.select import OBJECTIVES, OPTIMIZERS, ComparativeSummarizer, Request, objective_value, pose, select
from visavis.select.methods import create_objective, objective_kind, row_of
from visavis.select.parameters import check_parameters

RNG = np.random.default_rng(4)
X = np.concatenate([RNG.normal(size=(14, 3)) + shift for shift in (0.0, 1.5)])
Y = np.repeat(["left", "right"], 14)
MIXTURE = "softmin+2*mmd-diff"


def test_objectives_and_optimizers_have_different_names():
    assert not set(OBJECTIVES) & set(OPTIMIZERS)


def test_the_last_term_is_the_optimizer_and_the_others_add_up():
    row = row_of(f"{MIXTURE}+exchange")
    assert (row.objective, row.optimizer) == (MIXTURE, "exchange")
    assert create_objective(MIXTURE, {}).name == MIXTURE


def test_a_mixture_is_worth_what_its_parts_are_worth_on_one_scale():
    told = {"gamma": 0.2, "sharpness": 4.0, "contrast": 0.3}
    picks = [0, 3, 17, 20]
    mixed, soft, diff = (objective_value(X, Y, picks, objective=o, **told) for o in (MIXTURE, "softmin", "mmd-diff"))
    for side in ("left", "right"):
        assert mixed[side] == pytest.approx(soft[side] + 2.0 * diff[side] / 2)  # of two groups the mean


def test_nearest_is_brought_to_the_scale_of_the_others():
    near = create_objective("nearest", {})
    problem = pose(Points.of(1000.0 * X), check_groups(Y, len(X)), gamma=1e-6).problem()
    best = [int(near.gains(near.start(problem), group).argmax()) + problem.rows(group).start for group in (0, 1)]
    mixed = create_objective("mmd+nearest", {}).trace(problem, best)[-1].sum()
    alone = create_objective("mmd", {}).trace(problem, best)[-1].sum() / 2
    assert mixed == pytest.approx(alone + 1.0)


def test_parameters_bear_the_name_of_their_part_and_bare_names_speak_to_all():
    values = check_parameters(f"{MIXTURE}+exchange", {"contrast": 0.4, "softmin.sharpness": 7})
    assert values == {"softmin.sharpness": 7.0, "mmd-diff.contrast": 0.4, "init": "auto"}
    told = check_parameters(f"{MIXTURE}+exchange", {"contrast": 0.4, "mmd-diff.contrast": 0.2})
    assert told["mmd-diff.contrast"] == 0.2
    with pytest.raises(UnknownName, match=r"softmin\.sharpness, mmd-diff\.contrast"):
        check_parameters(f"{MIXTURE}+exchange", {"spice": 1})


def test_a_mixture_can_do_what_all_its_parts_can():
    assert not objective_kind(MIXTURE).abilities.gradient
    assert objective_kind("mmd+2*mmd-div").abilities.gradient
    assert not objective_kind("nearest+mmd").abilities.lazy
    assert not objective_kind(MIXTURE).abilities.separable
    with pytest.raises(Incompatible, match="has no gradient"):
        ComparativeSummarizer(f"{MIXTURE}+gradient", 2).fit(X, Y)


def test_the_gradient_of_a_mixture_climbs():
    stages = ComparativeSummarizer("mmd+2*mmd-div+gradient", 2).fit(X, Y).stages_
    assert sum(s["optimized"] for s in stages.values()) >= sum(s["start"] for s in stages.values())


@pytest.mark.parametrize("name", ["0*mmd+nearest", "-1*mmd+nearest", "two*mmd+nearest", "nan*mmd+nearest"])
def test_a_weight_must_be_a_positive_number(name):
    with pytest.raises(InvalidParameter, match="positive number"):
        objective_kind(name)


def test_an_objective_is_named_once_and_must_exist():
    with pytest.raises(InvalidParameter, match="twice"):
        objective_kind("mmd+2*mmd")
    with pytest.raises(UnknownName, match="mmd-dif"):
        objective_kind("softmin+2*mmd-dif")


def test_what_was_calibrated_shows_in_the_selection():
    session = pose(Points.of(X), check_groups(Y, len(X)))
    found = select(session, Request(method="softmin-diff-exchange", size=2))
    assert isinstance(found.parameters["softmin.sharpness"], float)
