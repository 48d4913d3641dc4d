"""What tells one file's content from another's."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from visavis.errors import InvalidParameter


@lru_cache(maxsize=1000)
def file_digest(path: Path, stamp: str) -> str:  # noqa: ARG001 (a changed stamp asks anew)
    """The SHA-256 of a file, read once for each `stamp` it has. Raises InvalidParameter if it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InvalidParameter(f"{path} could not be read: {error.strerror}") from error
