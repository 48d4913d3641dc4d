import gzip

import numpy as np
import pytest

from visavis.embed import create_embedder
from visavis.embed.textfile import read_vectors
from visavis.errors import InvalidParameter

LINES = "the 1 0 0\ngun 0 1 0\nlaw 0 0 2\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("v.txt", LINES.encode()),
        ("v.vec", b"3 3\n" + LINES.encode()),
        ("v.txt.gz", gzip.compress(LINES.encode(), mtime=0)),
        ("v.tsv", LINES.replace(" ", "\t").encode()),
        ("v.txt", LINES.replace("\n", " \r\n").encode()),
    ],
)
def test_every_form_of_the_file_gives_the_same_means(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    found = create_embedder(f"{path}:mean").embed(["Gun law", "zzqx", "the gun"])
    assert found.vectors.tolist() == [[0, 0.5, 1], [0.5, 0.5, 0]]
    assert found.kept.tolist() == [0, 2]


def test_sif_is_the_default_for_a_file(tmp_path):
    path = tmp_path / "v.txt"
    path.write_text(LINES)
    found = create_embedder(str(path)).embed(["the gun"])
    assert found.parameters["average"] == "sif"
    assert found.vectors[0, 1] > found.vectors[0, 0] > 0


def test_only_words_that_occur_are_kept_with_their_rank(tmp_path):
    path = tmp_path / "v.txt"
    path.write_text(LINES)
    found = read_vectors(path, {"law", "absent"})
    assert found.rows == {"law": 0}
    assert found.ranks.tolist() == [3]
    assert found.total == 3


def test_a_capitalized_word_serves_until_the_word_itself_comes(tmp_path):
    path = tmp_path / "v.txt"
    path.write_text("Paris 1 1\nPARIS 2 2\nGun 3 3\ngun 4 4\nGUN 5 5\n")
    found = read_vectors(path, {"paris", "gun"})
    assert found.take(np.array([found.rows["paris"], found.rows["gun"]])).tolist() == [[1, 1], [4, 4]]


def test_words_with_spaces_are_passed_over(tmp_path):
    path = tmp_path / "v.txt"
    path.write_text("gun 1 2\ngun law 3 4\n")
    assert read_vectors(path, {"gun", "law"}).take(np.arange(1)).tolist() == [[1, 2]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"gun 1 2\nlaw 1\n", "line 2 has 1 numbers"),
        (b"gun 1 x\n", "line 1 is not a word"),
        (b"gun 1 nan\n", "finite"),
        (b"\xff\xfe\x00 1 2\n", "not UTF-8"),
        (b"", "no word vectors"),
    ],
)
def test_a_file_that_holds_something_else_is_refused(tmp_path, content, message):
    path = tmp_path / "v.txt"
    path.write_bytes(content)
    with pytest.raises(InvalidParameter, match=message):
        read_vectors(path, {"gun", "law"})


def test_a_broken_gzip_file_is_refused(tmp_path):
    path = tmp_path / "v.txt.gz"
    path.write_bytes(gzip.compress(LINES.encode() * 500)[:-20])
    with pytest.raises(InvalidParameter, match="could not be read"):
        read_vectors(path, {"gun"})


def test_a_file_that_is_not_there_is_refused():
    with pytest.raises(InvalidParameter, match="no file of word vectors"):
        create_embedder("nowhere/glove.txt:mean")
