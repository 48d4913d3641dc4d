"""What is kept: the last used, made once, and nothing left of what could not be made."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from visavis.shared.kept import Kept


def test_what_was_looked_at_last_stays():
    kept = Kept(2)
    for key in "ab":
        kept.recall(key, lambda key=key: key)
    assert kept.get("a") == "a"
    kept.recall("c", lambda: "c")
    assert (kept.get("a"), kept.get("b"), kept.get("c")) == ("a", None, "c")


def test_nothing_is_left_of_what_could_not_be_made():
    kept = Kept(2)

    def fail():
        raise ValueError("no")

    for key in range(5):
        with pytest.raises(ValueError, match="no"):
            kept.recall(key, fail)
    assert (len(kept), kept._making) == (0, {})
    assert kept.recall(1, lambda: "made") == "made"
    assert kept._making == {}


def test_whoever_asks_for_what_is_being_made_waits_for_it():
    kept, made, begun, go_on = Kept(2), [], threading.Event(), threading.Event()

    def slowly():
        begun.set()
        go_on.wait(10)
        made.append(1)
        return "made"

    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(kept.recall, "a", slowly)
        begun.wait(10)
        others = [pool.submit(kept.recall, "a", slowly) for _ in range(2)]
        go_on.set()
        assert {one.result() for one in (first, *others)} == {"made"}
    assert made == [1]
