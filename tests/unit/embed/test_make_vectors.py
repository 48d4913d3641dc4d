import gzip
import importlib.util
from pathlib import Path

import numpy as np
import pytest

from visavis.embed.wordvectors import BUNDLED, bundled_vectors, load_vectors
from visavis.errors import InvalidParameter

ROOT = Path(__file__).parents[3]

_spec = importlib.util.spec_from_file_location("make_vectors", ROOT / "scripts" / "make_vectors.py")
make_vectors = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(make_vectors)

WORDS = ["the", "état", "gun", "law"]
VECTORS = np.array([[1, -2, 0.5], [0.1, 0.2, 0.3], [0, 0, 0], [-5, 4, 3]], dtype=np.float32)


def glove_text():
    return "".join(f"{word} {' '.join(map(str, row))}\n" for word, row in zip(WORDS, VECTORS.tolist(), strict=True))


@pytest.mark.parametrize("kind", ["txt", "gz", "npz", "header"])
def test_every_kind_of_source_gives_the_same_bytes(tmp_path, kind):
    plain = tmp_path / "plain.txt"
    plain.write_text(glove_text(), encoding="utf-8")
    source = tmp_path / {"txt": "a.txt", "gz": "a.txt.gz", "npz": "a.npz", "header": "a.vec"}[kind]
    if kind == "npz":
        np.savez(source, words=np.array(WORDS), vectors=VECTORS)
    elif kind == "gz":
        source.write_bytes(gzip.compress(glove_text().encode()))
    else:
        source.write_text(("4 3\n" if kind == "header" else "") + glove_text(), encoding="utf-8")
    for origin, out in ((plain, "first.npz"), (source, "second.npz")):
        make_vectors.write_vectors(tmp_path / out, *make_vectors.read_source(origin, 3))
    assert (tmp_path / "first.npz").read_bytes() == (tmp_path / "second.npz").read_bytes()
    assert list(load_vectors(tmp_path / "second.npz").rows) == WORDS[:3]


def test_quantized_vectors_are_within_half_a_step_of_the_original(tmp_path):
    make_vectors.write_vectors(tmp_path / "out.npz", WORDS, VECTORS)
    table = load_vectors(tmp_path / "out.npz")
    error = np.abs(table.take(np.arange(4)) - VECTORS)
    assert np.all(error <= np.abs(VECTORS).max(axis=1, keepdims=True) / 254 + 1e-7)


@pytest.mark.parametrize("words", [["a", "a"], ["a", ""], ["a", "b\nc"], []])
def test_words_that_the_format_cannot_hold_are_refused(tmp_path, words):
    with pytest.raises(SystemExit, match="distinct"):
        make_vectors.write_vectors(tmp_path / "out.npz", words, np.ones((len(words), 2), np.float32))
    assert not list(tmp_path.iterdir())


def test_the_bundled_file_is_what_the_script_makes(tmp_path, data_folder):
    source = data_folder / "glove" / "glove-6b-100d-top100k-f16.npz"
    make_vectors.write_vectors(tmp_path / "out.npz", *make_vectors.read_source(source, 50_000))
    assert (tmp_path / "out.npz").read_bytes() == BUNDLED.read_bytes()


def test_bundled_vectors_know_which_words_are_alike():
    table = bundled_vectors()
    assert len(table.rows) == table.total == 50_000
    king, queen, cabbage = table.take(np.array([table.rows[word] for word in ("king", "queen", "cabbage")]))
    cosine = lambda a, b: a @ b / np.linalg.norm(a) / np.linalg.norm(b)  # noqa: E731
    assert cosine(king, queen) > 0.7 > 0.3 > cosine(king, cabbage)


def test_word_frequencies_fall_with_rank_and_add_up_to_one():
    table = bundled_vectors()
    frequencies = table.frequencies(np.arange(table.total))
    assert np.all(np.diff(frequencies) < 0)
    assert frequencies.sum() == pytest.approx(1)


def test_a_file_that_is_something_else_is_refused(tmp_path):
    np.savez(tmp_path / "other.npz", x=np.ones(3))
    (tmp_path / "text.npz").write_text("hello")
    np.savez(tmp_path / "short.npz", words=np.frombuffer(b"a\nb", np.uint8), codes=np.ones((3, 2)), scales=np.ones(3))
    for name in ("other.npz", "text.npz", "short.npz"):
        with pytest.raises(InvalidParameter, match=name):
            load_vectors(tmp_path / name)
