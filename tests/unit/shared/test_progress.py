from __future__ import annotations

from visavis.shared.progress import counted


def told_of(seconds, total):
    """What is told of a few items, one every so many seconds."""
    told, times = [], iter(seconds * number for number in range(total + 1))
    assert list(counted(told.append, "reading", "abcdef"[:total], total, clock=lambda: next(times))) == list(
        "abcdef"[:total]
    )
    return told


def test_what_is_done_is_counted():
    assert told_of(0.1, 3) == ["reading: 0 of 3", "reading: 1 of 3", "reading: 2 of 3", "reading: 3 of 3"]


def test_how_long_the_rest_will_take_is_told_where_that_is_long():
    assert told_of(4, 3)[1:] == [
        "reading: 1 of 3, about 8 s left",
        "reading: 2 of 3, about 4 s left",
        "reading: 3 of 3",
    ]
    assert told_of(90, 5)[1:3] == ["reading: 1 of 5, about 6 min left", "reading: 2 of 5, about 4 min left"]
