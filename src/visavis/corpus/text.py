"""Bytes become text: decompression within limits, then UTF-8 or UTF-16, in a stream."""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Iterator

from visavis.corpus.errors import Unreadable
from visavis.corpus.readers.base import Limits, Source

_CHUNK = 2**20


def chunks(source: Source, limits: Limits) -> Iterator[str]:
    """The text in pieces of about a megabyte. Raises Unreadable for other encodings and for too much text."""
    decoder: codecs.IncrementalDecoder | None = None
    consumed = 0
    for data in _bytes(source, limits):
        if decoder is None:
            decoder = _decoder(source.name, data)
            if data.startswith(codecs.BOM_UTF8):
                data, consumed = data[3:], 3
        yield _decode(source.name, decoder, data, consumed)
        consumed += len(data)
    if decoder is not None:
        _decode(source.name, decoder, b"", consumed, final=True)


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


def _decoder(name: str, beginning: bytes) -> codecs.IncrementalDecoder:
    utf32 = beginning.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE))
    utf16 = beginning.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and not utf32
    first = beginning[:1000]
    if utf32 or (not utf16 and first.count(0) > max(3, len(first) // 10)):
        raise Unreadable(name, "looks like UTF-16 or UTF-32 without the mark that says so: save the file as UTF-8")
    return codecs.getincrementaldecoder("utf-16" if utf16 else "utf-8")("strict")


def _decode(name: str, decoder: codecs.IncrementalDecoder, data: bytes, consumed: int, *, final: bool = False) -> str:
    waiting = len(decoder.getstate()[0])  # bytes of a character that the last piece cut in two
    try:
        return decoder.decode(data, final)
    except UnicodeDecodeError as error:
        offset, byte = consumed - waiting + error.start, error.object[error.start]
        encoding = "UTF-16" if error.encoding.startswith("utf-16") else "UTF-8"
        raise Unreadable(
            name, f"byte 0x{byte:02x} at offset {offset:,} is not {encoding}: save the file as UTF-8"
        ) from error


def _bytes(source: Source, limits: Limits) -> Iterator[bytes]:
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
