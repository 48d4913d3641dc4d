"""Posts out of the JSON of X/Twitter (API v1.1 and v2, pages and streams) and out of plain {id, time, text}."""

from __future__ import annotations

import hashlib
import html
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

from visavis.collect.records import Post, to_text
from visavis.collect.text.words import hashtags, links, plain_tag
from visavis.corpus.dates import parse_date

NOTICES = ("delete", "limit", "warning", "disconnect", "scrub_geo", "status_withheld", "user_withheld", "errors")
TEXTS = ("text", "full_text", "content", "body", "message", "post", "tweet", "status", "title", "headline")
TITLES = ("title", "headline")  # the title of a page that is listed is no post about it
LINKS = ("url", "urls", "link", "links", "href", "uri", "address", "page", "expanded_url", "article_url", "permalink")
_TIME = ("time", "created_at", "date", "published", "published_at", "timestamp", "datetime", "created")
_AUTHOR = ("author", "screen_name", "user", "username", "account", "handle")
_IDS = ("id", "id_str", "post_id", "tweet_id", "status_id")


class Malformed(ValueError):
    """A JSON value that holds no post; the message says why."""


def posts_of(value: Any) -> Iterator[Post | Malformed]:
    """The posts of one JSON value, whichever of the formats it is in; none for a stream's notices.

    In the place of a post that cannot be read stands why; the others are read all the same.
    """
    if isinstance(value, list):
        for item in value:
            yield from posts_of(item)
    elif isinstance(value, dict) and isinstance(value.get("statuses"), list):
        yield from posts_of(value["statuses"])
    elif isinstance(value, dict) and "data" in value and not _has_text(value):
        yield from _page(value)
    elif not is_notice(value):
        yield _tried(_single, value)


def _tried(read: Callable[..., Post], *parts: Any) -> Post | Malformed:
    try:
        return read(*parts)
    except Malformed as error:
        return error


def _single(value: Any) -> Post:
    """One post by itself."""
    if not isinstance(value, dict):
        raise Malformed(f"a JSON {type(value).__name__}, not an object")
    if "id_str" in value or isinstance(value.get("user"), dict):
        return _first_version(value)
    if isinstance(value.get("created_at"), str) and "author_id" in value:
        return _second_version(value, {}, {})
    if _is_listed(value):
        return _listed(value)
    if _has_text(value):
        return _plain(value)
    raise Malformed(f"no post: the keys are {', '.join(map(repr, list(value)[:6])) or 'none'}")


def is_notice(value: Any) -> bool:
    """Whether this is a message about the stream or the search, and not a post."""
    if not isinstance(value, dict) or _has_text(value):
        return False
    return any(key in value for key in NOTICES) or "meta" in value


def _has_text(value: Mapping[str, Any]) -> bool:
    return any(isinstance(value.get(name), str) for name in TEXTS)


def _page(value: Mapping[str, Any]) -> Iterator[Post | Malformed]:
    """API v2: one post or a list of them, with what they refer to beside them."""
    includes = _mapping(value.get("includes"))
    referenced = {str(item.get("id")): item for item in _dicts(includes.get("tweets"))}
    users = {str(item.get("id")): item for item in _dicts(includes.get("users"))}
    data = value["data"]
    for item in data if isinstance(data, list) else [data]:
        if isinstance(item, dict):
            yield _tried(_second_version, item, referenced, users)
        else:
            yield Malformed("'data' holds something that is no post")


def _second_version(item: Mapping[str, Any], referenced: Mapping[str, Any], users: Mapping[str, Any]) -> Post:
    whole, prefix = item, ""
    for reference in _dicts(item.get("referenced_tweets")):
        if reference.get("type") == "retweeted":  # the repeating post's own text is cut short
            original = reference if "text" in reference else referenced.get(str(reference.get("id")))
            text = item.get("text")
            if isinstance(original, dict) and isinstance(text, str):
                whole, prefix = original, text.partition(": ")[0] + ": " if text.startswith("RT @") else ""
    note = _mapping(whole.get("note_tweet"))
    body = note.get("text") or whole.get("text")
    entities = [_mapping(part.get("entities")) for part in (note, whole, item)]
    author = _mapping(item.get("author")) or _mapping(users.get(str(item.get("author_id"))))
    tags = [tag.get("tag") for part in entities for tag in _dicts(part.get("hashtags"))]
    urls = [_target(url) for part in entities for url in _dicts(part.get("urls"))]
    about = (item.get("id"), item.get("created_at"), body, author.get("username"))
    return _post(*about, tags, urls, prefix, any(entities))


def _first_version(item: Mapping[str, Any]) -> Post:
    whole = item.get("retweeted_status") if isinstance(item.get("retweeted_status"), dict) else item
    extended = _mapping(_mapping(whole).get("extended_tweet"))
    body = extended.get("full_text") or _mapping(whole).get("full_text") or _mapping(whole).get("text")
    parts = [_mapping(part.get("entities")) for part in (extended, _mapping(whole), item)]
    tags = [tag.get("text") for part in parts for tag in _dicts(part.get("hashtags"))]
    urls = [_target(url) for part in parts for url in _dicts(part.get("urls"))]
    author = _mapping(item.get("user")).get("screen_name")
    quoted = _mapping(_mapping(whole).get("user")).get("screen_name")
    prefix = f"RT @{quoted}: " if whole is not item and isinstance(quoted, str) else ""
    about = (item.get("id_str") or item.get("id"), item.get("created_at"), body, author)
    return _post(*about, tags, urls, prefix, any(parts))


def _target(url: Mapping[str, Any]) -> Any:
    """Where a link leads, as far as the platform followed it."""
    return (
        url.get("unwound_url") or _mapping(url.get("unwound")).get("url") or url.get("expanded_url") or url.get("url")
    )


def _post(
    id_: Any, time: Any, text: Any, author: Any, tags: list[Any], urls: list[Any], prefix: str, described: bool
) -> Post:
    """A post; where it is `described` by entities, a short link that these do not name leads to its own pictures."""
    if not isinstance(id_, str | int) or isinstance(id_, bool) or not str(id_).strip():
        raise Malformed("a post without an id")
    if not isinstance(text, str):
        raise Malformed(f"post {str(id_)[:40]!r} has no text")
    moment = parse_date(time)
    if moment.moment is None:
        raise Malformed(f"post {str(id_)[:40]!r}: its time {str(time)[:40]!r} is {moment.why}")
    text = html.unescape(text)
    every = [*(plain_tag(tag) for tag in tags if isinstance(tag, str)), *hashtags(text)]
    said = [url for url in urls if isinstance(url, str)]
    found = said or [url for url in links(text) if not described or "://t.co/" not in url]
    return Post(
        "x",
        str(id_),
        prefix + text,
        moment.moment,
        author if isinstance(author, str) else "",
        tuple(dict.fromkeys(filter(None, every))),
        tuple(dict.fromkeys(found)),
    )


def _is_listed(value: Mapping[str, Any]) -> bool:
    """Whether this names a page and says nothing of its own."""
    spoken = [name for name in TEXTS if isinstance(value.get(name), str) and name not in TITLES]
    return not spoken and bool(_links(value)) and not any(value.get(name) for name in _IDS)


def _links(value: Mapping[str, Any]) -> list[str]:
    """What is named as a link: a URL, several with blanks between them, or a list."""
    found: list[str] = []
    for name in LINKS:
        said = value.get(name)
        for one in said if isinstance(said, list) else [said]:
            found += one.split() if isinstance(one, str) else []
    return [url.strip("<>,;|") for url in found if url.lower().startswith(("http://", "https://"))]


def _listed(value: Mapping[str, Any]) -> Post:
    """A page that is listed; when the list says that it appeared is not when anyone wrote of it."""
    urls = tuple(dict.fromkeys(_links(value)))
    return Post("url", urls[0], "", urls=urls)


def _time_of(value: Mapping[str, Any]) -> datetime | None:
    given = next((value[name] for name in _TIME if value.get(name) not in (None, "")), None)
    moment = parse_date(given).moment
    if given is not None and moment is None:
        raise Malformed(f"its time {str(given)[:40]!r} cannot be read")
    return moment


def _plain(value: Mapping[str, Any]) -> Post:
    text = next(value[name] for name in TEXTS if isinstance(value.get(name), str))
    moment = _time_of(value)
    id_ = next((value[name] for name in _IDS if value.get(name) not in (None, "")), None)
    if not isinstance(id_, str | int) or isinstance(id_, bool) or id_ == "":
        id_ = hashlib.sha256(f"{to_text(moment)} {text}".encode("utf-8", "replace")).hexdigest()[:20]
    tags = value.get("hashtags") if isinstance(value.get("hashtags"), list) else []
    every = [*(plain_tag(tag) for tag in tags or () if isinstance(tag, str)), *hashtags(text)]
    urls = [*_links(value), *links(text)]
    author = next((value[name] for name in _AUTHOR if isinstance(value.get(name), str)), "")
    unique = tuple(dict.fromkeys(filter(None, every)))
    return Post("plain", str(id_), text, moment, author, unique, tuple(dict.fromkeys(urls)))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _dicts(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
