"""Files that are either the old one or the new one, and what tells one file's content from another's."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from visavis.errors import InvalidParameter

PART = ".part"


@contextlib.contextmanager
def replace_file(path: Path, mode: int = 0o666) -> Iterator[BinaryIO]:
    """A file to write to, put in the place of `path` once all is written; if writing fails, all stays as it was."""
    beside = path.with_name(f".{path.name[:80]}.{secrets.token_hex(8)}{PART}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
        beside.replace(path)
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()


@lru_cache(maxsize=1000)
def file_digest(path: Path, stamp: str) -> str:  # noqa: ARG001 (a changed stamp asks anew)
    """The SHA-256 of a file, read once for each `stamp` it has. Raises InvalidParameter if it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InvalidParameter(f"{path} could not be read: {error.strerror}") from error
