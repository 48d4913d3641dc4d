"""A card as an engine: vectors are sent there once, and only answers come back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import torch

from visavis.contracts import Kernel, Pairs
from visavis.engines.card.fusing import can_fuse
from visavis.engines.card.pairs import CardPairs
from visavis.engines.card.rbf import CardRBFPairs
from visavis.engines.local import LocalEngine
from visavis.errors import Incompatible, InvalidParameter
from visavis.kernel.given import Custom
from visavis.kernel.rbf import RBF
from visavis.kernel.vectors import DocumentVectors
from visavis.records import Compute, Floats, Frame, Integers

FUSED_REACH, PLAIN_REACH = 1e17, 6e13  # pairs times dimensions


@dataclass(frozen=True, eq=False)
class Placed:
    """The documents' vectors on a card, in order; `vectors` are the same here."""

    vectors: DocumentVectors
    rows: Any  # (N, d), as precise as they were given

    @property
    def n_documents(self) -> int:
        """N."""
        return len(self.rows)

    def center(self) -> Floats:
        """The mean vector; shape (d,)."""
        found: Floats = self.rows.mean(dim=0, dtype=torch.float64).cpu().numpy()
        return found


@dataclass(frozen=True, eq=False)
class CardEngine:
    """`address` is torch's name of the device: "cuda", "cuda:1", or "cpu", where the same runs without a card."""

    compute: Compute = field(default_factory=Compute)
    address: str = "cuda"
    name: ClassVar[str] = "cuda"
    _sent: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def reach(self) -> float:
        """Ten million documents where kernels are fused, which takes minutes; a fortieth of that on other cards."""
        return FUSED_REACH if can_fuse(torch.device(self.address)) else PLAIN_REACH

    @property
    def device(self) -> str:
        """The card's name."""
        on = torch.device(self.address)
        return f"cuda ({torch.cuda.get_device_name(on)})" if on.type == "cuda" else self.address

    def place(self, vectors: Any, order: Integers) -> Placed:
        """The vectors on the card; the same ones, in another order or only some of them, are not sent again."""
        if not isinstance(vectors, np.ndarray):
            raise Incompatible("sparse vectors stay on the CPU: use device='cpu', or make them dense")
        if self._sent.get("vectors") is not vectors:
            self._sent.clear()
            try:
                self._sent["rows"] = torch.as_tensor(vectors).to(self.address)
            except torch.OutOfMemoryError as error:
                raise InvalidParameter(
                    f"the card has no room for {vectors.shape[0]:,} × {vectors.shape[1]:,} vectors: use device='cpu'"
                ) from error
            self._sent["vectors"] = vectors
        rows = self._sent["rows"]
        if not np.array_equal(order, np.arange(len(vectors))):
            rows = rows[torch.as_tensor(order).to(self.address)]
        return Placed(DocumentVectors(vectors, order), rows)

    def bind(self, kernel: Kernel, placed: Placed, frame: Frame) -> Pairs:
        """The pairs of these documents. Raises Incompatible for a function of the caller's, which knows no card."""
        if isinstance(kernel, Custom):
            raise Incompatible("a kernel that is a function of yours runs on the CPU: use device='cpu'")
        compute = replace(self.compute, dtype=frame.precision)
        if isinstance(kernel, RBF):
            center = placed.center() if frame.center is None else frame.center
            return CardRBFPairs(kernel, placed.rows, center, compute)
        return CardPairs(kernel, placed.rows.double(), compute)

    def each(self, task: Callable[[Any], Any], items: Iterable[Any], *, long: bool = False) -> Iterator[Any]:
        """The task's answers in the order of the items, by this machine's threads; long ones one by one."""
        return map(task, items) if long else LocalEngine(self.compute).each(task, items)
