from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from visavis.shared.markdown import escape, table_row
from walking import walk


@walk(
    "text, shown",
    [
        ("# not a heading", r"\# not a heading"),
        ("1. not a list", r"1\. not a list"),
        ("- nor this", r"\- nor this"),
        ("a*b_c`d", r"a\*b\_c\`d"),
        ("<script>", r"\<script\>"),
        ("[x](javascript:y)", r"\[x\](javascript:y)"),
        ("a | b", r"a \| b"),
        ("two\nlines", "two lines"),
        ("two\r\n| --- |", r"two \| --- \|"),
        ("a\u2028b\x85c", "a b c"),
        ("-0.5", "-0.5"),
        ("+3.2 %", "+3.2 %"),
        ("0.418", "0.418"),
        ("---", r"\---"),
        ("===", r"\==="),
        ("a\\|b", r"a\\\|b"),
        ("https://example.org", r"https\://example.org"),
        ("Plain words, 3.5 percent (more).", "Plain words, 3.5 percent (more)."),
    ],
)
def test_markdown_shows_text_as_it_is(text: str, shown: str) -> None:
    assert escape(text) == shown


@given(st.lists(st.text("|\\\r\n\t\u2028 ab`"), min_size=1, max_size=4))
def test_a_row_of_a_table_has_as_many_cells_as_it_was_given(cells: list[str]) -> None:
    row = table_row(cells)
    assert len(row.splitlines()) == 1
    assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) == len(cells) + 1
