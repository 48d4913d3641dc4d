"""What was fetched as a WARC file: one new file a run, so that a run that dies harms at most its own last record."""

from __future__ import annotations

import io
import secrets
import threading
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import BinaryIO

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from visavis._version import __version__
from visavis.collect.web.net import Answer
from visavis.errors import VisavisError

_CODED = ("content-encoding", "transfer-encoding", "content-length")  # bodies are kept decoded


class Archive:
    """A WARC file in a folder, made when there is something to write; safe to share among threads."""

    def __init__(self, folder: Path) -> None:
        stamp = datetime.now(UTC).strftime("%Y%m%d%H%M%S")
        self.path = folder / f"visavis-{stamp}-{secrets.token_hex(3)}.warc.gz"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unwritable(folder, error) from error
        self._lock = threading.Lock()
        self._file: BinaryIO | None = None
        self._writer: WARCWriter | None = None

    def write(self, answer: Answer) -> None:
        """Add one response."""
        headers = [(name, _plain(value)) for name, value in answer.headers.items() if name not in _CODED]
        headers.append(("content-length", str(len(answer.body))))
        phrase = HTTPStatus(answer.status).phrase if answer.status in HTTPStatus._value2member_map_ else "Unknown"
        http = StatusAndHeaders(f"{answer.status} {phrase}", headers, protocol="HTTP/1.1")
        with self._lock:
            writer = self._writer or self._open()
            record = writer.create_warc_record(
                answer.url, "response", payload=io.BytesIO(answer.body), http_headers=http
            )
            writer.write_record(record)

    def _open(self) -> WARCWriter:
        try:
            self._file = self.path.open("xb")
        except OSError as error:
            raise _unwritable(self.path.parent, error) from error
        self._writer = writer = WARCWriter(self._file, gzip=True)
        about = {"software": f"visavis/{__version__}", "format": "WARC File Format 1.0"}
        writer.write_record(writer.create_warcinfo_record(self.path.name, about))
        return writer

    def close(self) -> None:
        """Close the file, if there is one."""
        with self._lock:  # a thread that an interrupt left behind may be writing
            if self._file is not None:
                self._file.close()


def _unwritable(folder: Path, error: OSError) -> VisavisError:
    return VisavisError(f"cannot write a WARC file to {str(folder)!r}: {error.strerror}")


def _plain(value: str) -> str:
    return "".join(character if character.isprintable() else " " for character in value)
