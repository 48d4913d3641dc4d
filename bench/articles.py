"""As many articles as wanted, by recombining real ones: the title of one, sentences of others on the same topic.

`python -m bench.articles FILE COUNT` writes them as Parquet. The real ones are news (VISAVIS_DATA, or the data folder
beside the project); without them there is nothing to recombine. The same count gives the same file.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from bench.whole import Row, news
from visavis.corpus.lead import says_something, sentences_of

SENTENCES = 3
ROW_GROUP = 50_000
KEPT = ("date", "source", "bias", "topic", "title")  # what an article has of the one it takes its title from


@dataclass(frozen=True, eq=False)
class Pool:
    """Real articles, and the sentences of each topic."""

    rows: Sequence[Row]
    sentences: dict[str, list[str]]

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Pool:
        """The first sentences of every article that say something; articles that have none are left out."""
        kept: list[Row] = []
        sentences: dict[str, list[str]] = {}
        for row in rows:
            found = list(islice(filter(says_something, sentences_of(row["text"])), SENTENCES))
            if found:
                kept.append(row)
                sentences.setdefault(row["topic"], []).extend(found)
        return cls(kept, sentences)


def recombine(pool: Pool, count: int, seed: int = 0) -> Iterator[Row]:
    """Articles of a title and three sentences each."""
    rng = np.random.default_rng(seed)
    for begin in range(0, count, ROW_GROUP):
        size = min(ROW_GROUP, count - begin)
        titles = rng.integers(len(pool.rows), size=size).tolist()
        draws = rng.random((size, SENTENCES)).tolist()
        for number, (title, places) in enumerate(zip(titles, draws, strict=True), start=begin):
            real = pool.rows[title]
            own = pool.sentences[real["topic"]]
            text = " ".join(own[int(place * len(own))] for place in places)
            yield {"id": f"a{number:07d}", **{name: real[name] for name in KEPT}, "text": text}


def write_articles(path: Path, count: int, rows: Sequence[Row] | None = None) -> bool:
    """Write a Parquet file of so many articles, row group by row group; False where there is nothing to recombine."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    pool = Pool.of(news() if rows is None else rows)
    if not pool.rows:
        return False
    schema = pa.schema([(name, pa.string()) for name in ("id", *KEPT, "text")])
    articles = recombine(pool, count)
    with pq.ParquetWriter(path, schema) as writer:
        while group := list(islice(articles, ROW_GROUP)):
            writer.write_table(pa.Table.from_pylist(group, schema))
    return True


if __name__ == "__main__":
    written = write_articles(Path(sys.argv[1]), int(sys.argv[2]))
    print(f"{sys.argv[2]} articles in {sys.argv[1]}" if written else "nothing to recombine: no data folder")
