from __future__ import annotations

import csv
import io
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visavis.shared.spreadsheet import csv_text, guard, unguard


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1", "-1", "@x", "\tx", "\rx", " =1+1", "＝1+1", "－1", "\x00=1",
     "\u200b=1", "\ufeff@x", "\xa0-1", "﹦1", "\u2028=1"],
)  # fmt: skip
def test_no_cell_begins_like_a_formula(text: str) -> None:
    assert guard(text).startswith("'" + text[0])


@pytest.mark.parametrize(
    ("text", "guarded"),
    [("fine;=1+1;thanks", "fine;'=1+1;thanks"), ("ok;=HYPERLINK(1)", "ok;'=HYPERLINK(1)"), ("a\t @x", "a\t' @x"),
     ('a;"=1', "a;'\"=1"), ("a\n-1", "a\n'-1"), ("a\r\n-1", "a\r\n'-1"), ("a;\u200b＝1", "a;'\u200b＝1"),
     ("a\x0b=1", "a\x0b'=1"), ("a; b\n\nc, -d", "a; b\n\nc, -d"), ("a=b - c", "a=b - c"), ("", "")],
)  # fmt: skip
def test_no_part_of_a_cell_begins_like_a_formula_where_semicolons_part_cells(text: str, guarded: str) -> None:
    assert guard(text) == guarded


@given(st.text("'\" =+-@;\t\r\n\x0b\x00\u200b\u2028ax＝"))
def test_what_was_guarded_is_read_as_it_was(text: str) -> None:
    assert unguard(guard(text)) == text


def test_a_long_run_of_blanks_and_breaks_takes_no_long_time() -> None:
    began = time.process_time()
    guard("x" + "\n" * 200_000 + "' " * 200_000)
    assert time.process_time() - began < 5


def test_numbers_stay_numbers_and_nothing_is_blank() -> None:
    row = ["-0.5", -0.5, -2, True, None, "plain", 1e-07]
    found = list(csv.reader(io.StringIO(csv_text(["=name", *"bcdefg"], [row]))))
    assert found[0][0] == "'=name"
    assert found[1] == ["'-0.5", "-0.5", "-2", "1", "", "plain", "1e-07"]
    assert csv_text(["a"], [[-1 / 3]], line_end="\r\n", number=lambda value: f"{value:.2f}") == "a\r\n-0.33\r\n"
