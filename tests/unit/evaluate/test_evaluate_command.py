from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from visavis.cli.evaluate import evaluate
from visavis.errors import Incompatible, UnknownName, VisavisError

FAST = ["--splits", "2", "--sizes", "2,3", "--methods", "kmeans,random", "--no-ceilings", "--jobs", "1"]


def run(*words):
    return CliRunner().invoke(evaluate, list(map(str, words)), catch_exceptions=True)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    return run("--dataset", "digits", *FAST, "--out", folder), folder


@pytest.fixture(autouse=True)
def _the_others_draw_no_figures(finished, monkeypatch):  # noqa: ARG001 (it draws them first)
    monkeypatch.setattr("visavis.evaluate.output.draw", lambda *_: "undrawn")


def test_a_data_set_by_name_gives_a_summary_and_all_files(finished):
    done, folder = finished
    assert done.exit_code == 0, done.output
    assert "kmeans" in done.stdout
    assert {path.name for path in folder.iterdir()} == {
        "journal.jsonl", "results.csv", "timings.csv", "run.json", "wins.csv", "tests.csv", "means.csv", "table.md",
        "table.tex", "figure.html", "figure.png", "figure.pdf",
    }  # fmt: skip
    for name, start in (("figure.html", b"<!doctype html>"), ("figure.png", b"\x89PNG"), ("figure.pdf", b"%PDF")):
        assert (folder / name).read_bytes().startswith(start)


def test_json_goes_to_stdout_alone(finished):
    done = run("--dataset", "digits", *FAST, "--out", finished[1], "--json")
    record = json.loads(done.stdout)
    assert set(record["wins"]) == {"kmeans", "random"}
    assert record["plan"]["init"] == "kmeans"
    assert len(record["cells"]) == 8


def test_another_plan_in_the_same_folder_is_refused(finished):
    done = run("--dataset", "digits", *FAST, "--seed", "1", "--out", finished[1])
    assert isinstance(done.exception, VisavisError)
    assert "it differs in seed" in str(done.exception)


def test_documents_are_embedded_without_near_duplicates(tmp_path):
    done = run("--dataset", "sample", *FAST, "--embedder", "tfidf", "--out", tmp_path)
    assert done.exit_code == 0, done.output
    assert "near-duplicates left out" in done.stdout
    run_facts = json.loads((tmp_path / "run.json").read_text())
    assert len(run_facts["facts"]["groups"]) == 4
    assert run_facts["plan"]["embedding"] == "tfidf"


def test_files_are_grouped_by_a_column(tmp_path):
    words = ["apple pear plum grape", "train bus tram ship"]
    rng = np.random.default_rng(0)
    rows = [
        {"id": str(n), "text": " ".join(rng.permutation(words[n % 2].split() * 3)) + f" {n}", "side": "ab"[n % 2]}
        for n in range(60)
    ]
    source = tmp_path / "docs.jsonl"
    source.write_text("\n".join(map(json.dumps, rows)))
    done = run(source, "--by", "side", *FAST, "--embedder", "tfidf", "--keep-duplicates", "--out", tmp_path / "out")
    assert done.exit_code == 0, done.output
    cells = json.loads(run(source, "--by", "side", *FAST, "--embedder", "tfidf", "--keep-duplicates", "--json", "--out",
                           tmp_path / "out").stdout)["cells"]  # fmt: skip
    assert min(cell["mean"] for cell in cells) == 1.0


def test_hdf5_files_bring_vectors_and_splits(tmp_path):
    h5py = pytest.importorskip("h5py")
    rng = np.random.default_rng(0)
    groups = np.arange(60) % 2
    with h5py.File(tmp_path / "news.h5", "w") as file:
        file["data"] = rng.normal(size=(60, 4)) + 5 * groups[:, None]
        file["title"] = [f"title {n}".encode() for n in range(60)]
        file["target"] = groups
        file["train_idxs"] = np.stack([np.arange(0, 42), np.arange(18, 60)])
        file["val_idxs"] = np.stack([np.arange(42, 48), np.arange(12, 18)])
        file["test_idxs"] = np.stack([np.arange(48, 60), np.arange(0, 12)])
    done = run("--dataset", tmp_path / "news.h5", *FAST, "--out", tmp_path / "out")
    assert done.exit_code == 0, (done.output, done.exception)
    facts = json.loads((tmp_path / "out" / "run.json").read_text())["facts"]
    assert (facts["train"], facts["test"]) == ([48, 48], [12, 12])


def test_two_runs_are_put_side_by_side(finished, tmp_path):
    run("--dataset", "digits", *FAST[:-2], "--methods", "random", "--jobs", "1", "--out", tmp_path)
    done = run("compare", finished[1], tmp_path)
    assert done.exit_code == 0, (done.output, done.exception)
    assert done.stdout.count("| random |") == 4
    assert "+0.000" in done.stdout
    assert json.loads(run("compare", finished[1], tmp_path, "--json").stdout)["paired"] is True


@pytest.mark.parametrize(
    "words",
    [(), ("a.csv", "--dataset", "digits"), ("compare", "a"), ("--dataset", "digits", "--sizes", "2,x")],
)
def test_a_command_that_makes_no_sense_is_exit_2(words):
    assert run(*words).exit_code == 2


def test_unknown_data_sets_are_named():
    done = run("--dataset", "mnist", *FAST)
    assert isinstance(done.exception, UnknownName)
    assert "usps, digits, sample" in str(done.exception)


def test_an_interruption_says_how_to_go_on(monkeypatch, tmp_path):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("visavis.evaluate.run._work_all", interrupt)
    done = run("--dataset", "digits", *FAST, "--out", tmp_path)
    assert done.exit_code != 0
    assert "the same command continues" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("--only", "3"), ("--by", "label"), ("--filter", "x == 1"), ("--embedder", "glove"), ("--group", "a=1..2"),
        ("--keep-duplicates",), ("--lead", "all"), ("--min-size", "3"), ("--text", "story"), ("--date-order", "dmy"),
    ],
)  # fmt: skip
def test_what_a_data_set_cannot_use_is_refused(words, tmp_path):
    done = run("--dataset", "digits", *words, *FAST, "--out", tmp_path)
    assert isinstance(done.exception, Incompatible)
    assert f"{words[0]} does not go with --dataset digits" in str(done.exception)


def test_a_file_that_is_read_is_never_overwritten(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results.csv").write_text("text,side\n" + "apple pear,a\nbus tram,b\n" * 30)
    before = (tmp_path / "results.csv").read_bytes()
    done = run("results.csv", "--by", "side", *FAST, "--out", ".")
    assert done.exit_code == 2
    assert "overwrite" in done.output
    assert (tmp_path / "results.csv").read_bytes() == before


def test_another_programs_journal_is_left_alone(tmp_path):
    (tmp_path / "journal.jsonl").write_text('{"mine": 1}\n')
    done = run("--dataset", "digits", *FAST, "--out", tmp_path)
    assert isinstance(done.exception, VisavisError)
    assert (tmp_path / "journal.jsonl").read_text() == '{"mine": 1}\n'


def test_a_source_is_always_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("articles", "--by", "side", *FAST)
    assert "no such file" in str(done.exception)


def test_a_group_that_loses_all_its_documents_is_named(tmp_path):
    rng = np.random.default_rng(1)
    words = np.array([f"word{n}" for n in range(300)])
    texts = [" ".join(rng.choice(words, 12)) for _ in range(40)]
    rows = [f"{text},{'ab'[n % 2]}" for n, text in enumerate(texts)] + [f"{text},c" for text in texts[:4]]
    (tmp_path / "vanish.csv").write_text("text,side\n" + "\n".join(rows) + "\n")
    done = run(tmp_path / "vanish.csv", "--by", "side", *FAST, "--embedder", "tfidf", "--out", tmp_path / "out")
    assert "group 'c' has no document left" in done.stdout
