import os

import numpy as np
import pytest

from visavis.embed import cache
from visavis.embed.cache import cache_folder, embed_cached
from visavis.records import Embedded


class Counting:
    """Counts how often it is asked to embed."""

    needs_fitting = False

    def __init__(self, name="counting", print_="1"):
        self.name = name
        self.print_ = print_
        self.calls = 0

    def fit(self, texts):
        raise AssertionError(f"nothing to fit on {len(texts)} texts")

    def embed(self, texts, fit_on=None):
        self.calls += 1
        kept = np.array([place for place, text in enumerate(texts) if text], dtype=np.intp)
        missing = tuple((place, "émpty") for place, text in enumerate(texts) if not text)
        vectors = np.array([[len(texts[place]), 0.5] for place in kept], np.float32).reshape(-1, 2)
        return Embedded(vectors, kept, missing, ("a note",), {"a": 1e-3, "fitted": fit_on is not None})

    def fingerprint(self, texts):  # noqa: ARG002
        return self.print_


class Uncacheable:
    name = "uncacheable"
    calls = 0

    def embed(self, texts, fit_on=None):  # noqa: ARG002
        self.calls += 1
        return Embedded(np.zeros((len(texts), 1), np.float32), np.arange(len(texts)))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("VISAVIS_CACHE", str(tmp_path))
    return tmp_path / "vectors"


def entries(folder):
    return sorted(folder.iterdir()) if folder.exists() else []


@pytest.mark.usefixtures("folder")
def test_the_second_time_comes_from_the_cache_unchanged():
    embedder = Counting()
    first, second = (embed_cached(embedder, ["gun", "", "law"]) for _ in range(2))
    assert embedder.calls == 1
    assert np.array_equal(first.vectors, second.vectors)
    assert second.vectors.dtype == np.float32
    assert second.kept.tolist() == [0, 2]
    assert (second.missing, second.notes, second.parameters) == (first.missing, first.notes, first.parameters)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("embedder", "texts", "fit_on"),
    [
        (Counting(), ["ab", "d"], None),
        (Counting(), ["a", "bc"], np.array([0])),
        (Counting("other"), ["a", "bc"], None),
        (Counting(print_="2"), ["a", "bc"], None),
        (Counting(), ["bc", "a"], None),
        (Counting(), ["abc"], None),
    ],
)
def test_whatever_the_vectors_depend_on_is_part_of_the_key(embedder, texts, fit_on):
    embed_cached(Counting(), ["a", "bc"])
    embed_cached(embedder, texts, fit_on)
    assert embedder.calls == 1


@pytest.mark.usefixtures("folder")
def test_naming_all_rows_is_the_same_as_naming_none():
    embedder = Counting()
    embed_cached(embedder, ["a", "b"])
    embed_cached(embedder, ["a", "b"], np.array([1, 0]))
    assert embedder.calls == 1


@pytest.mark.parametrize("damage", [b"", b"junk", None])
def test_a_damaged_entry_is_ignored_and_rewritten(folder, damage):
    embedder = Counting()
    embed_cached(embedder, ["gun"])
    (entry,) = entries(folder)
    entry.write_bytes(entry.read_bytes()[:-30] if damage is None else damage)
    assert embed_cached(embedder, ["gun"]).vectors.tolist() == [[3, 0.5]]
    embed_cached(embedder, ["gun"])
    assert embedder.calls == 2


def test_an_entry_for_another_number_of_texts_is_ignored(folder):
    embedder = Counting()
    embed_cached(embedder, ["gun", "law"])
    (other,) = entries(folder)
    content = other.read_bytes()
    embed_cached(embedder, ["gun"])
    (entry,) = set(entries(folder)) - {other}
    entry.write_bytes(content)
    assert len(embed_cached(embedder, ["gun"]).vectors) == 1
    assert embedder.calls == 3


def test_off_means_off(monkeypatch):
    monkeypatch.setenv("VISAVIS_CACHE", "off")
    embedder = Counting()
    embed_cached(embedder, ["a"])
    embed_cached(embedder, ["a"])
    assert cache_folder() is None
    assert embedder.calls == 2


def test_without_a_fingerprint_nothing_is_kept(folder):
    embedder = Uncacheable()
    embed_cached(embedder, ["a"])
    embed_cached(embedder, ["a"])
    assert embedder.calls == 2
    assert entries(folder) == []


def test_a_cache_that_cannot_be_written_is_passed_over(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("VISAVIS_CACHE", str(tmp_path / "file"))
    assert embed_cached(Counting(), ["gun"]).vectors.tolist() == [[3, 0.5]]


def test_the_entries_unused_for_longest_go_first(folder, monkeypatch):
    embedder = Counting()
    for age, text in ((300, "a"), (200, "bb"), (100, "ccc")):
        before = set(entries(folder))
        embed_cached(embedder, [text])
        (new,) = set(entries(folder)) - before
        os.utime(new, (new.stat().st_mtime - age,) * 2)
    embed_cached(embedder, ["a"])  # used again, so no longer the oldest
    size = entries(folder)[0].stat().st_size
    monkeypatch.setattr(cache, "LIMIT", int(3.5 * size))
    embed_cached(embedder, ["dddd"])
    assert len(entries(folder)) == 3
    calls = embedder.calls
    for text in ("a", "ccc", "dddd"):
        embed_cached(embedder, [text])
    assert embedder.calls == calls
    embed_cached(embedder, ["bb"])
    assert embedder.calls == calls + 1


def test_nothing_half_written_stays(folder, monkeypatch):
    def fails(*_, **__):
        raise OSError("disk full")

    monkeypatch.setattr(np, "savez", fails)
    assert len(embed_cached(Counting(), ["gun"]).vectors) == 1
    assert entries(folder) == []


def test_the_real_embedders_can_be_cached(folder):
    from visavis.embed import create_embedder

    for name in ("glove", "glove-mean", "tfidf"):
        first, second = (embed_cached(create_embedder(name), ["gun law", "law court", ""]) for _ in range(2))
        assert np.array_equal(first.vectors, second.vectors)
        assert first.parameters == second.parameters
    assert len(entries(folder)) == 3
