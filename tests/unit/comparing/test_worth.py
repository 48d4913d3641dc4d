"""Every document counts; not every one is shown."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

import visavis
from unit.letterheads import TOPICS, releases, sentence
from visavis.comparing import typical, worth
from visavis.comparing.candidates import find_candidates, place_documents
from visavis.comparing.options import CompareOptions
from visavis.comparing.prepare import group_documents, prepare
from visavis.comparing.typical import typicality
from visavis.comparing.worth import LEAST_TYPICAL, Reason
from visavis.errors import InvalidParameter
from visavis.records import Points

ODD = {
    "stub": ("too short to say something", "Rivers rise."),
    "caption": ("a caption", "FILE - In this photo a man waits by the river for rescue. (AP Photo/A. Smith)"),
    "table": (
        "a table or list of figures",
        "Rivers 12,345 99.1 2018 44 7,120 33 2017 18 6,001 29 2016 55 5,900 31 dams " * 3,
    ),
    "garbled": (
        "garbled",
        "riv\ufffd\ufffders r\ufffd\ufffdise \ufffd\ufffd ov\ufffder \ufffd da\ufffdms and w\ufffdells " * 4,
    ),
    "repeats": ("the same again and again", "Rivers rise, stop the dams. " * 20),
    "script": (
        "in another script than its group",
        "Реки и дамбы разлились по всей долине после долгих дождей этой весной " * 4,
    ),
}


def rows(each=40, seed=2):
    """Texts of three topics with vectors of their own, those of a topic alike."""
    rng = random.Random(seed)
    return [
        {"id": f"{topic}{n}", "topic": topic, "text": " ".join(sentence(rng, words) for _ in range(5)),
         "vector": vector(rng)}
        for topic, words in TOPICS.items()
        for n in range(each)
    ]  # fmt: skip


def vector(rng):
    return [2.0, rng.gauss(0, 1), rng.gauss(0, 1)]


def candidates(source, **options):
    chosen = CompareOptions(by="topic", embedder="column:vector", **options)
    prepared = prepare(source, chosen.reading)
    return find_candidates(prepared, group_documents(prepared, chosen.grouping), chosen)


def allowed_ids(found):
    return {document.id for document, may in zip(found.grouping.corpus.documents, found.allowed, strict=True) if may}


@pytest.fixture(scope="module")
def mixed():
    odd = [{"id": name, "topic": "water", "text": text, "vector": [2, 0, 0]} for name, (_, text) in ODD.items()]
    return [*rows(), *odd]


def test_each_reason_is_found_and_told(mixed):
    told = {away.reason: away.where for away in candidates(mixed).not_shown}
    for name, (reason, _) in ODD.items():
        assert name in told[reason], (name, {r: w for r, w in told.items() if name in w})
    assert set(told) <= {reason.words for reason in Reason}


def test_a_share_of_each_group_is_least_typical():
    (away,) = candidates(rows()).not_shown
    assert away.reason == "tells less of its group than others"
    assert away.count == 3 * int(LEAST_TYPICAL * 40)


def test_all_may_be_picked_where_the_user_says_so(mixed):
    found = candidates(mixed, candidates="all")
    assert found.not_shown == ()
    assert found.allowed.all()
    assert np.array_equal(found.points.stories, np.arange(len(mixed)))


def test_what_is_pinned_is_shown(mixed):
    found = candidates(mixed, pin=("stub", "caption"))
    assert {"stub", "caption"} <= allowed_ids(found)
    assert not {"stub", "caption"} & {name for away in found.not_shown for name in away.where}


def test_no_group_loses_its_candidates_and_the_weakest_reason_yields_first():
    texts = [text for name, (_, text) in ODD.items() if name not in ("stub", "repeats")]
    odd = [
        {"id": f"odd{n}", "topic": "odd", "text": f"{texts[n % 4]} {chr(97 + n)}", "vector": [2, 0, 0]}
        for n in range(20)
    ]
    found = candidates([*rows(), *odd], duplicates=False)
    kept = sorted(int(name[3:]) % 4 for name in allowed_ids(found) if name.startswith("odd"))
    assert len(kept) == worth.FEWEST_KEPT
    assert kept == [0] * 3 + [1] * 5  # tables yield before captions, and these before another script and garbled


def test_what_most_of_a_group_is_does_not_stand_against_it():
    (_, table), (_, caption) = ODD["table"], ODD["caption"]
    odd = [{"id": f"t{n}", "topic": "odd", "text": f"{table} {n}", "vector": [2, 0, 0]} for n in range(30)]
    odd += [{"id": f"c{n}", "topic": "odd", "text": f"{caption} {n}", "vector": [2, 0, 0]} for n in range(10)]
    told = {away.reason: away.where for away in candidates([*rows(), *odd], duplicates=False).not_shown}
    assert "a table or list of figures" not in told
    assert set(told["a caption"]) == {f"c{n}" for n in range(10)}


def test_small_groups_keep_everything():
    assert candidates(rows(each=6)).allowed.all()
    assert candidates(rows(each=12), size=6).allowed.all()


def test_a_tweet_is_no_stub_among_tweets():
    rng = random.Random(5)
    tweets = [{"id": str(n), "topic": "ab"[n % 2], "text": sentence(rng), "vector": vector(rng)} for n in range(80)]
    assert {away.reason for away in candidates(tweets).not_shown} == {"tells less of its group than others"}


def test_pictures_know_no_rules(tmp_path):
    from PIL import Image

    rng = np.random.default_rng(0)
    for n in range(40):
        (tmp_path / "ab"[n % 2]).mkdir(exist_ok=True)
        gray = rng.integers(0, 255, (8, 8), dtype=np.uint8)
        Image.fromarray(gray).save(tmp_path / "ab"[n % 2] / f"one and the same long name of a picture {n}.png")
    chosen = CompareOptions(by="folder")
    prepared = prepare(tmp_path, chosen.reading)
    found = find_candidates(prepared, group_documents(prepared, chosen.grouping), chosen)
    assert found.not_shown == ()
    assert found.allowed.all()
    assert np.array_equal(found.points.stories, np.arange(40))


def test_copies_are_one_story_whatever_their_words():
    source = rows()
    copies = [{**source[0], "id": f"copy{n}"} for n in range(5)]
    points = candidates([*source, *copies]).points
    assert set(points.stories[-5:].tolist()) == {int(points.stories[0])}
    assert np.all(points.stories[points.stories] == points.stories)


def test_a_group_tells_a_story_once_and_says_that_it_has_no_more():
    event = "flood breaks hollin dam drowns forty cattle marrow creek while sheriff abel quist leads help"
    rng = random.Random(4)
    retold = [
        {"id": f"flood{n}", "topic": "flood", "text": f"{' '.join(rng.sample(event.split(), 15))}. {sentence(rng)}",
         "vector": vector(rng)}
        for n in range(8)
    ]  # fmt: skip
    found = visavis.compare(
        [*rows(), *retold], "topic", size=3, method="mmd-diff-greedy", jobs=1, embedder="column:vector"
    )
    assert [len(group.picks) for group in found.groups] == [1, 3, 3, 3]
    assert "group 'flood' has 1 of 3 picks: the documents that may be shown tell 1 story" in found.notes
    pinned = visavis.compare(
        [*rows(), *retold],
        "topic",
        size=3,
        method="mmd-diff-greedy",
        jobs=1,
        embedder="column:vector",
        pin=("flood0", "flood1"),
    )
    assert [pick.document.id for pick in pinned["flood"]] == ["flood0", "flood1"]


def test_the_report_says_what_was_made_of_the_documents():
    found = visavis.compare(releases(), "topic", size=2, method="mmd-diff-greedy", jobs=1)
    record = visavis.report.as_record(found)
    assert record["boilerplate"]["share"] > 0.15
    assert record["not_candidates"] == [{"reason": a.reason, "count": a.count} for a in found.not_candidates]
    assert "of the words are boilerplate" in visavis.report.render(found, ".md")
    assert "count but are not shown: " in visavis.report.render(found, ".html")
    words = {word for group in found.groups for word in group.words}
    assert not words & {"contact", "release", "immediate", "washington", "longworth", "jonas", "whitlow", "newsletter"}
    assert all(pick.document.text == row["text"] for group in found.groups for pick in group.picks
               for row in releases() if row["id"] == pick.document.id)  # fmt: skip


def test_letterheads_may_be_kept():
    found = visavis.compare(releases(), "topic", size=2, method="mmd-diff-greedy", jobs=1, boilerplate="keep")
    assert found.boilerplate == 0


@pytest.mark.parametrize("option", [{"candidates": "some"}, {"boilerplate": "maybe"}])
def test_other_words_are_refused(option):
    with pytest.raises(InvalidParameter, match="must be"):
        CompareOptions(by="x", **option)


def test_who_has_neighbors_is_more_typical_than_who_stands_alone_at_the_same_distance():
    rng = np.random.default_rng(0)
    crowd = np.array([1.0, 1.0, 0.0]) + 0.05 * rng.normal(size=(30, 3))
    others = np.array([1.0, -1.0, 0.0]) + 0.6 * rng.normal(size=(30, 3))
    alone = np.array([[1.0, 0.0, 1.0]])
    found = typicality(Points.of(np.concatenate([crowd, others, alone])), np.zeros(61, np.intp), 1)
    assert found[:30].mean() > found[60]
    assert np.all((found >= 0.0) & (found <= 1.0))


def test_typicality_of_a_large_group_is_that_of_a_sample_of_neighbors(monkeypatch):
    rng = np.random.default_rng(1)
    points = Points.of(rng.normal(size=(300, 5)) + 1.0)
    everyone = typicality(points, np.zeros(300, np.intp), 1)
    monkeypatch.setattr(typical, "SAMPLE", 150)
    assert np.corrcoef(everyone, typicality(points, np.zeros(300, np.intp), 1))[0, 1] > 0.9


def test_the_number_of_threads_changes_nothing(monkeypatch):
    rng = np.random.default_rng(2)
    points, codes = Points.of(rng.normal(size=(300, 5)) + 1.0), np.arange(300) % 2
    monkeypatch.setattr(typical, "STRIP", 32)
    assert np.array_equal(typicality(points, codes, 2), typicality(points, codes, 2, threads=3))


def test_texts_are_looked_at_once_whatever_they_are_compared_with(mixed, monkeypatch):
    prepared = prepare(mixed)
    rows = np.arange(len(prepared.corpus.documents))
    points, grouping = Points.of(np.eye(len(rows))), group_documents(prepared, CompareOptions(by="topic").grouping)
    before = worth.weigh(prepare(mixed), points, grouping)
    worth.glance(prepared, rows)
    monkeypatch.setattr(worth, "look_at", None)
    monkeypatch.setattr(worth, "_length", None)
    found = worth.weigh(prepared, points, grouping)
    assert np.array_equal(found.reasons, before.reasons)
    assert np.array_equal(found.score, before.score)


def test_placing_can_be_given_up_between_its_steps(mixed):
    options = CompareOptions(by="topic", embedder="column:vector")
    prepared = prepare(mixed, options.reading)
    grouping, stages = group_documents(prepared, options.grouping), []
    place_documents(prepared, grouping, options, tell=stages.append)
    assert len(stages) > 2

    def give_up(stage):
        stages.append(stage)
        raise InterruptedError

    told = len(stages)
    with pytest.raises(InterruptedError):
        place_documents(prepared, grouping, options, tell=give_up)
    assert len(stages) == told + 1


def test_typical_is_who_shares_words_with_the_group_more_than_with_others():
    words = sparse.csr_matrix(
        [[0.8, 0.6, 0.0, 0.0], [0.6, 0.8, 0.0, 0.0], [0.6, 0.0, 0.8, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.0]]
    )
    points = replace(Points.of(np.ones((5, 2))), words=words)
    found = typicality(points, np.array([0, 0, 0, 0, 1]), 2)
    assert set(found[:4].argsort().tolist()[:2]) == {2, 3}  # one holds what others do, one shares no word with anybody
    own = words[:4].toarray().mean(axis=0)
    told = words[:4] @ np.maximum(own - typical.OTHERS * words[4].toarray()[0], 0.0)
    assert found[:4] * 3 == pytest.approx(told.argsort().argsort())


@pytest.mark.parametrize("added", [" https://example.org/{}", " @somebody{}", " .@somebody{}"])
def test_links_and_who_is_addressed_are_no_words_of_a_text(added):
    plain = "Der Rat stimmt heute dem Plan zu"
    texts = [plain, plain + "".join(added.format(n) for n in range(4)), f"{plain} und geht"]
    prepared = prepare([{"id": f"{n}", "text": text} for n, text in enumerate(texts)])
    assert worth._sizes(prepared, np.arange(3)).tolist() == [7, 7, 9]


def test_words_that_say_something_are_told_by_how_rare_they_are():
    texts = ["The harbor flood was big", "A flood came to the harbor", "Votes on the harbor bill", "The 2019 votes"]
    prepared = prepare([{"id": str(n), "text": text, "side": "ab"[n % 2]} for n, text in enumerate(texts)])
    rows = prepared.word_rows(np.arange(4))
    assert np.linalg.norm(rows.toarray(), axis=1) == pytest.approx(np.ones(4))
    assert [len(row.data) for row in rows] == [2, 1, 2, 1]  # "harbor" is in most; numerals and small words are left out
