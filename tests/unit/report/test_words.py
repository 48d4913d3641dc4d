"""Text made fit to show, and the terminal."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from unit.report.summaries import news, outlets
from visavis.records import Document, Term, Timeline
from visavis.report import facts, render, sentences
from visavis.report.periods import extent, said
from visavis.report.terminal import print_summary
from visavis.report.text import fragments, heading, shorten, snippet, web_address
from visavis.shared.text import clean
from walking import walk


@walk("url", [
        "javascript:alert(1)", "JAVASCRIPT:alert(1)", "java\nscript:alert(1)", "data:text/html,x", "//host/x", "x",
        "https://", "http:///x", "https://a b/", "https://user:word@host/", "https://host:port/", "http://[::1",
        'https://host/"onclick=', "https://host/<x>", "https://host/\u202ex", "ftp://host/", "https:\\\\host", "",
    ])  # fmt: skip
def test_only_ordinary_web_addresses_become_links(url: str) -> None:
    assert web_address(url) == ""


@pytest.mark.parametrize("url", ["https://e.org", "http://e.org:80/a?b=c&d#e", " https://e.org/ü ", "HTTPS://E.ORG/"])
def test_ordinary_web_addresses_stay(url: str) -> None:
    assert web_address(url) == url.strip()


def test_control_and_direction_characters_go_and_breaks_stay() -> None:
    assert clean("a\x00b\x1b[1m\u202ec\u2069\r\nd\te\ud800") == "ab[1mc\nd\te\ufffd"


def test_words_are_marked_whole_whatever_their_case() -> None:
    pieces = fragments("Reef life, reefs and the coral reef.", ("reef", "coral reef"))
    assert [piece for piece, is_word in pieces if is_word] == ["Reef", "coral reef"]
    assert "".join(piece for piece, _ in pieces) == "Reef life, reefs and the coral reef."
    assert fragments("気候変動の話", ("変動",)) == [("気候", False), ("変動", True), ("の話", False)]
    assert fragments("รถไฟฟ้าสายใหม่", ("ไฟฟ้า",)) == [("รถ", False), ("ไฟฟ้า", True), ("สายใหม่", False)]
    assert fragments("新的AI技术，AI 技术", ("ai 技术",)) == [
        ("新的", False), ("AI技术", True), ("，", False), ("AI 技术", True),
    ]  # fmt: skip
    assert fragments("新的AIX技术", ("ai", "ai 技术")) == [("新的AIX技术", False)]
    assert fragments("a+b, (c)", ("a+b", "(c)")) == [("a+b", True), (", ", False), ("(c)", True)]
    assert fragments("the Corran hills burn", ("hills", "corran"))[1] == ("Corran hills", True)


def test_a_phrase_is_marked_in_one_piece_whatever_its_spaces_and_apostrophes() -> None:
    marked = fragments(
        "A State  of Emergency; the Women’s March on the state.", ("state of emergency", "women's march")
    )
    assert [piece for piece, is_word in marked if is_word] == ["State  of Emergency", "Women’s March"]


def test_a_terms_share_is_told_beside_that_of_the_others() -> None:
    assert sentences.term(Term("ice", 21, 0.21, 3, 0.03)) == "21\u202f% here (21), 3\u202f% elsewhere (3)"
    assert sentences.term(Term("ice", 21, 0.21, 3, 0.003)).endswith("under 1\u202f% elsewhere (3)")
    assert sentences.term(Term("ice", 21, 0.21, 0, 0.0)).endswith("none elsewhere")
    assert sentences.term(Term("ice", 21, 0.21, 0, None)) == "21\u202f% of documents (21)"


def test_where_nothing_is_found_the_reports_say_so() -> None:
    made = outlets()
    empty = replace(made, groups=tuple(replace(group, terms=()) for group in made.groups), common=())
    for text in (render(empty, ".html"), render(empty, ".md"), " ".join(printed(empty, 200).split())):
        assert text.count(sentences.NO_TERMS) >= 2
        assert sentences.NO_COMMON in text
    alone = replace(empty, groups=empty.groups[:1])
    for text in (render(alone, ".html"), render(alone, ".md"), printed(alone, 200)):
        assert sentences.NO_TERMS not in text
        assert sentences.NO_COMMON not in text


def test_a_cut_falls_between_words_and_never_exceeds_the_limit() -> None:
    assert shorten("one two three", 9) == "one two…"
    assert shorten("x" * 50, 10) == "x" * 9 + "…"
    assert shorten("short", 10) == "short"
    assert len(snippet(Document("a", title="t", text="word " * 500))) <= 280


def test_a_document_without_a_title_is_called_by_its_text_or_its_id() -> None:
    assert heading(Document("7", text="Begins so")) == "Begins so"
    assert snippet(Document("7", text="Begins so")) == ""
    assert heading(Document("7", title="\x00 ")) == "7"
    assert heading(Document("")) == "(untitled)"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Dam vote put off again\n\nThe council put off its vote.", "The council put off its vote."),
        ("Dam vote\nput off again.\nthe council put off its vote.", "the council put off its vote."),
        ("Dam vote put off again: The council met.", "The council met."),
        ("Dam vote put off again - and again - by all", "Dam vote put off again - and again - by all"),
        ("Dam vote put off again The council put off its vote.", "The council put off its vote."),
        ("Dam vote put off again’s the word.", "Dam vote put off again’s the word."),
        ("Dam vote put off again.5 percent", "Dam vote put off again.5 percent"),
        ("Dam vote put off again (2022) by all", "Dam vote put off again (2022) by all"),
        ("DAM VOTE PUT OFF AGAIN | The council met.", "The council met."),
        ("Dam vote put off again", ""),
        ("Dam vote put off again and again, members say.", "Dam vote put off again and again, members say."),
        ("Dam vote put off against all advice.", "Dam vote put off against all advice."),
        ("The council met. Dam vote put off again.", "The council met. Dam vote put off again."),
    ],
)
def test_a_story_that_begins_with_its_title_is_shown_without_it(text: str, shown: str) -> None:
    assert snippet(Document("7", title="Dam vote put off again", text=text)) == shown


def test_a_title_that_ends_a_sentence_is_not_shown_again() -> None:
    assert snippet(Document("7", title="They voted.", text="They voted. Nobody knows why.")) == "Nobody knows why."


def test_a_short_title_may_be_how_a_sentence_begins() -> None:
    assert snippet(Document("7", title="Trump", text="Trump Tower was sold.")) == "Trump Tower was sold."
    bank = "The Bank of England Governor resigned."
    assert snippet(Document("7", title="The Bank of England", text=bank)) == bank


@pytest.mark.parametrize(
    ("period", "words"),
    [
        ("2024-02-05", "5 Feb 2024"), ("2024-W06", "week of 5 Feb 2024"), ("2024-02", "Feb 2024"),
        ("2024-Q1", "Q1 2024"), ("2024-13", "2024-13"), ("2024-W60", "2024-W60"), ("other", "other"),
    ],
)  # fmt: skip
def test_periods_are_said_in_words(period: str, words: str) -> None:
    assert said(period) == words


def test_weeks_reach_from_a_monday_to_a_sunday() -> None:
    assert extent(Timeline("week", ("2024-W06", "2024-W07"), ((1,), (1,)))) == "5 Feb 2024 to 18 Feb 2024"


def test_letters_go_on_after_the_alphabet() -> None:
    assert [facts.group_key(index) for index in (0, 13, 25, 26, 52)] == ["A", "N", "Z", "AA", "BA"]


def printed(summary, width: int) -> str:
    file = io.StringIO()
    print_summary(summary, Console(file=file, width=width, color_system=None))
    return file.getvalue()


def test_a_wide_terminal_shows_groups_side_by_side_and_a_narrow_one_below_another() -> None:
    def rows_of_groups(width: int) -> list[int]:
        rows = printed(outlets(), width).splitlines()
        heads = (("A", "Meridian Post"), ("B", "Tideline"))
        return [next(i for i, row in enumerate(rows) if f" {key}  {name} " in row) for key, name in heads]

    assert len(set(rows_of_groups(120))) == 1
    assert len(set(rows_of_groups(119))) == 2


@pytest.mark.parametrize("width", [20, 60, 200])
def test_the_terminal_tells_the_verdict_before_the_picks(width: int) -> None:
    text = " ".join(printed(outlets(), width).split())
    assert text.index("could be") < text.index("A1 ")
    assert max(map(len, printed(outlets(), width).splitlines())) <= width


def test_the_terminal_shows_markup_as_text_and_no_escape_codes() -> None:
    group = news().groups[0]
    pick = replace(group.picks[0], document=replace(group.picks[0].document, title="[red]x[/red] \x1b[31m [/nope]"))
    text = printed(replace(news(), groups=(replace(group, picks=(pick,)),)), 200)
    assert "[red]x[/red] [31m [/nope]" in text
    assert "\x1b" not in text


def test_a_document_in_two_groups_is_counted_once() -> None:
    summary = news()
    assert summary.map is not None
    plain = sentences.overview(summary)
    assert plain.startswith(f"{len(summary.map.ids)} documents")
    twice = replace(summary, map=replace(summary.map, ids=(*summary.map.ids[:-1], summary.map.ids[0])))
    assert sentences.overview(twice).startswith(f"{len(summary.map.ids) - 1} documents")


WORDS = {"a": "a", "b": "b", "a b": r"a\s+b", "ab": "ab", "b-a": "b-a", "a'b": "a['’]b", "b a b": r"b\s+a\s+b"}


@given(st.text("ab’ -", max_size=30), st.lists(st.sampled_from(sorted(WORDS)), max_size=4))
def test_words_are_found_as_one_pattern_of_all_of_them_would(text, words):
    ranked = sorted(set(words), key=lambda word: (-len(word), word))
    apart = "|".join(rf"(?<!\w){WORDS[word]}(?!\w)" for word in ranked)
    pieces = re.split(rf"((?:{apart})(?:\s*(?:{apart}))*)", text) if words else [text]
    assert fragments(text, tuple(words)) == [(piece, at % 2 == 1) for at, piece in enumerate(pieces) if piece]
