"""`python -m bench.scale_files`: whole comparisons of very many articles, from a file to a page, with an empty cache.

37,554 real articles (VISAVIS_DATA, or the data folder beside the project), also by an earlier commit where `--against`
names one, the two in turn; and a million that recombine them (`bench.articles`), from Parquet. Without the data there
is nothing to measure. A full run takes a quarter of an hour; `--keep` puts the table into bench/README.md.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.articles import write_articles
from bench.table import machine, rewrite
from bench.whole import news_path

ROOT = Path(__file__).resolve().parent.parent
MILLION = 1_000_000
BARS = "bars: the real articles in at most half the time of the commit before; a million in 12 minutes, 6 GB and 5 MB"
EVERY = 0.5  # seconds between two looks at the memory
REPEATS = 3


@dataclass(frozen=True)
class Whole:
    """One comparison: seconds, the largest memory of all its processes together, and the size of its page, in bytes."""

    what: str
    wall: float
    memory: int
    page: int


def main() -> None:
    """Both sizes, or those asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.scale_files", description=__doc__)
    parser.add_argument("--against", metavar="COMMIT", help="measure the real articles by this commit, too")
    parser.add_argument("--count", type=int, default=MILLION, help="articles by recombination; 0 for none")
    parser.add_argument("--keep", action="store_true", help="rewrite bench/README.md")
    told = parser.parse_args()
    if not news_path().exists():
        print("- not measured: no data folder")
        return
    table = render(list(measure(told.against, told.count)))
    print(table)
    if told.keep:
        rewrite(Path(__file__).with_name("README.md"), "files", table)


def measure(against: str | None, count: int) -> Iterator[Whole]:
    """Medians of the real articles, here and by the other commit in turn, then one run of the recombined ones."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sides = {"37,554 articles": ROOT / "src"}
        if against:
            sides[f"37,554 articles, by {against}"] = check_out(against, folder / "before")
        runs = [[compare(what, news_path(), source, folder) for what, source in sides.items()] for _ in range(REPEATS)]
        for side in zip(*runs, strict=True):
            yield sorted(side, key=lambda run: run.wall)[REPEATS // 2]
        if count:
            write_articles(folder / "articles.parquet", count)
            yield compare(f"{count:,} articles from Parquet", folder / "articles.parquet", ROOT / "src", folder)


def check_out(commit: str, folder: Path) -> Path:
    """The sources of a commit in a folder of their own."""
    folder.mkdir()
    packed = subprocess.run(["git", "archive", commit, "src"], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", str(folder)], input=packed, check=True)
    return folder / "src"


def compare(what: str, path: Path, source: Path, folder: Path) -> Whole:
    """`visavis compare FILE --by bias`, by the sources there, writing a page."""
    page = folder / "page.html"
    command = [sys.executable, "-m", "visavis", "compare", str(path), "--by", "bias", "--output", str(page)]
    with tempfile.TemporaryDirectory() as cache:
        around = {**os.environ, "PYTHONPATH": str(source), "VISAVIS_CACHE": cache}
        started = time.perf_counter()
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=around)
        with watching(running.pid) as memory:
            told = running.communicate()[1]
        wall = time.perf_counter() - started
    if running.returncode:
        raise RuntimeError(told.decode()[-2000:])
    return Whole(what, wall, max(memory), page.stat().st_size)


@contextmanager
def watching(pid: int) -> Iterator[list[int]]:
    """A list that fills with the memory of a process and all below it: pages that they share count once."""
    seen, done = [0], threading.Event()

    def look() -> None:
        while not done.wait(EVERY):
            seen.append(sum(map(_held, _family(pid))))

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield seen
    finally:
        done.set()
        watcher.join()


def _family(pid: int) -> list[int]:
    """A process and all that it started, directly or not."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(entry.parent.name)] = int(entry.read_text().rpartition(")")[2].split()[1])
        except OSError:  # it has just ended
            continue
    found = [pid]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found


def _held(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)


def render(found: Sequence[Whole]) -> str:
    """The table, and what is held against it."""
    lines = [machine(), "", "| what | wall s | memory GB | page MB |", "|---|--:|--:|--:|"]
    lines += [f"| {one.what} | {one.wall:.1f} | {one.memory / 1e9:.2f} | {one.page / 1e6:.2f} |" for one in found]
    return "\n".join([*lines, "", BARS])


if __name__ == "__main__":
    main()
