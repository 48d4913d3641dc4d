from __future__ import annotations

from dataclasses import replace

import numpy as np

from unit.report.summaries import news
from visavis.records import Summary
from visavis.report import render
from visavis.report.html.placing import HEIGHT, LABEL, LETTER, LINE, WIDTH, place_texts
from visavis.report.html.scatter import MOST_LABELED, draw


def test_texts_stand_clear_of_labels_and_of_each_other_though_all_want_one_place() -> None:
    texts = ["reef, bleaching", "permit", "珊瑚礁", "strike, night train", "ferry"]
    labels = np.array([[600.0, 380.0], [640.0, 380.0]])
    found = place_texts(texts, np.full((5, 2), [600.0, 380.0]), labels)
    assert [place.text for place in found] == texts
    boxes = [(place.x, place.y, LETTER * (6 if "珊" in place.text else len(place.text)), LINE) for place in found]
    boxes += [(x, y, LABEL, LABEL * 0.7) for x, y in labels]
    for one in range(5):
        for other in range(one + 1, len(boxes)):
            (x, y, w, h), (a, b, v, k) = boxes[one], boxes[other]
            assert abs(x - a) >= (w + v) / 2 - 1e-6 or abs(y - b) >= (h + k) / 2 - 1e-6


def test_texts_stay_within_the_picture() -> None:
    found = place_texts(["a long theme at the edge"] * 2, np.array([[0.0, 0.0], [WIDTH, HEIGHT]]), np.zeros((0, 2)))
    for place in found:
        assert LETTER * 12 <= place.x <= WIDTH - LETTER * 12
        assert 0 < place.y < HEIGHT


def test_of_many_picks_the_first_of_every_group_are_marked_and_the_map_says_so() -> None:
    made = news(size=8)
    found = draw(_with_picks(made, 50))
    assert found is not None
    assert (len(found.labels), found.n_picks) == (MOST_LABELED, 200)
    assert {label.rank for label in found.labels if label.group == 0} == set(range(1, 39))
    assert {label.rank for label in found.labels if label.group == 3} == set(range(1, 38))
    assert "Only 150 of 200 picks are marked, those ranked first." in render(_with_picks(made, 50), ".html")
    assert "are marked, those" not in render(made, ".html")


def _with_picks(summary: Summary, n: int) -> Summary:
    """As many picks of each group: its own, again and again."""
    groups = [
        replace(group, picks=tuple(replace(group.picks[at % len(group.picks)], rank=at + 1) for at in range(n)))
        for group in summary.groups
    ]
    return replace(summary, groups=tuple(groups))
