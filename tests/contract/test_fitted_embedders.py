"""What every embedder promises once it is fitted; a new row of the table is tested without being told."""

from __future__ import annotations

import json
import sys
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unit.embed.models import stand_in
from visavis.contracts import Covering, Embedder, Restorable
from visavis.embed import EMBEDDERS, create_embedder
from visavis.embed.storing import load_embedder, store_embedder
from visavis.embed.wordvectors import bundled_vectors

OF_PICTURES = ("pixels",)
WORDS = (
    "minister", "party", "law", "snow", "river", "storm", "company", "shares", "market", "voters", "spring", "fish",
    "coral", "sea", "town",
)  # fmt: skip
TEXTS = [
    " ".join(np.random.default_rng(n).choice(WORDS, 9)) + f" the report of {WORDS[n % 15]}" if n % 7 != 2 else " " * n
    for n in range(28)
]
PART = np.arange(18)
every_embedder = pytest.mark.parametrize("name", [*EMBEDDERS, "vectors.txt", "vectors.txt:mean"])


@pytest.fixture
def embedder(name, tmp_path, monkeypatch):
    """The embedder of a name, sentence models by a stand-in, with a small file of word vectors at hand."""
    monkeypatch.chdir(tmp_path)
    table = bundled_vectors()
    rows = {word: table.take(np.array([table.rows[word]]))[0] for word in [*WORDS, "the"]}
    lines = [f"{word} {' '.join(f'{value:.4f}' for value in row)}\n" for word, row in rows.items()]
    (tmp_path / "vectors.txt").write_text("".join(lines))
    if name == "neural":
        stand_in(monkeypatch)
    yield create_embedder(name)
    if name == "neural":
        sys.modules.pop("visavis.embed.neural", None)


@pytest.fixture
def texts(name, tmp_path):
    """Texts, some of them blank, or as many pictures, some of which cannot be read."""
    if name not in OF_PICTURES:
        return list(TEXTS)
    image = pytest.importorskip("PIL.Image")
    rng = np.random.default_rng(0)
    for n, text in enumerate(TEXTS):
        path = tmp_path / f"{n}.png"
        if text.strip():
            image.fromarray(rng.integers(0, 255, (20, 20), np.uint8)).save(path)
        else:
            path.write_text("no picture")
    return [str(tmp_path / f"{n}.png") for n in range(len(TEXTS))]


def the_same(found, expected):
    assert np.array_equal(found.vectors, expected.vectors)
    assert found.vectors.dtype == expected.vectors.dtype
    assert found.kept.tolist() == expected.kept.tolist()
    assert (found.missing, found.notes) == (expected.missing, expected.notes)


@every_embedder
def test_it_keeps_the_contract(embedder):
    assert isinstance(embedder, Embedder)
    assert isinstance(embedder, Restorable)
    assert isinstance(embedder.needs_fitting, bool)


@every_embedder
def test_fitting_then_embedding_is_the_one_call_bit_for_bit(embedder, texts):
    expected = embedder.embed(texts, PART)
    found = embedder.fit([texts[row] for row in PART]).embed(texts)
    the_same(found, expected)
    assert found.parameters == expected.parameters
    assert len(found.vectors) == 24


@every_embedder
def test_fitting_on_rows_here_and_there_agrees_but_for_rounding(embedder, texts):
    part = np.array([27, 3, 1, 8, 13, 15, 5, 20, 22, 19, 24, 26, 12])
    expected = embedder.embed(texts, part)
    found = embedder.fit([texts[row] for row in np.sort(part)]).embed(texts)
    assert np.allclose(found.vectors, expected.vectors, atol=1e-6)
    assert (found.missing, found.notes) == (expected.missing, expected.notes)


@every_embedder
def test_what_the_one_call_fitted_comes_with_the_vectors(embedder, texts):
    for rows in (None, PART):
        found = embedder.embed(texts, rows)
        assert np.allclose(found.fitted.embed(texts).vectors, found.vectors, atol=1e-6)
    later = found.fitted.embed(texts[20:])
    assert np.allclose(later.vectors, found.vectors[found.kept >= 20], atol=1e-6)
    assert later.fitted is found.fitted


@every_embedder
def test_texts_alone_and_in_company_have_the_same_vectors(embedder, texts):
    fitted = embedder.fit([texts[row] for row in PART])
    together = fitted.embed(texts)
    for place, vector in zip(together.kept[::4], together.vectors[::4], strict=True):
        assert np.allclose(fitted.embed([texts[place]]).vectors, vector, atol=1e-6)


@every_embedder
def test_vectors_depend_on_the_fit_where_it_says_so_and_nowhere_else(embedder, texts):
    one, other = (embedder.fit(texts[rows]).embed(texts[18:20]).vectors for rows in (slice(18), slice(12, 28)))
    assert (one.shape == other.shape and np.allclose(one, other, atol=1e-6)) is not embedder.needs_fitting


@every_embedder
def test_what_was_stored_is_loaded_bit_for_bit(embedder, texts, tmp_path):
    fitted = embedder.fit([texts[row] for row in PART])
    store_embedder(fitted, tmp_path / "fitted.npz")
    loaded = load_embedder(tmp_path / "fitted.npz")
    the_same(loaded.embed(texts), fitted.embed(texts))
    assert loaded.parameters == fitted.parameters == json.loads(json.dumps(fitted.parameters))
    store_embedder(loaded, tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == (tmp_path / "fitted.npz").read_bytes()


@every_embedder
def test_even_what_was_fitted_on_nothing_can_embed_and_be_stored(embedder, texts, tmp_path):
    fitted = embedder.fit([])
    store_embedder(fitted, tmp_path / "fitted.npz")
    the_same(load_embedder(tmp_path / "fitted.npz").embed(texts), fitted.embed(texts))
    assert len(fitted.embed([]).vectors) == len(fitted.embed([]).kept) == 0


@cache
def fitted_on_texts(name):
    return create_embedder(name).fit(TEXTS)


@pytest.mark.parametrize("name", [name for name in EMBEDDERS if name not in (*OF_PICTURES, "neural")])
@settings(max_examples=40)
@given(texts=st.lists(st.lists(st.sampled_from([*WORDS, "the", "zzqx", "well-known"]), max_size=8), max_size=6))
def test_company_changes_no_vector(name, texts):
    fitted = fitted_on_texts(name)
    texts = [" ".join(words) for words in texts]
    together = fitted.embed(texts)
    alone = [fitted.embed([text]) for text in texts]
    assert [place for place, found in enumerate(alone) if len(found.kept)] == together.kept.tolist()
    for place, vector in zip(together.kept, together.vectors, strict=True):
        assert np.allclose(alone[place].vectors[0], vector, atol=1e-6)


@every_embedder
def test_shares_of_words_that_are_known_are_shares(embedder, texts):
    fitted = embedder.fit(texts)
    if not isinstance(fitted, Covering):
        return
    for fitted_on in (False, True):
        found = fitted.coverage([*texts, "", "zzqxv vvzzq"], fitted_on=fitted_on)
        assert np.isnan(found[-2])
        assert found[-1] == 0
        told = found[[bool(text.strip()) for text in texts] + [False, False]]
        assert np.all((told >= 0) & (told <= 1))
        assert told.mean() > 0.5
