"""`python -m bench.gpu`: what a card does, with torch, Triton, NumPy and SciPy alone.

Vectors lie on the card; times are warm, and what compiling took is told apart.
"""

from __future__ import annotations

import argparse
import datetime
import statistics
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from bench.gpu_documents import Documents, make_documents
from visavis.engines import LocalEngine
from visavis.engines.card import CardEngine, rows
from visavis.engines.card.sums import Columns, RowSums
from visavis.errors import LeftTheData
from visavis.inputs import Grouped, check_compute
from visavis.records import Compute, Points
from visavis.select.search import Request, Selection, select
from visavis.select.session import Session, pose

if TYPE_CHECKING:
    from bench.scale import Row

GAMMA = 0.5  # 1 / the median squared distance of such documents
PICKS = 16
REFERENCE, LARGE, LARGEST = 50_000, 1_000_000, 10_000_000
SCALE = (10_000, 100_000, LARGE, LARGEST)  # documents of the table of `bench.scale`
GRADIENT = {"max_iter": 100, "tol": 0.0}  # all of a hundred rounds
DEFAULT = {"contrast": 0.6}  # as `compare` tells it


@dataclass
class Table:
    """Rows of results, printed as they come and as Markdown at the end."""

    rows: list[tuple[str, ...]] = field(default_factory=list)

    def add(self, *cells: str) -> None:
        self.rows.append(cells)
        print(*cells, sep=" | ", flush=True)

    def markdown(self) -> Iterator[str]:
        yield "| what | first s | warm s | bar | |"
        yield "|---|--:|--:|---|---|"
        yield from (f"| {' | '.join(row)} |" for row in self.rows)


@dataclass(frozen=True, eq=False)
class Card:
    """Documents on the card, and how to ask about them."""

    documents: Documents
    engine: CardEngine

    @classmethod
    def of(cls, n: int, seed: int = 0) -> Card:
        documents, engine = make_documents(n, "cuda", seed), CardEngine(all_cores())
        engine.place(documents.vectors, np.arange(n))
        return cls(documents, engine)

    def session(self) -> Session:
        return posed(self.documents, self.engine, all_cores())

    def picks(self, method: str, size: int, parameters: dict[str, Any] | None = None) -> Selection:
        return select(self.session(), Request(method=method, size=size, parameters=parameters or {}))


def all_cores() -> Compute:
    """As the command computes."""
    return Compute(threads=torch.get_num_threads())


def posed(documents: Documents, engine: Any, compute: Compute) -> Session:
    grouped = Grouped(np.array(["one", "other"], dtype=object), documents.groups)
    return pose(Points.of(documents.vectors), grouped, gamma=GAMMA, engine=engine, compute=compute)


def measure(work: Callable[[], Any], repeats: int) -> tuple[float, float, Any]:
    """Seconds of the first call, the median of the others, and the answer of the last."""
    times = []
    for _ in range(repeats + 1):
        torch.cuda.synchronize()
        started = time.perf_counter()
        found = work()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - started)
    return times[0], statistics.median(times[1:] or times), found


def report(table: Table, what: str, work: Callable[[], Any], bar: float | None = None, repeats: int = 3) -> Any:
    """One row; a failure is told and leaves the others to go on."""
    try:
        first, warm, found = measure(work, repeats)
    except Exception as error:  # the other rows are worth having
        traceback.print_exc()
        table.add(what, "", "", "", f"failed: {type(error).__name__}")
        return None
    met = "" if bar is None else f"under {bar:g} s: {'met' if warm < bar else 'MISSED'}"
    again = f"{warm:.3f}" if repeats else ""
    table.add(what, f"{first:.3f}", again, met, "")
    return found


def compare_with_float64(table: Table) -> None:
    """Picks of the card beside those of threads in float64."""
    card = Card.of(REFERENCE, seed=3)
    compute = Compute("float64", torch.get_num_threads())
    exact = posed(card.documents, LocalEngine(compute), compute)
    half = rows.DOUBLE_UP_TO
    for method, parameters, up_to in (
        ("mmd-diff-greedy", {}, half),
        ("mmd-diff-greedy", {}, 0),
        ("mmd-diff-grad", {}, half),
        ("softmin-exchange", DEFAULT, half),
    ):
        rows.DOUBLE_UP_TO = up_to
        found = card.picks(method, PICKS, parameters).sequence
        expected = select(exact, Request(method=method, size=PICKS, parameters=parameters)).sequence
        how = "in half precision with re-check" if up_to == 0 else "in double precision"
        same = sum(a == b for a, b in zip(found, expected, strict=True))
        verdict = "as in float64" if found == expected else f"{same} of {len(expected)} as in float64"
        table.add(f"{REFERENCE:,}: {method}, {how}", "", "", "picks equal", verdict)
    rows.DOUBLE_UP_TO = half


def measure_large(table: Table, n: int, repeats: int) -> None:
    """Kernel, greedy, gradient and the default method on a million documents."""
    card = Card.of(n)
    placed = card.engine.place(card.documents.vectors, np.arange(n))
    half = Columns.of_groups(np.array([0, n - n // 2, n]), np.ones(n))

    def sums(how: str) -> Any:
        scaled = rows.ScaledRows(placed.rows, placed.center(), GAMMA, "float32")
        return getattr(RowSums(scaled, half, lambda _: None), how)()

    report(table, f"{n:,}: sums with two groups, half precision", lambda: sums("rough"), None, repeats)
    report(table, f"{n:,}: sums with two groups, single precision", lambda: sums("precise"), None, repeats)
    report(table, f"{n:,}: mmd-diff-greedy, {PICKS} picks", lambda: card.picks("mmd-diff-greedy", PICKS), 1.0, repeats)
    found = report(
        table, f"{n:,}: mmd-diff-grad, {PICKS} picks, 100 iterations",
        lambda: card.picks("mmd-diff-grad", PICKS, GRADIENT), 3.0, repeats,
    )  # fmt: skip
    if found is not None:
        print("iterations:", found.n_iter)
    for size in (4, PICKS):
        report(
            table, f"{n:,}: softmin-exchange, {size} picks",
            partial(card.picks, "softmin-exchange", size, DEFAULT), 10.0, 1,
        )  # fmt: skip
    rng = np.random.default_rng(0)
    some = np.sort(rng.choice(n, 4000, replace=False))
    pairs = card.session().problem().pairs
    report(table, "4,000: similarities for the test of difference", lambda: pairs.gram(some), None, 1)


def measure_nearest(table: Table, n: int) -> None:
    """The nearest pick, whose every gain asks all pairs of a group."""
    card = Card.of(n)
    report(table, f"{n:,}: nn-comp-greedy, {PICKS} picks", lambda: card.picks("nn-comp-greedy", PICKS), None, 0)


def measure_largest(table: Table, n: int) -> None:
    """Greedy picks of ten million."""
    card = Card.of(n)
    report(table, f"{n:,}: mmd-diff-greedy, {PICKS} picks", lambda: card.picks("mmd-diff-greedy", PICKS), 100.0, 0)


def scale_rows() -> list[Row]:
    """For the table of `bench.scale`: all pairs of its documents by a card, warm; none where there is no card."""
    from bench.cluster import measure as measure_rows
    from bench.scale import METHODS, write_vectors

    if not torch.cuda.is_available():
        return []
    found: list[Row] = []
    for n in SCALE:
        with tempfile.TemporaryDirectory() as folder:
            vectors = np.load(write_vectors(Path(folder) / "vectors.npy", n), allow_pickle=False)
        engine = CardEngine(check_compute("float32", -1, 512))
        for method in METHODS[:1] if n == LARGEST else METHODS:
            for _ in range(2):  # the first compiles, and brings the vectors to the card
                torch.cuda.reset_peak_memory_stats()
                row, _ = measure_rows(vectors, "yes", method, engine, "GPU, all pairs")
            found.append(replace(row, memory=torch.cuda.max_memory_allocated()))
    return found


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.gpu", description=__doc__)
    parser.add_argument("--parts", nargs="+", default=["reference", "large", "nearest", "largest"])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--large", type=int, default=LARGE)
    parser.add_argument("--largest", type=int, default=LARGEST)
    asked = parser.parse_args()
    if not torch.cuda.is_available():
        parser.exit(2, f"torch {torch.__version__} finds no card here\n")
    warnings.simplefilter("ignore", LeftTheData)
    table = Table()
    print(machine(), flush=True)
    parts: dict[str, Callable[[], None]] = {
        "reference": lambda: compare_with_float64(table),
        "large": lambda: measure_large(table, asked.large, asked.repeats),
        "nearest": lambda: measure_nearest(table, asked.large // 5),
        "largest": lambda: measure_largest(table, asked.largest),
    }
    for part in asked.parts:
        parts[part]()
    print("", machine(), "", *table.markdown(), sep="\n")


def machine() -> str:
    import triton

    today = datetime.datetime.now(datetime.UTC).date()
    return f"{today}, {torch.cuda.get_device_name()}, torch {torch.__version__}, Triton {triton.__version__}."


if __name__ == "__main__":
    main()
