"""Σ_x v_x log(rest_x + own_x P(c, x)) in one pass over P, by a Triton kernel."""

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl

from visavis.kernel.operations import LogSums, like

CANDIDATES, DOCUMENTS = 16, 256  # of a step


@triton.jit
def _log_sums(
    powers, rest, own, weights, found, n_candidates, n_documents, stride,
    CANDIDATES: tl.constexpr, DOCUMENTS: tl.constexpr,
):  # fmt: skip
    """A few candidates over all documents: a step in the precision of P, the steps added up in float64."""
    candidates = tl.program_id(0) * CANDIDATES + tl.arange(0, CANDIDATES)
    total = tl.zeros((CANDIDATES,), tl.float64)
    for start in range(0, n_documents, DOCUMENTS):
        documents = start + tl.arange(0, DOCUMENTS)
        inside = documents < n_documents
        here = powers + candidates.to(tl.int64)[:, None] * stride + documents[None, :]
        values = tl.load(here, mask=(candidates < n_candidates)[:, None] & inside[None, :], other=0.0)
        base = tl.load(rest + documents, mask=inside, other=1.0)
        factor = tl.load(own + documents, mask=inside, other=0.0)
        weight = tl.load(weights + documents, mask=inside, other=0.0)
        logs = tl.log(base[None, :] + factor[None, :] * values) * weight[None, :]
        total += tl.sum(logs, axis=1).to(tl.float64)
    tl.store(found + candidates, total, mask=candidates < n_candidates)


def log_sums(operation: LogSums, powers: Any, documents: slice) -> Any:
    """The sums of some candidates over some documents, in float64; powers have shape (candidates, documents)."""
    rest, own, weights = (like(part[documents], powers) for part in (operation.rest, operation.own, operation.weights))
    found = torch.empty(len(powers), dtype=torch.float64, device=powers.device)
    _log_sums[(triton.cdiv(len(powers), CANDIDATES),)](
        powers, rest, own, weights, found, *powers.shape, powers.stride(0), CANDIDATES, DOCUMENTS
    )
    return found
