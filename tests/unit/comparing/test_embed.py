"""The door from documents to points."""

from __future__ import annotations

import numpy as np
import pytest

import visavis
from unit.comparisons import ROWS
from unit.embedders import Counting
from visavis.comparing.copies import Copies
from visavis.comparing.embed import choose_inputs, embed
from visavis.comparing.prepare import prepare
from visavis.errors import InvalidParameter, UnknownName

VECTORS = np.array([row["vector"] for row in ROWS], np.float32)


@pytest.fixture
def prepared():
    return prepare(ROWS)


def test_a_column_and_a_file_of_vectors_are_taken_as_they_are(prepared, tmp_path):
    np.save(tmp_path / "v.npy", VECTORS)
    rows = np.array([3, 5, 8])
    for name in ("column:vector", str(tmp_path / "v.npy")):
        points = embed(prepared, name, rows)
        assert np.array_equal(points.vectors, VECTORS[rows])
        assert points.rows.tolist() == [3, 5, 8]
        assert points.parameters["embedder"] == "given"


def test_rows_of_a_file_are_those_of_the_source_before_any_are_left_out(prepared, tmp_path):
    np.save(tmp_path / "short.npy", VECTORS[:3])
    with pytest.raises(InvalidParameter, match="3 rows but there are 36 documents"):
        embed(prepared, str(tmp_path / "short.npy"), np.arange(3))


def test_auto_takes_a_files_own_vectors_and_a_named_embedder_wins(tmp_path):
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "own.h5", "w") as file:
        file["data"] = VECTORS
        file["title"] = [row["text"].encode() for row in ROWS]
    own = prepare(tmp_path / "own.h5")
    rows = np.arange(2, 30)
    assert np.array_equal(embed(own, "auto", rows).vectors, VECTORS[rows])
    assert embed(own, "tfidf", rows).parameters["embedder"] == "tfidf"


def test_auto_is_tfidf_for_texts(prepared):
    assert choose_inputs(prepared, "auto", np.arange(36)).name == "tfidf"
    with pytest.raises(InvalidParameter, match="'pixels' is for pictures"):
        embed(prepared, "pixels", np.arange(36))
    with pytest.raises(UnknownName, match="vector"):
        embed(prepared, "column:vektor", np.arange(36))


def test_what_has_no_vector_or_weight_is_set_aside_with_the_reason():
    rows = [{**row, "weight": 2.0} for row in ROWS]
    rows[1]["vector"], rows[2]["weight"], rows[4]["vector"] = None, 0.0, None
    points = embed(prepare(rows), "column:vector", np.arange(1, 6))
    assert points.rows.tolist() == [3, 5]
    assert points.weights.tolist() == [2.0, 2.0]
    assert {away.reason: away.where for away in points.set_aside} == {
        "no vector was given": ("d1", "d4"),
        "weight of 0": ("d2",),
    }


def test_families_are_looked_for_where_copies_are_folded():
    source = prepare([*ROWS, {**ROWS[0], "id": "copy"}])
    rows = np.array([0, 1, 36])
    assert embed(source, "column:vector", rows, copies=Copies.FOLD).families.tolist() == [0, 1, 0]
    assert embed(source, "column:vector", rows).families.tolist() == [0, 1, 2]


def test_an_embedder_of_ones_own_is_fitted_on_the_rows_it_is_told(prepared):
    mine = Counting()
    rows = np.array([4, 6, 8, 10])
    points = embed(prepared, mine, rows, np.array([6, 10]))
    assert [call.tolist() for call in mine.fitted] == [[1, 3]]
    assert points.parameters["embedder"] == "counting"
    with pytest.raises(InvalidParameter, match="fit_on names row 5"):
        embed(prepared, mine, rows, np.array([5]))


def test_a_comparison_takes_an_embedder_of_ones_own():
    found = visavis.compare(ROWS, "place", embedder=Counting(), method="mmd-diff-greedy", size=2, jobs=1)
    assert found.parameters["embedder"] == "counting"
    assert len(found["east"]) == 2


def test_what_decides_the_vectors_is_known_without_embedding(prepared):
    rows = np.arange(10)
    known = choose_inputs(prepared, "tfidf", rows).digest()
    assert known == choose_inputs(prepared, "auto", rows).digest()
    assert known != choose_inputs(prepared, "glove", rows).digest()
    assert known != choose_inputs(prepared, "tfidf", rows[1:]).digest()
    given = choose_inputs(prepared, "column:vector", rows).digest()
    assert given != choose_inputs(prepared, "column:vector", rows + 1).digest()
    assert choose_inputs(prepared, Counting(), rows).digest() is None
