"""How far picks can be trusted: each question on its own."""

from __future__ import annotations

import numpy as np
import pytest

from unit.sessions import choice_of, session_on, stories
from visavis.comparing.again import PickAgain
from visavis.comparing.assess import QUESTIONS, assess
from visavis.errors import UnknownName
from visavis.explain.stability import neighborhoods
from visavis.select import select

ANSWERS = {"difference": "tests", "accuracy": "accuracy", "ceiling": "ceiling", "stability": "stability"}


def selected(session, size=2, **told):
    return select(session, session.request(choice_of(session, size, **told)))


def stability(session, selection):
    return assess(session, selection, ["stability"]).stability


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_is_not_asked_is_not_answered_and_each_answer_is_the_same_alone(question):
    session = stories(spread=2.0)
    selection = selected(session)
    alone, together = assess(session, selection, [question]), assess(session, selection)
    for name, field in ANSWERS.items():
        assert (getattr(alone, field) is not None) == (name == question)
    assert getattr(alone, ANSWERS[question]) == getattr(together, ANSWERS[question])
    assert set(ANSWERS) == set(QUESTIONS)


def test_a_question_that_is_none_is_refused_by_name():
    session = stories()
    with pytest.raises(UnknownName, match=r"'truth'.*stability"):
        assess(session, selected(session), ["truth"])


def test_answers_do_not_depend_on_threads():
    found = []
    for threads in (1, 4):
        session = stories(spread=2.0, threads=threads)
        found.append(assess(session, selected(session)))
    one, four = found
    for field in ANSWERS.values():
        assert getattr(one, field) == getattr(four, field)


def test_stability_is_a_fraction_of_the_resamples_that_hold_a_pick_or_a_neighbor():
    session = stories(spread=2.0)
    found = assess(session, selected(session, 3), ["stability"])
    again, held = np.array(found.stability), np.array(found.resamples)
    assert again.shape == held.shape == (6,)
    assert np.allclose(again * held, np.round(again * held))
    assert np.all((again >= 0) & (again <= 1) & (held <= 20))
    assert 0 < again.min() < 1
    assert held.min() < 20, "4 in 100 resamples lack both a pick and its one neighbor"


def test_chance_is_that_of_as_many_picks_at_random():
    session = stories(each=25)
    chance = np.array(assess(session, selected(session, 3), ["stability"]).stability_by_chance)
    one, both = (
        3 / 20,
        1 - (18 * 17 * 16) / (20 * 19 * 18),
    )  # a pick and its neighbor among 20, of which three are drawn
    assert np.all((chance > one - 1e-9) & (chance < both + 1e-9))


def test_where_no_resample_holds_a_pick_its_stability_is_not_known(monkeypatch):
    session = stories()
    monkeypatch.setattr("visavis.comparing.stability.resamples", lambda *_: [np.array([4, 5, 6, 40])])
    monkeypatch.setattr("visavis.comparing.stability.neighborhoods", lambda *_: [frozenset({1}), frozenset({40})])
    monkeypatch.setattr(PickAgain, "__call__", lambda *_: (np.array([4, 40]), np.array([0, 1])))
    found = assess(session, selected(session, 1), ["stability"])
    assert (found.stability, found.resamples, found.stability_by_chance) == ((None, 1.0), (0, 1), (None, 1.0))


def test_progress_tells_how_far_picking_again_has_come():
    session, told = stories(), []
    assess(session, selected(session), ["stability"], progress=told.append)
    assert [stage.partition(",")[0] for stage in told] == [
        f"picking again from resamples: {number} of 20" for number in range(21)
    ]


def test_a_pick_that_always_returns_is_stable_and_one_that_never_does_is_not(monkeypatch):
    session = stories()
    selection = selected(session, 1)
    kept, lost = selection.rows.tolist()
    vectors, kernel = session.points.vectors, session.frames[0].kernel
    near = neighborhoods(selection.rows, session.codes, session.candidates, kernel, vectors)
    stranger = next(row for row in range(24, 48) if row not in near[1])
    again = np.array([kept, stranger])
    monkeypatch.setattr(PickAgain, "__call__", lambda *_: (again, session.codes[again]))
    assert stability(session, selection) == (1.0, 0.0)
    neighbor = next(row for row in near[1] if row != lost)
    again = np.array([kept, neighbor])
    assert stability(session, selection) == (1.0, 1.0)


def test_picks_of_a_resample_come_from_four_fifths_of_every_group(monkeypatch):
    session = stories(each=25)
    selection = selected(session, 1)
    seen = []
    plain = PickAgain.__call__
    monkeypatch.setattr(PickAgain, "__call__", lambda self, rows: seen.append(rows) or plain(self, rows))
    stability(session, selection)
    assert len(seen) == 20
    assert {tuple(np.bincount(session.codes[rows])) for rows in seen} == {(20, 20)}


def test_where_a_group_is_too_small_accuracy_and_ceiling_are_not_known_and_the_reason_is_told():
    session = stories(each=2, stories=1)
    found = assess(session, selected(session, 1))
    assert (found.accuracy, found.ceiling) == (None, None)
    (warning,) = found.warnings
    assert "'a' has fewer than 3 documents" in warning
    assert "accuracy is not known" in warning


def test_groups_that_lie_apart_are_told_by_everything_and_others_by_chance():
    rng = np.random.default_rng(0)
    codes = np.repeat([0, 1, 2], 20)
    apart = session_on(rng.normal(size=(60, 2)) + 9.0 * codes[:, None], codes)
    alike = session_on(rng.normal(size=(60, 2)), codes)
    assert assess(apart, selected(apart, 1), ["ceiling"]).ceiling == 1.0
    assert assess(alike, selected(alike, 1), ["ceiling"]).ceiling == pytest.approx(1 / 3, abs=0.15)


def test_whatever_progress_raises_ends_the_work():
    session = stories()

    def stop(stage):
        raise KeyboardInterrupt(stage)

    with pytest.raises(KeyboardInterrupt, match="picks tell"):
        assess(session, selected(session), progress=stop)
