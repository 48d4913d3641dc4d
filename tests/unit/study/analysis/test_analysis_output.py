from __future__ import annotations

import base64
import csv
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from unit.study.crowd_table import golden_judgements
from visavis.cli.study_analyze import analyze as command
from visavis.corpus.errors import Unreadable
from visavis.study.analysis import Options, analyze
from visavis.study.analysis.files import is_table, read_judgements, read_shown
from visavis.study.analysis.output import as_html, as_json, as_markdown
from visavis.study.analysis.results import Analysis, ClassifierResults, PairScore
from visavis.study.records import COLUMNS, Judgement

EVIL = "\U0001f600\U0001f600<script>alert(1)</script>\"'><img src=x onerror=alert(1)>|`$x$`\x1b[31m\u202e"
FEW = Options(resamples=50)


def rows(**more: object) -> list[dict[str, object]]:
    base = {
        "question": "q1", "method": "x", "group_a": "left", "group_b": "right", "chosen": "left", "truth": "left",
        "seconds": "12.5", "gold": "0", "excluded": "", "comment": "", "questionnaire": "3",
    }  # fmt: skip
    return [{**base, "worker": str(worker), **more} for worker in range(3)]


def write(path: Path, records: list[dict[str, object]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(records[0]))
        writer.writeheader()
        writer.writerows(records)
    return path


def evil_study() -> Analysis:
    records = [
        Judgement(str(q), method, (EVIL, "b"), str(w), EVIL, EVIL if w else "b", comment=EVIL, questionnaire="1")
        for q in range(2)
        for method in (EVIL, "plain")
        for w in range(3)
    ]
    scores = tuple(
        PairScore(judge, "same", method, (EVIL, "b"), 0.5) for judge in ("svm", "1-nn") for method in (EVIL, "plain")
    )
    return replace(
        analyze(records, Options(resamples=50, title=EVIL)), classifiers=ClassifierResults(scores, 0.75, EVIL)
    )


class Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.attributes: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        if tag == "link":
            self.links.append(dict(attrs)["href"] or "")
        else:
            self.attributes |= {name for name, _ in attrs}


def test_page_shows_foreign_text_as_text_and_needs_no_inline_style_or_script() -> None:
    page = as_html(evil_study())
    found = Elements()
    found.feed(page)
    assert not {"script", "img", "iframe", "object", "a", "image", "use", "foreignobject"} & set(found.names)
    assert [link.partition(",")[0] for link in found.links] == ["data:image/svg+xml"]  # the icon
    assert not {name for name in found.attributes if name.startswith("on") or name in ("style", "src", "href")}
    assert "&lt;script&gt;" in page
    assert "\x1b" not in page
    assert "\u202e" not in page


def test_page_policy_lets_in_its_own_style_alone() -> None:
    page = as_html(evil_study())
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert style
    assert policy
    digest = base64.b64encode(hashlib.sha256(style.group(1).encode()).digest()).decode()
    rules = dict(rule.strip().split(" ", 1) for rule in policy.group(1).replace("&#39;", "'").split(";"))
    assert rules == {
        "default-src": "'none'", "style-src": f"'sha256-{digest}'", "img-src": "data:", "base-uri": "'none'",
        "form-action": "'none'",
    }  # fmt: skip


def test_page_has_every_figure_for_every_reading_and_each_names_its_caption() -> None:
    scores = tuple(PairScore("svm", "same", m, ("2017-06", "2018-03"), 0.5) for m in ("kmeans", "mmd-diff-grad"))
    found = replace(analyze(golden_judgements(), FEW), classifiers=ClassifierResults(scores, 0.8))
    page = as_html(found)
    captions = set(re.findall(r'<figcaption id="([^"]+)"', page))
    assert captions == {
        f"{kind}-{one}-caption" for kind in ("boxes", "density", "levels") for one in ("published", "shown")
    }
    assert set(re.findall(r'<svg [^>]*aria-labelledby="([^"]+)"', page)) == captions
    assert "dashed line" in page


def test_markdown_escapes_foreign_text_and_keeps_its_tables_whole() -> None:
    text = as_markdown(evil_study())
    assert "<script>" not in text
    assert "\x1b" not in text
    tables = [line for line in text.splitlines() if line.startswith("|")]
    widths = {len(re.findall(r"(?<!\\)\|", line)) for line in tables}
    assert widths <= {9, 8, 5, 6, 7}
    assert len(tables) > 10


def test_markdown_writes_numbers_as_they_are() -> None:
    text = as_markdown(analyze(golden_judgements(), FEW))
    assert "| kmeans | 54 | 27 | 24 | 21 | 0.418 | 0.428 |" in text
    assert "| mmd-diff-grad | kmeans | 51 | 27 | 48 | 0.0044 | 0.053 |" in text
    assert "In 41 of 168 questionnaires the recorded order" in text


def test_words_tell_a_lead_that_holds_from_one_that_does_not() -> None:
    published, shown = as_markdown(analyze(golden_judgements(), FEW)).split("## By what was shown")
    assert "before Holm's correction for the number of tests" in published
    assert "called moderate on what is right (Fleiss κ 0.451)" in published
    assert "not clearly better than any other method" in shown
    assert "called fair on what is right (Fleiss κ 0.349)" in shown


def test_one_method_alone_makes_a_whole_report() -> None:
    records = [Judgement("q", "only", ("a", "b"), str(w), "a", "a") for w in range(3)]
    found = analyze(records, FEW)
    assert "3 of 3" in as_html(found)
    assert json.loads(as_json(found))["readings"][0]["sign_tests"] == []
    assert json.loads(as_json(found))["readings"][0]["methods"][0]["kappa_correct"] is None


def test_file_with_names_of_groups_is_read(tmp_path: Path) -> None:
    found = read_judgements(write(tmp_path / "j.csv", rows(comment="'=1+1", gold="true", excluded="1")))
    expected = Judgement(
        "q1", "x", ("left", "right"), "0", "left", "left", 12.5, gold=True, excluded=True, comment="=1+1",
        questionnaire="3",
    )  # fmt: skip
    assert found[0] == expected
    assert len(found) == 3


def test_only_a_leading_guard_is_taken_off_and_only_in_tables(tmp_path: Path) -> None:
    told = ["it's'=x", "'plain", "' =x", "'\n=x"]
    table = write(tmp_path / "j.csv", [{**rows()[0], "worker": str(k), "comment": text} for k, text in enumerate(told)])
    assert [one.comment for one in read_judgements(table)] == ["it's'=x", "'plain", " =x", "\n=x"]
    lines = tmp_path / "j.jsonl"
    lines.write_text(json.dumps({**rows()[0], "comment": "'=x"}) + "\n", encoding="utf-8")
    assert read_judgements(lines)[0].comment == "'=x"


def test_gold_rows_need_no_method(tmp_path: Path) -> None:
    path = write(tmp_path / "j.csv", [*rows(), *rows(method="", gold="1")])
    found = analyze(path, FEW)
    assert (found.gold, [method.name for method in found.readings[0].methods]) == (3, ["x"])
    with pytest.raises(Unreadable, match="method is blank"):
        read_judgements(write(tmp_path / "k.csv", rows(method="")))


def test_rows_of_judgements_written_as_json_lines_come_back(tmp_path: Path) -> None:
    judgement = Judgement("q", "x", ("a", "b"), "w", "b", "a", 3.25, True, False, "so\nso", None, "7", "doc-1")
    path = tmp_path / "j.jsonl"
    path.write_text(json.dumps(judgement.row()) + "\n", encoding="utf-8")
    assert tuple(judgement.row()) == COLUMNS
    assert read_judgements(path) == [judgement]


def test_numbered_groups_are_told_by_side_and_named_by_the_questionnaires(tmp_path: Path) -> None:
    record = {"method": "x", "worker": "1", "article": "9", "i": "1", "j": "0", "label": "1", "answer_published": "0"}
    path = write(tmp_path / "j.csv", [{**record, "answer_shown": "1", "page_seconds": "120"}])
    names = {"method": "x", "i": "1", "j": "0", "month_i": "May", "month_j": "June", "protos_i": "4 5", "protos_j": "6"}
    shown = write(tmp_path / "s.csv", [names])
    (plain,) = read_judgements(path)
    assert (plain.pair, plain.truth, plain.chosen, plain.published, plain.seconds) == (("1", "0"), "0", "0", "1", 10.0)
    (named,) = read_judgements(path, shown, unit=6)
    assert (named.pair, named.chosen, named.published, named.seconds) == (("May", "June"), "June", "May", 20.0)
    assert read_shown(shown)[0].picks == {"May": ("4", "5"), "June": ("6",)}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"seconds": "soon"}, "row 1: seconds must be a number"),
        ({"seconds": "-1"}, "seconds must be a number of at least 0"),
        ({"seconds": "inf"}, "seconds must be a number"),
        ({"gold": "perhaps"}, "gold must be 0 or 1, got 'perhaps'"),
        ({"chosen": ""}, "chosen is blank"),
    ],
)
def test_a_bad_cell_is_refused_with_its_row(tmp_path: Path, more: dict[str, object], message: str) -> None:
    with pytest.raises(Unreadable, match=message):
        read_judgements(write(tmp_path / "j.csv", rows(**more)))


def test_missing_columns_are_named(tmp_path: Path) -> None:
    path = tmp_path / "j.csv"
    path.write_text("method,worker\nx,1\n", encoding="utf-8")
    with pytest.raises(Unreadable, match=r"group_a and group_b, answer_shown or chosen, label or truth, question or"):
        read_judgements(path)
    with pytest.raises(Unreadable, match="judgements are read from"):
        read_judgements(tmp_path / "j.xlsx")


def test_databases_are_not_taken_for_tables() -> None:
    assert is_table("a.CSV")
    assert is_table("a.jsonl.gz")
    assert not is_table("study.db")
    assert not is_table("postgresql://localhost/study")


def test_command_prints_json_alone_and_writes_what_is_asked(tmp_path: Path) -> None:
    source = write(tmp_path / "j.csv", rows())
    run = CliRunner().invoke(command, [str(source), "--json", "--resamples", "50"])
    assert run.exit_code == 0, run.output
    assert json.loads(run.stdout)["readings"][0]["methods"][0]["correct"] == 3
    page, text = tmp_path / "r.html", tmp_path / "r.md"
    run = CliRunner().invoke(command, [str(source), "-o", str(page), "-o", str(text), "--heading", "A <b>"])
    assert run.exit_code == 0, run.output
    assert run.stdout == ""
    assert "A &lt;b&gt;" in page.read_text(encoding="utf-8")
    assert text.read_text(encoding="utf-8").startswith("# A \\<b\\>")


def test_command_prints_markdown_where_nothing_else_is_asked(tmp_path: Path) -> None:
    run = CliRunner().invoke(command, [str(write(tmp_path / "judged.csv", rows()))])
    assert run.stdout.startswith("# What people made of judged.csv")


def test_command_refuses_outputs_without_a_format_and_its_own_input(tmp_path: Path) -> None:
    source = tmp_path / "j.json"
    source.write_text(json.dumps(rows()), encoding="utf-8")
    for output, message in ((tmp_path / "r.pdf", "no known format"), (source, "is also an input")):
        run = CliRunner().invoke(command, [str(source), "-o", str(output)])
        assert run.exit_code == 2
        assert message in run.output
    assert json.loads(source.read_text(encoding="utf-8")) == rows()


def test_comments_below_one_questionnaire_appear_once() -> None:
    records = [Judgement(str(q), "x", ("a", "b"), "1", "a", "a", comment="hard", questionnaire="1") for q in range(3)]
    found = analyze([*records, replace(records[0], question="9", worker="2", comment="easy")], FEW)
    assert [comment.text for comment in found.comments] == ["hard", "easy"]
    assert as_html(found).count("<blockquote>") == 2
