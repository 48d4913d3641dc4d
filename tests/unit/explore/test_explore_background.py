"""What is done in the background leaves nothing behind but what came of it."""

from __future__ import annotations

import threading
import traceback

import pytest

from unit.explore.exploring import exploring, sample_rows
from visavis.explore import workspace
from visavis.explore.background import Lane, Pending, Traffic


@pytest.fixture
def lane():
    found = Lane("test", Traffic())
    yield found
    found.close()


def test_what_failed_is_told_to_everybody_and_does_not_grow(lane):
    def work(_tell):
        raise ValueError("no such thing") from RuntimeError("deeper")

    lengths = []
    for _ in range(3):
        with pytest.raises(ValueError, match="no such thing") as caught:
            lane.result("key", work, 10.0)
        lengths.append(len(traceback.extract_tb(caught.value.__traceback__)))
    assert len(set(lengths)) == 1
    assert [(job.work, job.error.__cause__) for job in lane._jobs.values()] == [(None, None)]


def test_what_nobody_waits_for_is_done_and_let_go(lane):
    found = []
    lane.start("aside", lambda _tell: found.append(1))
    assert lane.result("other", lambda _tell: "other", 10.0) == "other"
    lane.close()
    assert (found, lane._jobs) == ([1], {})


def test_a_first_look_that_nobody_rests_at_begins_no_scene(monkeypatch):
    monkeypatch.setattr(workspace, "FEW", 10)
    monkeypatch.setattr(workspace, "REST", 1e9)
    with exploring(sample_rows(8)) as client:
        space = client.workspace
        state = space.state([("by", "published:month")])
        space._whole(space.documents(), state.options)
        begun = []
        monkeypatch.setattr(space, "scene", lambda _state, wait: begun.append(wait))
        assert space.look(state, None).first
        assert space.look(state, None).first
        assert begun == []
        monkeypatch.setattr(workspace, "REST", 0.0)
        space.look(state, None)
        assert begun == [0.0]


def test_who_waits_for_its_turn_hears_what_is_at_work(lane):
    told, go = threading.Event(), threading.Event()

    def long_work(tell):
        tell("embedding: parts of the texts: 8 of 20")
        told.set()
        go.wait(10)

    lane.start("long", long_work)
    assert told.wait(10)
    with pytest.raises(Pending) as waiting:
        lane.result("next", lambda _: 1)
    go.set()
    assert waiting.value.stage == "embedding: parts of the texts: 8 of 20"
    assert lane.result("next", lambda _: 1, None) == 1
