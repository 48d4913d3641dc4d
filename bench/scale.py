"""`python -m bench.scale`: one selection at growing sizes, all pairs or samples; the table is kept in bench/README.md.

A card and a cluster are measured where there are any: `bench.gpu` and `bench.cluster` tell what they measured by
`scale_rows()`, a list of Row. A card in another machine writes what it measured into bench/card_rows.json (`--card`,
which measures nothing else); where there is no card, the rows of that file are shown.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path

import numpy as np

from bench.child import _held_and_reset, _peak
from bench.table import machine, rewrite

SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000, 10_000_000)
EXACT_UP_TO = 100_000  # documents; beyond that all pairs would take minutes
FEATURES, TOPICS, PICKS = 100, 64, 4
METHODS = ("mmd-diff-greedy", "softmin-exchange")  # the first moves sums alone, the second scans documents
CONTRAST = 0.6
CARD_ROWS = Path(__file__).with_name("card_rows.json")
ELSEWHERE = {"GPU": "bench.gpu", "Dask": "bench.cluster"}
FROM = 30_000  # documents from which growth is measured: below, fixed costs blur it


@dataclass(frozen=True)
class Row:
    """One selection: seconds, peak memory in bytes beside the vectors, what the picks are worth, and what may be
    missing to that, as a share of it (None: nothing is sampled)."""

    n: int
    method: str
    how: str
    wall: float
    cpu: float
    memory: int
    value: float
    missing: float | None = None


def main() -> None:
    """Every size; a full run rewrites the README."""
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), help="numbers of documents")
    parser.add_argument("--keep", action="store_true", help="rewrite bench/README.md")
    parser.add_argument("--card", action="store_true", help="write bench/card_rows.json by a card, and nothing else")
    parser.add_argument("--child", nargs=3, metavar=("FILE", "METHOD", "EXACT"), help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.child:
        print(json.dumps(asdict(select_once(Path(told.child[0]), *told.child[1:]))))
        return
    if told.card:
        found = measured_elsewhere(ELSEWHERE["GPU"])
        if not found:
            parser.exit(2, "there is no card here\n")
        CARD_ROWS.write_text(json.dumps([asdict(row) for row in found], indent=1) + "\n")
        return
    rows: list[Row] = []
    for n in told.sizes:
        with tempfile.TemporaryDirectory() as folder:
            print(f"measuring {n:,} documents ...", file=sys.stderr)
            rows += measure(write_vectors(Path(folder) / "vectors.npy", n), n)
    table = render(rows)
    print(table)
    if told.keep:
        rewrite(Path(__file__).with_name("README.md"), "scale", table)


def write_vectors(path: Path, n: int) -> Path:
    """Documents of two groups in turn: topics that both have in other shares, float32, chunk by chunk."""
    rng = np.random.default_rng(7)
    topics = rng.normal(size=(TOPICS, FEATURES)).astype(np.float32)
    shares = rng.dirichlet(np.full(TOPICS, 0.5), 2)
    found = np.lib.format.open_memmap(path, "w+", np.float32, (n, FEATURES))
    for start in range(0, n, 50_000):
        count = min(50_000, n - start)
        own = np.where(np.arange(start, start + count) % 2, rng.choice(TOPICS, count, p=shares[1]),
                       rng.choice(TOPICS, count, p=shares[0]))  # fmt: skip
        spread = rng.uniform(0.5, 1.2, (count, 1)).astype(np.float32)
        noise = rng.standard_normal((count, FEATURES), np.float32)
        found[start : start + count] = 0.55 * topics[own] + noise * spread
    found.flush()
    return path


def measure(path: Path, n: int) -> list[Row]:
    """Both methods with all pairs, where that is feasible, and with samples, each in a process of its own."""
    hows = [*(["yes"] if n <= EXACT_UP_TO else []), "no"]
    return [_child(path, method, exact) for method in METHODS for exact in hows]


def _child(path: Path, method: str, exact: str) -> Row:
    command = [sys.executable, "-m", "bench.scale", "--child", str(path), method, exact]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return Row(**json.loads(done.stdout.splitlines()[-1]))


def select_once(path: Path, method: str, exact: str) -> Row:
    """From vectors in memory to picks and their value."""
    from visavis.inputs import check_compute, check_groups
    from visavis.records import Points
    from visavis.select.search import Request, select
    from visavis.select.session import pose

    vectors = np.load(path, allow_pickle=False)
    groups = check_groups(np.arange(len(vectors)) % 2, len(vectors))
    held = _held_and_reset()
    wall, cpu = time.perf_counter(), time.process_time()
    session = pose(Points.of(vectors), groups, compute=check_compute("float32", -1, 512), exact=exact)
    found = select(session, Request(method=method, size=PICKS, parameters={"contrast": CONTRAST}))
    value = float(found.trace[-1].sum() - found.trace[0].sum())
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    missing = None if found.gap is None else found.gap.share
    how = "CPU, all pairs" if exact == "yes" else "CPU, samples"
    return Row(len(vectors), method, how, wall, cpu, max(0, _peak() - held), value, missing)


def render(rows: Sequence[Row]) -> str:
    """Markdown: one line a selection, then how time grows."""
    rows = [*rows, *(row for module in ELSEWHERE.values() for row in measured_elsewhere(module))]
    if not any(row.how.startswith("GPU") for row in rows) and CARD_ROWS.exists():
        rows += [Row(**row) for row in json.loads(CARD_ROWS.read_text())]
    rows.sort(key=lambda row: (row.n, row.method, row.how))
    absent = [name for name in ELSEWHERE if not any(row.how.startswith(name) for row in rows)]
    exact = {
        (row.n, row.method): row.value for how in ("GPU", "CPU") for row in rows if row.how == f"{how}, all pairs"
    }  # the CPU's, where it looked at all pairs
    lines = [
        "| N | method | how | wall s | CPU s | memory MB | value / exact | estimated to be missing, at most |",
        "|--:|---|---|--:|--:|--:|--:|--:|",
        *(_line(row, exact.get((row.n, row.method))) for row in rows),
        *(f"| | | {name} | not measured | | | | |" for name in absent),
    ]
    return "\n".join([machine(), "", *lines, "", *growth(rows)])


def _line(row: Row, exact: float | None) -> str:
    ratio = "" if exact is None else f"{row.value / exact:.3f}"
    missing = "" if row.missing is None else f"{100 * row.missing:.1f} %"
    return (
        f"| {row.n:,} | {row.method} | {row.how} | {row.wall:.3g} | {row.cpu:.3g} | {row.memory / 1e6:.0f} | {ratio} | "
        f"{missing} |"
    )


def growth(rows: Sequence[Row]) -> list[str]:
    """The exponent b in time ∝ N^b on the CPU, by least squares on logarithms, for every method and how it was run."""
    found = []
    for how, method in sorted({(row.how, row.method) for row in rows if row.how.startswith("CPU")}):
        own = [(row.n, row.cpu) for row in rows if (row.how, row.method) == (how, method) and row.n >= FROM]
        if len(own) > 1:
            sizes, seconds = ([math.log(value) for value in column] for column in zip(*own, strict=True))
            slope = float(np.polyfit(sizes, seconds, 1)[0])
            found.append(f"- {method}, {how}: CPU time grows as N^{slope:.2f} from {FROM:,} documents on")
    return found


def measured_elsewhere(module: str) -> list[Row]:
    """What another module measured; nothing where there is none, or what it needs is not here."""
    try:
        rows: list[Row] = import_module(module).scale_rows()
    except ImportError:
        return []
    return rows


if __name__ == "__main__":
    main()
