"""How the groups differ: lines made of what was counted, the same in every report, and no claim without figures."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

from unit.report.summaries import large, news, outlets
from visavis.records import Summary, Term
from visavis.report import notebook_html, render
from visavis.report.differences import COUNTED, NOTES, PICK, WORD, differences
from visavis.report.short import in_short
from visavis.report.terminal import print_summary

LEFT = Term("undocumented", 46, 0.095, 17, 0.026, telling=True)
RIGHT = (
    Term("amnesty", 21, 0.21, 3, 0.03, telling=True),
    Term("illegal", 40, 0.4, 0, 0.0, telling=True),
    Term("border patrol", 9, 0.09, 1, 0.001, telling=True),
)


def sides(p: float | None = 0.001) -> Summary:
    """Two groups, one with words, whose first picks stand for a known share."""
    made = outlets()
    groups = []
    for group, name, terms in zip(made.groups, ("left", "right"), ((LEFT,), RIGHT), strict=True):
        shares = ((0.31, 0.04), (0.2, 0.2), (0.25, 0.1), (0.1, 0.3), (0.05, 0.01))
        picks = tuple(
            replace(pick, stands_for=own, stands_for_rest=rest)
            for pick, (own, rest) in zip(group.picks, shares, strict=True)
        )
        groups.append(replace(group, name=name, terms=terms, picks=picks))
    test = replace(made.test[0], groups=("left", "right"), p_value=p, adjusted=p)
    return replace(made, groups=tuple(groups), test=(test,))


def plain(text: str) -> str:
    return text.replace("\u202f", " ")


def test_a_line_gives_words_and_themes_with_the_shares_of_both_groups() -> None:
    made = sides()
    titles = [made.groups[1].picks[place].document.title for place in (0, 2)]
    line = differences(made).lines[1]
    assert plain(line.text) == (
        "amnesty is in 21 % of right and 3 % of left, illegal in 40 % and none, border patrol in 9 % and under 1 %. "
        f"“{titles[0]}” stands for 31 % and 4 %; “{titles[1]}” for 25 % and 10 %."
    )
    assert [piece.text for piece in line.pieces if piece.kind == WORD] == ["amnesty", "illegal", "border patrol"]
    assert [piece.place for piece in line.pieces if piece.kind == PICK] == [0, 2]


def test_a_pick_that_stands_for_no_more_of_its_group_than_of_the_rest_is_no_theme() -> None:
    made = sides()
    group = made.groups[0]
    even = replace(group, picks=tuple(replace(pick, stands_for_rest=pick.stands_for) for pick in group.picks))
    line = differences(replace(made, groups=(even, made.groups[1]))).lines[0]
    assert not [piece for piece in line.pieces if piece.kind == PICK]


@pytest.mark.parametrize(("p", "outcome"), [(0.3, "not shown"), (None, "undecided")])
def test_without_a_shown_difference_none_is_claimed(p: float | None, outcome: str) -> None:
    made = sides(p)
    found = differences(made)
    assert (found.heading, found.note) == (COUNTED, NOTES[outcome])
    for text in (render(made, ".html"), render(made, ".md"), notebook_html(made), render(made, ".json")):
        assert "How they differ" not in text
        assert NOTES[outcome] in text


def test_a_group_without_telling_words_says_so() -> None:
    made = sides()
    bare = replace(made, groups=(replace(made.groups[0], terms=()), made.groups[1]))
    said = plain(differences(bare).lines[0].text)
    assert said.startswith("No word is clearly more frequent in left than elsewhere. “")
    assert "stands for 31 % of left and 4 % of right; " in said


def test_gaps_that_are_not_shown_to_be_more_than_chance_say_so_everywhere() -> None:
    made = sides()
    terms = tuple(replace(term, telling=False) for term in made.groups[0].terms)
    made = replace(made, groups=(replace(made.groups[0], terms=terms), made.groups[1]))
    line, other = (plain(entry.text) for entry in differences(made).lines)
    assert line.startswith("Largest gaps, which could be chance: undocumented is in 10 % of left and 3 % of right.")
    assert other.startswith("amnesty is in 21 %")
    file = io.StringIO()
    print_summary(made, Console(file=file, width=600, color_system=None))
    for text in (render(made, ".html"), render(made, ".md"), notebook_html(made), file.getvalue()):
        assert text.count("Largest gaps, which could be chance") >= 2  # in its line, and above its words
    record = json.loads(render(made, ".json"))
    assert [term["telling"] for group in record["groups"] for term in group["terms"]] == [False, True, True, True]


def test_every_report_has_the_same_lines() -> None:
    made = sides()
    file = io.StringIO()
    print_summary(made, Console(file=file, width=600, color_system=None))
    told = [entry["line"] for entry in json.loads(render(made, ".json"))["differences"]["lines"]]
    for line, known in zip(differences(made).lines, told, strict=True):
        assert line.text == known
        assert line.text in file.getvalue()
        assert plain(line.text) in plain(render(made, ".md")).replace("*", "")
        last = line.pieces[-2].text
        assert last in render(made, ".html")
        assert last in notebook_html(made)


def test_many_groups_have_short_lines() -> None:
    few, many = differences(news()), differences(large())
    assert [sum(piece.kind == WORD for piece in line.pieces) for line in few.lines] == [3] * 4
    assert [sum(piece.kind == WORD for piece in line.pieces) for line in many.lines] == [1] * 14
    assert max(len(line.text) for line in many.lines) < 90
    assert "Feb 2024" in few.lines[0].text


def test_a_print_says_what_its_lines_do_not_show() -> None:
    chance, differ = in_short(outlets()), in_short(news())
    assert "What each group holds, as counted. Counts, not evidence: the test does not show" in chance
    assert "\nHow they differ:\n" in differ
    assert max(len(chance.splitlines()), len(differ.splitlines())) <= 12
