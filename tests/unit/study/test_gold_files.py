from __future__ import annotations

from pathlib import Path

import pytest

from unit.study import studies
from visavis.study.gold import BadGold, read_golds, to_json


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{", '[{"left": []}]', '[{"left": [{"title": "a"}], "right": [{"title": "b"}], "questions": []}]',
     '[{"left": [{"title": ""}], "right": [{"title": "b"}], "questions": [1, 2, 3]}]', "[3]"],
)  # fmt: skip
def test_a_bad_gold_file_is_refused_in_one_line(tmp_path: Path, content: str) -> None:
    (tmp_path / "g.json").write_text(content)
    with pytest.raises(BadGold) as caught:
        read_golds(tmp_path / "g.json")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("g.json", to_json(studies.gold(0)).replace("Rivers rise 0.0", "\\ud800"), "questionnaire 1: .*lone surrogate"),
        ("g.csv", "gold,part,title\n1,left," + "x" * 140_000, "g.csv cannot be read: field larger"),
        ("g.jsonl", f"{to_json(studies.gold(0))}\n\n\n{{,", "g.jsonl, line 4, column 2: not JSON"),
    ],
)
def test_a_gold_file_that_cannot_be_used_is_refused_by_its_place(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(BadGold, match=message):
        read_golds(tmp_path / name)


def test_lines_end_where_json_says_and_leads_are_one_line(tmp_path: Path) -> None:
    odd = to_json(studies.gold(0)).replace("Water everywhere.", "Water\u2028every\\n\\nwhere.")
    (tmp_path / "g.jsonl").write_text(f"{odd}\n{odd}\n", encoding="utf-8")
    [found] = read_golds(tmp_path / "g.jsonl")
    assert found.left[0].lead == "Water every where."
