"""The child process that parses what others wrote.

`python -m visavis.collect.text.serving PURPOSE MEMORY_MB CPU_SECONDS`; the purpose says what is loaded beforehand.

Requests and answers go over stdin and stdout, a JSON line each; a request is followed by as many bytes as it names.
The child may write no file and open no connection, and whatever a page or a feed does to it, only the child dies.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

from visavis.collect.text import feeds, markup, scraps
from visavis.shared.child import READY, answer, answer_channel, confine

Task = Callable[[Mapping[str, Any], bytes], dict[str, Any]]


def _page(asked: Mapping[str, Any], body: bytes) -> dict[str, Any]:
    from visavis.collect.text import extractor

    try:
        return extractor.extract(body, str(asked["url"]), str(asked["type"]))
    except markup.NoArticle as error:
        return {"reason": error.reason.label, "detail": error.reason.detail}


def _feed(asked: Mapping[str, Any], body: bytes) -> dict[str, Any]:
    try:
        return {"entries": feeds.read_feed(body, asked["headers"])}
    except feeds.NotAFeed as error:
        return {"reason": "not a feed", "detail": str(error)}


def _sitemap(_: Mapping[str, Any], body: bytes) -> dict[str, Any]:
    try:
        return dict(feeds.read_sitemap(body))
    except feeds.NotAFeed as error:
        return {"reason": "not a sitemap", "detail": str(error)}


def _site(asked: Mapping[str, Any], body: bytes) -> dict[str, Any]:
    return {"feeds": feeds.find_feeds(body, str(asked["type"]), str(asked["url"]))}


def _shown(asked: Mapping[str, Any], body: bytes) -> dict[str, Any]:
    return {"text": markup.shown_text(body, str(asked["type"]))}


def _address(_: Mapping[str, Any], body: bytes) -> dict[str, Any]:
    return {"url": markup.saved_address(body)}


def _scraps(_: Mapping[str, Any], body: bytes) -> dict[str, Any]:
    return {"scraps": [scraps.read_scrap(markup) for markup in json.loads(body)]}


TASKS: dict[str, Task] = {"page": _page, "feed": _feed, "sitemap": _sitemap, "site": _site, "scraps": _scraps}
TASKS |= {"shown": _shown, "address": _address}


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until there are no more."""
    while line := requests.readline():
        asked = json.loads(line)
        body = requests.read(asked["size"])
        try:
            found = TASKS[asked["task"]](asked, body)
        except MemoryError:  # what is left of it is in pieces
            found = {"reason": "memory", "detail": "needs too much memory", "spent": True}
        except Exception as error:
            found = {"reason": "unreadable", "detail": type(error).__name__}
        answer(answers, json.dumps(found).encode())


def main(purpose: str, memory_mb: str, cpu_seconds: str) -> None:
    """Import and load everything first, then give up what is not needed."""
    logging.disable(logging.CRITICAL)
    answers = answer_channel()
    WARM_UPS[purpose]()
    confine(int(memory_mb), int(cpu_seconds), network=False)
    answer(answers, READY)
    serve(sys.stdin.buffer, answers)


def _warm_up_pages() -> None:
    from visavis.collect.text import extractor, published

    extractor.warm_up()
    published.warm_up()


def _warm_up_posts() -> None:
    feeds.read_feed(b"<rss version='2.0'><channel><item><title>x</title></item></channel></rss>", {})


WARM_UPS = {"pages": _warm_up_pages, "posts": _warm_up_posts}


if __name__ == "__main__":
    main(*sys.argv[1:])
