"""Vectors in, similarities out: the only hot loops. Later a GPU or a cluster may answer the same questions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from visavis.contracts import KernelFamily
from visavis.errors import InvalidParameter
from visavis.inputs import check_compute, check_groups, check_vectors, check_weights
from visavis.kernel.bandwidth import resolve_gamma
from visavis.kernel.given import Custom, Precomputed
from visavis.kernel.laplacian import Laplacian
from visavis.kernel.linear import Linear
from visavis.kernel.rbf import RBF
from visavis.kernel.vectors import DocumentVectors
from visavis.records import Array, Floats

__all__ = ["KERNELS", "kernel_family", "mean_similarity"]

KERNELS: dict[str, Callable[[float], KernelFamily]] = {
    "rbf": RBF,
    "laplacian": Laplacian,
    "cosine": lambda gamma: Linear(normalized=True),  # noqa: ARG005 (γ plays no part)
    "linear": lambda gamma: Linear(),  # noqa: ARG005
    "precomputed": lambda gamma: Precomputed(),  # noqa: ARG005
}

TAKES_SPARSE = ("linear", "cosine")


def kernel_family(kernel: str | Callable[[Array, Array], Array], gamma: float) -> KernelFamily:
    """The kernel of that name, or the caller's own function. Raises InvalidParameter for anything else."""
    if callable(kernel):
        return Custom(kernel)
    if not isinstance(kernel, str) or kernel not in KERNELS:
        raise InvalidParameter(f"kernel must be one of {', '.join(KERNELS)} or a function k(A, B), got {kernel!r}")
    return KERNELS[kernel](gamma)


def check_sparse(is_sparse: bool, kernel: object) -> None:
    """Refuse sparse vectors where a kernel cannot take them, before anything is computed."""
    if is_sparse and (not isinstance(kernel, str) or kernel not in TAKES_SPARSE):
        name = f"kernel={kernel!r}" if isinstance(kernel, str) else "a kernel function"
        raise InvalidParameter(f"{name} needs dense X, got sparse X: use kernel='linear' or 'cosine'")


def mean_similarity(
    X: ArrayLike,
    groups: ArrayLike,
    *,
    kernel: str | Callable[[Array, Array], Array] = "rbf",
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
    width = resolve_gamma(gamma, kernel, vectors, weights)
    columns = np.zeros((data.shape[0], len(grouped.labels)))
    columns[np.arange(len(columns)), grouped.codes] = weights
    totals = columns.sum(axis=0)
    if np.any(totals == 0):
        empty = grouped.labels[totals == 0][0]
        raise InvalidParameter(f"sample_weight is 0 for every document of group {empty!r}: its mean is undefined")
    bound = kernel_family(kernel, width).bind(vectors, check_compute(dtype, n_jobs, 512))
    return np.asarray(bound.sums(columns) / totals)
