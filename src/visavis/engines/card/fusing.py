"""Whether the fused kernels can run here, and their launch; Triton is imported only then."""

from __future__ import annotations

import importlib.util
from functools import cache
from typing import Any

import torch

LEAST = (9, 0)  # compute capability: cards that copy tiles by themselves


@cache
def _is_there() -> bool:
    return importlib.util.find_spec("triton") is not None


def can_fuse(device: Any) -> bool:
    """Whether this is a card that the fused kernels are written for; others take the plain way."""
    return device.type == "cuda" and _is_there() and torch.cuda.get_device_capability(device) >= LEAST
