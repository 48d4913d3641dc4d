"""Picking again on some of the documents."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from unit.sessions import choice_of, session_on, stories
from visavis.comparing.again import PickAgain, TellHeldOut, held_out_accuracy, held_out_folds
from visavis.comparing.session import PICKING_AGAIN
from visavis.select import select
from visavis.select.draws import Seeded


def again(session, rows, size=3, **told):
    return PickAgain.of(session, choice_of(session, size, **told))(rows)


def test_picks_of_a_part_come_from_it_and_shrink_to_what_it_has():
    session = stories()
    rows = np.array([1, 2, 30, 31, 32, 40])
    picked, groups = again(session, rows)
    assert set(picked) <= set(rows)
    assert np.bincount(groups).tolist() == [2, 3]
    assert groups.tolist() == session.codes[picked].tolist()


def test_a_group_without_anything_to_pick_is_left_out_of_a_part():
    candidates = np.ones(48, bool)
    candidates[1:24] = False
    with pytest.warns(UserWarning, match="only one group"):
        picked, groups = again(stories(candidates=candidates), np.arange(1, 48), 2)
    assert set(groups) == {1}
    assert set(picked) <= set(range(24, 48))


def test_sizes_by_group_are_kept_in_parts():
    _, groups = again(stories(), np.arange(48), (1, 4))
    assert np.bincount(groups).tolist() == [1, 4]


def test_what_may_not_be_picked_is_not_picked_again():
    candidates = np.arange(48) % 3 > 0
    picked, _ = again(stories(candidates=candidates), np.arange(48), 6)
    assert candidates[picked].all()


@pytest.mark.parametrize("method", ["mmd-diff-greedy", "softmin-exchange", "kmedoids"])
def test_picks_of_all_documents_are_those_of_the_session(method):
    session = stories(spread=1.0)
    choice = choice_of(session, 3, method, parameters={})
    picked, groups = PickAgain.of(session, choice)(np.arange(48))
    found = select(session, replace(session.request(choice), draws=Seeded((session.seed, PICKING_AGAIN))))
    assert picked.tolist() == found.rows[found.by_group].tolist()
    assert groups.tolist() == found.owner[found.by_group].tolist()


def test_accuracy_does_not_depend_on_threads_and_is_repeated_by_its_seed():
    found = []
    for threads in (1, 2, 4, 1):
        session = stories(spread=2.0, threads=threads)
        found.append(held_out_accuracy(session, choice_of(session, 2), held_out_folds(session)[0]))
    assert len(set(found)) == 1


def test_picks_for_the_accuracy_are_chosen_from_the_training_part_only(monkeypatch):
    session = stories(n_groups=3)
    parts, sampled = held_out_folds(session)
    seen = []

    def first_group(_, rows):
        seen.append(rows.tolist())
        found = rows[session.codes[rows] == 0][:1]  # always answers the first group
        return found, session.codes[found]

    monkeypatch.setattr(PickAgain, "__call__", first_group)
    assert held_out_accuracy(session, choice_of(session), parts) == pytest.approx(1 / 3)
    assert seen == [train.tolist() for train, _ in parts]
    assert not sampled


def test_without_folds_the_accuracy_is_not_known():
    session = stories(each=2, stories=1)
    assert held_out_folds(session) == ([], False)
    assert held_out_accuracy(session, choice_of(session, 1), []) is None


def test_the_task_can_be_sent_elsewhere_and_answers_the_same():
    session = stories(spread=2.0)
    task = TellHeldOut(PickAgain.of(session, choice_of(session)))
    parts, _ = held_out_folds(session)
    sent = pickle.loads(pickle.dumps(task))  # noqa: S301 (our own, a moment ago)
    assert [sent(part).tolist() for part in parts] == [task(part).tolist() for part in parts]


def test_the_groups_of_what_is_held_out_are_told_where_they_lie_apart():
    rng = np.random.default_rng(0)
    codes = np.repeat([0, 1, 2], 12)
    session = session_on(rng.normal(size=(36, 2)) + 9.0 * codes[:, None], codes)
    assert held_out_accuracy(session, choice_of(session, 1), held_out_folds(session)[0]) == 1.0
