"""How much memory there may be, as people write it, and how much is in use."""

from __future__ import annotations

import os
import re
import sys
from numbers import Integral
from pathlib import Path

from visavis.errors import InvalidParameter

UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
LEAST = 64 * 10**6

_WRITTEN = re.compile(r"(\d+(?:\.\d+)?)\s*(KB|MB|GB|TB)", re.IGNORECASE | re.ASCII)


def check_memory(memory: object) -> int | None:
    """Bytes, from "4GB" or a whole number of them; None for no limit. Raises InvalidParameter for anything else."""
    if memory is None:
        return None
    read = _WRITTEN.fullmatch(memory.strip()) if isinstance(memory, str) else None
    found = int(float(read[1]) * UNITS[read[2].upper()]) if read else memory
    if isinstance(found, bool) or not isinstance(found, Integral):
        raise InvalidParameter(f"memory must be a size such as '4GB' or '500MB', or a number of bytes, got {memory!r}")
    if found < LEAST:
        raise InvalidParameter(f"memory={memory!r} is less than {written(LEAST)}, which nothing here can do with")
    return int(found)


def written(n_bytes: float) -> str:
    """A size as people write it: 1.3 GB, 640 MB."""
    return f"{n_bytes / 10**9:.1f} GB" if n_bytes >= 10**9 else f"{n_bytes / 10**6:.0f} MB"


def in_use() -> int:
    """Bytes this process holds now, or has held at most where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return pages * os.sysconf("SC_PAGE_SIZE")
