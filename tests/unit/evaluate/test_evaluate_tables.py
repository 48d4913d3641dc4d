from __future__ import annotations

import json
import re

import pytest

from visavis.errors import VisavisError
from visavis.evaluate import Evaluation, Plan, Result, compare_runs
from visavis.evaluate.figures import figure_spec
from visavis.evaluate.output import write_evaluation
from visavis.evaluate.results import read_evaluation, results_csv, sorted_results
from visavis.evaluate.tables import summary, table_md, table_tex
from visavis.shared.figures import draw

pytestmark = pytest.mark.usefixtures("figures_undrawn")
VALUES = {  # 1-nn at sizes 2 and 4, two splits each
    "kmeans": [(0.6, 0.8), (0.9, 0.9)],
    "random": [(0.7, 0.7), (0.5, 0.5)],
    "mmd-diff-greedy": [(0.5, 0.7), (0.8, 0.9)],
    "nn-comp-greedy": [(0.4, 0.4), (0.85, 0.85)],
}


def evaluation_of(values=VALUES, dataset="some & <data> | x", splits_key="same", ceiling=True):
    plan = Plan(methods=tuple(values), sizes=(2, 4), splits=2, classifiers=("1-nn",), dataset=dataset)
    rows = [
        Result(dataset, method, "1-nn", size, split, 0.5, None, None, accuracy)
        for method, by_size in values.items()
        for size, by_split in zip((2, 4), by_size, strict=True)
        for split, accuracy in enumerate(by_split)
    ]
    if ceiling:
        rows += [Result(dataset, "everything", "1-nn", 0, split, None, None, None, 0.95) for split in (0, 1)]
    facts = {
        "test_to_train": 0.25, "splits_key": splits_key, "version": "1", "groups": {"a": 9, "b": 9}, "documents": 18,
    }  # fmt: skip
    return Evaluation(sorted_results(rows), plan.describe(), facts)


def test_the_best_is_bold_the_second_italic_and_ties_share():
    lines = {line.split(" | ")[0].strip("| "): line for line in table_md(evaluation_of()).splitlines() if "±" in line}
    assert lines["kmeans"].startswith("| kmeans | **0.700 ± 1.556** | **0.900 ± .000** | 2 |")
    assert lines["random"].startswith("| random | **0.700 ± .000** | 0.500 ± .000 | 1 |")
    assert "| *0.600 ± 1.556* | *0.850 ± .778* | 0 |" in lines["mmd-diff-greedy"]
    assert "| 0.400 ± .000 | *0.850 ± .000* | 0 |" in lines["nn-comp-greedy"]


def test_every_interval_shown_is_corrected_for_overlapping_splits(tmp_path):
    evaluation = evaluation_of()
    cell = evaluation.cell("kmeans", "1-nn", 2)
    assert cell.corrected_half_width == pytest.approx(cell.half_width * 1.5**0.5)  # two splits, n_test/n_train = 1/4
    wide, narrow = f"{cell.corrected_half_width:.3f}", f"{cell.half_width:.3f}"
    shown = compare_runs(write(tmp_path / "a"), write(tmp_path / "b")).as_text()
    for text in (table_md(evaluation), table_tex(evaluation), shown):
        assert wide in text
        assert narrow not in text
    by_split = {"kmeans": [(0.70, 0.72), (0.8, 0.9)], "random": [(0.5, 0.6), (0.5, 0.6)]}
    own = evaluation_of(by_split).cell("kmeans", "1-nn", 2)
    data = figure_spec(evaluation_of(by_split))["datasets"].values()
    (row,) = [row for rows in data for row in rows if (row.get("method"), row.get("size")) == ("kmeans", "2")]
    assert row["high"] - row["mean"] == pytest.approx(own.corrected_half_width)
    assert row["mean"] - row["low"] == pytest.approx(own.corrected_half_width)


def test_wins_honor_ties():
    assert evaluation_of().wins() == {"kmeans": 2, "random": 1, "mmd-diff-greedy": 0, "nn-comp-greedy": 0}


def test_ceilings_are_told_apart_from_methods():
    evaluation = evaluation_of()
    assert [cell.mean for cell in evaluation.ceilings()] == [0.95]
    assert "everything" not in evaluation.wins()
    assert not any("everything" in (test.first, test.second) for test in evaluation.tests())
    assert evaluation_of(ceiling=False).ceilings() == ()


def test_untrusted_names_are_escaped():
    evaluation = evaluation_of(dataset="</script><b>|x_1%")
    assert table_md(evaluation).startswith("# \\</script\\>\\<b\\>\\|x\\_1%")
    assert "x\\_1\\%" in table_tex(evaluation)
    page = draw(figure_spec(evaluation), ".html", evaluation.dataset)
    assert "</script><b>" not in page
    assert "&lt;/script&gt;" in page


def test_the_latex_table_has_a_cell_for_every_setting():
    tex = table_tex(evaluation_of())
    assert r"\begin{tabular}{r|ll}" in tex
    assert r"kmeans & \textbf{0.700 $\pm$ 1.556} & \textbf{0.900 $\pm$ .000} \\" in tex
    assert tex.count(r"\\") == 2 + 4 + 1


def test_a_single_split_has_no_interval_and_no_test():
    values = {method: [(by_split[0],) for by_split in by_size] for method, by_size in VALUES.items()}
    evaluation = evaluation_of(values, ceiling=False)
    assert evaluation.tests() == ()
    assert "±" not in table_md(evaluation).split("\n", 4)[-1]
    assert draw(figure_spec(evaluation), ".png").startswith(b"\x89PNG")
    assert "kmeans" in summary(evaluation)


def test_tests_cover_every_pair_in_every_setting_and_over_all():
    tests = evaluation_of().tests()
    assert len(tests) == 6 * 3
    assert {(t.classifier, t.size) for t in tests} == {("1-nn", "2"), ("1-nn", "4"), ("all", "all")}
    (overall,) = [t for t in tests if (t.classifier, t.first, t.second) == ("all", "kmeans", "random")]
    assert overall.difference == pytest.approx((0.15 + 0.25) / 2)
    assert all(t.holm >= t.p_value for t in tests)


def test_the_summary_orders_methods_by_their_mean():
    lines = summary(evaluation_of()).splitlines()
    assert [line.split()[0] for line in lines[2:6]] == ["kmeans", "mmd-diff-greedy", "nn-comp-greedy", "random"]


def test_the_figure_has_a_panel_for_each_classifier_and_loads_nothing():
    spec = figure_spec(evaluation_of())
    assert [panel["title"] for panel in spec["hconcat"]] == ["1-nn"]
    assert draw(spec, ".pdf").startswith(b"%PDF")
    page = draw(spec, ".html", "title")
    assert "default-src 'none'" in page
    assert "unsafe-eval" not in page.split("</head>")[0]
    assert not re.search(r"<(script|link)[^>]+(src|href)=", page)


def test_written_numbers_read_back_the_same(tmp_path):
    values = {"kmeans": [(1 / 3, 0.1 + 0.2), (2 / 7, 1e-17)], "random": [(0.5, 0.5), (0.5, 0.5)]}
    evaluation = evaluation_of(values, dataset='a,"b"')
    write_evaluation(evaluation, tmp_path)
    assert read_evaluation(tmp_path).results == evaluation.results
    assert results_csv(read_evaluation(tmp_path).results) == (tmp_path / "results.csv").read_text()


def test_unreadable_results_are_told(tmp_path):
    write_evaluation(evaluation_of(), tmp_path)
    for name, content in (("results.csv", "dataset,method\nx,y\n"), ("run.json", "[]"), ("run.json", "{")):
        (tmp_path / name).write_text(content)
        with pytest.raises(VisavisError, match="cannot be read"):
            read_evaluation(tmp_path)


def write(folder, **told):
    folder.mkdir()
    write_evaluation(evaluation_of(**told), folder)
    return folder


def test_runs_on_the_same_splits_are_compared_pair_by_pair(tmp_path):
    better = {**VALUES, "random": [(0.8, 0.8), (0.61, 0.59)]}
    del better["kmeans"]
    found = compare_runs(write(tmp_path / "a"), write(tmp_path / "b", values=better))
    changes = {(c.first.method, c.first.size): c for c in found.changes}
    assert changes["random", 2].difference == pytest.approx(0.1)
    assert changes["random", 2].p_value == 0.0
    assert 0.0 < changes["random", 4].p_value < 0.2
    assert changes["nn-comp-greedy", 4].p_value == 1.0
    assert changes["everything", 0].difference == 0.0
    assert found.only_first == ("kmeans",)
    assert found.only_second == ()
    assert "methods" in found.differing
    json.dumps(found.as_record())
    assert "+0.100" in found.as_text()


def test_runs_on_other_splits_are_not_tested(tmp_path):
    found = compare_runs(write(tmp_path / "a"), write(tmp_path / "b", splits_key="other"))
    assert not found.paired
    assert all(change.p_value is None for change in found.changes)
    assert "no test is made" in found.as_text()


def test_runs_that_share_nothing_are_refused(tmp_path):
    other = {"kmedoids": [(0.1, 0.1), (0.1, 0.1)]}
    folders = write(tmp_path / "a", ceiling=False), write(tmp_path / "b", values=other, ceiling=False)
    with pytest.raises(VisavisError, match="share no method"):
        compare_runs(*folders)


@pytest.mark.parametrize(
    ("dataset", "subject"),
    [
        ("/home/me/secret/gun_control.jsonl.gz", "gun_control"),
        ("a/one.csv, b/two.csv, …", "one, two, …"),
        ("news.db::articles", "news"),
        ("sample", "sample"),
        (".hidden", ".hidden"),
        ("/home/me/secret/texts", "texts"),
        ("texts/", "texts"),
        ("v1.2 corpus.CSV", "v1.2 corpus"),
    ],
)
def test_figures_and_tables_are_titled_by_what_they_show_and_never_by_a_path(dataset, subject):
    evaluation = evaluation_of(dataset=dataset)
    assert evaluation.subject == subject
    title = figure_spec(evaluation)["title"]["text"]
    assert title == f"How well picks tell unseen documents apart: {subject}"
    assert "/" not in title + table_md(evaluation).partition("\n")[0] + summary(evaluation).partition("\n")[0]


@pytest.mark.parametrize("name", ["U.S. news", "pro/contra", "v1.2 corpus", "~100 speeches"])
def test_a_name_that_is_no_path_is_the_title_as_it_is(name):
    assert evaluation_of(dataset=name).subject == name
