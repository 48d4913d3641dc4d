"""`python -m bench.cluster`: selections on a Dask cluster of this machine's processes, beside its threads.

Workers on one machine share its cores: what is shown is what the travel costs, and that the picks are the same.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from bench.child import _held_and_reset, _peak
from bench.scale import CONTRAST, METHODS, PICKS, Row, write_vectors
from visavis.engines import LocalEngine
from visavis.inputs import check_compute, check_groups
from visavis.records import Points
from visavis.select.search import Request, select
from visavis.select.session import pose

CASES = ((30_000, "yes"), (300_000, "no"))  # documents, and whether all pairs are looked at
WORKERS = (1, 4)


def measure(vectors: Any, exact: str, method: str, engine: Any, how: str) -> tuple[Row, list[int]]:
    """One selection, from vectors to picks and their value."""
    groups = check_groups(np.arange(len(vectors)) % 2, len(vectors))
    held = _held_and_reset()
    wall, cpu = time.perf_counter(), time.process_time()
    session = pose(Points.of(vectors), groups, engine=engine, compute=check_compute("float32", -1, 512), exact=exact)
    found = select(session, Request(method=method, size=PICKS, parameters={"contrast": CONTRAST}))
    value = float(found.trace[-1].sum() - found.trace[0].sum())
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    missing = None if found.gap is None else found.gap.share
    return Row(len(vectors), method, how, wall, cpu, max(0, _peak() - held), value, missing), found.rows.tolist()


@contextmanager
def cluster(workers: int) -> Iterator[Any]:
    """A cluster of processes on this machine, of one thread each; its client."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=workers, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0",
            host="127.0.0.1", protocol="tcp://", silence_logs=50,
        ) as made,
        Client(made, set_as_default=False) as client,  # type: ignore[no-untyped-call]
    ):  # fmt: skip
        yield client


def scale_rows(workers: int = 4) -> list[Row]:
    """For the table of `bench.scale`: both methods, all pairs of fewer and samples of more documents."""
    from visavis.engines.cluster import ClusterEngine

    rows = []
    with tempfile.TemporaryDirectory() as folder, cluster(workers) as client:
        for n, exact in CASES:
            vectors = np.load(write_vectors(Path(folder) / "vectors.npy", n), allow_pickle=False)
            engine = ClusterEngine(check_compute("float32", -1, 512), client)
            how = f"Dask, {workers} workers, {'all pairs' if exact == 'yes' else 'samples'}"
            rows += [measure(vectors, exact, method, engine, how)[0] for method in METHODS]
    return rows


def main() -> None:
    """Picks and seconds by threads, and by each number of workers."""
    from visavis.engines.cluster import ClusterEngine

    with tempfile.TemporaryDirectory() as folder:
        for n, exact in CASES:
            vectors = np.load(write_vectors(Path(folder) / "vectors.npy", n), allow_pickle=False)
            compute = check_compute("float32", -1, 512)
            for method in METHODS:
                row, expected = measure(vectors, exact, method, LocalEngine(compute), "threads")
                print(f"- {n:,} documents, {method}, exact={exact}: threads {row.wall:.1f} s", end="")
                for workers in WORKERS:
                    with cluster(workers) as client:
                        row, picks = measure(vectors, exact, method, ClusterEngine(compute, client), "Dask")
                    same = "the same picks" if picks == expected else "OTHER PICKS"
                    print(f"; {workers} workers {row.wall:.1f} s, {same}", end="", flush=True)
                print()


if __name__ == "__main__":
    main()
