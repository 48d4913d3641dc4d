"""The explorer answers as the command would, in whatever order and from however many tabs it is asked."""

from __future__ import annotations

import struct
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from unit.explore.exploring import ask, exploring, read, sample_rows
from visavis import compare
from visavis.explore import scene, workspace
from visavis.report import as_record

pytestmark = pytest.mark.usefixtures("brief_assessment")

ROWS = sample_rows(14)
PICKED = [row["id"] for row in ROWS]
STATES = {
    "another grouping": ({"by": "outlet"}, {"by": "outlet"}),
    "a filter": (
        {"by": "published:month", "filter": "published < '2024-05'", "contrast": 0.3},
        {"by": "published:month", "filter": "published < '2024-05'", "contrast": 0.3},
    ),
    "pins and bans": (
        {"pin": [PICKED[1]], "ban": [PICKED[2], PICKED[20]], "size": 3},
        {"by": "published:month", "pin": [PICKED[1]], "ban": [PICKED[2], PICKED[20]], "size": 3},
    ),
    "one against the rest": (
        {"versus": "2024-03", "method": "mmd-diff-greedy", "seed": 3, "lead": "auto"},
        {"by": "published:month", "versus": "2024-03", "method": "mmd-diff-greedy", "seed": 3},
    ),
    "some groups": (
        {"only": ["2024-02", "2024-05"], "method": "kmeans", "lead": "all"},
        {"by": "published:month", "only": ["2024-02", "2024-05"], "method": "kmeans", "lead": None},
    ),
    "one group": ({"only": ["2024-02"], "size": 2}, {"by": "published:month", "only": ["2024-02"], "size": 2}),
}


@pytest.fixture(scope="module")
def client():
    with exploring(ROWS) as found:
        yield found


@pytest.mark.parametrize("name", STATES)
def test_a_summary_is_that_of_compare(client, name):
    query, options = STATES[name]
    assert read(client, "/api/summary", wait=1, **query) == as_record(compare(ROWS, **options))


def test_a_summary_tells_what_is_known_and_leaves_out_what_is_not_assessed_yet(client):
    first = read(client, "/api/summary", size=2, seed=5)
    assert (first["verdict"], first["accuracy"], first["test"]) == (None, None, [])
    whole = read(client, "/api/summary", size=2, seed=5, wait=1)
    assert whole["test"]
    assert [g["picks"][0]["id"] for g in whole["groups"]] == [g["picks"][0]["id"] for g in first["groups"]]
    assert read(client, "/api/summary", size=2, seed=5) == whole
    told = read(client, "/api/assess", size=2, seed=5)
    assert (told["done"], told["verdict"]["outcome"]) == (True, whole["verdict"])


def test_quick_picks_are_those_of_the_quick_method_and_say_why(client):
    found = read(client, "/api/picks", quick=1, contrast=0.2)
    expected = compare(ROWS, by="published:month", contrast=0.2, method="mmd-diff-greedy")
    assert found["method"] == "mmd-diff-greedy"
    ids = [[pick["id"] for pick in group["picks"]] for group in found["groups"]]
    assert ids == [[pick.document.id for pick in group.picks] for group in expected.groups]
    card = found["groups"][0]["picks"][0]
    assert card["why"]
    assert card["bars"]
    assert sum(group["picks"][0]["stands_for"]["share"] for group in found["groups"]) > 0
    exchanged = read(client, "/api/picks", contrast=0.2, method="softmin-exchange")
    assert exchanged["improves"] is True


def test_the_map_has_a_place_and_a_group_for_every_document(client):
    data = ask(client, "/api/map").content
    (count,) = struct.unpack("<I", data[:4])
    x, y = (np.frombuffer(data, "<f4", count, 4 + 4 * count * axis) for axis in (0, 1))
    groups = np.frombuffer(data, "<u2", count, 4 + 8 * count)
    assert len(data) == 4 + 10 * count
    assert count == read(client, "/api/view")["map"]["count"]
    assert 0 <= min(x.min(), y.min()) <= max(x.max(), y.max()) <= 1
    assert np.bincount(groups).tolist() == [g["count"] for g in read(client, "/api/view")["groups"]]
    pick = read(client, "/api/picks", quick=1)["groups"][1]["picks"][0]
    assert groups[pick["row"]] == 1
    assert read(client, "/api/titles", row=pick["row"])[0]["id"] == pick["id"]


def test_the_view_tells_words_time_and_what_was_left_out(client):
    view = read(client, "/api/view", filter="published < '2024-04'")
    assert [group["name"] for group in view["groups"]] == ["2024-02", "2024-03"]
    assert sum(view["volume"]["all"]) == len(ROWS)  # so that a brush can be moved out of the filter again
    assert sum(map(sum, view["volume"]["counts"])) == sum(group["count"] for group in view["groups"])
    assert len(view["volume"]["starts"]) == len(view["volume"]["all"]) == len(view["volume"]["counts"][0])
    assert {"reason": "not matched by the filter", "count": 28} in view["set_aside"]
    assert view["provisional"] is False


def test_several_tabs_get_the_answers_that_one_alone_gets(client):
    asked = [{"contrast": round(0.1 * k, 1), "size": 2 + k % 3, "by": by} for k in range(6)
             for by in ("outlet", "published:month")]  # fmt: skip
    alone = [read(client, "/api/picks", quick=1, **query)["groups"] for query in asked]
    with exploring(ROWS) as fresh, ThreadPoolExecutor(6) as pool:
        at_once = list(pool.map(lambda query: read(fresh, "/api/picks", quick=1, **query)["groups"], asked))
    assert at_once == alone


def test_what_is_kept_is_bounded(client):
    for seed in range(workspace.MOST_SCENES + 2):
        read(client, "/api/picks", quick=1, seed=seed)
    shown = client.workspace
    assert len(shown._scenes) <= workspace.MOST_SCENES
    found = shown.scene(shown.state([]), None)
    for contrast in np.linspace(0, 0.9, scene.MOST_PICKED + 5).round(3):
        read(client, "/api/picks", quick=1, contrast=contrast)
    assert len(found._picked) == scene.MOST_PICKED
    assert len(found._candidates) <= scene.MOST_CANDIDATES


def test_documents_are_read_searched_and_counted(client):
    pick = read(client, "/api/picks", quick=1)["groups"][0]["picks"][0]
    document = read(client, "/api/document", id=pick["id"])
    text = next(row["text"] for row in ROWS if row["id"] == pick["id"])
    assert "".join(part for paragraph in document["paragraphs"] for part, _ in paragraph).split() == text.split()
    assert document["groups"] == ["2024-02"]
    stands = read(client, "/api/stands", id=pick["id"])
    assert stands["total"] == pick["stands_for"]["count"] - 1
    word = text.split()[0].strip(",.")
    found = read(client, "/api/search", q=word)
    assert found["total"] == sum(word.casefold() in f"{r['title']} {r['text']} {r['outlet']}".casefold() for r in ROWS)
    again = read(client, "/api/view", filter=found["filter"])
    assert again["map"]["count"] == found["total"]
    both = read(client, "/api/shared", other="contrast=0.05")
    assert pick["id"] in both["shared"] + both["only_first"]


def test_another_corpus_has_another_number_and_other_keys():
    with exploring(ROWS) as client:
        first, key = read(client, "/api/corpus")["number"], read(client, "/api/view", lead=30)["key"]
        assert read(client, "/api/picks", quick=1, lead=30)["key"] == key
        client.workspace.load(ROWS[:40], "corpus", ("own.csv",))
        assert read(client, "/api/corpus")["number"] != first
        assert read(client, "/api/view", lead=30)["key"] != key
        assert read(client, "/api/view", lead=30)["map"]["count"] <= 40
