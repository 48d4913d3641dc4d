"""One process at a time: locks on files that the system drops when their process ends, even if it is killed."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from visavis.errors import VisavisError

_BEYOND = 2**62  # a byte no file reaches: on Windows nobody else can read a byte that is locked


class InUse(VisavisError):
    """Another process holds what was asked for; the message says what."""


class FileLock:
    """A lock on a file of its own, held from its making until `release` or until the process ends."""

    def __init__(self, path: Path, taken: str) -> None:
        """Raises InUse with the message `taken` if another holds it, OSError if the file cannot be made."""
        self._descriptor: int | None = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        if not lock(self._descriptor):
            self.release()
            raise InUse(taken)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def release(self) -> None:
        """Let others have it; again is harmless."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def lock(descriptor: int) -> bool:
    """Lock an open file without waiting; whether that worked. Closing it, or the end of the process, unlocks it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            place = os.lseek(descriptor, 0, os.SEEK_CUR)
            os.lseek(descriptor, _BEYOND, os.SEEK_SET)
            try:
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            finally:
                os.lseek(descriptor, place, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
