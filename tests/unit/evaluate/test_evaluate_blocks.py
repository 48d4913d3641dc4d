"""Evaluations that hold out whole blocks: what they are made of, what they say, how they go on."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from visavis.cli.evaluate import evaluate as command
from visavis.comparing.candidates import find_candidates
from visavis.comparing.documents import DocumentOptions
from visavis.comparing.options import CompareOptions
from visavis.comparing.prepare import group_documents, prepare
from visavis.errors import Incompatible, InvalidParameter, TooFewDocuments, UnknownName, VisavisError
from visavis.evaluate import Plan, compare_runs, evaluate
from visavis.evaluate.figures import figure_spec
from visavis.evaluate.material import load_material
from visavis.evaluate.run import _source

pytestmark = pytest.mark.usefixtures("figures_undrawn")
OUTLETS = 12
QUICK = {"methods": ("kmeans", "mmd-diff-greedy"), "sizes": (6,), "splits": 2, "grid": "fixed", "ceilings": False}
WORDS = ["--methods", "kmeans,mmd-diff-greedy", "--sizes", "6", "--splits", "2", "--grid", "fixed", "--no-ceilings"]
LASTING = ("results.csv", "run.json", "wins.csv", "tests.csv", "means.csv", "table.md", "table.tex")


def rows(each=14):
    """Outlets of two sides: each has its own vectors, and sides have nothing in common."""
    rng = np.random.default_rng(5)
    centers = 3.0 * rng.normal(size=(OUTLETS, 8))
    made = []
    for n in range(each * OUTLETS):
        outlet = n % OUTLETS
        made.append(
            {
                "id": f"d{n}", "text": f"word{n} thing{7 * n} place{n % 31}", "side": ("left", "right")[outlet % 2],
                "outlet": f"outlet {outlet}", "published": f"2024-03-{1 + n % 28:02}",
                "vector": (centers[outlet] + rng.normal(size=8)).tolist(),
            }
        )  # fmt: skip
    return made


ROWS = rows()


def material_of(blocks="none"):
    return load_material(ROWS, DocumentOptions(by="side", embedder="column:vector"), blocks=blocks)


def evaluate_material(material, folder=None, progress=None, jobs=1, **told):
    plan = material.plan(**{**QUICK, "dataset": "outlets", **told})
    return evaluate(
        material.vectors, material.groups, plan, splits=material.splits_for(plan), notes=material.notes,
        blocks=material.blocks, folder=folder, progress=progress, jobs=jobs,
    )  # fmt: skip


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("blocks")
    return evaluate_material(material_of("outlet"), folder=folder), folder


def contents(folder):
    return {name: (folder / name).read_bytes() for name in LASTING}


@pytest.mark.parametrize("told", ["outlet", "published:week", "auto"])
def test_blocks_are_those_of_a_comparison(told):
    options = CompareOptions(by="side", embedder="column:vector", blocks=told)
    prepared = prepare(ROWS, options.reading)
    theirs = find_candidates(prepared, group_documents(prepared, options.grouping), options).blocks
    ours = material_of(told).blocks
    assert (ours.by, ours.codes.tolist()) == (theirs.by, theirs.codes.tolist())


def test_what_was_held_out_is_told_everywhere(finished):
    found, folder = finished
    assert found.facts["blocks"] == {"by": "outlet", "count": OUTLETS}
    note = f"documents of one block (by outlet, {OUTLETS} blocks) were held out together"
    for name in ("run.json", "table.md", "table.tex"):
        text = (folder / name).read_text().replace("\\(", "(").replace("\\)", ")")
        assert note in text
    assert "blocks (by outlet) held out whole" in json.dumps(figure_spec(found))
    plain = evaluate_material(material_of())
    assert plain.facts["blocks"] is None
    assert "block" not in json.dumps([*plain.notes, figure_spec(plain)])


def test_what_outlets_have_of_their_own_no_longer_counts():
    told = {"methods": ("kmeans",), "classifiers": ("1-nn",), "splits": 12}
    plain, held = (evaluate_material(material_of(by), **told).cell("kmeans", "1-nn", 6) for by in ("none", "outlet"))
    assert plain.mean > 0.9
    assert 0.3 < held.mean < 0.7


def test_two_processes_or_a_second_attempt_change_nothing(finished, tmp_path):
    evaluate_material(material_of("outlet"), folder=tmp_path / "two", jobs=2)
    assert contents(tmp_path / "two") == contents(finished[1])

    def interrupt(done, *_):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate_material(material_of("outlet"), folder=tmp_path / "again", progress=interrupt)
    told = []
    evaluate_material(material_of("outlet"), folder=tmp_path / "again", progress=lambda done, *_: told.append(done))
    assert told == [2, 3, 4]
    assert contents(tmp_path / "again") == contents(finished[1])


def test_other_blocks_are_another_run(finished, tmp_path):
    for blocks in ("none", "published:week"):
        with pytest.raises(VisavisError, match=r"another evaluation \(it differs in blocks\)"):
            evaluate_material(material_of(blocks), folder=finished[1])
    evaluate_material(material_of(), folder=tmp_path)
    found = compare_runs(tmp_path, finished[1])
    assert (found.differing, found.paired) == (("blocks",), False)


def test_the_same_splits_with_other_blocks_are_another_run():
    vectors, groups, plan = np.eye(24), np.repeat([0, 1], 12), Plan(methods=("random",), sizes=(1,), splits=1)
    splits = [(np.arange(24)[np.arange(24) % 4 != 3], np.arange(3, 24, 4))]
    blocks = (None, np.arange(24) % 12 % 4, range(24))
    keys = {_source(vectors, groups, plan, splits, one).digest(plan, "1") for one in blocks}
    assert len(keys) == 3


def test_where_nothing_belongs_together_documents_are_held_out_alone():
    alone = material_of("id")
    assert alone.blocks is None
    assert "no two documents were found to belong to one block" in alone.notes[-1]
    assert evaluate_material(alone).results == evaluate_material(material_of()).results


def test_splits_that_a_file_brings_are_not_used_with_blocks(tmp_path):
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "own.h5", "w") as file:
        file["data"] = np.array([row["vector"] for row in ROWS], np.float32)
        for name in ("title", "side", "outlet"):
            file[name] = [row["text" if name == "title" else name].encode() for row in ROWS]
        file["train_idxs"], file["val_idxs"] = np.arange(120)[None], np.arange(120, 140)[None]
        file["test_idxs"] = np.arange(140, 168)[None]
    options = DocumentOptions(by="side")
    assert len(load_material(tmp_path / "own.h5", options).splits) == 1
    bound = load_material(tmp_path / "own.h5", options, blocks="outlet")
    assert bound.splits_for(bound.plan(**QUICK)) is None
    assert bound.notes == ("the splits that the file brings were not used: they may part blocks",)


@pytest.mark.parametrize(
    ("blocks", "error", "told"),
    [
        ("nowhere", UnknownName, "nowhere"),
        (("auto", "outlet"), InvalidParameter, "'auto' or 'none' alone"),
        ("side", TooFewDocuments, r"'left' has 1 block \(by side\), but a test part and 3 folds need 4"),
    ],
)
def test_blocks_that_make_no_sense_are_refused(blocks, error, told):
    with pytest.raises(error, match=told):
        evaluate_material(material_of(blocks))


def run(*words):
    return CliRunner().invoke(command, list(map(str, words)))


def test_the_command_holds_out_blocks(tmp_path):
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, ROWS)))
    told = [tmp_path / "rows.jsonl", "--by", "side", "--embedder", "column:vector", *WORDS, "--jobs", "1"]
    done = run(*told, "--blocks", "outlet", "--out", tmp_path / "out")
    assert done.exit_code == 0, (done.output, done.exception)
    assert f"(by outlet, {OUTLETS} blocks) were held out together" in done.stdout
    record = json.loads(run(*told, "--blocks", "outlet", "--out", tmp_path / "out", "--json").stdout)
    assert record["facts"]["blocks"] == {"by": "outlet", "count": OUTLETS}
    two = run(*told, "--blocks", "published:week", "--blocks", "outlet", "--out", tmp_path / "two")
    assert "(by published:week, 5 blocks)" in two.stdout


def test_a_data_set_without_documents_refuses_blocks(tmp_path):
    done = run("--dataset", "digits", "--blocks", "auto", *WORDS, "--out", tmp_path)
    assert isinstance(done.exception, Incompatible)
    assert str(done.exception) == "--blocks does not go with --dataset digits, which has no columns to tell blocks by"
