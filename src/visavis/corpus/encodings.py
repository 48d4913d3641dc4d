"""Which encoding a text file is in: as told, or what its bytes look like."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from visavis.corpus.errors import NotUtf8, Unreadable, listed
from visavis.corpus.readers.base import Limits, Source
from visavis.corpus.text import raw_chunks
from visavis.errors import InvalidParameter, UnknownName
from visavis.shared.names import nearest

SAMPLE = 200_000  # bytes of lines that are not ASCII, by which an encoding is found
THIN = 0.03  # confidence below which there is next to nothing to go by: then it is what most such files are in
UNSURE = 0.1  # below which that is also taken if it is nearly as likely
NEARLY = 0.8  # of the confidence of the best: another encoding that would give other letters is named

USUAL = "Windows-1252"
COMMON = (
    "utf-8", "utf-16", "windows-1252", "iso-8859-1", "iso-8859-15", "windows-1250", "iso-8859-2", "windows-1251",
    "koi8-r", "cp866", "windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257", "shift_jis",
    "euc-jp", "iso-2022-jp", "gb18030", "gbk", "big5", "cp949", "euc-kr", "tis-620", "cp874", "cp437", "cp850",
    "mac-roman",
)  # fmt: skip
_SHORT = ("cp1252", "cp1251", "cp932", "cp936", "cp950", "latin-1", "utf8", "sjis", "macroman")
_CALLED = {"ansi": "windows-1252", "unicode": "utf-16"}  # as Windows calls them
_LOOKED_FOR = (
    "UTF-16-LE", "UTF-16-BE", "UTF-32-LE", "UTF-32-BE", "Windows-1250", "Windows-1251", USUAL, "Windows-1253",
    "Windows-1254", "Windows-1255", "Windows-1256", "Windows-1257", "Windows-1258", "ISO-8859-2", "ISO-8859-5",
    "KOI8-R", "KOI8-U", "IBM866", "MacRoman", "MacCyrillic", "cp850", "SHIFT_JIS", "CP932", "EUC-JP",
    "ISO-2022-JP", "GB18030", "Big5", "EUC-KR", "CP949", "TIS-620", "CP874",
)  # fmt: skip
_WIDER = {"SHIFT_JIS": "CP932", "EUC-KR": "CP949", "TIS-620": "CP874"}  # what Windows writes, with a few signs more
_LATIN = ("Windows-1250", "Windows-1254", "Windows-1257", "Windows-1258", "ISO-8859-2")
_OLD = ("MacRoman", "cp850")
_NO_FILES = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"})
_PIECE = re.compile(rb'[\n"]')  # bytes that are part of no longer sign in any encoding
_WORD = re.compile(r"\w*[^\W\d_\x00-\x7f]\w*")
_SMALL, _CAPITAL = "a-zß-öø-ÿа-яё", "À-ÖØ-ÞА-ЯЁŠŽŒŸ"
_ODD = re.compile(rf"[{_SMALL}](?:[{_CAPITAL}]|[^\w\s'’‘.,:;/@_*+&=\x00-\x7f]+[{_SMALL}])")

_LATIN_LETTER, _OTHER_LETTER = re.compile("[A-Za-z]"), re.compile(r"[^\W\d_\x00-\u024f\u1e00-\u1eff]")

Read = TypeVar("Read")


@dataclass(frozen=True)
class Detected:
    """The encoding that bytes look like, others that fit nearly as well, and words as they are read."""

    name: str
    others: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def note(self) -> str:
        """What to tell whoever reads the report."""
        seen = f" (for example {listed(self.words)})" if self.words else ""
        sure = f"a guess, it could also be {' or '.join(self.others)}" if self.others else "as its bytes suggest"
        return f"not UTF-8: read as {self.name}, {sure}{seen}; --encoding says otherwise"


def check_encoding(name: str | None) -> None:
    """Raise UnknownName, with the nearest one, for an encoding that there is not."""
    if name is not None and not isinstance(name, str):
        raise InvalidParameter(f"encoding must be a name such as 'windows-1252', got {name!r}")
    if name is not None and not _is_encoding(name):
        near = _CALLED.get(name.strip().casefold()) or nearest(name.casefold(), (*COMMON, *_SHORT))
        question = f"; did you mean {near!r}?" if near else "."
        raise UnknownName(f"unknown encoding {name!r}{question} There are: {', '.join(COMMON)} and more")


def read_detecting(read: Callable[[Source], Read], source: Source, limits: Limits) -> tuple[Read, str]:
    """What `read` makes of a source, and a note where it is not UTF-8: then it is read again as what it looks like.

    Raises Unreadable if it looks like nothing, or `read` does.
    """
    try:
        return read(source), ""
    except NotUtf8 as error:
        found = detect(source, limits, error)
        return read(replace(source, encoding=found.name)), found.note


def detect(source: Source, limits: Limits, error: NotUtf8) -> Detected:
    """What the bytes of a file look like that is not UTF-8. Raises Unreadable if that is nothing, or damaged UTF-8."""
    sample, zeros = _sample(source, limits)
    if not zeros and _is_damaged_utf8(sample):
        what = f"{error.what}, though the rest is: mend the file, or say its encoding with --encoding"
        raise Unreadable(error.where, what) from error
    ranked = _ranked(sample, zeros)
    if not ranked:
        raise Unreadable(
            error.where, f"{error.what}, and looks like no text: say its encoding with --encoding"
        ) from error
    best = _choose(ranked)
    text = sample.decode(best, "replace")
    near = {name: sample.decode(name, "replace") for name in ranked if ranked[name] >= NEARLY * ranked[best]}
    others = [name for name, other in near.items() if other != text and _oddities(other) <= _oddities(text)]
    words = dict.fromkeys(word[:20] for word in _WORD.findall(text))
    return Detected(_WIDER.get(best, best), tuple(others[:2]), tuple(words)[:3])


def looks_like(sample: bytes) -> str | None:
    """The encoding that bytes look like which are not UTF-8, as Python calls it; None if they look like no text."""
    ranked = _ranked(sample, zeros=False)
    if not ranked:
        return None
    best = _choose(ranked)
    if _mixes_scripts(sample.decode(best, "replace")):
        best = _choose({USUAL: 0.0} | {name: ranked[name] for name in (*_LATIN, *_OLD, USUAL) if name in ranked})
    return _WIDER.get(best, best)


def _mixes_scripts(text: str) -> bool:
    """Whether most words with letters of another script hold Latin ones too, as words in a wrong encoding do."""
    words = _WORD.findall(text)
    others = [word for word in words if _OTHER_LETTER.search(word)]
    return 2 * sum(_LATIN_LETTER.search(word) is not None for word in others) > len(others)


def _ranked(sample: bytes, zeros: bool) -> dict[str, float]:
    """How likely each encoding is that fits at all."""
    from chardet import detect_all

    found = detect_all(sample, include_encodings=_LOOKED_FOR)
    return {str(one["encoding"]): one["confidence"] for one in found if _fits(one["encoding"], zeros)}


def _choose(ranked: dict[str, float]) -> str:
    """The likeliest; where there is little to go by, what most files are in that do not say."""
    best = max(ranked, key=lambda name: ranked[name])
    usual = ranked.get(USUAL, 0.0)
    thin = ranked[best] < THIN and best in (*_LATIN, *_OLD)
    near = ranked[best] < UNSURE and best in _LATIN and usual >= NEARLY * ranked[best]
    return USUAL if usual and (thin or near) else best


def _oddities(text: str) -> int:
    """How often a word has a capital behind a small letter or a sign inside, as words in a wrong encoding have."""
    return len(_ODD.findall(text))


def _sample(source: Source, limits: Limits) -> tuple[bytes, bool]:
    """Pieces that are not ASCII, or how the file begins if it holds zeros or escapes; and whether it holds zeros."""
    held: list[bytes] = []
    size, rest, first = 0, b"", b""
    for data in raw_chunks(source, limits):
        first = first or data[:SAMPLE]
        if b"\0" in first or b"\x1b$" in first:
            return first, b"\0" in first
        *ended, rest = _PIECE.split(rest[-SAMPLE:] + data)
        if len(rest) > SAMPLE:  # a line as long as a file
            *more, rest = rest.rsplit(b" ", 1)
            ended += more
        for piece in ended:
            if not piece.isascii():
                held.append(piece)
                size += len(piece)
        if size >= SAMPLE:
            break
    return b"\n".join([*held, rest])[:SAMPLE], False


def _is_damaged_utf8(sample: bytes) -> bool:
    """Whether most signs that are not ASCII are UTF-8, or a file ends in the middle of one."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    text = decoder.decode(sample)
    bad = text.count("\ufffd")
    good = sum(sign > "\x7f" for sign in text) - bad
    return good > bad or (not bad and len(decoder.getstate()[0]) > 1)


def _fits(name: str | None, zeros: bool) -> bool:
    """Whether Python knows an encoding, and zeros can be part of it."""
    return name is not None and _is_encoding(name) and zeros is name.lower().startswith(("utf-16", "utf-32"))


def _is_encoding(name: str) -> bool:
    """Whether Python has a codec of that name that files are written in."""
    try:
        "a".encode(name)
        return codecs.lookup(name).name not in _NO_FILES
    except (LookupError, UnicodeError, ValueError):
        return False
