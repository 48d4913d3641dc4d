"""Files and standard input, line by line: JSON, a URL, or a row of a table; lines that are neither are counted."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import json
import lzma
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any

from visavis.collect.records import Post, Problem
from visavis.collect.sources.base import Batch, Live
from visavis.collect.sources.tables import Header, header_of, rows
from visavis.collect.sources.twitter import Malformed, posts_of
from visavis.corpus.errors import Unreadable

LONGEST_LINE = 64_000_000
BATCH = 5_000
_OPENERS: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
_DAMAGE = (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error)


class _Replaced(Exception):
    """The file does not begin with what was read of it."""


@dataclass(frozen=True)
class _Place:
    """How far a file was read: so many lines, a fingerprint of them, and the URL of an unfinished line after them."""

    lines: int = 0
    mark: str = ""
    url: str = ""

    @classmethod
    def parsed(cls, position: str | None) -> _Place:
        count, _, rest = (position or "").partition(" ")
        mark, _, url = rest.partition(" ")
        return cls(int(count), mark, url) if count.isdecimal() else cls()


class _Read:
    """The lines read so far, counted and fingerprinted; blanks at their ends do not count."""

    def __init__(self) -> None:
        self.lines, self._digest = 0, hashlib.sha256()

    def add(self, line: bytes) -> None:
        self.lines += 1
        self._digest.update(line.rstrip() + b"\n")

    def is_at(self, place: _Place) -> bool:
        return not place.lines or (self.lines == place.lines and place.mark == self._mark)

    @property
    def _mark(self) -> str:
        return self._digest.hexdigest()[:16]

    def __str__(self) -> str:
        return f"{self.lines} {self._mark}"


class Lines:
    """A file of posts or URLs, or "-" for standard input, which has no position.

    The position is the number of lines read and a fingerprint of all of them, so that a file that grew is read on and
    one that was replaced, or one JSON value that grew, is read anew. A last line without its end is read, and read
    again when more of it has come.
    """

    def __init__(self, where: str) -> None:
        self.name = where

    def batches(self, position: str | None, live: Live) -> Iterator[Batch]:
        """Posts of the lines after the position. Raises Unreadable where the file cannot be opened."""
        try:
            if self.name == "-":
                for batch in self._read(sys.stdin.buffer, _Place(), live):
                    yield replace(batch, position=None)
            else:
                yield from self._read_file(_Place.parsed(position), live)
        except OSError as error:
            raise Unreadable(self.name, error.strerror or str(error)) from error

    def _read_file(self, place: _Place, live: Live) -> Iterator[Batch]:
        opened = _OPENERS.get(Path(self.name).suffix.lower(), open)
        try:
            with opened(self.name, "rb") as stream:
                yield from self._read(stream, place, live)
        except _Replaced:
            with opened(self.name, "rb") as stream:
                yield from self._read(stream, _Place(), live)

    def _read(self, stream: IO[bytes], place: _Place, live: Live) -> Iterator[Batch]:
        pending, read = _Pending(self.name, live), _Read()
        lines = self._lines(stream, pending)
        for line in islice(lines, place.lines):
            read.add(line)
        if not read.is_at(place):
            raise _Replaced
        first = next(lines, b"")
        yield Batch(since=read.lines, withdrawn=place.url if _has_grown(place.url, _url(first)) else "")
        for line in chain((first,) if first else (), lines):
            if pending.header is None and _is_open(line) and (url := _url(line)):
                known = f" {url}" if url == place.url else ""
                yield pending.batch(f"{read}{known}", None if known else _listed(url))
                return
            complete = pending.take(read.lines + 1, line)
            if complete or not _is_open(line):
                read.add(line)
            if live.stop.is_set():
                break
            if len(pending) >= BATCH:
                yield pending.batch(str(read))
        yield pending.batch(str(read))

    def _lines(self, stream: IO[bytes], pending: _Pending) -> Iterator[bytes]:
        number = 0
        try:
            first = stream.readline(LONGEST_LINE)
            header = header_of(first, _suffix(self.name))
            if header is not None:
                yield from self._rows(header, first, stream, pending)
                return
            ahead: Iterator[bytes] = _opening(first, stream) if first[:1] in (b"[", b"{") else iter((first,))
            for line in chain(ahead, iter(lambda: stream.readline(LONGEST_LINE), b"")):
                if line:
                    number += 1
                    yield line
        except _DAMAGE as error:
            pending.refuse(number + 1, f"the file is damaged from here on ({error})")

    def _rows(self, header: Header, first: bytes, stream: IO[bytes], pending: _Pending) -> Iterator[bytes]:
        """The rows of a table. Raises Unreadable if none of its columns is known."""
        if not header.is_known:
            names = ", ".join(repr(name[:40]) for name in header.columns[:8])
            raise Unreadable(
                self.name,
                f"no column holds a link or a text: the columns are {names}; call one of them 'url' or 'text'",
            )
        pending.header = header
        yield from rows(first, stream, LONGEST_LINE, header.delimiter)


def _suffix(name: str) -> str:
    """How a file's name ends, that of its compression aside."""
    path = Path(name)
    return Path(path.stem).suffix if path.suffix.lower() in _OPENERS else path.suffix


def _opening(first: bytes, stream: IO[bytes]) -> Iterator[bytes]:
    """The first line; or all of the file as one, where its lines are one JSON value only together."""
    if _is_json(first):
        return iter((first,))
    rest = stream.read(LONGEST_LINE - len(first)) if len(first) < LONGEST_LINE else b""
    if rest and not rest.endswith(b"\n"):
        rest += stream.readline(LONGEST_LINE)
    if rest and _is_json(first + rest):
        return iter((first + rest,))
    return chain((first,), io.BytesIO(rest))


def _is_open(line: bytes) -> bool:
    """Whether a line is the last and lacks its end, so that more of it may come."""
    return not line.endswith(b"\n") and len(line) < LONGEST_LINE


def _url(line: bytes) -> str:
    """The URL that a line is, "" if it is something else."""
    text = line.strip().removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    return text.split()[0] if text.startswith(("http://", "https://")) else ""


def _has_grown(url: str, now: str) -> bool:
    return bool(url) and now != url and now.startswith(url)


def _listed(url: str) -> Post:
    return Post("url", url, "", urls=(url,))


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


class _Pending:
    """Posts and problems since the last batch."""

    def __init__(self, name: str, live: Live) -> None:
        self._name, self._live = name, live
        self._posts: list[Post] = []
        self._problems: list[Problem] = []
        self._notices = 0
        self.header: Header | None = None

    def __len__(self) -> int:
        return len(self._posts) + len(self._problems)

    def take(self, number: int, line: bytes) -> bool:
        """Read a line; whether it holds something whole."""
        stripped = line.strip().removeprefix(b"\xef\xbb\xbf")
        if not stripped or stripped.startswith(b"# "):
            return False
        if self.header is not None and number == 1 and not self.header.is_row:
            return True
        try:
            found = _posts(stripped if self.header is None else line.rstrip(b"\r\n"), self.header)
        except Malformed as error:
            self.refuse(number, str(error))
            return False
        if not found:
            self._notices += 1
        posts = [post for post in found if isinstance(post, Post)]
        self._posts.extend(filter(self._live.wants, posts))
        for post in found:
            if isinstance(post, Malformed):
                self.refuse(number, str(post))
        return bool(posts) or not found

    def refuse(self, number: int, reason: str) -> None:
        """Count a line that cannot be read."""
        self._problems.append(Problem(self._name, number, reason))

    def batch(self, position: str, unfinished: Post | None = None) -> Batch:
        """What was gathered, and begin anew."""
        last = unfinished if unfinished is not None and self._live.wants(unfinished) else None
        done = Batch(tuple(self._posts), tuple(self._problems), position, self._notices, unfinished=last)
        self._posts, self._problems, self._notices = [], [], 0
        return done


def _posts(line: bytes, header: Header | None = None) -> list[Post | Malformed]:
    """The posts of a line, and why others could not be read; nothing for a notice. Raises Malformed."""
    if len(line) >= LONGEST_LINE - 1:
        raise Malformed(f"a line of more than {LONGEST_LINE:,} bytes")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed(f"not UTF-8 ({error.reason} at byte {error.start})") from None
    if header is not None:
        record = header.record(text)
        return list(posts_of(record)) if record else []
    if url := _url(line):
        return [_listed(url)]
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
