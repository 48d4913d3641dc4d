import numpy as np
import pytest

from visavis.embed.given import NO_VECTOR, given_vectors
from visavis.errors import InvalidParameter


@pytest.mark.parametrize(
    "source",
    [
        np.array([[1, 2], [3, 4]]),
        [[1, 2], [3, 4]],
        ["[1, 2]", "[3, 4]"],
        ["1 2", "3, 4"],
        np.array(["1 2", "3 4"]),
    ],
)
def test_arrays_and_columns_become_float32(source):
    found = given_vectors(source, 2)
    assert found.vectors.dtype == np.float32
    assert found.vectors.tolist() == [[1, 2], [3, 4]]
    assert found.kept.tolist() == [0, 1]


def test_a_blank_in_a_column_is_missing():
    found = given_vectors(["1 2", "", None, float("nan"), "3 4"], 5)
    assert found.kept.tolist() == [0, 4]
    assert found.missing == ((1, NO_VECTOR), (2, NO_VECTOR), (3, NO_VECTOR))


def test_a_file_is_read(tmp_path):
    np.save(tmp_path / "v.npy", np.eye(3))
    assert given_vectors(tmp_path / "v.npy", 3).vectors.tolist() == np.eye(3).tolist()


def test_a_file_with_pickled_objects_is_refused(tmp_path):
    np.save(tmp_path / "v.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(InvalidParameter, match=r"v\.npy"):
        given_vectors(tmp_path / "v.npy")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (np.ones((3, 2)), "3 rows but there are 2 documents"),
        (np.ones(2), "shape"),
        (np.ones((2, 0)), "shape"),
        (np.array([[1, np.nan], [1, 2]]), "1 rows hold NaN or infinity, the first is row 0"),
        (np.array([[1, 2], [1e300, 2]]), "the first is row 1"),
        (np.ones((2, 2), dtype=complex), "real"),
        (["1 2", "1 2 3"], "vector 1 has 3 numbers"),
        (["1 2", "one two"], "vector 1 is not a list"),
        (["1 2", "[[1, 2]]"], "vector 1 has shape"),
        (7, "no array"),
    ],
)
def test_what_cannot_be_vectors_is_refused(source, message):
    with pytest.raises(InvalidParameter, match=message):
        given_vectors(source, 2)
