"""Kernels met with documents on this machine's threads: each has a fast way of its own, any other runs its tiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from visavis.contracts import Kernel, Pairs, Vectors
from visavis.kernel.given import Custom, CustomPairs, Precomputed, PrecomputedPairs
from visavis.kernel.linear import Cosine, Linear, LinearPairs
from visavis.kernel.pairs import PlainPairs
from visavis.kernel.rbf import RBF, RBFPairs
from visavis.records import Compute, Floats

_FAST: dict[type, Callable[[Any, Vectors, Compute, Floats | None], Pairs]] = {
    RBF: lambda kernel, vectors, compute, center: RBFPairs(vectors, kernel.gamma, compute, center),
    Linear: lambda kernel, vectors, compute, _: LinearPairs(kernel.rows(vectors.raw(slice(None))), compute),
    Cosine: lambda kernel, vectors, compute, _: LinearPairs(kernel.rows(vectors.raw(slice(None))), compute),
    Precomputed: lambda _, vectors, compute, __: PrecomputedPairs(vectors, compute),
    Custom: lambda kernel, vectors, compute, _: CustomPairs(vectors, kernel, compute),
}


def bind_here(kernel: Kernel, vectors: Vectors, compute: Compute, center: Floats | None = None) -> Pairs:
    """The pairs of these documents."""
    fast = _FAST.get(type(kernel))
    return PlainPairs(kernel, vectors, compute) if fast is None else fast(kernel, vectors, compute, center)
