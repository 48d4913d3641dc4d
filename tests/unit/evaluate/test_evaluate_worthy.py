"""Evaluations that pick only among documents worth showing: who these are, what is said of it, how runs go on."""

from __future__ import annotations

import csv
import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image
from sklearn.datasets import load_digits

import visavis
from visavis.cli.evaluate import evaluate as command
from visavis.comparing.candidates import find_candidates
from visavis.comparing.documents import DocumentOptions
from visavis.comparing.options import CompareOptions
from visavis.comparing.prepare import group_documents, prepare
from visavis.errors import Incompatible, InvalidParameter, VisavisError
from visavis.evaluate import Plan, compare_runs, evaluate, read_evaluation
from visavis.evaluate.figures import figure_spec
from visavis.evaluate.material import load_material
from visavis.evaluate.variety_figure import variety_spec
from visavis.select.methods import METHODS

pytestmark = pytest.mark.usefixtures("figures_undrawn")
# Boilerplate and an open lead are of all that was read, so that a file of fewer documents would read otherwise.
READING = {"by": "outlet", "lead": 3, "boilerplate": "keep", "embedder": "tfidf"}
QUICK = {"sizes": (2, 4), "splits": 2, "grid": "fixed", "ceilings": False, "candidates": "worthy", "dataset": "sample"}
LASTING = ("results.csv", "run.json", "wins.csv", "tests.csv", "means.csv", "table.md", "table.tex")


def run_material(material, folder=None, **told):
    splits, jobs, progress = (told.pop(name, None) for name in ("splits_given", "jobs", "progress"))
    plan = material.plan(**{**QUICK, **told})
    return evaluate(
        material.vectors, material.groups, plan, splits=splits, folder=folder, jobs=jobs or 1, progress=progress,
        notes=material.notes, worthy=material.worthy, blocks=material.blocks,
    )  # fmt: skip


def picks_in(folder):
    """What the journal says was picked: rows by split, method and size."""
    lines = [json.loads(line) for line in (folder / "journal.jsonl").read_text().splitlines()[1:]]
    return {
        (line["split"], line["method"], row["size"], row["classifier"]): row["picks"]
        for line in lines
        for row in line["rows"]
    }


def contents(folder):
    return {name: (folder / name).read_bytes() for name in LASTING}


@pytest.fixture(scope="module")
def sample():
    return load_material(None, DocumentOptions(**READING), "sample")


@pytest.fixture(scope="module")
def splits(sample):
    n = len(sample.groups)
    parts = [np.arange(n) % 5 == 0, np.random.default_rng(1).permutation(n) % 5 == 0]
    return [(np.flatnonzero(~part), np.flatnonzero(part)) for part in parts]


@pytest.fixture(scope="module")
def finished(sample, splits, tmp_path_factory):
    """Every method there is, on both splits."""
    folder = tmp_path_factory.mktemp("worthy")
    return run_material(sample, folder, splits_given=splits, classifiers=("1-nn",), methods=tuple(METHODS)), folder


def documents_of(material):
    return material.vectors.rules.corpus.documents


def as_file(material, rows):
    """These documents as if they were all that there is."""
    return [dict(documents_of(material)[row].fields) for row in rows.tolist()]


def test_no_pick_of_any_method_is_set_aside_in_a_comparison_of_the_training_part(sample, splits, finished):
    options = CompareOptions(**READING, size=max(QUICK["sizes"]))
    picked = picks_in(finished[1])
    assert len(picked) == len(METHODS) * 2 * 2
    for number, (train, _) in enumerate(splits):
        prepared = prepare(as_file(sample, train), options.reading)
        theirs = find_candidates(prepared, group_documents(prepared, options.grouping), options)
        story = {d.id: s for d, s in zip(theirs.grouping.corpus.documents, theirs.points.stories, strict=True)}
        may = {d.id for d, mark in zip(theirs.grouping.corpus.documents, theirs.allowed, strict=True) if mark}
        assert len(may) < len(train) / 2
        for (split, method, size, _), rows in picked.items():
            ids = [documents_of(sample)[row].id for row in rows]
            if split == number:
                assert set(ids) <= may, method
                told = {(sample.groups[row], story[name]) for row, name in zip(rows, ids, strict=True)}
                assert len(told) == len(ids) == 4 * size, method


def test_all_sizes_have_the_candidates_of_the_largest(sample, splits, tmp_path):
    run_material(sample, tmp_path, splits_given=splits, methods=("random",), sizes=(2, 12), classifiers=("1-nn",))
    for line in [json.loads(line) for line in (tmp_path / "journal.jsonl").read_text().splitlines()[1:]]:
        counts = []
        for size in (2, 12):
            options = CompareOptions(**READING, size=size)
            prepared = prepare(as_file(sample, splits[line["split"]][0]), options.reading)
            found = find_candidates(prepared, group_documents(prepared, options.grouping), options)
            counts.append(int(found.allowed.sum()))
        assert counts[0] < counts[1] == line["candidates"]["count"]


@pytest.mark.parametrize("method", ["softmin-exchange", "mmd-diff-exchange"])
def test_picks_are_those_of_a_comparison_of_the_training_part_alone(sample, splits, finished, method):
    """Nothing differs: TF-IDF is fitted on the same documents, and near-duplicates are left out before the splits.

    Of smaller sizes the comparison would let fewer documents be picked: here all sizes have those of the largest.
    """
    for number, (train, _) in enumerate(splits):
        theirs = visavis.compare(
            as_file(sample, train), **READING, method=method, size=4, blocks="none", live=False, jobs=1
        )
        ours = picks_in(finished[1])[number, method, 4, "1-nn"]
        picked = {(group.name, pick.document.id) for group in theirs.groups for pick in group.picks}
        assert {(sample.groups[row], documents_of(sample)[row].id) for row in ours} == picked


def test_what_may_be_shown_changes_the_picks(sample, splits, finished, tmp_path):
    told = {"splits_given": splits, "classifiers": ("1-nn",), "methods": ("softmin-exchange",)}
    run_material(sample, tmp_path, **told, candidates="all")
    picked = picks_in(finished[1])
    assert all(set(rows) != set(picked[key]) for key, rows in picks_in(tmp_path).items())


def perturbed(material, rows):
    """The documents with what is in these rows written anew: other words, and the groups of others."""
    made = [dict(document.fields) for document in documents_of(material)]
    outlets = np.roll([made[row]["outlet"] for row in rows], 1)
    for row, outlet in zip(rows.tolist(), outlets.tolist(), strict=True):
        made[row] |= {"outlet": outlet, "title": "", "text": f"Photo: {' '.join(made[row]['text'].split()[::-3])}."}
    return made


@pytest.mark.parametrize("number", [0, 1])
def test_what_is_tested_has_no_part_in_who_may_be_picked(sample, splits, finished, tmp_path, number):
    methods = ("softmin-exchange", "mmd-diff-greedy", "kmeans", "random")
    other = load_material(perturbed(sample, splits[number][1]), DocumentOptions(**READING, duplicates=False))
    assert len(other.groups) == len(sample.groups)
    run_material(other, tmp_path, splits_given=splits, methods=methods, classifiers=("1-nn",))
    before, now = picks_in(finished[1]), picks_in(tmp_path)
    own = [key for key in now if key[0] == number]
    assert len(own) == len(methods) * 2
    assert {key: now[key] for key in own} == {key: before[key] for key in own}
    assert now != {key: before[key] for key in now}  # in the other split these documents are picked from


def test_two_processes_or_a_second_attempt_change_nothing(sample, tmp_path):
    told = {"methods": ("softmin-exchange", "kmeans"), "sizes": (2,), "grid": "default", "folds": 2}
    told |= {"classifiers": ("1-nn",)}
    run_material(sample, tmp_path / "one", **told)
    run_material(sample, tmp_path / "two", **told, jobs=2)
    assert contents(tmp_path / "two") == contents(tmp_path / "one")

    def interrupt(done, *_):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_material(sample, tmp_path / "again", **told, progress=interrupt)
    asked = []
    run_material(sample, tmp_path / "again", **told, progress=lambda done, *_: asked.append(done), jobs=2)
    assert asked == [2, 3, 4]
    assert contents(tmp_path / "again") == contents(tmp_path / "one")


def test_what_fails_beside_the_processes_is_told(sample):
    class Broken:
        def digest(self):
            return "broken"

        def candidates(self, *_):
            raise InvalidParameter("not to be weighed")

    broken = replace(sample, vectors=replace(sample.vectors, rules=Broken()))
    for jobs in (1, 2):
        with pytest.raises(InvalidParameter, match="not to be weighed"):
            run_material(broken, methods=("random", "kmeans"), jobs=jobs)


def test_runs_say_what_might_be_picked(finished, tmp_path, sample, splits):
    found, folder = finished
    assert found.candidates == found.about["candidates"] == "worthy"
    assert {(r.candidates, r.picks) for r in found.results} == {("worthy", 8), ("worthy", 16)}
    assert read_evaluation(folder).results == found.results
    with (folder / "results.csv").open(newline="") as file:
        assert {row["candidates"] for row in csv.DictReader(file)} == {"worthy"}
    for name in ("run.json", "table.md", "table.tex"):
        assert "candidates were worthy: every method picked among the documents" in (folder / name).read_text()
    for spec in (figure_spec(found), variety_spec(found)):
        assert "; candidates: worthy" in json.dumps(spec)
    plain = run_material(sample, tmp_path, splits_given=splits, methods=("random",), candidates="all")
    assert (plain.candidates, "candidates" in plain.about) == ("all", False)
    told = [plain.notes, figure_spec(plain), *((tmp_path / name).read_text() for name in LASTING)]
    assert "candidates" not in json.dumps(told)
    assert "candidates" not in (tmp_path / "journal.jsonl").read_text()


def test_runs_of_both_kinds_are_told_apart_and_can_be_paired(sample, tmp_path):
    told = {"methods": ("random",), "classifiers": ("1-nn",)}
    folders = {candidates: tmp_path / candidates for candidates in ("all", "worthy")}
    keys = {
        run_material(sample, folder, **told, candidates=candidates).facts["key"]
        for candidates, folder in folders.items()
    }
    assert len(keys) == 2
    for mine, other in (("all", "worthy"), ("worthy", "all")):
        with pytest.raises(VisavisError, match=r"another evaluation \(it differs in candidates\)"):
            run_material(sample, folders[mine], **told, candidates=other)
    pair = compare_runs(folders["all"], folders["worthy"])
    assert (pair.differing, pair.paired) == (("candidates",), True)


def test_what_the_rules_ask_of_documents_decides_which_run_it_is(sample):
    keys = set()
    for change in ({}, {"text": "more"}, {"date": "2024-02-28"}):
        rows = [dict(document.fields) for document in documents_of(sample)]
        rows[3] |= {
            "text": f"{rows[3]['text']} {change.get('text', '')}",
            **{k: change[k] for k in change if k != "text"},
        }
        material = load_material(rows, DocumentOptions(**READING))
        keys.add(run_material(material, methods=("random",), sizes=(1,), classifiers=("1-nn",)).facts["key"])
    assert len(keys) == 3  # though three sentences are embedded, and no date


@pytest.mark.parametrize("candidates", ["worthwhile", None, ""])
def test_other_candidates_there_are_none(candidates):
    with pytest.raises(InvalidParameter, match="candidates must be 'worthy' or 'all'"):
        Plan(candidates=candidates)


def test_without_texts_nothing_is_worth_more_than_anything_else(tmp_path):
    images, labels = load_digits(return_X_y=True)
    plan = Plan(methods=("random",), sizes=(2,), splits=1, candidates="worthy")
    for vectors in (images, lambda _: images):
        with pytest.raises(Incompatible, match="needs documents that were read with their texts"):
            evaluate(vectors, labels, plan)
    for n in range(24):
        (tmp_path / "ab"[n % 2]).mkdir(exist_ok=True)
        Image.new("L", (8, 8), 40 + 80 * (n % 2) + n).save(tmp_path / "ab"[n % 2] / f"{n}.png")
    pictures = load_material(tmp_path, DocumentOptions(by="folder"))
    with pytest.raises(Incompatible, match="and there are none here"):
        run_material(pictures, methods=("random",))
    done = CliRunner().invoke(
        command, ["--dataset", "digits", "--candidates", "worthy", "--out", str(tmp_path / "out")]
    )
    assert isinstance(done.exception, Incompatible)
    assert not (tmp_path / "out").exists()


def test_the_command_hands_it_on(tmp_path):
    words = ["--dataset", "sample", "--candidates", "worthy", "--methods", "random", "--sizes", "2", "--splits", "2"]
    done = CliRunner().invoke(command, [*words, "--no-ceilings", "--jobs", "1", "--out", str(tmp_path), "--json"])
    assert done.exit_code == 0, (done.output, done.exception)
    record = json.loads(done.stdout)
    assert record["plan"]["candidates"] == "worthy"
    assert any(note.startswith("candidates were worthy") for note in record["notes"])
