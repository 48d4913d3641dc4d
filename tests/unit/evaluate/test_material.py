"""What an evaluation is made on, and how often it is embedded."""

from __future__ import annotations

import copy
import importlib
import subprocess
import sys

import numpy as np
import pytest

from unit.comparisons import ROWS
from unit.embedders import Counting, Known, Settled
from visavis.comparing.documents import DocumentOptions
from visavis.comparing.prepare import WEIGHTS
from visavis.datasets import load_dataset
from visavis.errors import Incompatible, InvalidParameter, UnknownName
from visavis.evaluate import Plan, evaluate
from visavis.evaluate.material import load_material
from visavis.evaluate.run import _source

VECTORS = np.array([row["vector"] for row in ROWS], np.float32)
BARE = [{key: row[key] for key in ("id", "title", "text", "place")} for row in ROWS]
comparing_embed = importlib.import_module("visavis.comparing.embed")
QUICK = {"methods": ("random",), "sizes": (2,), "splits": 2, "ceilings": False}


class KnownSettled(Known, Settled):
    """Nothing is fitted, and it can say what else its vectors depend on."""


def documents(**options):
    return DocumentOptions(**{"by": "place", **options})


@pytest.fixture
def own(tmp_path):
    """A file that brings its own vectors."""
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "own.h5", "w") as file:
        file["data"] = VECTORS
        file["title"] = [row["text"].encode() for row in ROWS]
        file["place"] = [row["place"].encode() for row in ROWS]
    return tmp_path / "own.h5"


def test_a_files_own_vectors_are_used_unless_an_embedder_is_named(own):
    given, named = load_material(own, documents()), load_material(own, documents(embedder="tfidf"))
    assert np.array_equal(given.vectors(np.arange(9)), VECTORS)
    assert given.plan().embedding == "given"
    assert named.plan().embedding == "tfidf"
    assert named.vectors(np.arange(36)).shape[1] != VECTORS.shape[1]
    assert given.vectors.texts == named.vectors.texts


def test_runs_on_a_files_own_vectors_and_on_an_embedders_can_be_paired(own):
    facts = []
    for embedder in ("auto", "tfidf"):
        material = load_material(own, documents(embedder=embedder))
        facts.append(evaluate(material.vectors, material.groups, material.plan(**QUICK)).facts)
    assert facts[0]["splits_key"] == facts[1]["splits_key"]
    assert facts[0]["key"] != facts[1]["key"]


def test_each_split_is_embedded_once_and_everything_once_to_find_what_has_no_vector():
    embedder = Known()
    material = load_material(BARE, documents(embedder=embedder))
    assert embedder.fitted == [None]
    found = evaluate(material.vectors, material.groups, material.plan(**QUICK, classifiers=("1-nn", "svm")))
    trained = [rows for rows in embedder.fitted[1:] if rows is not None]
    assert [len(rows) for rows in trained] == found.facts["train"]
    assert len({tuple(rows.tolist()) for rows in trained}) == 2


@pytest.mark.parametrize("embedder", [Counting, Known])
def test_more_methods_do_not_embed_more(embedder, monkeypatch):
    monkeypatch.setenv("VISAVIS_CACHE", "off")
    one = embedder()
    material = load_material(BARE, documents(embedder=one))
    evaluate(material.vectors, material.groups, material.plan(**{**QUICK, "methods": ("random", "kmeans")}))
    assert len(one.fitted) == 3


@pytest.mark.parametrize("embedder", [Settled, KnownSettled], ids=["unknown", "known"])
def test_what_needs_no_fitting_is_embedded_once_in_all(embedder, monkeypatch):
    monkeypatch.setenv("VISAVIS_CACHE", "off")
    one, fitted = embedder(), Counting()  # both draw the same vectors
    plan = {**QUICK, "methods": ("random", "kmeans"), "classifiers": ("1-nn", "svm")}
    found = []
    for each in (one, fitted):
        material = load_material(BARE, documents(embedder=each))
        found.append(evaluate(material.vectors, material.groups, material.plan(**plan)))
    assert one.fitted == [None]
    assert len(fitted.fitted) == 3
    assert found[0].results == found[1].results
    assert found[0].facts["splits_key"] == found[1].facts["splits_key"]


def test_vectors_that_are_known_belong_to_the_documents_that_are_left(monkeypatch):
    monkeypatch.setenv("VISAVIS_CACHE", "off")
    rows = [{**row, "weight": 1.0} for row in BARE]
    rows[3]["weight"] = 0.0
    one = Settled()
    material = load_material(rows, documents(embedder=one))
    texts = material.vectors.texts
    assert len(texts) == len(material.groups) == 35
    assert np.array_equal(material.vectors(np.arange(9)), one.embed(texts).vectors)


@pytest.mark.parametrize(("name", "times"), [("glove-mean", 1), ("glove", 3), ("tfidf", 3)])
def test_each_embedder_is_asked_as_often_as_it_must_be_fitted(name, times, monkeypatch):
    asked = []
    honest = comparing_embed.embed_cached
    monkeypatch.setattr(comparing_embed, "embed_cached", lambda *told: asked.append(told[2]) or honest(*told))
    material = load_material(BARE, documents(embedder=name))
    evaluate(material.vectors, material.groups, material.plan(**QUICK))
    assert len(asked) == times


def test_a_function_is_asked_once_for_each_split():
    asked = []

    def fit(train):
        asked.append(tuple(train.tolist()))
        return VECTORS

    evaluate(fit, [row["place"] for row in ROWS], Plan(**QUICK))
    assert len(asked) == len(set(asked)) == 2


def test_what_waits_for_its_split_does_not_travel_to_other_processes():
    source = _source(_vectors_again, [row["place"] for row in ROWS], Plan(**QUICK), None)
    source.digest(Plan(**QUICK), "1")
    assert list(source.waiting) == [0]
    assert copy.copy(source).waiting == {}  # as pickling does it


def _vectors_again(train):  # noqa: ARG001
    return VECTORS


def test_other_texts_or_another_embedder_make_another_run():
    keys = set()
    for rows, options in ((BARE, {}), (BARE, {"lead": 0}), (BARE, {"embedder": "glove-mean"}), (BARE[::-1], {})):
        material = load_material(rows, documents(**options))
        keys.add(evaluate(material.vectors, material.groups, material.plan(**QUICK, dataset="x")).facts["key"])
    assert len(keys) == 4


def test_copies_are_left_out_also_where_vectors_are_given():
    rows = [*ROWS, {**ROWS[0], "id": "copy"}]
    without = load_material(rows, documents(embedder="column:vector"))
    assert len(without.groups) == 36
    assert without.notes == ("1 near-duplicates left out",)
    assert len(load_material(rows, documents(embedder="column:vector", duplicates=False)).groups) == 37


def test_what_has_no_vector_or_weight_is_left_out_and_told():
    rows = [{**row, "weight": 1 + n % 2} for n, row in enumerate(ROWS)]
    rows[0]["vector"], rows[1]["weight"] = None, 0
    material = load_material(rows, documents(embedder="column:vector"))
    assert len(material.groups) == 34
    assert material.notes == ("1 documents left out: no vector was given", "1 documents left out: weight of 0", WEIGHTS)
    with pytest.raises(InvalidParameter, match="no document is left"):
        load_material([{**row, "vector": None} for row in ROWS], documents(embedder="column:vector"))


def test_reading_and_grouping_options_reach_the_documents():
    rows = [{"story": row["text"], "place": row["place"]} for row in ROWS]
    options = documents(columns={"text": "story"}, versus="east", filter="place != 'north'", lead=None)
    assert sorted(set(load_material(rows, options).groups)) == ["east", "rest"]


def test_pictures_are_evaluated_by_their_pixels(tmp_path):
    from PIL import Image

    for n in range(24):
        place = tmp_path / "ab"[n % 2]
        place.mkdir(exist_ok=True)
        Image.new("L", (8, 8), 40 + 80 * (n % 2) + n).save(place / f"{n}.png")
    material = load_material(tmp_path, DocumentOptions(by="folder"))
    assert material.plan().embedding == "pixels"
    assert material.vectors(np.arange(0, 24, 2)).shape[0] == 24


def test_data_sets_bring_their_protocol(data_folder):
    usps = load_material(None, DocumentOptions(), str(data_folder / "usps" / "usps_u16.npz"))
    plan = usps.plan(methods=("random",), splits=2)
    assert (plan.dataset, plan.grid, plan.init, plan.variance) == ("USPS", "usps", "kmeans", 0.85)
    assert [len(train) for train, _ in usps.splits_for(plan)] == [7291, 7291]
    assert usps.plan(methods=("random",), grid="fixed").grid == "fixed"


def test_the_sample_is_grouped_by_month_unless_the_options_say_otherwise():
    assert "2024-03" in load_material(None, DocumentOptions(), "sample").groups
    assert "Tideline" in load_material(None, DocumentOptions(by="outlet"), "sample").groups


def test_a_data_set_refuses_what_it_cannot_use():
    with pytest.raises(Incompatible, match="--embedder does not go with --dataset digits, which brings its own vec"):
        load_material(None, DocumentOptions(embedder="glove"), "digits")
    for option in ({"encoding": "cp1252"}, {"allow_broken": True}, {"date_order": "mdy"}):
        with pytest.raises(Incompatible, match="does not go with --dataset digits, which brings its own documents"):
            load_material(None, DocumentOptions(**option), "digits")
    with pytest.raises(UnknownName, match="usps, digits, sample"):
        load_dataset("mnist")


def test_the_package_is_there_without_being_imported_first():
    code = (
        "import visavis\n"
        "import numpy as np\n"
        "x = np.random.default_rng(0).normal(size=(40, 3))\n"
        "plan = visavis.evaluate.Plan(methods=('random',), sizes=(2,), splits=1, ceilings=False)\n"
        "print(len(visavis.evaluate(x, np.arange(40) % 2, plan).results))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout.strip()) == (0, "2"), done.stderr
    code = "import visavis; print('evaluate' in dir(visavis)); visavis.evaluate([[1.0]] * 3, [1, 1, 1])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "True"
    assert "there is one group only" in done.stderr
