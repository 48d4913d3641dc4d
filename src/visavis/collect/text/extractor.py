"""The child process that reads pages: `python -m visavis.collect.text.extractor MEMORY_MB CPU_SECONDS`.

Requests and answers go over stdin and stdout, a JSON line each; a request is followed by as many bytes as it names.
The child may write no file, and whatever a page does to it, only the child dies.
"""

from __future__ import annotations

import codecs
import json
import logging
import re
import sys
from typing import Any, BinaryIO

from visavis.collect.records import Reason
from visavis.shared.child import READY, answer, answer_channel, confine

LONGEST_TEXT = 1_000_000
LONGEST_FIELD = 1_000
DEEPEST = 500  # a browser shows no deeper page either; the parsers below recurse

_CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)[^<>]*?(/?)>")
_OPEN_ENDED = frozenset(  # tags that need no end
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "p", "li")
) | {"dt", "dd", "option", "tr", "td", "th"}
_NOT_HTML = {b"%PDF": "PDF", b"PK\x03\x04": "ZIP", b"\x89PNG": "PNG", b"\xff\xd8\xff": "JPEG", b"GIF8": "GIF"}


class NoArticle(Exception):
    """There is no article in a page; `reason` says why."""

    def __init__(self, label: str, detail: str = "") -> None:
        super().__init__(label, detail)
        self.reason = Reason(label, detail)


def decoded(body: bytes, content_type: str) -> str:
    """The page as text: by its byte-order mark, as UTF-8 if it is that, then as declared; lies cost a few letters."""
    for mark, name in ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")):
        if body.startswith(mark):
            return body.decode(name, "replace").lstrip("\ufeff")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        pass
    for said in (content_type.encode("ascii", "replace"), body[:4096]):
        found = _CHARSET.search(said)
        try:
            if found and codecs.lookup(found[1].decode()).name not in ("utf-8", "ascii", "utf-7", "idna", "punycode"):
                return body.decode(found[1].decode(), "replace")
        except (LookupError, UnicodeError, ValueError):
            continue
    return body.decode("cp1252", "replace")


def extract(body: bytes, url: str, content_type: str) -> dict[str, Any]:
    """Title, text, date, author and language of the article in a page. Raises NoArticle."""
    import py3langid
    from trafilatura import bare_extraction

    for start, kind in _NOT_HTML.items():
        if body.lstrip()[:4].startswith(start):
            raise NoArticle("not HTML", kind)
    text = decoded(body, content_type)
    control = sum(text.count(character) for character in map(chr, (*range(9), *range(14, 32))))
    if control > 0.01 * len(text):
        raise NoArticle("not text")
    if depth(text) > DEEPEST:
        raise NoArticle("too deep", f"tags nested deeper than {DEEPEST}")
    found = bare_extraction(
        text.replace("\x00", " "), url=url, with_metadata=True, include_comments=False, favor_precision=True
    )
    if found is None or isinstance(found, dict) or not (found.text or "").strip():
        raise NoArticle("no article", "none was found in the page")
    title = _line(found.title)
    article = _without_title(_encodable(found.text or "")[:LONGEST_TEXT], title)
    return {
        "title": title,
        "text": article,
        "date": _line(found.date),
        "author": _line(found.author),
        "language": str(py3langid.classify(article[:20_000])[0]),
    }


def _without_title(text: str, title: str) -> str:
    """The text without a first line that only says the title again."""
    first, _, rest = text.partition("\n")
    return rest.lstrip() if rest.strip() and _line(first) == title else text


def depth(text: str) -> int:
    """How deep tags are nested, those aside that need no end."""
    now = deepest = 0
    for end, name, alone in _TAG.findall(text):
        if alone or name.lower() in _OPEN_ENDED:
            continue
        now = max(0, now - 1) if end else now + 1
        deepest = max(deepest, now)
    return deepest


def _line(value: Any) -> str:
    return " ".join(_encodable(str(value or "")).split())[:LONGEST_FIELD]


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until there are no more."""
    while line := requests.readline():
        asked = json.loads(line)
        body = requests.read(asked["size"])
        try:
            found: dict[str, Any] = extract(body, asked["url"], asked["type"])
        except NoArticle as error:
            found = {"reason": error.reason.label, "detail": error.reason.detail}
        except MemoryError:
            found = {
                "reason": "memory",
                "detail": "needs too much memory",
                "spent": True,
            }  # what is left of it is in pieces
        except Exception as error:
            found = {"reason": "unreadable", "detail": type(error).__name__}
        answer(answers, json.dumps(found).encode())


def main(memory_mb: str, cpu_seconds: str) -> None:
    """Import everything first, then give up what is not needed."""
    logging.disable(logging.CRITICAL)
    answers = answer_channel()
    import py3langid
    import trafilatura  # noqa: F401

    py3langid.classify("warm up")
    confine(int(memory_mb), int(cpu_seconds))
    answer(answers, READY)
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main(*sys.argv[1:])
