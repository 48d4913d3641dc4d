"""The text of a page's bytes, by the rules browsers follow: mark, header, meta or XML declaration, then a good guess.

A declaration that the bytes contradict is a lie and is passed over; a few bad bytes are no contradiction, and cost
themselves alone.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

import webencodings

from visavis.corpus.encodings import looks_like

HEAD = 65_536  # bytes in which a declaration is looked for
SAMPLE = 200_000  # bytes that are not ASCII, by which an encoding is guessed
FEW = 2  # bad bytes that are not enough to disbelieve a declaration
MOST_BAD = 0.05  # of the signs that are not ASCII, in an encoding of several bytes a sign
CLEARLY = 8  # signs in UTF-8: in an encoding of several bytes a sign fewer may come about by chance
FEWEST = 4  # bytes that are not ASCII, without which an encoding cannot be guessed

FALLBACK = "windows-1252"
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_BE, "utf-16-be"), (codecs.BOM_UTF16_LE, "utf-16-le"))
_WIDER = {"gbk": "gb18030", "iso-2022-jp": "iso2022_jp_ext"}  # codecs that read all that browsers read by these names
_NOT_ASCII = bytes(range(128, 256))
_SEVERAL = ("gbk", "gb18030", "big5", "euc-jp", "shift_jis", "euc-kr")
_IN_HEADER = re.compile(r"charset\s*=\s*[\"']?\s*([^\s\"';,]{1,60})", re.IGNORECASE)
_META = re.compile(rb"<meta[\s/]([^>]{0,2000})>", re.IGNORECASE)
_ATTRIBUTE = re.compile(rb"([^\s\"'>/=]{1,60})\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_XML = re.compile(rb"<\?xml\s[^>]{0,400}?encoding\s*=\s*[\"']\s*([\w.:-]{1,60})", re.IGNORECASE)
_ESCAPE = re.compile(rb"\x1b[$(]")  # of ISO-2022-JP
_PIECE = re.compile(rb"[<>\n]")  # bytes that are part of no longer sign in any encoding


def decode_page(body: bytes, content_type: str = "") -> str:
    """A page as text; bytes that fit no encoding become U+FFFD, and what surrounds them stays as it is."""
    for mark, name in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(name, "replace")
    good, bad = _utf8_signs(body)
    for name in _declared(body, content_type):
        if _believable(body, name, good, bad):
            return _decoded(body, name)
    return _decoded(body, _guessed(body, good, bad))


def _declared(body: bytes, content_type: str) -> Iterator[str]:
    """The encodings that header and page name, as browsers call them, in the order in which they count."""
    in_header = _IN_HEADER.search(content_type)
    is_xml = "xml" in content_type.partition(";")[0].lower()
    head = body[:HEAD]
    said = [in_header[1] if in_header else "", *(label for label in _in_page(head, is_xml) if label)]
    for place, label in enumerate(said):
        found = webencodings.lookup(label)
        if found is None:
            continue
        if place and found.name.startswith("utf-16"):
            yield "utf-8"  # what could be read as ASCII so far is not UTF-16
        else:
            yield FALLBACK if found.name == "x-user-defined" else str(found.name)


def _in_page(head: bytes, is_xml: bool) -> list[str]:
    declaration = _XML.match(head.lstrip())
    in_declaration = declaration[1].decode("ascii") if declaration else ""
    return [in_declaration, _in_meta(head)] if is_xml else [_in_meta(head), in_declaration]


def _in_meta(head: bytes) -> str:
    for found in _META.finditer(_without_comments(head)):
        attributes = {
            name.lower(): next(filter(None, values), b"")
            for name, *values in reversed(_ATTRIBUTE.findall(found[1]))  # the first of a name counts
        }
        label = attributes.get(b"charset", b"").decode("ascii", "replace")
        if not label and attributes.get(b"http-equiv", b"").strip().lower() == b"content-type":
            inside = _IN_HEADER.search(attributes.get(b"content", b"").decode("ascii", "replace"))
            label = inside[1] if inside else ""
        if label:
            return label
    return ""


def _without_comments(head: bytes) -> bytes:
    kept, at = [], 0
    while (start := head.find(b"<!--", at)) >= 0:
        kept.append(head[at:start])
        end = head.find(b"-->", start + 2)
        if end < 0:
            return b"".join(kept)
        at = end + 3
    return b"".join([*kept, head[at:]])


def _believable(body: bytes, name: str, good: int, bad: int) -> bool:
    """Whether bytes can be in the encoding they are said to be in."""
    if name == "utf-8":
        return good >= bad or bad <= FEW
    if name.startswith("utf-16"):
        return _zeros(body) > 0.1
    if name == "iso-2022-jp":
        return _escapes(body)
    if not bad and good >= (CLEARLY if name in _SEVERAL else 1):
        return False  # nothing but UTF-8 looks like UTF-8
    if name in _SEVERAL:
        text = _decoded(body, name)
        return text.count("\ufffd") <= max(FEW, MOST_BAD * sum(sign > "\x7f" for sign in text))
    return True


def _utf8_signs(body: bytes) -> tuple[int, int]:
    """How many signs that are not ASCII are UTF-8, and how many are not."""
    text = body.decode("utf-8", "replace")
    if text.isascii():
        return 0, 0
    bad = text.count("\ufffd") - body.count(b"\xef\xbf\xbd")
    return sum(sign > "\x7f" for sign in text) - text.count("\ufffd"), bad


def _zeros(body: bytes) -> float:
    return body[:SAMPLE].count(0) / max(1, len(body[:SAMPLE]))


def _escapes(body: bytes) -> bool:
    """Whether bytes that are not ASCII are as good as missing where others say that no ASCII follows."""
    bad = len(body) - len(body.translate(None, _NOT_ASCII))
    times = len(_ESCAPE.findall(body))
    return times > 0 and bad <= max(FEW, MOST_BAD * times)


def _guessed(body: bytes, good: int, bad: int) -> str:
    """The encoding that bytes look like that declare none, or lie."""
    if not good and _escapes(body):
        return "iso-2022-jp"
    if _zeros(body) <= 0.1 and (good > bad or not bad):
        return "utf-8"
    if _zeros(body) > 0.1:
        sample = body[:SAMPLE]
        return "utf-16-le" if sample[1::2].count(0) > sample[::2].count(0) else "utf-16-be"
    pieces = b"\n".join(piece for piece in _PIECE.split(body) if not piece.isascii())
    enough = len(pieces) - len(pieces.translate(None, _NOT_ASCII)) >= FEWEST
    return (looks_like(pieces[:SAMPLE]) if enough else None) or FALLBACK


def _decoded(body: bytes, name: str) -> str:
    known = webencodings.lookup(name)
    if known is not None and known.name == "replacement":
        return "\ufffd"  # an encoding by which scripts can be smuggled, and which browsers do not read either
    if known is not None and known.name in _WIDER:
        return body.decode(_WIDER[known.name], "replace")
    if known is not None and known.name == "euc-jp":
        return body.decode("euc_jp", "visavis-euc-jp")
    if known is not None:
        return str(known.codec_info.decode(body, "replace")[0])
    return body.decode(name, "replace")


def _wider_euc_jp(error: UnicodeError) -> tuple[str, int]:
    """The signs that browsers read in EUC-JP and Python's codec does not: circled numbers and the like."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    pair = error.object[error.start : error.start + 2]
    try:
        return pair.decode("euc_jis_2004"), error.start + 2
    except UnicodeDecodeError:
        return "\ufffd", error.start + 1


codecs.register_error("visavis-euc-jp", _wider_euc_jp)
