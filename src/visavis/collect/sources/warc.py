"""WARC files (those of CC-NEWS, of other crawlers, of `fetch --warc`): every page of HTML in them."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from visavis.collect.records import Problem
from visavis.collect.sources.base import Batch, Live
from visavis.collect.sources.pages import BATCH, LARGEST, PageBatch
from visavis.corpus.dates import parse_date
from visavis.corpus.errors import Unreadable
from visavis.errors import InvalidParameter

SUFFIXES = (".warc", ".warc.gz", ".arc", ".arc.gz")
TYPES = ("text/html", "application/xhtml+xml", "")
_HEAD = 4_096  # bytes by which a file is known again
_DAMAGE = (EOFError, ValueError, zlib.error, gzip.BadGzipFile)


class WarcFile:
    """warc:FILE, or a path that ends like one. The position is where the next record begins, and how the file does.

    A file that grew is read on, one that was replaced is read anew.
    """

    def __init__(self, where: str) -> None:
        self.name = f"warc:{where}"
        self._path = Path(where)
        if not self._path.is_file():
            raise InvalidParameter(f"there is no file {where!r}; write warc:FILE for a WARC file")

    def batches(self, position: str | None, live: Live) -> Iterator[Batch]:
        """Pages of the records after the position. Raises Unreadable where the file cannot be opened."""
        try:
            with self._path.open("rb") as stream:
                head = stream.read(_HEAD)
                if not _is_archive(head):
                    yield Batch(problems=(Problem(self.name, 0, "no WARC file, or damaged from the first byte on"),))
                    return
                mark = hashlib.sha256(head).hexdigest()[:16]
                offset, _, known = (position or "0").partition(" ")
                start = int(offset) if offset.isdecimal() and known == mark else 0
                stream.seek(start)
                yield from self._read(stream, start, mark, live)
        except OSError as error:
            raise Unreadable(str(self._path), error.strerror or str(error)) from error

    def _read(self, stream: IO[bytes], start: int, mark: str, live: Live) -> Iterator[Batch]:
        from warcio.exceptions import ArchiveLoadFailed

        pending, here = PageBatch(self.name, live), start
        try:
            for number, (here, record) in enumerate(self._records(stream), start=1):
                if len(pending) >= BATCH:
                    yield pending.batch(f"{here} {mark}")
                if live.stop.is_set():
                    break
                _take(record, number, pending)
            else:
                here = stream.tell()  # what was appended since the last byte was read comes next time
        except (ArchiveLoadFailed, *_DAMAGE) as error:
            pending.refuse(0, f"damaged from byte {here:,} on, or no WARC file ({str(error).strip()[:200]})")
        yield pending.batch(f"{here} {mark}")

    def _records(self, stream: IO[bytes]) -> Iterator[tuple[int, Any]]:
        """Records with the bytes at which they begin. Raises EOFError where the last was cut short."""
        from warcio.archiveiterator import ArchiveIterator

        found = ArchiveIterator(stream, arc2warc=".arc" in self._path.name.lower())
        for record in found:
            yield int(found.offset), record
            _check_whole(record)


def _is_archive(head: bytes) -> bool:
    """Whether a file begins as one of WARC or ARC does, packed or not."""
    if head[:2] == b"\x1f\x8b":
        try:
            head = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head, 100)
        except zlib.error:
            return False
    return head.startswith((b"WARC/", b"filedesc:"))


def _check_whole(record: Any) -> None:
    """Read a record to its end. Raises EOFError if the file ends before."""
    while record.raw_stream.read(2**16):
        pass
    if getattr(record.raw_stream, "limit", 0) > 0:
        raise EOFError("the file ends in the middle of a record")


def _take(record: Any, number: int, pending: PageBatch) -> None:
    """Keep the page of a record, if it is one that a server answered with."""
    if record.rec_type not in ("response", "resource"):
        pending.pass_over()
        return
    url = (record.rec_headers.get_header("WARC-Target-URI") or "").strip("<> ")
    headers = record.http_headers
    status = headers.get_statuscode() if headers is not None else "200"
    kind = (headers or record.rec_headers).get_header("Content-Type") or ""
    if not url.startswith(("http://", "https://")) or status[:1] != "2" or not _is_page(kind):
        pending.pass_over()
        return
    body = record.content_stream().read(LARGEST + 1)
    if len(body) > LARGEST:
        pending.refuse(number, f"{url[:200]}: more than {LARGEST:,} bytes")
        return
    _check_whole(record)
    pending.take(url, kind[:200], body, parse_date(record.rec_headers.get_header("WARC-Date") or "").moment)


def _is_page(kind: str) -> bool:
    return kind.partition(";")[0].strip().lower() in TYPES
