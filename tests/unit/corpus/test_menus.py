"""What recurs within long passages of texts that have no line breaks is left out; what a document says is not."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unit.letterheads import sentence
from visavis.corpus.boilerplate import remove_boilerplate
from visavis.corpus.menus import LONG, LONG_THERE, SHORTEST, shared_menus
from visavis.updating.cells import read_boilerplate, write_boilerplate

RNG = random.Random(9)
MENU = " ".join(f"Topic{n} of the office" for n in range(15))
TITLES = [sentence(RNG).rstrip(".") for _ in range(40)]
STORIES = [" ".join(sentence(RNG) for _ in range(3)) for _ in range(40)]
FOOTER = "read what others say of this and find us on the square every day between nine and five or by mail"


def pages(menu=MENU, share=1.0):
    """A title, the menu of the site and a story, on one line."""
    return [
        f"{title} | Our Town {menu if n < share * len(TITLES) else ''} {story}"
        for n, (title, story) in enumerate(zip(TITLES, STORIES, strict=True))
    ]


def cleaned(texts, sources=None, **options):
    return remove_boilerplate(texts, sources or [""] * len(texts), **options)


def test_the_menu_of_a_page_on_one_line_goes_and_title_and_story_stay():
    found = cleaned(pages())
    for text, title, story in zip(found.texts, TITLES, STORIES, strict=True):
        assert "Topic" not in text
        assert text.startswith(title)
        assert text.endswith(story)
    assert found.share() > 0.4
    assert not found.bare.any()


def test_it_must_recur_in_a_fifth_of_the_documents():
    assert cleaned(pages(share=0.25)).share() > 0.1
    few = pages(share=0.15)
    assert cleaned(few).texts == tuple(few)


def test_a_source_has_menus_of_its_own():
    few = pages(share=0.15)
    found = cleaned(few, ["ours" if n < 10 else "theirs" for n in range(len(few))])
    assert not any("Topic" in text for text in found.texts)


def test_shorter_passages_of_the_same_pages_are_looked_at_too():
    notice = f"{FOOTER}."
    assert max(LONG_THERE, len(f"{max(TITLES, key=len)} and {notice}".split())) < LONG
    texts = [f"{page} {title} and {notice} End." for page, title in zip(pages(), reversed(TITLES), strict=True)]
    assert not any(FOOTER[:40] in text for text in cleaned(texts).texts)
    without = [text.replace(MENU, "") for text in texts]
    assert all(FOOTER[:40] in text for text in cleaned(without).texts), "but not where no page holds a menu"


def test_copies_of_one_story_share_no_menu():
    copies = [f"{pages()[0]} Copy {n}." for n in range(12)]
    texts = [*copies, *(f"{title} {story}" for title, story in zip(TITLES, STORIES, strict=True))]
    assert cleaned(texts).texts[:12] == tuple(copies)


def test_what_was_found_is_left_out_of_later_texts_and_kept_by_a_state():
    texts = pages()
    known = cleaned(texts[:-1]).recurring
    assert known.menus
    kept = read_boilerplate(write_boilerplate(known))
    assert kept == known
    assert cleaned(texts[-1:], known=kept).texts == cleaned(texts).texts[-1:]
    older = {name: value for name, value in write_boilerplate(known).items() if name != "menus"}
    assert read_boilerplate(older).menus == {}, "states made before knew none"


@pytest.mark.parametrize("script", ["地方新闻网站首页栏目介绍", "ข่าวท้องถิ่นหน้าแรก"])
def test_scripts_without_blanks_are_no_hindrance(script):
    menu = " ".join(f"{script}{sign}" for sign in "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉" * 3)
    found = cleaned([f"{title} {menu} {story}" for title, story in zip(TITLES, STORIES, strict=True)])
    assert not any(script in text for text in found.texts)


@given(st.lists(st.lists(st.sampled_from(["one", "two", "three", "four"]), max_size=70), min_size=1, max_size=12))
def test_only_words_that_recur_go_and_the_others_keep_their_order(texts):
    raw = [" ".join(words).encode() for words in texts]
    rows = np.arange(len(raw))
    found, _ = shared_menus(raw.__getitem__, rows, np.full(len(raw), -1), rows, [""] * len(raw))
    for row, left in found.items():
        rest = iter(texts[row])
        words = left.decode().split()
        assert all(word in rest for word in words), "a part of the text, in order"
        assert len(texts[row]) - len(words) >= SHORTEST
