"""This machine's threads: the same bits for any number of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from visavis.contracts import Kernel, Pairs
from visavis.kernel.binding import bind_here
from visavis.kernel.threads import ordered_map
from visavis.kernel.vectors import DocumentVectors
from visavis.records import Compute, Frame, Integers

REACH = 1e12  # pairs times dimensions: 100,000 documents of 100 dimensions


@dataclass(frozen=True)
class LocalEngine:
    """Tiles in threads of our own, around a BLAS held to one; long tasks in processes, or one after another."""

    compute: Compute = field(default_factory=Compute)
    name: str = "threads"
    device: str = "cpu"
    reach: float = REACH

    def place(self, vectors: Any, order: Integers) -> DocumentVectors:
        """The vectors as they lie, read in another order."""
        return DocumentVectors(vectors, order)

    def bind(self, kernel: Kernel, placed: DocumentVectors, frame: Frame) -> Pairs:
        """The pairs of these documents, at the precision of the frame."""
        return bind_here(kernel, placed, replace(self.compute, dtype=frame.precision), frame.center)

    def each(self, task: Callable[[Any], Any], items: Iterable[Any], *, long: bool = False) -> Iterator[Any]:
        """The task's answers in the order of the items; long tasks, which are mostly Python's, one after another."""
        if long and self.compute.processes > 1:
            from visavis.shared.processes import in_processes  # joblib, only where there are several

            return in_processes(partial(quietly, task), items, self.compute.processes)
        return ordered_map(task, items, 1 if long else self.compute.threads)


def quietly(task: Callable[[Any], Any], item: Any) -> Any:
    """The task's answer; what it warns of would go to the terminal, past whoever listens here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return task(item)
