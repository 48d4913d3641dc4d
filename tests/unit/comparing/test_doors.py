"""What comes through the doors is checked, and what does not matter is said."""

from __future__ import annotations

import numpy as np
import pytest

import visavis
from visavis.comparing import CompareOptions, assess, compare_facets, pose
from visavis.comparing.posing import make_choice
from visavis.datasets import sample_path
from visavis.errors import InvalidParameter, UnknownName
from visavis.records import Document, Points
from visavis.select import Request, select

N = 60
CODES = np.arange(N) % 2
X = np.random.default_rng(0).normal(size=(N, 3)) + CODES[:, None]
DOCUMENTS = tuple(Document(str(row), f"title {row}") for row in range(N))


def posed(candidates=None, **wrong):
    given = {
        "documents": DOCUMENTS,
        "texts": [""] * N,
        "candidates": np.ones(N, bool) if candidates is None else candidates,
    }
    codes = wrong.pop("codes", CODES)
    return pose(Points.of(X.astype(np.float32)), ("a", "b"), codes, gamma=0.3, **{**given, **wrong})


@pytest.mark.parametrize(
    "wrong", [{"documents": DOCUMENTS[:5]}, {"texts": [""]}, {"codes": CODES[:5]}, {"candidates": np.ones(7, bool)}]
)
def test_an_entry_for_each_point_is_required(wrong):
    with pytest.raises(InvalidParameter, match="60 points"):
        posed(**wrong)


def test_only_candidates_are_picked_and_assessed():
    first = select(posed(), Request(method="mmd-diff-greedy", size=2))
    allowed = np.ones(N, bool)
    allowed[first.rows] = False
    narrowed, whole = posed(allowed), posed()
    found = select(narrowed, Request(method="mmd-diff-greedy", size=2))
    again = select(whole, Request(method="mmd-diff-greedy", size=2, allowed=allowed))
    assert not set(found.rows) & set(first.rows)
    assert found.rows.tolist() == again.rows.tolist()
    assert assess(narrowed, found, "stability").stability == assess(whole, again, "stability").stability
    assert assess(narrowed, found, "accuracy").accuracy == assess(whole, again, "accuracy").accuracy


def test_a_question_may_be_asked_alone_by_its_name():
    session = posed()
    found = select(session, Request(method="mmd-diff-greedy", size=2))
    answer = assess(session, found, "difference")
    assert answer.tests is not None
    assert answer.accuracy is answer.ceiling is answer.stability is None
    with pytest.raises(UnknownName, match=r"unknown question 'diference'; did you mean 'difference'\?"):
        assess(session, found, "diference")


def test_progress_that_raises_ends_the_assessment():
    class Enough(Exception):
        pass

    def stop(stage):
        if "resamples" in stage:
            raise Enough

    session = posed()
    found = select(session, Request(method="mmd-diff-greedy", size=2))
    with pytest.raises(Enough):
        assess(session, found, progress=stop)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"method": "kmeans", "tune": True}, "tune was given"),
        ({"method": "nn-comp-greedy", "gamma": 3.0}, "gamma was given"),
        ({"method": "mmd-diff-greedy", "kernel": "linear", "gamma": 3.0}, "gamma was given"),
    ],
)
def test_what_does_not_matter_to_the_method_is_said(given, said):
    found = visavis.compare(sample_path(), by="outlet", size=1, **given)
    assert any(warning.startswith(said) for warning in found.warnings)
    assert not found.parameters["tuned"]


def test_what_matters_is_not_complained_about():
    found = visavis.compare(sample_path(), by="outlet", size=1, method="mmd-diff-grad", gamma=0.5)
    assert not any("does not matter" in warning for warning in found.warnings)


def test_rules_are_told_only_where_they_were_followed():
    found = visavis.compare(
        sample_path(), by="outlet", size=1, method="softmin-exchange", parameters={"sharpness": 25.0}
    )
    assert (found.parameters["sharpness"], found.parameters["sharpness_rule"]) == (25.0, None)
    assert found.parameters["gamma_rule"] == "median"


def test_a_budget_takes_the_place_of_the_size():
    class Room:
        names, codes = ("a", "b"), CODES

        @staticmethod
        def room(_pinned):
            return np.array([30, 30])

    class Nothing:
        pinned = ()

    sizes = {
        make_choice(Room(), Nothing(), CompareOptions(by="x", budget=8, size=size)).sizes for size in (1, 4, 50, "auto")
    }
    assert sizes == {(4, 4)}
    with pytest.raises(InvalidParameter, match="lower budget"):
        make_choice(Room(), Nothing(), CompareOptions(by="x", budget=601))


def test_pins_and_bans_belong_to_their_facets():
    rows = [{"id": f"{month}{k}", "text": f"words number {k} of {month}", "month": month, "side": "ab"[k % 2]}
            for month in ("may", "june") for k in range(12)]  # fmt: skip
    results = dict(
        compare_facets(rows, "month", by="side", size=1, pin=("may3",), ban=("june2",), method="mmd-diff-greedy")
    )
    assert {name: type(found).__name__ for name, found in results.items()} == {
        "june": "Comparison",
        "may": "Comparison",
    }
    assert [pick.document.id for pick in results["may"]["b"]] == ["may3"]
    with pytest.raises(UnknownName, match=r"unknown document 'may33'; did you mean"):
        compare_facets(rows, "month", by="side", size=1, pin=("may33",))


def test_options_read_one_or_many_names_wherever_they_are_made():
    assert CompareOptions(by="x", pin="abc").pin == ("abc",)
    assert CompareOptions(by="x", ban=[1, 2]).ban == ("1", "2")
    with pytest.raises(InvalidParameter, match="seed"):
        CompareOptions(by="x", seed=-1)
