"""Every document counts; shown are the longest of each group."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import visavis
from unit.letterheads import TOPICS, releases, sentence
from visavis.comparing.candidates import find_candidates, place_documents
from visavis.comparing.options import CompareOptions
from visavis.comparing.prepare import group_documents, prepare
from visavis.eligible import SHARE_SHOWN, screen, word_counts
from visavis.eligible.shown import FEWEST_SHOWN, SHOWN_FOR_EACH_PICK
from visavis.errors import InvalidParameter
from visavis.records import Corpus, Document, Grouping

ODD = {"stub": "Rivers rise.", "caption": "Photo: rivers, dams and towns rise while pressure owners plan."}


def rows(each=40, seed=2):
    """Texts of three topics, of three to seven sentences."""
    rng = random.Random(seed)
    return [
        {"id": f"{topic}{n}", "topic": topic, "text": " ".join(sentence(rng, words) for _ in range(rng.randint(3, 7)))}
        for topic, words in TOPICS.items()
        for n in range(each)
    ]


def candidates(source, **options):
    chosen = CompareOptions(by="topic", **options)
    prepared = prepare(source, chosen.reading)
    return find_candidates(prepared, group_documents(prepared, chosen.grouping), chosen)


def allowed_ids(found):
    return {document.id for document, may in zip(found.grouping.corpus.documents, found.allowed, strict=True) if may}


def screening(lengths, codes, stories=None):
    documents = tuple(Document(str(n), "", "word") for n in range(len(codes)))
    names = tuple(f"g{code}" for code in range(codes.max() + 1))
    stories = np.arange(len(codes)) if stories is None else stories
    return screen(Grouping(Corpus(documents, ()), "x", names, codes), stories, lengths)


@pytest.fixture(scope="module")
def mixed():
    return [*rows(), *({"id": name, "topic": "water", "text": text} for name, text in ODD.items())]


def test_what_is_short_is_not_shown(mixed):
    assert not {"stub", "caption"} & allowed_ids(candidates(mixed))


def test_the_longest_are_shown_and_the_others_are_named():
    found = candidates(rows())
    (away,) = found.not_shown
    lengths = {row["id"]: len(row["text"].split()) for row in rows()}
    for topic in TOPICS:
        shown = [lengths[name] for name in allowed_ids(found) if name.startswith(topic)]
        assert len(shown) >= max(FEWEST_SHOWN, round(SHARE_SHOWN * 40))
        assert max(lengths[name] for name in away.where if name.startswith(topic)) < min(shown)


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**16), size=st.integers(1, 80), wanted=st.integers(1, 12), n_stories=st.integers(1, 40))
def test_copies_and_retellings_take_no_room_and_bans_make_some(seed, size, wanted, n_stories):
    rng = np.random.default_rng(seed)
    codes, stories = np.zeros(size, np.intp), rng.integers(0, n_stories, size)
    lengths, banned = rng.integers(0, 20, size).astype(float), rng.random(size) < 0.3
    made, order = screening(lengths, codes, stories), rng.permutation(size)
    for without in (np.zeros(size, bool), banned):
        shown, hidden = made.shown((wanted,), without), ~made.shown((wanted,), without) & ~without
        enough = max(FEWEST_SHOWN, SHOWN_FOR_EACH_PICK * wanted, round(SHARE_SHOWN * len(set(stories[~without]))))
        assert not np.any(shown & without)
        assert len(set(stories[shown])) >= min(enough, len(set(stories[~without])))
        if shown.any() and hidden.any():
            assert lengths[shown].min() > lengths[hidden].max()
            longer = shown & (lengths > lengths[shown].min())  # without the shortest there would be too few
            assert len(set(stories[longer])) < enough
        again = screening(lengths[order], codes, stories[order]).shown((wanted,), without[order])
        assert np.array_equal(again, shown[order])


def test_many_copies_of_a_long_text_leave_room_for_others():
    source, rng = rows(), random.Random(1)
    long = " ".join(sentence(rng, TOPICS["water"]) for _ in range(12))
    copies = [{"id": f"copy{n}", "topic": "water", "text": long} for n in range(30)]
    found = visavis.compare([*source, *copies], "topic", size=4, jobs=1)
    assert [len(group.picks) for group in found.groups] == [4, 4, 4]


def test_banned_documents_make_room_and_are_not_told_among_the_short():
    first = candidates(rows())
    names = sorted(name for name in allowed_ids(first) if name.startswith("water"))
    found = candidates(rows(), ban=tuple(names))
    assert len({name for name in allowed_ids(found) if name.startswith("water")}) >= FEWEST_SHOWN
    hidden = {name for away in found.not_shown for name in away.where}
    assert not hidden & {*names, *allowed_ids(found)}


def test_a_document_that_is_shown_in_one_of_its_groups_is_not_called_hidden():
    source = [{**row, "topic": ["small", row["topic"]] if n < 5 else row["topic"]} for n, row in enumerate(rows())]
    found = candidates(source)
    hidden = [name for away in found.not_shown for name in away.where]
    assert len(hidden) == len(set(hidden))
    assert not set(hidden) & {f"{next(iter(TOPICS))}{n}" for n in range(5)}


@pytest.mark.parametrize("each", [80, 120])  # a fifth is as many as eight picks ask for
def test_four_picks_are_the_first_of_eight_where_groups_are_large(each):
    few, many = (visavis.compare(rows(each), "topic", size=size, jobs=1, live=False) for size in (4, 8))
    for one, other in zip(few.groups, many.groups, strict=True):
        assert [pick.document.id for pick in one.picks] == [pick.document.id for pick in other.picks][:4]


def test_all_may_be_picked_where_the_user_says_so(mixed):
    found = candidates(mixed, candidates="all")
    assert found.not_shown == ()
    assert found.allowed.all()
    assert np.array_equal(found.points.stories, np.arange(len(found.allowed)))


def test_what_is_pinned_is_shown(mixed):
    found = candidates(mixed, pin=("stub", "caption"))
    assert {"stub", "caption"} <= allowed_ids(found)
    assert not {"stub", "caption"} & {name for away in found.not_shown for name in away.where}


def test_small_groups_keep_everything():
    assert candidates(rows(each=6)).allowed.all()
    assert candidates(rows(each=12), size=6).allowed.all()


def test_pictures_are_not_ranked(tmp_path):
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
        {"id": f"flood{n}", "topic": "flood", "text": f"{' '.join(rng.sample(event.split(), 15))}. {sentence(rng)}"}
        for n in range(8)
    ]
    options = {"size": 3, "method": "mmd-diff-greedy", "jobs": 1}
    found = visavis.compare([*rows(), *retold], "topic", **options)
    assert [len(group.picks) for group in found.groups] == [1, 3, 3, 3]
    assert "group 'flood' has 1 of 3 picks: the documents that may be shown tell 1 story" in found.notes
    pinned = visavis.compare([*rows(), *retold], "topic", pin=("flood0", "flood1"), **options)
    assert [pick.document.id for pick in pinned["flood"]] == ["flood0", "flood1"]


def test_the_report_says_what_was_made_of_the_documents():
    found = visavis.compare(releases(), "topic", size=2, method="mmd-diff-greedy", jobs=1)
    record = visavis.report.as_record(found)
    assert record["boilerplate"]["share"] > 0.15
    assert record["not_candidates"] == [{"reason": a.reason, "count": a.count} for a in found.not_candidates]
    assert "of the words are boilerplate" in visavis.report.render(found, ".md")
    words = {word for group in found.groups for word in group.words}
    assert not words & {"contact", "release", "immediate", "washington", "longworth", "jonas", "whitlow", "newsletter"}
    assert all(pick.document.text == row["text"] for group in found.groups for pick in group.picks
               for row in releases() if row["id"] == pick.document.id)  # fmt: skip


def test_the_page_says_how_many_are_not_shown():
    found = visavis.compare(rows(), "topic", size=2, jobs=1)
    assert found.not_candidates
    assert "count but are not shown: " in visavis.report.render(found, ".html")


def test_letterheads_may_be_kept():
    found = visavis.compare(releases(), "topic", size=2, method="mmd-diff-greedy", jobs=1, boilerplate="keep")
    assert found.boilerplate == 0


@pytest.mark.parametrize("option", [{"candidates": "some"}, {"boilerplate": "maybe"}])
def test_other_words_are_refused(option):
    with pytest.raises(InvalidParameter, match="must be"):
        CompareOptions(by="x", **option)


def test_placing_can_be_given_up_between_its_steps(mixed):
    options = CompareOptions(by="topic")
    prepared = prepare(mixed, options.reading)
    grouping, stages = group_documents(prepared, options.grouping), []
    place_documents(prepared, grouping, options, tell=stages.append)
    assert len(stages) > 2

    def give_up(stage):
        stages.append(stage)
        raise InterruptedError

    seen = len(stages)
    with pytest.raises(InterruptedError):
        place_documents(prepared, grouping, options, tell=give_up)
    assert len(stages) == seen + 1


@pytest.mark.parametrize("added", [" https://example.org/{}", " @somebody{}", " .@somebody{}"])
def test_links_and_who_is_addressed_are_no_words_of_a_text(added):
    plain = "Der Rat stimmt heute dem Plan zu"
    texts = [plain, plain + "".join(added.format(n) for n in range(4)), f"{plain} und geht"]
    documents = [Document(str(n), "Titel", text) for n, text in enumerate(texts)]
    assert word_counts(documents, texts).tolist() == [8, 8, 10]
