"""Independent tasks in processes of their own, for work that Python's threads would do one after another."""

from __future__ import annotations

import contextlib
import importlib
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import joblib

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_processes(
    work: Callable[[Item], Result], items: Iterable[Item], processes: int, *, ordered: bool = True
) -> Iterator[Result]:
    """Results of `work`, which must be picklable, in the order of `items` or as they come."""
    how = "generator" if ordered else "generator_unordered"
    with joblib.parallel_config(backend="loky", inner_max_num_threads=1):
        parallel = joblib.Parallel(n_jobs=processes, return_as=how, batch_size=1, pre_dispatch="n_jobs")
        yield from parallel(joblib.delayed(work)(item) for item in items)


def warm_up(processes: int, module: str) -> None:
    """Start the processes and have them import a module, while this one goes on with something else."""

    def start() -> None:
        with contextlib.suppress(Exception):  # whoever needs them will be told
            list(in_processes(_import, [module] * processes, processes))

    threading.Thread(target=start, daemon=True).start()


def _import(module: str) -> None:
    importlib.import_module(module)
