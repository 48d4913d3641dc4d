"""Files that are either the old one or the new one, never half of it."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

from visavis.errors import VisavisError


def replace_file(path: Path, content: Callable[[], str | bytes]) -> None:
    """Put content in the place of a file: written beside it, forced to disk, then renamed over it.

    The content is asked for only once the place is known to be writable. Raises VisavisError if it is not.
    """
    target = Path(os.path.realpath(path))  # a link keeps pointing where it did; the file it names is replaced
    if target.is_dir():
        raise VisavisError(f"cannot write the report to {str(path)!r}: it is a folder; name a file in it")
    if not target.parent.is_dir():
        raise VisavisError(f"cannot write the report to {str(path)!r}: there is no folder {str(target.parent)!r}")
    beside = target.with_name(f".{target.name[:80]}.{secrets.token_hex(4)}.part")
    try:
        with _new_file(beside, target) as descriptor:
            rendered = content()
            _write_all(descriptor, rendered.encode() if isinstance(rendered, str) else rendered)
            os.fsync(descriptor)
        beside.replace(target)
        _sync_folder(target.parent)
    except OSError as error:
        raise VisavisError(f"cannot write the report to {str(path)!r}: {error.strerror or error}") from error
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()


@contextlib.contextmanager
def _new_file(path: Path, successor_of: Path) -> Iterator[int]:
    """A descriptor of a new file with the permissions of the one it will replace."""
    try:
        mode = successor_of.stat().st_mode & 0o777
    except FileNotFoundError:
        mode = 0
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode or 0o666)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _sync_folder(folder: Path) -> None:
    """Force the renaming itself to disk, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
