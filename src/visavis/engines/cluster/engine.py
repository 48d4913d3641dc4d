"""A Dask cluster as an engine: `scatter` and `submit` are all it is asked for."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import Any, ClassVar

import numpy as np

from visavis.contracts import Kernel, Pairs
from visavis.engines.cluster.pairs import ClusterPairs
from visavis.engines.cluster.rounds import Held, Rounds, connect
from visavis.engines.cluster.tasks import Chunk, Setting
from visavis.engines.local import REACH, LocalEngine, quietly
from visavis.errors import Incompatible, InvalidParameter
from visavis.kernel.threads import blocks
from visavis.kernel.vectors import DocumentVectors
from visavis.records import Compute, Frame, Integers

CHUNK = 8192  # documents that lie together: what decides the last bits, whatever the cluster
KEPT_MB = 300  # that a worker may keep of the tiles of two chunks

_numbers = count()
_OWN = secrets.token_hex(8)  # workers keep things by their keys, for all who ask them


@dataclass(frozen=True, eq=False)
class Placed:
    """Documents in chunks, there and here."""

    number: int
    vectors: DocumentVectors
    chunks: tuple[Held, ...]
    size: int


@dataclass(frozen=True, eq=False)
class ClusterEngine:
    """`address` is the scheduler's host:port, a distributed.Client, or what asks in its place (`Rounds`).

    The picks are the same for any number of workers.
    """

    compute: Compute = field(default_factory=Compute)
    address: Any = ""
    chunk: int = CHUNK
    name: ClassVar[str] = "dask"
    device: ClassVar[str] = "cpu"
    reach: ClassVar[float] = REACH  # as here, so that here and there a sample is drawn, or none

    @property
    def rounds(self) -> Rounds:
        """The way to ask. Raises InvalidParameter if no scheduler answers, or it has no workers."""
        if not self.address:
            raise InvalidParameter("engine='dask' needs the address of a scheduler, as in dask://host:8786")
        if hasattr(self.address, "ask"):
            found: Rounds = self.address
            return found
        return Rounds(connect(self.address) if isinstance(self.address, str) else self.address)

    def place(self, vectors: Any, order: Integers) -> Placed:
        """The vectors in chunks, sent when they are first asked about."""
        number, held = next(_numbers), []
        for part in blocks(len(order), self.chunk):
            rows = vectors[order[part]]
            held.append(Held(Chunk((_OWN, number, part.start), np.arange(part.start, part.stop), rows)))
        return Placed(number, DocumentVectors(vectors, order), tuple(held), self.chunk)

    def bind(self, kernel: Kernel, placed: Placed, frame: Frame) -> Pairs:
        """The pairs of these documents; those of one chunk stay here, where no question has to travel.

        Raises Incompatible for a matrix, whose rows mean nothing on their own.
        """
        if kernel.abilities.precomputed:
            raise Incompatible("a matrix of similarities stays on this machine: use engine='threads'")
        if len(placed.chunks) == 1:
            return LocalEngine(self.compute).bind(kernel, placed.vectors, frame)
        compute = Compute(frame.precision, memory_mb=min(KEPT_MB, self.compute.memory_mb))
        setting = Setting((_OWN, placed.number, next(_numbers)), kernel, frame.center, compute)
        if kernel.abilities.smooth and frame.center is None:
            setting = replace(setting, center=placed.vectors.center())
        return ClusterPairs(self.rounds, setting, placed.vectors, placed.chunks, placed.size)

    def each(self, task: Callable[[Any], Any], items: Iterable[Any], *, long: bool = False) -> Iterator[Any]:
        """The task's answers in the order of the items: long ones by the cluster, others by this machine's threads."""
        if not long:
            return LocalEngine(self.compute).each(task, items)
        return self.rounds.ask((partial(quietly, task), (item,)) for item in items)
