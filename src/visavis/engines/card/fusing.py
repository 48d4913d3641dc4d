"""Whether the fused kernels can run here, and their launch; Triton is imported only then."""

from __future__ import annotations

import importlib.util
from functools import cache
from typing import Any

import torch

from visavis.kernel.operations import LogSums
from visavis.kernel.tiling import Tile

LEAST = (9, 0)  # compute capability: cards that copy tiles by themselves


@cache
def _is_there() -> bool:
    return importlib.util.find_spec("triton") is not None


def can_fuse(device: Any) -> bool:
    """Whether this is a card that the fused kernels are written for; others take the plain way."""
    return device.type == "cuda" and _is_there() and torch.cuda.get_device_capability(device) >= LEAST


def fused_tile(operation: Any, device: Any) -> Tile:
    """What a tile contributes: by a kernel of ours where there is one, else by the operation's own tile."""
    if isinstance(operation, LogSums) and can_fuse(device):
        from visavis.engines.card.log_sums import log_sums  # needs Triton

        return lambda values, documents: (log_sums(operation, values, documents),)
    return lambda values, documents: tuple(operation.tile(torch, values, documents))
