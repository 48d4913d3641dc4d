"""Bytes become text: decompression within limits, then the encoding that is marked, told or found, in a stream."""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Iterator

from visavis.corpus.errors import NotUtf8, Unreadable
from visavis.corpus.readers.base import Limits, Source

_CHUNK = 2**20
_UTF8 = "utf-8"
_MARKS = (  # the longer first: that of UTF-32 begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, _UTF8),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_PACKED = {  # how files that are no text begin
    b"PK\x03\x04": "a spreadsheet or archive: a spreadsheet's name should end in .xlsx or .ods",
    b"\xd0\xcf\x11\xe0": "an old spreadsheet or document: a spreadsheet's name should end in .xls",
    b"\x1f\x8b": "compressed: its name should end in .gz as well",
    b"SQLite format 3\0": "a database: its name should end in .db",
    b"PAR1": "Parquet: its name should end in .parquet",
    b"\x89HDF": "HDF5: its name should end in .h5",
    b"%PDF": "a PDF: save its text first",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
}


def chunks(source: Source, limits: Limits) -> Iterator[str]:
    """The text in pieces of about a megabyte. Raises Unreadable for what does not fit its encoding, and for too much.

    Raises NotUtf8 where that is all that is wrong, and nobody has said what the encoding is.
    """
    decoder: _Decoder | None = None
    for data in raw_chunks(source, limits):
        if decoder is None:
            decoder, data = _decoder(source, data)
        yield decoder.decode(data)
    if decoder is not None:
        decoder.decode(b"", final=True)


def lines(source: Source, limits: Limits) -> Iterator[str]:
    """The text line by line, line ends kept. Raises Unreadable for a line that no field of legal size could fill."""
    held: list[str] = []
    size = number = 0
    for chunk in chunks(source, limits):
        *ended, rest = chunk.split("\n")
        for piece in ended:
            number += 1
            yield "".join((*held, piece, "\n"))
            held, size = [], 0
        held.append(rest)
        size += len(rest)
        if size > 4 * limits.field_chars:
            raise Unreadable(source.name, f"line {number + 1} is longer than {4 * limits.field_chars:,} characters")
    if size:
        yield "".join(held)


def whole(source: Source, limits: Limits) -> str:
    """All of the text."""
    return "".join(chunks(source, limits))


def beginning(source: Source, limits: Limits) -> str:
    """How the text begins: up to about a megabyte of it."""
    return next(chunks(source, limits), "")


def marked(data: bytes) -> tuple[str, int]:
    """The encoding that the mark at the beginning says, and how long the mark is; nothing and 0 without one."""
    return next(((name, len(mark)) for mark, name in _MARKS if data.startswith(mark)), ("", 0))


class _Decoder:
    """Decodes piece after piece, and says where bytes do not fit; `given` is whether the encoding is no first guess."""

    def __init__(self, name: str, encoding: str, consumed: int, *, given: bool) -> None:
        self._name, self._encoding, self._consumed, self._given = name, encoding, consumed, given
        self._lines = 1
        self._decoder = codecs.getincrementaldecoder(encoding)("strict")

    def decode(self, data: bytes, *, final: bool = False) -> str:
        """The text of these bytes. Raises Unreadable, and NotUtf8 where UTF-8 was the first guess."""
        waiting = len(self._decoder.getstate()[0])  # bytes of a character that the last piece cut in two
        try:
            text = self._decoder.decode(data, final)
        except UnicodeDecodeError as error:
            offset, byte = self._consumed - waiting + error.start, error.object[error.start]
            line = self._lines + error.object.count(b"\n", 0, error.start)
            what = f"line {line:,}: byte 0x{byte:02x} at offset {offset:,} is not {self._encoding.upper()}"
            if self._given:
                told = f"{what}: say the right encoding with --encoding, or save the file as UTF-8"
                raise Unreadable(self._name, told) from error
            raise NotUtf8(self._name, what) from error
        self._consumed += len(data)
        self._lines += data.count(b"\n")
        return text


def _decoder(source: Source, data: bytes) -> tuple[_Decoder, bytes]:
    """What decodes a source that begins with these bytes, and the bytes behind its mark."""
    packed = next((what for begins, what in _PACKED.items() if data.startswith(begins)), None)
    if packed is not None:
        raise Unreadable(source.name, f"is not text but {packed}")
    encoding, length = marked(data)
    if not encoding and not source.encoding and _is_other(data):
        raise NotUtf8(source.name, "is not UTF-8")
    chosen = encoding or source.encoding
    return _Decoder(source.name, chosen or _UTF8, length, given=bool(chosen)), data[length:]


def _is_other(data: bytes) -> bool:
    """Whether bytes that would pass for UTF-8 are something else: UTF-16 without a mark, or Japanese mail."""
    first = data[:1000]
    return first.count(0) > max(3, len(first) // 10) or b"\x1b$" in data


def raw_chunks(source: Source, limits: Limits) -> Iterator[bytes]:
    """The bytes in pieces, unpacked. Raises Unreadable where they are damaged, or more than the limits allow."""
    size = 0
    with source.open() as raw:
        handle = gzip.GzipFile(fileobj=raw) if source.zipped else raw
        while True:
            try:
                data = handle.read(_CHUNK)
            except (EOFError, zlib.error, OSError) as error:
                broken = "the compressed data is damaged or cut off" if source.zipped else "cannot be read"
                raise Unreadable(source.name, f"{broken} ({error})") from error
            if not data:
                return
            size += len(data)
            if size > limits.text_bytes:
                raise Unreadable(source.name, f"holds more than {limits.text_bytes:,} bytes of text")
            if source.zipped and size > limits.ratio_from and size > limits.ratio * max(raw.tell(), 1):
                told = f"is compressed more than {limits.ratio:g} to 1 ({size:,} bytes so far)"
                raise Unreadable(source.name, f"{told}: unpack it yourself if you trust it")
            yield data
