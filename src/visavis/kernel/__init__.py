"""Vectors in, similarities out: kernels, the operations on their pairs, and the only hot loops."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from visavis.contracts import Kernel
from visavis.errors import InvalidParameter
from visavis.inputs import check_compute, check_groups, check_vectors, check_weights
from visavis.kernel.bandwidth import resolve_gamma
from visavis.kernel.given import Custom
from visavis.kernel.vectors import DocumentVectors
from visavis.records import Floats, KernelAbilities, Parameter
from visavis.registry import Registry, Row

__all__ = ["KERNELS", "KernelKind", "kernel_at", "kernel_kind", "mean_similarity", "needs_gamma", "resolve_width"]

MOST_KINDS = 64  # classes that are remembered: whether one keeps the contract is slow to tell

KERNELS = Registry(
    "kernel",
    {
        "rbf": Row("visavis.kernel.rbf:RBF", "exp(−γ‖x − y‖²)"),
        "cosine": Row("visavis.kernel.linear:Cosine", "the cosine of the angle"),
        "linear": Row("visavis.kernel.linear:Linear", "the inner product"),
        "precomputed": Row("visavis.kernel.given:Precomputed", "X is the matrix of similarities itself"),
    },
)


@dataclass(frozen=True)
class KernelKind:
    """A kernel that has still to be told its width: a class, and the values of its other parameters."""

    make: Any
    values: tuple[tuple[str, Any], ...] = ()

    @property
    def abilities(self) -> KernelAbilities:
        """What it will be able to do."""
        found: KernelAbilities = self.make.abilities
        return found

    @property
    def needs_gamma(self) -> bool:
        """Whether it is told a width."""
        return any(parameter.name == "gamma" for parameter in self.make.parameters)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What else it can be told."""
        return tuple(parameter for parameter in self.make.parameters if parameter.name != "gamma")

    def with_values(self, given: Mapping[str, Any]) -> KernelKind:
        """The same with these of its parameters, checked."""
        values = {p.name: p.check(given[p.name]) for p in self.parameters if p.name in given}
        return replace(self, values=tuple({**dict(self.values), **values}.items()))

    def at(self, gamma: float) -> Kernel:
        """The kernel at this γ."""
        width = {"gamma": gamma} if self.needs_gamma else {}
        made: Kernel = self.make(**width, **dict(self.values))
        return made


def kernel_kind(kernel: Any) -> KernelKind | Kernel:
    """What a kernel is made by, from its name or class; or the caller's own object or function.

    Raises UnknownName if no kernel has the name, InvalidParameter for what keeps no kernel's contract.
    """
    if isinstance(kernel, str | type):
        return _kind(KERNELS.load(kernel) if isinstance(kernel, str) else kernel)
    if isinstance(kernel, KernelKind | Kernel):
        return kernel
    if callable(kernel):
        return Custom(kernel)
    names = ", ".join(KERNELS)
    raise InvalidParameter(f"kernel must be one of {names}, a function k(A, B) or a Kernel, got {kernel!r}")


@lru_cache(MOST_KINDS)
def _kind(made_by: Any) -> KernelKind:
    """A class of kernels, if it is one."""
    if not isinstance(made_by, Kernel):  # what an instance needs stands on the class
        raise InvalidParameter(
            f"{made_by!r} makes no kernel: it needs parameters, abilities, similarity, proximity and distances"
        )
    kind = KernelKind(made_by)
    if kind.needs_gamma and not hasattr(made_by, "lengths"):
        raise InvalidParameter(f"{made_by!r} declares gamma but has no lengths(rows), from which γ is derived")
    return kind


def tell_kernel(kernel: Any, given: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The kernel told those of the values that it declares, and the values that are left."""
    kind = kernel_kind(kernel)
    if not isinstance(kind, KernelKind) or not kind.parameters:
        return kernel, dict(given)
    names = [parameter.name for parameter in kind.parameters]
    return kind.with_values(given), {name: value for name, value in given.items() if name not in names}


def kernel_parameters(kernel: Any) -> tuple[Parameter, ...]:
    """What a kernel can be told besides its width."""
    kind = kernel_kind(kernel)
    return kind.parameters if isinstance(kind, KernelKind) else ()


def needs_gamma(kernel: Any) -> bool:
    """Whether a kernel is still to be told a width."""
    kind = kernel_kind(kernel)
    return isinstance(kind, KernelKind) and kind.needs_gamma


def kernel_at(kernel: Any, gamma: float) -> Kernel:
    """The kernel at this γ; the caller's own, which has no γ of ours, as it is."""
    kind = kernel_kind(kernel)
    return kind.at(gamma) if isinstance(kind, KernelKind) else kind


def resolve_width(gamma: object, kernel: Any, vectors: DocumentVectors, weights: Floats) -> float:
    """γ of these documents as a number; 1 for kernels that have none."""
    kind = kernel_kind(kernel)
    if not isinstance(kind, KernelKind) or not kind.needs_gamma:
        return 1.0
    return resolve_gamma(gamma, kind.make.lengths, vectors, weights)


def check_sparse(is_sparse: bool, kernel: object) -> None:
    """Refuse sparse vectors where a kernel cannot take them, before anything is computed."""
    if is_sparse and not kernel_kind(kernel).abilities.sparse:
        name = f"kernel={kernel!r}" if isinstance(kernel, str) else "the kernel"
        raise InvalidParameter(f"{name} needs dense X, got sparse X: use kernel='linear' or 'cosine'")


def mean_similarity(
    X: ArrayLike,
    groups: ArrayLike,
    *,
    kernel: Any = "rbf",
    gamma: float | str,
    sample_weight: ArrayLike | None = None,
    dtype: str = "float32",
    n_jobs: int | None = None,
) -> Floats:
    """Mean kernel value of each document with each group, groups in sorted order.

    a_ig = Σ_{j∈g} w_j k(x_i, x_j) / Σ_{j∈g} w_j; shape (N, G). Documents of weight 0 count for nothing but have a row.
    """
    data = check_vectors(X)
    grouped = check_groups(groups, data.shape[0])
    weights = check_weights(sample_weight, data.shape[0])
    vectors = DocumentVectors(data, np.arange(data.shape[0]))
    check_sparse(vectors.is_sparse, kernel)
    width = resolve_width(gamma, kernel, vectors, weights)
    columns = np.zeros((data.shape[0], len(grouped.labels)))
    columns[np.arange(len(columns)), grouped.codes] = weights
    totals = columns.sum(axis=0)
    if np.any(totals == 0):
        empty = grouped.labels[totals == 0][0]
        raise InvalidParameter(f"sample_weight is 0 for every document of group {empty!r}: its mean is undefined")
    from visavis.kernel.binding import bind_here  # all kernels, only where one is used

    bound = bind_here(kernel_at(kernel, width), vectors, check_compute(dtype, n_jobs, 512))
    return np.asarray(bound.sums(columns) / totals)
