"""One measurement in a process of its own: `python -m bench.child SUBJECT FILE GAMMA THREADS` prints a JSON line."""

from __future__ import annotations

import json
import re
import resource
import sys
import time
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from bench.case import Case, Subject
from bench.subjects import SUBJECTS


def main(subject: str, documents: str, gamma: str, threads: str) -> None:
    """Import and load, then time one call and watch its peak memory."""
    warnings.simplefilter("ignore")  # peers warn about their own dependencies
    case = Case(np.load(documents, allow_pickle=False), float(gamma), int(threads))
    module, _, name = SUBJECTS[subject].target.partition(":")
    prepare: Subject = getattr(import_module(module), name)
    try:
        work = prepare(case)
    except ImportError as missing:
        print(json.dumps({"missing": missing.name or str(missing)}))
        return
    print(json.dumps(_measure(work)))


def _measure(work: Any) -> dict[str, Any]:
    held = _held_and_reset()
    wall, cpu = time.perf_counter(), time.process_time()
    answer = work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return {
        "wall": wall / answer.share,
        "cpu": cpu / answer.share,
        "memory": max(0, _peak() - held),
        "picks": answer.picks,
        "value": answer.value,
        "note": answer.note,
    }


def _held_and_reset() -> int:
    """Resident bytes now, the peak set back to them where the system allows it."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
        return _status("VmRSS")
    except OSError:
        return _peak()


def _peak() -> int:
    try:
        return _status("VmHWM")
    except OSError:
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _status(field: str) -> int:
    found = re.search(rf"^{field}:\s+(\d+) kB$", Path("/proc/self/status").read_text(), re.MULTILINE)
    if found is None:
        raise OSError(f"/proc/self/status has no {field}")
    return int(found.group(1)) * 1024


if __name__ == "__main__":
    main(*sys.argv[1:])
