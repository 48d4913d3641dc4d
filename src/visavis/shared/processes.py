"""Independent tasks in processes of their own, for work that Python's threads would do one after another."""

from __future__ import annotations

import contextlib
import importlib
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar

CHUNK = 1024  # items that are worth sending to another process at once
FEWEST_TASKS = 7  # that are worth starting other processes
LARGE = 8 * 2**20  # bytes: a file of so many likely holds enough documents for them

Item = TypeVar("Item")
Result = TypeVar("Result")
Each = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]

_elsewhere: ContextVar[Each | None] = ContextVar("elsewhere", default=None)


def in_processes(
    work: Callable[[Item], Result], items: Iterable[Item], processes: int, *, ordered: bool = True
) -> Iterator[Result]:
    """Results of `work`, which must be picklable, in the order of `items` or as they come."""
    import joblib  # only where there are other processes

    how = "generator" if ordered else "generator_unordered"
    with joblib.parallel_config(backend="loky", inner_max_num_threads=1):
        parallel = joblib.Parallel(n_jobs=processes, return_as=how, batch_size=1, pre_dispatch="n_jobs")
        yield from parallel(joblib.delayed(work)(item) for item in items)


def by_chunks(work: Callable[[Sequence[Item]], Result], items: Sequence[Item], processes: int = 1) -> Iterator[Result]:
    """Results of `work` on one stretch of the items after another, always the same stretches, in their order.

    Few items are not worth other processes, and stay in this one.
    """
    starts = range(0, len(items), CHUNK)
    return spread_out(work, (items[begin : begin + CHUNK] for begin in starts), len(starts), processes)


def spread_out(
    work: Callable[[Item], Result], tasks: Iterable[Item], count: int, processes: int = 1
) -> Iterator[Result]:
    """Results of `work` on so many tasks, in their order, in other processes where there are tasks enough."""
    each = _elsewhere.get()
    if each is not None and count > 1:
        return each(work, tasks)
    return in_processes(work, tasks, processes) if _are_worth_it(count, processes) else map(work, tasks)


def _are_worth_it(tasks: int, processes: int) -> bool:
    """Whether there is enough to do for other processes."""
    return processes > 1 and tasks >= FEWEST_TASKS


@contextlib.contextmanager
def spread_by(each: Each) -> Iterator[None]:
    """A context in which tasks are spread by `each(work, tasks)`, over a cluster for instance, instead of processes."""
    before = _elsewhere.set(each)
    try:
        yield
    finally:
        _elsewhere.reset(before)


def warm_up_for(n_items: int, processes: int, module: str) -> None:
    """Start processes that know a module, where `by_chunks` will want them for so many items."""
    if _elsewhere.get() is None and _are_worth_it(-(-n_items // CHUNK), processes):
        warm_up(processes, module)


def warm_up_for_files(names: Iterable[str], jobs: int, module: str) -> None:
    """Start processes that know a module before files are read, where these are large; all cores where `jobs` is −1.

    They take longer to start than a file takes to be read.
    """
    if jobs != 1 and sum(map(_size, names)) >= LARGE:
        warm_up(jobs, module)


def _size(name: str) -> int:
    """The bytes of a file; none where there is no such file, or it is not an ordinary one."""
    try:
        return Path(name).stat().st_size if Path(name).is_file() else 0
    except (OSError, ValueError):
        return 0


def warm_up(processes: int, module: str) -> None:
    """Start the processes and have them import a module, while this one goes on with something else."""

    def start() -> None:
        with contextlib.suppress(Exception):  # whoever needs them will be told
            import joblib  # a while, which whoever starts them need not wait

            count = joblib.effective_n_jobs(processes)
            if count > 1:
                list(in_processes(_import, [module] * count, count))

    threading.Thread(target=start, daemon=True).start()


def _import(module: str) -> None:
    importlib.import_module(module)
