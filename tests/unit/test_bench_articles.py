"""Articles by recombination: as many as wanted, the same every time, nothing in them that no real one has."""

from __future__ import annotations

import importlib

import pytest

from conftest import ROOT

REAL = [
    {
        "date": "2019-03-01", "source": "Star", "bias": side, "topic": topic, "title": f"{topic} {side}",
        "text": f"The {side} says one thing of {topic}. It says more of {topic}, too. And a third of {topic}, {side}.",
    }
    for topic in ("rain", "taxes") for side in ("left", "right")
]  # fmt: skip


@pytest.fixture
def articles(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    return importlib.import_module("bench.articles")


def test_a_title_and_three_sentences_of_the_same_topic(articles):
    pool = articles.Pool.of([*REAL, {**REAL[0], "text": "Short."}])
    found = list(articles.recombine(pool, 50))
    assert len({row["id"] for row in found}) == 50
    assert found == list(articles.recombine(pool, 50))
    for row in found:
        assert row["title"] in {real["title"] for real in REAL}
        rest = row["text"]
        for sentence in pool.sentences[row["topic"]]:
            rest = rest.replace(sentence, "")
        assert rest.strip() == ""
        assert row["text"].count(".") == articles.SENTENCES


def test_they_are_written_group_by_group(articles, tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(articles, "ROW_GROUP", 8)
    assert articles.write_articles(tmp_path / "articles.parquet", 20, REAL)
    file = parquet.ParquetFile(tmp_path / "articles.parquet")
    assert (file.metadata.num_rows, file.metadata.num_row_groups) == (20, 3)
    assert articles.write_articles(tmp_path / "none.parquet", 20, []) is False
