"""Runs of words that recur and notices are left out; what a document says never is."""

from __future__ import annotations

import gzip
import json
import random
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import require
from unit.letterheads import releases, sentence
from visavis.corpus import boilerplate
from visavis.corpus.boilerplate import SAYS_SOMETHING_WORDS, join_spans, remove_boilerplate
from visavis.corpus.notices import dateline_end, is_byline, is_notice
from visavis.updating.cells import read_boilerplate, write_boilerplate

RNG = random.Random(7)
STORIES = [" ".join(sentence(RNG) for _ in range(3)) for _ in range(60)]
MENU = " ".join(f"Topic{sign} of the Office" for sign in "ABCDEFGHIJKLMNO")
LINE = "Our paper has served the valley since the mill was built."
FRAMES = {
    "menu": lambda story, _: f"{MENU} {story}",
    "footer": lambda story, _: f"{story} {MENU}",
    "letterhead": lambda story, n: f"The Press Room of Alma Torvald, May {n}, {story}",
    "gap": lambda story, n: (
        f"The Press Room of Alma Torvald {'xyz'[n % 3]}{n} mars of the Fourth District of Oregon {story}"
    ),
    "closing": lambda story, _: f"{story} {LINE}",
    "line": lambda story, _: f"Elsewhere\n{story}\n{LINE}",
}


def clean(rows, **options):
    return remove_boilerplate([row["text"] for row in rows], [row.get("source", "") for row in rows], **options)


def framed(name, share=1.0, source="ours"):
    return [
        {"text": FRAMES[name](story, n) if n < share * 40 else story, "source": source, "story": story}
        for n, story in enumerate(STORIES[:40])
    ]


@pytest.mark.parametrize("name", FRAMES)
@pytest.mark.parametrize("source", ["ours", ""])
@pytest.mark.parametrize("share", [1.0, 0.25])
def test_what_recurs_goes_and_stories_stay(name, source, share):
    rows = framed(name, share, source)
    found = clean(rows)
    assert list(found.texts) == [row["story"] for row in rows]
    assert not found.bare.any()


@pytest.mark.parametrize(("name", "few"), [("menu", 0.1), ("letterhead", 0.1), ("closing", 0.05), ("line", 0.05)])
def test_what_few_documents_have_stays(name, few):
    rows = framed(name, few)
    assert list(clean(rows).texts) == [row["text"] for row in rows]


def test_a_line_that_a_source_repeats_goes_and_only_there():
    rows = framed("closing")[:4]
    rows += [{"text": text, "source": "another"} for text in STORIES[40:]]
    assert list(clean(rows).texts) == [*STORIES[:4], *STORIES[40:]]
    assert clean(rows[2:]).texts[0] == rows[2]["text"], "twice is not often"


@given(st.lists(st.lists(st.integers(0, 10**9), min_size=1, max_size=30), min_size=1, max_size=30))
def test_a_text_of_words_that_nobody_else_has_is_untouched(numbers):
    def word(place, number):
        return "".join(chr(97 + int(digit)) for digit in f"{place:03}{number}")

    texts = [" ".join(word(place, number) for number in own) for place, own in enumerate(numbers)]
    found = remove_boilerplate(texts, ["ours"] * len(texts))
    assert list(found.texts) == texts
    assert found.share() == 0


@given(st.permutations(range(40)), st.sampled_from(sorted(FRAMES)))
@settings(max_examples=20)
def test_the_order_of_documents_changes_nothing(order, name):
    rows = framed(name, 0.5)
    before, after = clean(rows), clean([rows[at] for at in order])
    assert [before.texts[at] for at in order] == list(after.texts)
    assert before.recurring == after.recurring


@pytest.mark.parametrize("frame", ["line", "menu", "none"])
def test_a_story_that_many_outlets_tell_is_no_boilerplate(frame):
    """Under letterheads of their own, and with a sentence of their own each."""
    story = " ".join(STORIES[50:54])
    rows = []
    for outlet in range(12):
        notice = (
            sentence(random.Random(100 + outlet))
            + " "
            + " ".join(f"Menu{outlet}{sign}" for sign in "abcdefghijklmnopqrst")
        )
        around = {"line": f"{notice}\n{{}}", "menu": f"{notice} {{}}", "none": "{}"}[frame]
        own = STORIES[outlet * 4 : outlet * 4 + 4]
        rows += [{"text": around.format(text), "source": f"outlet {outlet}", "story": text} for text in own]
        told = f"{story} {sentence(RNG)}"
        rows += [{"text": around.format(told), "source": f"outlet {outlet}", "story": told}]
    assert list(clean(rows).texts) == [row["story"] for row in rows]


def test_copies_within_a_source_are_no_boilerplate():
    rows = [{"text": f"{STORIES[0]} Reader {n} wrote in.", "source": "ours"} for n in range(8)]
    rows += [{"text": text, "source": "ours"} for text in STORIES[1:]]
    assert list(clean(rows).texts) == [row["text"] for row in rows]


def test_words_with_which_many_stories_go_on_after_a_menu_stay():
    rows = [{"text": f"{MENU} The {story}", "source": "ours"} for story in STORIES[:12]]
    rows += [{"text": f"{MENU} {story}", "source": "ours"} for story in STORIES[12:40]]
    assert list(clean(rows).texts) == [*(f"The {story}" for story in STORIES[:12]), *STORIES[12:40]]


@pytest.mark.parametrize("one_line", [False, True], ids=["lines", "one line"])
def test_releases_lose_letterheads_and_notices(one_line):
    rows = releases(one_line=one_line)
    found = clean(rows)
    for row, text in zip(rows, found.texts, strict=True):
        plain = " ".join(text.split())
        assert row["story"] in plain
        for trace in ("Contact", "225-", "IMMEDIATE", "Longworth", "newsletter", "Jonas", "Whitlow", "WASHINGTON"):
            assert trace not in plain
    assert 0.15 < found.share() < 0.5
    assert not found.bare.any()


@pytest.mark.parametrize("name", FRAMES)
def test_what_is_left_are_parts_of_the_original(name):
    rows = framed(name, 0.6)
    found = clean(rows)
    for at, row in enumerate(rows):
        spans = found.spans.get(at, ((0, len(row["text"])),))
        assert join_spans(row["text"], spans) == found.texts[at]
        bounds = [bound for span in spans for bound in span]
        assert bounds == sorted(bounds)
        assert found.words[at] - found.removed[at] == len(found.texts[at].split())


def test_no_text_is_left_without_something_to_say():
    rows = [
        {"text": f"Thank you all for coming today.\nSee you.\nWord {chr(97 + n)}", "source": "a"} for n in range(12)
    ]
    found = clean(rows)
    assert list(found.texts) == [row["text"] for row in rows]
    assert found.bare.all()
    assert found.share() == 0


def test_what_stands_behind_the_window_is_kept():
    (text,) = clean([{"text": f"ADVERTISEMENT\n{STORIES[0]}\nADVERTISEMENT"}], window=60).texts
    assert text == f"{STORIES[0]}\nADVERTISEMENT"


def test_shares_are_of_the_texts_asked_for():
    found = clean([{"text": f"Advertisement\n{STORIES[0]}"}, {"text": STORIES[1]}])
    assert found.share(np.array([1])) == 0
    assert found.share(np.array([0])) == pytest.approx(1 / (1 + len(STORIES[0].split())))


# --- known already ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", FRAMES)
def test_what_recurred_is_left_out_of_later_documents_too(name):
    rows = framed(name)
    known = read_boilerplate(json.loads(json.dumps(write_boilerplate(clean(rows[:-1]).recurring))))
    assert list(clean(rows[-1:], known=known).texts) == [rows[-1]["story"]]
    assert clean(rows[-1:]).texts[0] == rows[-1]["text"]
    assert list(clean(rows, known=known).texts) == [row["story"] for row in rows]


def test_nothing_else_is_taken_to_recur_once_it_is_known_what_does():
    known = clean([{"text": text, "source": "ours"} for text in STORIES[40:]]).recurring
    rows = framed("closing")
    assert list(clean(rows, known=known).texts) == [row["text"] for row in rows]


# --- hostile input ------------------------------------------------------------------------------------------------
def test_odd_texts_come_back():
    odd = ["", " ", "\n\n", "\ud800 \n", "\x00", "İİİ contact: İ", "###", "。。", "0" * 5000, "a" * 5000, "\u2028"]
    assert list(remove_boilerplate(odd, [""] * len(odd)).texts) == odd
    assert list(remove_boilerplate([], []).texts) == []


def test_time_grows_with_the_number_of_documents():
    def seconds(count):
        rng = random.Random(3)
        texts = [f"{MENU} {' '.join(rng.choices(MENU.split(), k=60))}. {LINE}" for _ in range(count)]
        began = time.process_time()
        remove_boilerplate(texts, [f"source {n % 9}" for n in range(count)])
        return time.process_time() - began

    seconds(50)
    assert seconds(3200) < 40 * max(seconds(400), 0.02)


def test_runs_are_counted_in_a_sample_of_many(monkeypatch):
    monkeypatch.setattr(boilerplate, "SAMPLE_OF_A_SOURCE", 15)
    monkeypatch.setattr(boilerplate, "SAMPLE", 15)
    rows = framed("menu", 0.6)
    assert list(clean(rows).texts) == [row["story"] for row in rows]


# --- notices ------------------------------------------------------------------------------------------------------
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
        ("Story Continued Below “In a word,” said one of them.", False, False),
    ],
)
def test_notices_are_known_by_their_form(line, whole, notice):
    assert is_notice(line.lower(), whole_line=whole) is notice


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
    assert text[dateline_end(text) :] == rest


def test_a_dateline_stuck_to_the_first_word_goes_though_no_word_does():
    story = "{} president spoke of roads and bridges on a long and rainy morning by the river."
    found = remove_boilerplate([f"WASHINGTON—{story.format('The')}", story.format("Our")], ["", ""])
    assert list(found.texts) == [story.format("The"), story.format("Our")]
    assert found.share() == 0.0
    assert not found.bare.any()


def test_bylines():
    assert is_byline("By Jane Doe and John Roe")
    assert not is_byline("By noon the river had risen by two feet")


# --- real texts ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("path", "source", "least", "most"),
    [
        ("bills/bills.jsonl.gz", "", 0.0, 0.001),
        ("polis/comments.jsonl.gz", "", 0.0, 0.001),
        ("news/articles_lead.jsonl.gz", "source", 0.01, 0.05),
    ],
)
def test_real_texts_lose_little_but_notices(data_folder, path, source, least, most):
    require((data_folder / path).is_file(), path)
    with gzip.open(data_folder / path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line, _ in zip(lines, range(4000), strict=False)]
    found = clean([{"text": row["text"], "source": str(row.get(source, ""))} for row in rows])
    assert least <= found.share() <= most
    before, after = (
        np.array([len(text.split()) for text in texts]) for texts in ([r["text"] for r in rows], found.texts)
    )
    assert np.all(after >= np.minimum(before, SAYS_SOMETHING_WORDS))
