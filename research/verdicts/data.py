"""The real documents that `simulate.py` deals at random, as arrays: news by topic, and members' tweets."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from scipy import sparse

from visavis.comparing import embed, prepare
from visavis.comparing.candidates import tell_stories
from visavis.comparing.moments import days_of
from visavis.comparing.origins import authors, codes_of, sources
from visavis.explain.terms import count_terms

TOPICS = ("immigration", "healthcare", "gun_control_and_gun_rights", "coronavirus")
TWEETS = 4_000  # of one party
LEAST = 5  # documents that hold a term


def write_arrays(folder: Path) -> None:
    """One file for each corpus."""
    data = Path(os.environ.get("VISAVIS_DATA", "../shared/data"))
    folder.mkdir(parents=True, exist_ok=True)
    news = prepare(str(data / "news" / "articles_lead.jsonl.gz"))
    for topic in TOPICS:
        rows = [row for row, one in enumerate(news.corpus.documents) if one.fields.get("topic") == topic]
        _write(folder / topic, news, np.array(rows, np.intp))
    tweets = prepare(str(data / "tweets" / "congress-2018.jsonl.gz"))
    party = [row for row, one in enumerate(tweets.corpus.documents) if one.fields.get("party") == "R"]
    _write(folder / "tweets", tweets, np.array(party[:: max(1, len(party) // TWEETS)], np.intp))


def _write(path: Path, prepared: object, rows: np.ndarray) -> None:
    points = embed(prepared, "tfidf", rows)
    documents = [prepared.corpus.documents[row] for row in points.rows]
    days = days_of(documents)
    texts = prepared.texts(points.rows)
    terms = count_terms([texts[row] for row in range(len(points.rows))], LEAST)
    sparse.save_npz(path.with_name(f"{path.name}.held.npz"), terms.found)
    np.savez(
        path.with_name(f"{path.name}.arrays.npz"),
        vectors=np.asarray(points.vectors, np.float32),
        source=codes_of(sources(documents)),
        author=codes_of(authors(documents)),
        day=np.where(np.isfinite(days), days, -1).astype(np.intp),
        story=tell_stories(prepared, points),
    )
    print(path.name, points.vectors.shape)
