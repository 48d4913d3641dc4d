"""Find anew what readers went by when they judged single documents: a direction among the bundled word vectors.

    python scripts/substance.py docs/readings/worth.csv

The judgements name documents by their ids; their texts are in the data folder (VISAVIS_DATA, or the folder beside the
project). Those of corpora that are not there are left out: they tell how well the direction serves other texts.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.linear_model import Ridge

from visavis.comparing.prepare import OPENING
from visavis.comparing.substance import DIRECTION, FREQUENT
from visavis.corpus.words import Words
from visavis.embed.wordvectors import bundled_vectors
from visavis.records import Floats

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("VISAVIS_DATA", ROOT.parent / "shared" / "data"))
FILES = {
    "news": "news/articles_lead.jsonl.gz",
    "tweets": "tweets/congress-2018.jsonl.gz",
    "bills": "bills/bills.jsonl.gz",
    "polis": "polis/comments.jsonl.gz",
    "sotu": "sotu/sotu.jsonl.gz",
}
SENTENCES = 3  # of a lead, as usual
PENALTY = 3.0

Row = dict[str, Any]


def main() -> None:
    """Write the direction, and say how many judgements it stands on."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("judgements", type=Path, help="comparison, group, id, score, theme")
    count, direction = find_direction(parser.parse_args().judgements)
    about = f"from {count:,} judgements of single documents, by scripts/substance.py"
    DIRECTION.write_text(json.dumps({"about": about, "direction": direction}) + "\n", encoding="utf-8")
    print(about)


def find_direction(judgements: Path) -> tuple[int, list[float]]:
    """How many of the judgements are of texts that are there, and what the readers went by."""
    with judgements.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if corpus_of(row) in FILES]
    texts = dict(opening for corpus in FILES for opening in openings(corpus))
    rows = [row for row in rows if (corpus_of(row), row["id"]) in texts]
    features = mean_vectors([texts[corpus_of(row), row["id"]] for row in rows])
    groups = np.unique([f"{row['comparison']}\n{row['group']}" for row in rows], return_inverse=True)[1]
    scores = np.array([float(row["score"]) for row in rows])
    fitted = Ridge(PENALTY).fit(within(features, groups), within(scores[:, None], groups)[:, 0])
    return len(rows), [round(float(number), 3) for number in fitted.coef_]


def corpus_of(row: Row) -> str:
    """The corpus that a comparison is of: its name begins with it."""
    return str(row["comparison"].split("-")[0])


def openings(corpus: str) -> Iterator[tuple[tuple[str, str], str]]:
    """Title and beginning of every document, by corpus and id."""
    with gzip.open(DATA / FILES[corpus], "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            name = f"{row['year']}-{row['name']}" if corpus == "sotu" else str(row["id"])
            title = row.get("title") or (f"{row['name']}, {row['year']}" if corpus == "sotu" else "")
            yield (corpus, name), f"{title} {row['text']}"[: OPENING * (SENTENCES + 1)]


def mean_vectors(texts: list[str]) -> Floats:
    """Mean vector of each text's words, frequent ones counting less; shape (texts, d)."""
    vectors, words = bundled_vectors(), Words.of(texts)
    rows = np.array([vectors.rows.get(word, -1) for word in words.known])
    weights = np.where(rows >= 0, FREQUENT / (FREQUENT + vectors.frequencies(rows)), 0.0)
    units = vectors.take(rows)
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    times = sparse.csr_matrix((weights[words.flat], (words.owners, words.flat)), (len(texts), len(words.known)))
    return np.asarray(times @ units / np.maximum(times.sum(axis=1), 1e-12), np.float64)


def within(values: Floats, groups: np.ndarray[Any, Any]) -> Floats:
    """The values less the mean of their group."""
    counts = np.bincount(groups)
    means = np.stack([np.bincount(groups, column) / counts for column in values.T], axis=1)
    return np.asarray(values - means[groups])


if __name__ == "__main__":
    main()
