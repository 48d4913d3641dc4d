"""Whole comparisons with their verdict, cold: from a file to a page, in a fresh process with an empty cache.

`python -m bench.whole` measures just this. The documents are real news (VISAVIS_DATA, or the data folder beside the
project); without them there is nothing to measure.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

DOCUMENTS, GROUPS = 2_300, 70
CASES = (  # the file, what is asked, in words, and seconds it may take
    ("many.jsonl", ("--by", "topic", "--size", "4"), f"{GROUPS} groups, 4 picks each", 25.0),
    ("two.jsonl", ("--by", "bias", "--size", "100"), "2 groups, 100 picks each", 20.0),
)

Row = dict[str, Any]


def news_path() -> Path:
    """Where the real articles are, if they are."""
    root = Path(__file__).resolve().parent.parent
    return Path(os.environ.get("VISAVIS_DATA", root.parent / "shared" / "data")) / "news" / "articles_lead.jsonl.gz"


def news() -> list[Row]:
    """Articles with a title and a few sentences; none without the data folder."""
    path = news_path()
    if not path.exists():
        return []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def of_many_topics(rows: list[Row]) -> list[Row]:
    """As many articles of each of the topics that have most, and more of the first until there are enough."""
    topics = [topic for topic, _ in Counter(row["topic"] for row in rows).most_common(GROUPS)]
    kept = [[row for row in rows if row["topic"] == topic] for topic in topics]
    each = DOCUMENTS // GROUPS
    chosen = [row for own in kept for row in own[:each]]
    return chosen + [row for own in kept for row in own[each:]][: DOCUMENTS - len(chosen)]


def of_two_sides(rows: list[Row]) -> list[Row]:
    """Articles of the left and of the right, as they come."""
    return [row for row in rows if row["bias"] in ("left", "right")][:DOCUMENTS]


def seconds(path: Path, asked: tuple[str, ...], folder: Path) -> float:
    """Wall time of `visavis compare` on a file, writing a page."""
    command = [sys.executable, "-m", "visavis", "compare", str(path), *asked, "--output", str(folder / "page.html")]
    with tempfile.TemporaryDirectory() as cache:
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, env={**os.environ, "VISAVIS_CACHE": cache})
        return time.perf_counter() - started


def report() -> str:
    """One line for each case."""
    rows, lines = news(), []
    if not rows:
        return "- not measured: no data folder"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = {"many.jsonl": of_many_topics(rows), "two.jsonl": of_two_sides(rows)}
        for file, chosen in files.items():
            (folder / file).write_text("\n".join(map(json.dumps, chosen)), encoding="utf-8")
        for file, asked, words, bar in CASES:
            took = seconds(folder / file, asked, folder)
            verdict, count = "pass" if took < bar else "FAIL", len(files[file])
            lines.append(f"- {verdict}: {words}, {count:,} documents: under {bar:.0f} s (measured {took:.1f} s)")
    return "\n".join(lines)


if __name__ == "__main__":
    print(report())
