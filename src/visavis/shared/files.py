"""Files that are either the old one or the new one, never half of it."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

from visavis.errors import VisavisError

PART = ".part"  # how the name of an unfinished file ends
_COMPANIONS = ("", "-wal", "-shm", "-journal")  # what SQLite may leave beside a database


def replace_file(path: Path, content: Callable[[], str | bytes]) -> None:
    """Put content in the place of a file: written beside it, forced to disk, then renamed over it.

    The content is asked for only once the place is known to be writable. Raises VisavisError if it is not.
    """
    target = Path(os.path.realpath(path))  # a link keeps pointing where it did; the file it names is replaced
    if target.is_dir():
        raise VisavisError(f"cannot write {str(path)!r}: it is a folder; name a file in it")
    if not target.parent.is_dir():
        raise VisavisError(f"cannot write {str(path)!r}: there is no folder {str(target.parent)!r}")
    try:
        with put_in_place(target) as beside, _new_file(beside, _mode(target) or 0o666) as descriptor:
            rendered = content()
            write_all(descriptor, rendered.encode() if isinstance(rendered, str) else rendered)
            os.fsync(descriptor)
    except OSError as error:
        raise VisavisError(f"cannot write {str(path)!r}: {error.strerror or error}") from error


@contextlib.contextmanager
def put_in_place(target: Path) -> Iterator[Path]:
    """A free name beside a file: what the block writes there takes the file's place if the block ends well.

    If it does not, or if the file cannot be replaced, nothing is left over. Raises OSError.
    """
    beside = target.with_name(f".{target.name[:80]}.{secrets.token_hex(4)}{PART}")
    try:
        yield beside
        beside.replace(target)
        _sync_folder(target.parent)
    finally:
        for companion in _COMPANIONS:
            with contextlib.suppress(OSError):
                Path(f"{beside}{companion}").unlink()


@contextlib.contextmanager
def private_file(target: Path) -> Iterator[int]:
    """A descriptor to write to; the file then takes its place, readable by nobody else. Raises OSError.

    It is not forced to disk: for what can be made again and is checked when it is read.
    """
    with put_in_place(target) as beside, _new_file(beside, 0o600) as descriptor:
        yield descriptor


def create_private_file(path: Path, content: str) -> None:
    """Make a file that is not there yet, readable by nobody else, and force it to disk. Raises OSError if it exists."""
    with _new_file(path, 0o600) as descriptor:
        try:
            write_all(descriptor, content.encode())
            os.fsync(descriptor)
        except BaseException:
            path.unlink()
            raise


def write_all(descriptor: int, data: bytes) -> None:
    """Write every byte: the system may take fewer than it is given."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


@contextlib.contextmanager
def _new_file(path: Path, mode: int) -> Iterator[int]:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode & 0o777
    except FileNotFoundError:
        return 0


def _sync_folder(folder: Path) -> None:
    """Force the renaming itself to disk, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
