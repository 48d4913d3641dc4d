"""Text from right to left, and titles that are too long: how the page sets them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unit.report.summaries import outlets, with_first_document
from visavis.records import Summary
from visavis.report import render
from visavis.report.sentences import stands_for
from visavis.report.verdict import test_name as name_of_test
from visavis.shared import text
from visavis.shared.text import clean, direction, isolate, line

HEBREW, ARABIC = "עיתון הבוקר: NATO ב-2024", "صحيفة المدينة"


def renamed(summary: Summary, *names: str) -> Summary:
    groups = tuple(replace(group, name=name) for group, name in zip(summary.groups, names, strict=True))
    return replace(summary, groups=groups, test=(replace(summary.test[0], groups=names),))


def page(summary: Summary) -> str:
    rendered = render(summary, ".html")
    assert isinstance(rendered, str)
    return rendered


@pytest.mark.parametrize(
    ("text", "found"), [(HEBREW, "rtl"), (ARABIC, "rtl"), ("NATO: عاجل", "ltr"), ("2024 – שלום", "rtl"), ("", "ltr")]
)
def test_the_first_letter_says_how_a_text_is_written(text: str, found: str) -> None:
    assert direction(text) == found


def test_a_name_from_right_to_left_does_not_reorder_the_sentence_around_it() -> None:
    assert isolate("left") == "left"
    assert isolate(ARABIC) == f"\u2068{ARABIC}\u2069"
    summary = renamed(outlets(), HEBREW, "left")
    said = stands_for(summary.groups[0].picks[0], summary.groups[0])
    assert f"of \u2068{HEBREW}\u2069" in said
    assert f"\u2068{HEBREW}\u2069 against left" in name_of_test(summary.test[0])
    assert f"of \u2068{HEBREW}\u2069" in page(summary)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"\u2068{ARABIC}\u2069, 3 %", f"\u2068{ARABIC}\u2069, 3 %"),
        ("\u2068no end", "no end"),
        ("no start\u2069", "no start"),
        ("\u2067\u2067isolates\u2069", "isolates"),
        ("a\u2068b\u2068c\u2069", "ab\u2068c\u2069"),
        ("\u202eoverride\u202c", "override"),
    ],
)
def test_isolates_that_end_are_kept_and_all_else_that_reorders_is_not(text: str, kept: str) -> None:
    assert clean(text) == line(text) == kept


def test_a_card_is_set_in_the_direction_of_its_title_and_its_date_is_not() -> None:
    text = page(with_first_document(outlets(), title=HEBREW, text=f"{HEBREW}. " * 3))
    card = text[text.index('id="pick-A1"') : text.index('id="pick-A2"')]
    assert '<h4 dir="rtl">' in card
    assert '<p class="byline" dir="rtl">' in card
    assert re.search(r'<time datetime="[\d-]+" dir="ltr">', card)
    assert '<p class="snippet" dir="auto">' in card
    assert '<h4 dir="ltr">' in text[text.index('id="pick-A2"') :]


def test_a_long_title_is_cut_and_the_whole_of_it_can_be_unfolded() -> None:
    title = "A title that goes on and on " * 20
    text = page(with_first_document(outlets(), title=title))
    card = text[text.index('id="pick-A1"') : text.index('id="pick-A2"')]
    shown = re.search(r"<h4.*?<bdi>(.*?)</bdi>", card)
    assert shown is not None
    assert len(shown[1]) <= 170
    assert f'<summary>The whole title</summary><p dir="auto">{line(title)}</p>' in card
    assert "The whole title" not in text[text.index('id="pick-A2"') :]


SUSPECT = st.sampled_from("\r\x85\u2028\ud800\ufffe\x00\x7f\u202e\u2066\u2068\u0301 a")


@given(st.text(st.one_of(st.characters(codec=None), SUSPECT)))
def test_what_is_clean_at_a_glance_is_what_would_have_been_left(written):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text, "_SUSPECT", re.compile(""))
        thoroughly = clean(written)
    assert clean(written) == thoroughly
