"""One writer at a time: a lock beside the state file that the system drops when its process dies."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from visavis.errors import VisavisError


class InUse(VisavisError):
    """Another process writes to the state file."""


class StateLock:
    """Held from its making until `release`, or until the process ends, however it ends."""

    def __init__(self, path: str) -> None:
        name = f"{path}.lock"
        try:
            self._descriptor: int | None = os.open(name, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            folder = str(Path(name).parent)
            raise InUse(f"cannot write beside the state file {path!r}: {error.strerror}; check {folder!r}") from error
        if not _take(self._descriptor):
            os.close(self._descriptor)
            self._descriptor = None
            raise InUse(f"another process is collecting into {path!r}: wait for it, or name another state file")

    def release(self) -> None:
        """Let others write; again is harmless."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _take(descriptor: int) -> bool:
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
