"""What recurs and what is a notice by its form is left out; what a document says never is."""

from __future__ import annotations

import gzip
import json
import random

import numpy as np
import pytest

from conftest import require
from unit.letterheads import releases, sentence
from visavis.corpus.boilerplate import SAYS_SOMETHING, remove_boilerplate
from visavis.corpus.notices import dateline_end, fold, is_byline, is_caption, is_notice

RNG = random.Random(7)
STORIES = [" ".join(sentence(RNG) for _ in range(2)) for _ in range(40)]


def cleaned(rows, **options):
    return remove_boilerplate([row["text"] for row in rows], [row.get("source", "") for row in rows], **options)


@pytest.mark.parametrize("one_line", [False, True], ids=["lines", "one line"])
def test_letterheads_go_and_stories_stay(one_line):
    rows = releases(one_line=one_line)
    found = cleaned(rows)
    for row, text in zip(rows, found.texts, strict=True):
        plain = " ".join(text.split())
        assert plain.endswith(row["story"]) or row["story"] in plain
        head = plain[: plain.index(row["story"][:40])]
        assert head == "", head
        for trace in ("Contact", "225-", "IMMEDIATE", "Longworth", "newsletter", "Jonas", "Whitlow", "WASHINGTON"):
            assert trace not in plain
    assert 0.15 < found.share() < 0.5
    assert not found.bare.any()


def test_a_story_in_ten_outlets_is_no_boilerplate():
    story = " ".join(STORIES[:3])
    rows = [{"text": f"{story} Reader {n} wrote in.", "source": f"outlet {n % 2}"} for n in range(10)]
    rows += [{"text": text, "source": f"outlet {n % 2}"} for n, text in enumerate(STORIES[3:])]
    assert cleaned(rows).texts == tuple(row["text"] for row in rows)


def test_a_line_that_a_source_repeats_goes_and_only_there():
    line = "Our paper has served the valley since the mill was built."
    rows = [{"text": f"{text}\n{line}", "source": "ours"} for text in STORIES[:4]]
    rows += [{"text": text, "source": "another"} for text in STORIES[4:]]
    assert cleaned(rows).texts == tuple(STORIES)
    assert cleaned(rows[2:]).texts[0] == rows[2]["text"]  # twice is not often


def test_no_text_is_left_without_something_to_say():
    rows = [{"text": "Thank you all for coming today.\nSee you.", "source": "a"}] * 3
    rows += [{"text": f"Thank you all for coming today.\nSee you.\nWord {n}", "source": "a"} for n in range(9)]
    found = cleaned(rows)
    assert found.texts == tuple(row["text"] for row in rows)
    assert found.share() == 0


def test_hashtags_and_handles_are_no_boilerplate():
    tweets = [
        {"text": f"We met {n} families at the town hall tonight and heard what they need from us #townhall @Mayor{n}"}
        for n in range(40)
    ]
    assert cleaned(tweets).texts == tuple(row["text"] for row in tweets)


def test_what_stands_behind_the_window_is_kept():
    (text,) = cleaned([{"text": f"ADVERTISEMENT\n{STORIES[0]}\nADVERTISEMENT"}], window=60).texts
    assert text == f"{STORIES[0]}\nADVERTISEMENT"


def test_shares_are_of_the_texts_asked_for():
    found = cleaned([{"text": f"Advertisement\n{STORIES[0]}"}, {"text": STORIES[1]}])
    assert found.share(np.array([1])) == 0
    assert found.share(np.array([0])) == pytest.approx(1 / (1 + len(STORIES[0].split())))


def test_nothing_is_nothing():
    found = remove_boilerplate([], [])
    assert found.texts == ()
    assert found.share() == 0
    assert remove_boilerplate(["", "\ud800 \n"], ["", "a"]).texts == ("", "\ud800 \n")


@pytest.mark.parametrize(
    ("line", "whole", "notice"),
    [
        ("FOR IMMEDIATE RELEASE", True, True),
        ("Contact: Jane Doe (202) 225-1234", True, True),
        ("jane.doe@mail.house.gov", True, True),
        ("Story Continued Below", True, True),
        ("March 3, 2018", True, True),
        ("Subscribe to our newsletter for more.", False, True),
        ("Protesters march past the gate. Photo: A. Smith/Getty Images", True, True),
        ("@Mayor thank you for your work on this", True, False),
        ("The contact was made at noon by the crew.", True, False),
        ("Amends title II of the Social Security Act.", True, False),
        ("More", False, False),
    ],
)
def test_notices_are_known_by_their_form(line, whole, notice):
    assert is_notice(fold(line.encode()), whole_line=whole) is notice


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("WASHINGTON (AP) — The Senate voted.", "The Senate voted."),
        ("NEW YORK (Reuters) - Stocks fell.", "Stocks fell."),
        ("Washington (CNN) The president spoke.", "The president spoke."),
        ("WASHINGTON, D.C. – Today the bill passed.", "Today the bill passed."),
        ("NATO met in Brussels.", "NATO met in Brussels."),
        ("The U.S. - Mexico border", "The U.S. - Mexico border"),
    ],
)
def test_datelines_end_where_the_story_begins(text, rest):
    raw = text.encode()
    assert raw[dateline_end(raw) :].decode() == rest


def test_a_dateline_stuck_to_the_first_word_goes_though_no_word_does():
    story = "{} president spoke of roads and bridges on a long and rainy morning by the river."
    found = remove_boilerplate([f"WASHINGTON—{story.format('The')}", story.format("Our")], ["", ""])
    assert found.texts == (story.format("The"), story.format("Our"))
    assert found.share() == 0.0
    assert not found.bare.any()


def test_bylines_and_captions():
    assert is_byline(b"By Jane Doe and John Roe")
    assert not is_byline(b"By noon the river had risen by two feet")
    assert is_caption(b"file - in this photo a man waits")
    assert not is_caption(b"the man waits in line for a photo of him")


@pytest.mark.parametrize(("path", "most"), [("bills/bills.jsonl.gz", 0.001), ("polis/comments.jsonl.gz", 0.001)])
def test_formulas_and_statements_are_substance(data_folder, path, most):
    require((data_folder / path).is_file(), path)
    with gzip.open(data_folder / path, "rt", encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in lines]
    assert remove_boilerplate(texts, [""] * len(texts)).share() <= most


def test_news_keep_nearly_all_of_their_words(data_folder):
    path = data_folder / "news/articles_lead.jsonl.gz"
    require(path.is_file(), "news/articles_lead.jsonl.gz")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line, _ in zip(lines, range(4000), strict=False)]
    found = cleaned(rows)
    assert found.share() < 0.05
    counts = np.array([len(text.split()) for text in found.texts])
    before = np.array([len(row["text"].split()) for row in rows])
    assert np.all(counts >= np.minimum(before, SAYS_SOMETHING))


# --- known already ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("one_line", [False, True], ids=["lines", "one line"])
def test_what_was_found_to_recur_leaves_the_same_out_again(one_line):
    rows = releases(one_line=one_line)
    found = cleaned(rows)
    again = cleaned(rows, known=found.recurring)
    assert again.texts == found.texts
    np.testing.assert_array_equal(again.removed, found.removed)
    np.testing.assert_array_equal(again.bare, found.bare)
    assert again.recurring is found.recurring
    assert found.recurring.passages or found.recurring.letterheads.begun


@pytest.mark.parametrize("one_line", [False, True], ids=["lines", "one line"])
def test_what_is_known_to_recur_is_left_out_of_one_later_document(one_line):
    rows = releases(one_line=one_line)
    known = cleaned(rows[:-1]).recurring
    assert cleaned(rows[-1:], known=known).texts == cleaned(rows).texts[-1:]
    assert cleaned(rows[-1:]).texts != cleaned(rows).texts[-1:]


def test_nothing_else_is_taken_to_recur_once_it_is_known_what_does():
    line = "Our paper has served the valley since the mill was built."
    rows = [{"text": f"{text}\n{line}", "source": "ours"} for text in STORIES[:6]]
    known = cleaned([{"text": text, "source": "ours"} for text in STORIES[6:]]).recurring
    assert cleaned(rows, known=known).texts == tuple(row["text"] for row in rows)
