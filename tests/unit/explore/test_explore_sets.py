"""Sets drawn on the map or found by a search: who is in them, and what is said of them."""

from __future__ import annotations

from urllib.parse import urlencode

import numpy as np
import pytest

from unit.explore.exploring import ask, exploring, read, sample_rows
from visavis.corpus.filters import matches
from visavis.errors import InvalidParameter
from visavis.explore.sets import filter_holding, holding, inside, read_set
from visavis.records import Corpus, Document

ROWS = sample_rows(20)
ALL = "-0.1,-0.1,1.1,-0.1,1.1,1.1,-0.1,1.1"
TWO = {"set": ["wet~search~flood", "hot~search~heat"]}


@pytest.fixture(scope="module")
def client():
    with exploring(ROWS) as found:
        yield found


def test_points_within_a_polygon_are_those_that_a_walk_around_it_says():
    rng = np.random.default_rng(0)
    points = rng.uniform(0, 1, (400, 2))
    for _ in range(20):
        corners = [tuple(corner) for corner in rng.uniform(0, 1, (int(rng.integers(3, 9)), 2))]
        assert inside(points, corners).tolist() == [_crossings(point, corners) % 2 == 1 for point in points]


def _crossings(point, corners):
    (x, y), found = point, 0
    for k, (x0, y0) in enumerate(corners):
        x1, y1 = corners[(k + 1) % len(corners)]
        if (y0 > y) != (y1 > y) and x < (x1 - x0) * (y - y0) / (y1 - y0) + x0:
            found += 1
    return found


def test_sets_are_counted_and_their_overlap_is_told(client):
    view = read(client, "/api/view", **TWO)
    texts = [f"{row['title']} {row['text']} {row['outlet']}".casefold() for row in ROWS]
    held = [[word in text for text in texts] for word in ("flood", "heat")]
    assert [one["count"] for one in view["sets"]] == [sum(one) for one in held]
    assert view["overlap"] == sum(map(all, zip(*held, strict=True)))
    assert view["by_construction"] is False  # they are drawn, but the months are still what is compared
    everything = f"all~lasso~{ALL}~"
    assert read(client, "/api/view", set=[everything])["sets"][0]["count"] == view["map"]["count"]


def test_sets_that_are_compared_have_picks_and_words_but_no_p_value(client):
    view = read(client, "/api/view", compare_sets=1, **TWO)
    assert [group["name"] for group in view["groups"]] == ["wet", "hot"]
    assert view["by_construction"] is True
    assert any("by construction" in note for note in view["notes"])
    told = read(client, "/api/assess", compare_sets=1, **TWO)
    assert told["by_construction"] is True
    assert told["verdict"]["outcome"] is None
    assert "by construction" in told["verdict"]["detail"]
    summary = read(client, "/api/summary", wait=1, compare_sets=1, **TWO)
    assert (summary["test"], summary["verdict"], summary["accuracy"]) == ([], None, None)
    assert all(group["picks"] for group in summary["groups"])
    picks = read(client, "/api/picks", quick=1, compare_sets=1, **TWO)
    data = ask(client, "/api/map", compare_sets=1, **TWO).content
    count = int.from_bytes(data[:4], "little")
    groups = np.frombuffer(data, "<u2", count, 4 + 8 * count)
    assert set(groups.tolist()) == {0, 1, 65535}  # the map stays the one that sets are drawn on
    assert {groups[pick["row"]] for pick in picks["groups"][0]["picks"]} == {0}


@pytest.mark.parametrize(
    "written",
    [
        "",
        "x",
        "x~search~",
        "x~circle~1,2",
        "~search~word",
        "x~lasso~1,2,3,4",
        "x~lasso~0,0,1,1,nan,2",
        "x~lasso~a,b,c",
        "x~lasso~0,0,1,0,1,1",
    ],
)
def test_what_is_no_set_is_refused(written):
    with pytest.raises(InvalidParameter):
        read_set(written)


def test_a_set_that_holds_nothing_cannot_be_compared(client):
    answer = ask(client, "/api/view", compare_sets=1, set=["a~search~flood", "b~search~zzzzz"])
    assert answer.status_code == 400
    assert "holds no document" in answer.json()["error"]


def test_what_was_drawn_on_one_map_is_the_same_documents_on_any_other(client):
    drawn_on = {"by": "outlet", "filter": "published < '2024-05'"}
    left = f"left~lasso~-0.1,-0.1,0.5,-0.1,0.5,1.1,-0.1,1.1~{urlencode(drawn_on)}"
    right = f"right~lasso~0.5,-0.1,1.1,-0.1,1.1,1.1,0.5,1.1~{urlencode(drawn_on)}"
    workspace = client.workspace
    there = workspace.scene(workspace.state(list(drawn_on.items())), None)
    expected = {document.id for document, (x, _) in zip(there.documents, there.map, strict=True) if x < 0.5}
    for elsewhere in (
        [("by", "published:month")],
        [("filter", "published > '2024-03'"), ("lead", "40"), ("seed", "3")],
    ):
        state = workspace.state([*elsewhere, ("set", left), ("set", right), ("compare_sets", "1")])
        shown = {document.id for document in workspace.scene(state.without_sets, None).documents}
        assert set(workspace.set_ids(state)["left"]) == expected & shown
        view = read(client, "/api/view", set=[left, right], **dict(elsewhere))
        assert view["sets"][0]["count"] == len(expected & shown)
        scene = workspace.scene(state, None)
        assert {d.id for d, code in zip(scene.documents, scene.codes, strict=True) if code == 0} == expected & shown


def test_a_search_is_a_filter_wherever_it_can_be_written():
    documents = [
        Document("1", title="Rain's end", text="A flood."),
        Document("2", title="Flood", text='The "end" of it'),
        Document("3", title="Heat", text="Nothing", source="The Flood Post"),
    ]
    corpus = Corpus(tuple(documents), "documents")
    texts = [f"{d.title}\n{d.text}\n{d.source}".casefold() for d in documents]
    for words in (["flood"], ["flood", "end"], ["rain's"], ['"end"'], ["zzz"]):
        test = matches(filter_holding(words, corpus), corpus)
        assert [test(document) for document in documents] == holding(texts, words).tolist()
    assert filter_holding(["'\""], corpus) is None
    assert filter_holding(["long" * 2_000], corpus) is None
    plain = Corpus((Document("1", text="A flood.", fields={"source": "flood"}),), "documents")
    assert "source" not in filter_holding(["flood"], plain)
