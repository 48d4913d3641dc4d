"""Files and standard input, line by line: JSON in any of the formats, or a URL; lines that are neither are counted."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import json
import lzma
import sys
import zlib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import IO, Any

from visavis.collect.records import Post, Problem
from visavis.collect.sources.base import Batch, Live
from visavis.collect.sources.twitter import Malformed, posts_of
from visavis.corpus.errors import Unreadable

LONGEST_LINE = 64_000_000
BATCH = 5_000
_OPENERS: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
_DAMAGE = (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error)


class Lines:
    """A file of posts or URLs, or "-" for standard input.

    The position is the number of lines read and a fingerprint of the first one, so that a file that grew is read on
    and one that was replaced is read anew. A last line without its end is read again when more of it has come.
    """

    def __init__(self, where: str) -> None:
        self.name = where

    def batches(self, position: str | None, live: Live) -> Iterator[Batch]:
        """Posts of the lines after the position. Raises Unreadable where the file cannot be opened."""
        try:
            with self._open() as stream:
                yield from self._read(stream, position, live)
        except OSError as error:
            raise Unreadable(self.name, error.strerror or str(error)) from error

    def _open(self) -> IO[bytes]:
        if self.name == "-":
            return sys.stdin.buffer
        stream: IO[bytes] = _OPENERS.get(Path(self.name).suffix.lower(), open)(self.name, "rb")
        return stream

    def _read(self, stream: IO[bytes], position: str | None, live: Live) -> Iterator[Batch]:
        skip, mark = _parsed(position)
        print_ = mark
        pending = _Pending(self.name, live)
        number = 0
        for number, line in enumerate(self._lines(stream, pending), start=1):
            if number == 1:
                print_ = hashlib.sha256(line[:4096]).hexdigest()[:16]
                if print_ != mark:
                    skip = 0
                yield Batch(since=skip)
            if number <= skip:
                continue
            complete = pending.take(number, line)
            if live.stop.is_set():
                yield pending.batch(f"{number if complete else number - 1} {print_}")
                return
            if not complete and not line.endswith(b"\n"):
                number -= 1
            elif len(pending) >= BATCH:
                yield pending.batch(f"{number} {print_}")
        yield pending.batch(f"{max(number, 0)} {print_}" if print_ and self.name != "-" else None)

    def _lines(self, stream: IO[bytes], pending: _Pending) -> Iterator[bytes]:
        number = 0
        try:
            first = stream.readline(LONGEST_LINE)
            ahead: Iterator[bytes] = _opening(first, stream) if first[:1] in (b"[", b"{") else iter((first,))
            for line in chain(ahead, iter(lambda: stream.readline(LONGEST_LINE), b"")):
                if line:
                    number += 1
                    yield line
        except _DAMAGE as error:
            pending.refuse(number + 1, f"the file is damaged from here on ({error})")


def _opening(first: bytes, stream: IO[bytes]) -> Iterator[bytes]:
    """The first line; or all of the file as one, where its lines are one JSON value only together."""
    if _is_json(first):
        return iter((first,))
    rest = stream.read(LONGEST_LINE - len(first)) if len(first) < LONGEST_LINE else b""
    if rest and _is_json(first + rest):
        return iter((first + rest,))
    return iter((first, *rest.splitlines(keepends=True)))


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


class _Pending:
    """Posts and problems since the last batch."""

    def __init__(self, name: str, live: Live) -> None:
        self._name, self._wanted = name, live.wanted
        self._posts: list[Post] = []
        self._problems: list[Problem] = []
        self._notices = 0

    def __len__(self) -> int:
        return len(self._posts) + len(self._problems)

    def take(self, number: int, line: bytes) -> bool:
        """Read a line; False where it could not be."""
        stripped = line.strip().removeprefix(b"\xef\xbb\xbf")
        if not stripped or stripped.startswith(b"# "):
            return True
        try:
            found = _posts(stripped)
        except Malformed as error:
            self.refuse(number, str(error))
            return False
        if not found:
            self._notices += 1
        posts = [post for post in found if isinstance(post, Post)]
        self._posts.extend(post for post in posts if self._wanted is None or self._wanted(post))
        for post in found:
            if isinstance(post, Malformed):
                self.refuse(number, str(post))
        return bool(posts) or not found

    def refuse(self, number: int, reason: str) -> None:
        """Count a line that cannot be read."""
        self._problems.append(Problem(self._name, number, reason))

    def batch(self, position: str | None) -> Batch:
        """What was gathered, and begin anew."""
        done = Batch(tuple(self._posts), tuple(self._problems), position, self._notices)
        self._posts, self._problems, self._notices = [], [], 0
        return done


def _posts(line: bytes) -> list[Post | Malformed]:
    """The posts of a line, and why others could not be read; nothing for a notice. Raises Malformed."""
    if len(line) >= LONGEST_LINE - 1:
        raise Malformed(f"a line of more than {LONGEST_LINE:,} bytes")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed(f"not UTF-8 ({error.reason} at byte {error.start})") from None
    if text.startswith(("http://", "https://")):
        url = text.split()[0]
        return [Post("url", url, "", urls=(url,))]
    try:
        value = json.loads(text)
    except RecursionError:
        raise Malformed("JSON nested too deeply") from None
    except ValueError as error:
        raise Malformed(f"neither JSON nor a URL ({error})") from None
    try:
        return list(posts_of(value))
    except RecursionError:
        raise Malformed("JSON nested too deeply") from None


def _parsed(position: str | None) -> tuple[int, str]:
    count, _, mark = (position or "0 ").partition(" ")
    return (int(count) if count.isdigit() else 0), mark
