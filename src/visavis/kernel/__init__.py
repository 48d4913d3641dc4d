"""Vectors in, similarities out: kernels, the operations on their pairs, and the only hot loops."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from visavis.contracts import Kernel
from visavis.errors import InvalidParameter
from visavis.inputs import check_compute, check_groups, check_vectors, check_weights
from visavis.kernel.bandwidth import resolve_gamma
from visavis.kernel.given import Custom
from visavis.kernel.vectors import DocumentVectors
from visavis.records import Floats
from visavis.registry import Registry, Row

__all__ = ["KERNELS", "kernel_at", "kernel_kind", "mean_similarity", "needs_gamma", "resolve_width"]

KERNELS = Registry(
    "kernel",
    {
        "rbf": Row("visavis.kernel.rbf:RBF", "exp(−γ‖x − y‖²)"),
        "laplacian": Row("visavis.kernel.laplacian:Laplacian", "exp(−γ‖x − y‖₁)"),
        "cosine": Row("visavis.kernel.linear:Cosine", "the cosine of the angle"),
        "linear": Row("visavis.kernel.linear:Linear", "the inner product"),
        "precomputed": Row("visavis.kernel.given:Precomputed", "X is the matrix of similarities itself"),
    },
)


def kernel_kind(kernel: Any) -> Any:
    """What a kernel is made by: the class of its name, or the caller's own object or function as it is.

    Raises UnknownName for a name that is none, InvalidParameter for anything else.
    """
    if isinstance(kernel, str):
        return KERNELS.load(kernel)
    if isinstance(kernel, Kernel):
        return kernel
    if callable(kernel):
        return Custom(kernel)
    raise InvalidParameter(
        f"kernel must be one of {', '.join(KERNELS)}, a function k(A, B) or a Kernel, got {kernel!r}"
    )


def needs_gamma(kernel: Any) -> bool:
    """Whether a kernel, by its name, is told a width."""
    kind = kernel_kind(kernel)
    return isinstance(kind, type) and any(parameter.name == "gamma" for parameter in kind.parameters)  # type: ignore[attr-defined]


def kernel_at(kernel: Any, gamma: float) -> Kernel:
    """The kernel of that name at this γ, or the caller's own, which has no γ of ours."""
    kind = kernel_kind(kernel)
    if not isinstance(kind, type):
        return kind  # type: ignore[no-any-return]
    made: Kernel = kind(gamma) if needs_gamma(kernel) else kind()
    return made


def resolve_width(gamma: object, kernel: Any, vectors: DocumentVectors, weights: Floats) -> float:
    """γ of these documents as a number; 1 for kernels that have none."""
    if not needs_gamma(kernel):
        return 1.0
    return resolve_gamma(gamma, kernel_kind(kernel).lengths, vectors, weights)


def check_sparse(is_sparse: bool, kernel: object) -> None:
    """Refuse sparse vectors where a kernel cannot take them, before anything is computed."""
    if is_sparse and not kernel_kind(kernel).abilities.sparse:
        name = f"kernel={kernel!r}" if isinstance(kernel, str) else "a kernel function"
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
