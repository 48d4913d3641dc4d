"""A server that means ill: one host name for each of its behaviors, and how each must end."""

from __future__ import annotations

import gzip
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from http.server import BaseHTTPRequestHandler

import brotli
from backports import zstd
from local_web import Route, page, redirect
from prose import article, html_page

DRIP_SECONDS = 20.0  # far beyond the limit under test: who waits for the end gets a page, and the case fails
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
GOOD = html_page("A good page", article("good")).encode()
BOMB_BYTES = 40_000_000

INSIDE = {
    "standard": "127.0.0.1", "short": "127.1", "three-parts": "127.0.1", "decimal": "2130706433", "hex": "0x7f000001",
    "hex-parts": "0x7f.0x0.0x0.0x1", "octal": "017700000001", "octal-parts": "0177.0.0.1", "zeros": "0.0.0.0",
    "zero": "0",
    "other-loopback": "127.255.0.9", "v6-loopback": "[::1]", "v6-long": "[0:0:0:0:0:0:0:1]", "v6-none": "[::]",
    "mapped": "[::ffff:127.0.0.1]", "mapped-hex": "[::ffff:7f00:1]", "compatible": "[::127.0.0.1]",
    "nat64": "[64:ff9b::7f00:1]", "6to4": "[2002:7f00:1::]", "site-local": "[fec0::1]", "link-local6": "[fe80::1]",
    "unique-local": "[fd00::1]", "multicast6": "[ff02::1]", "metadata": "169.254.169.254", "private-a": "10.0.0.1",
    "private-b": "172.16.0.1", "private-c": "192.168.0.1", "carrier": "100.64.0.1", "multicast": "224.0.0.1",
    "broadcast": "255.255.255.255", "localhost": "localhost", "localhost-dot": "localhost.", "sub": "x.localhost",
    "ideographic": "127。0。0。1", "dotted-end": "127.0.0.1.",
}  # fmt: skip
NOWHERE = {
    "zone": ("http://[fe80::1%25lo]/", ("address", "url")),
    "circled": ("http://①②⑦.0.0.1/", ("address", "url")),
    "full-width": ("http://１２７.0.0.1/", ("address", "url")),
    "userinfo": ("http://news.example@127.0.0.1/", ("url",)),
    "backslash": ("http://news.example\\@127.0.0.1/", ("url",)),
    "no-scheme": ("//127.0.0.1/", ("address",)),
    "file": ("file:///etc/passwd", ("url",)),
    "ftp": ("ftp://127.0.0.1/", ("url",)),
    "gopher": ("gopher://127.0.0.1:80/_x", ("url",)),
    "script": ("javascript:alert(1)", ("url",)),
    "data": ("data:text/html,hello", ("url",)),
    "ssh-port": ("http://93.184.216.34:22/", ("port",)),
    "endless-url": ("http://news.example/" + "x" * 50_000, ("url", "headers")),
}


def raw(*pieces: bytes) -> Route:
    """Send exactly these bytes, then close."""

    def send(handler: BaseHTTPRequestHandler) -> None:
        for piece in pieces:
            handler.connection.sendall(piece)

    return send


def drip(head: bytes, pieces: Callable[[], Iterable[bytes]], pause: float = 0.02) -> Route:
    """Send the head, then piece by piece for longer than anyone should wait."""

    def send(handler: BaseHTTPRequestHandler) -> None:
        handler.connection.sendall(head)
        ends = time.monotonic() + DRIP_SECONDS
        for piece in pieces():
            handler.connection.sendall(piece)
            if time.monotonic() > ends:
                return
            time.sleep(pause)

    return send


def flood(head: bytes, piece: bytes) -> Route:
    return drip(head, lambda: forever(piece), 0.0)


def forever(piece: bytes) -> Iterator[bytes]:
    while True:
        yield piece


def letters(text: bytes) -> Callable[[], Iterator[bytes]]:
    return lambda: (text[at : at + 1] for at in range(len(text)))


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def bombs(size: int = BOMB_BYTES) -> dict[str, bytes]:
    zeros = b"<p>" + b"0" * 1_000_000
    times = range(size // len(zeros))
    packer, squeezer, press = (
        zlib.compressobj(9, zlib.DEFLATED, 31),
        brotli.Compressor(quality=4),
        zstd.ZstdCompressor(),
    )
    found = {
        "gzip": b"".join([*(packer.compress(zeros) for _ in times), packer.flush()]),
        "br": b"".join([*(squeezer.process(zeros) for _ in times), squeezer.finish()]),
        "zstd": b"".join([*(press.compress(zeros) for _ in times), press.flush()]),
    }
    assert all(len(bomb) < size / 100 for bomb in found.values())
    return found


def encoded(encoding: str, body: bytes) -> Route:
    return page(body, **{"Content-Encoding": encoding})


Case = tuple[Route, tuple[str, ...]]


def redirects() -> dict[str, Case]:
    found: dict[str, Case] = {}
    for name, host in INSIDE.items():
        found[f"to-{name}"] = (redirect(f"http://{host}/admin".encode().decode("latin-1")), ("address", "url"))
    for name, (target, reasons) in NOWHERE.items():
        found[f"to-{name}"] = (redirect(target.encode().decode("latin-1")), reasons)
    found["to-itself"] = (redirect("/"), ("redirects",))
    found["ping"] = (redirect("/pong"), ("redirects",))
    found["longer"] = (lambda handler: redirect(handler.path + "x"), ("redirects",))
    found["no-location"] = ((302, {}, b"moved"), ("status 302",))
    found["empty-location"] = ((302, {"Location": ""}, b"moved"), ("status 302",))
    found["binary-location"] = (
        raw(b"HTTP/1.1 302 Found\r\nLocation: \x01\xff\xfe\r\n\r\n"),
        ("url", "protocol", "redirects"),
    )
    return found


def transport() -> dict[str, Case]:
    slow = ("timeout",)
    chunked = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
    hint = b"HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n"
    switch = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"
    return {
        "silent": (drip(b"", lambda: forever(b"")), slow),
        "drip-status": (drip(b"", letters(b"HTTP/1.1 200 OK" + b" " * 2000)), slow),
        "drip-headers": (drip(HEAD, letters(b"X: y\r\n" * 500)), slow),
        "drip-body": (drip(HEAD + b"Content-Length: 900\r\n\r\n", letters(GOOD[:900])), slow),
        "drip-chunks": (drip(chunked, lambda: forever(chunk(b"x"))), slow),
        "endless-body": (flood(HEAD + b"\r\n", b"<p>x</p>" * 4000), ("size",)),
        "endless-chunks": (flood(chunked, chunk(b"y" * 30_000)), ("size",)),
        "endless-headers": (flood(HEAD, b"X-More: " + b"z" * 500 + b"\r\n"), ("protocol", "size", "headers")),
        "endless-header": (flood(HEAD + b"X: ", b"z" * 10_000), ("protocol", "size", "headers")),
        "endless-status": (flood(b"HTTP/1.1 200 ", b"z" * 10_000), ("protocol", "size")),
        "endless-hints": (
            flood(b"", hint * 200),
            ("size", "timeout", "protocol"),
        ),
        "endless-chunk-size": (
            flood(chunked, b"0" * 10_000),
            ("protocol", "size"),
        ),
        "many-headers": (raw(HEAD, b"X: y\r\n" * 3000, b"\r\n"), ("headers",)),
        "too-long-length": (raw(HEAD, b"Content-Length: 99999\r\n\r\n", GOOD), ("protocol",)),
        "vast-length": (raw(HEAD, b"Content-Length: 999999999999999999\r\n\r\n", GOOD), ("protocol",)),
        "negative-length": (raw(HEAD, b"Content-Length: -5\r\n\r\n", GOOD), ("protocol",)),
        "wordy-length": (raw(HEAD, b"Content-Length: ten\r\n\r\n", GOOD), ("protocol",)),
        "two-lengths": (raw(HEAD, b"Content-Length: 5\r\nContent-Length: 9\r\n\r\n", GOOD), ("protocol",)),
        "not-http": (raw(b"SSH-2.0-OpenSSH_9.0\r\n"), ("protocol",)),
        "http-0.9": (raw(GOOD), ("protocol",)),
        "hang-up": (raw(b""), ("protocol", "connect")),
        "half-head": (raw(b"HTTP/1.1 200 OK\r\nContent-Ty"), ("protocol",)),
        "upgrade": (
            raw(switch),
            ("status 101", "protocol"),
        ),
        "no-content": ((204, {}, b""), ("empty",)),
        "teapot": ((418, {}, b"short and stout"), ("status 418",)),
        "odd-status": (raw(b"HTTP/1.1 999 Denied\r\nContent-Length: 0\r\n\r\n"), ("status 999", "protocol")),
        "folded-header": (raw(HEAD, b"X: a\r\n\x00b\r\n\r\n", GOOD), ("protocol",)),
        "broken": ((500, {}, b""), ("status 500",)),
        "bad-gateway": ((502, {"Retry-After": "-1"}, b"<html>"), ("status 502",)),
        "cookie-circle": (ever_new_cookie, ("redirects",)),
        "cookie-flood": ((302, {"Location": "/", "Set-Cookie": "a=" + "b" * 60_000}, b""), ("redirects", "headers")),
        "retry-vast": ((503, {"Retry-After": "1000000000"}, b""), ("retry",)),
        "retry-odd": ((429, {"Retry-After": "1e9"}, b""), ("status 429",)),
        "retry-date": ((503, {"Retry-After": "Fri, 31 Dec 9999 23:59:59 GMT"}, b""), ("retry",)),
    }


def contents() -> dict[str, Case]:
    bomb = bombs()
    found: dict[str, Case] = {f"{name}-bomb": (encoded(name, body), ("size",)) for name, body in bomb.items()}
    twice = gzip.compress(bomb["gzip"])
    found["bomb-in-bomb"] = (encoded("gzip, gzip", twice), ("size",))
    found["members-bomb"] = (encoded("gzip", gzip.compress(b"<p>" + b"0" * 1_000_000) * 40), ("size",))
    found["empty-members"] = (encoded("gzip", gzip.compress(b"") * 20_000), ("empty",))
    found["half-a-member"] = (encoded("gzip", gzip.compress(GOOD) + gzip.compress(GOOD)[:30]), ("", "encoding"))
    found["deep-json-ld"] = (page(GOOD.replace(b"</head>", deep_linked_data() + b"</head>")), ("",))
    found["many-dates"] = (page(GOOD.replace(b"<body>", b"<body><p class=date>" + b"1 May 2018 " * 20_000)), ("",))
    found["many-encodings"] = (encoded(", ".join(["gzip"] * 50), GOOD), ("encoding",))
    found["encoding-lie"] = (encoded("gzip", GOOD), ("encoding",))
    found["brotli-lie"] = (encoded("br", GOOD), ("encoding",))
    found["zstd-lie"] = (encoded("zstd", GOOD), ("encoding",))
    found["pdf-as-html"] = (page(b"%PDF-1.7\n" + b"\x00\x01\x02" * 1000), ("not HTML",))
    found["png-as-html"] = (page(b"\x89PNG\r\n" + b"\x00\x01" * 1000), ("not HTML",))
    found["noise-as-html"] = (page(bytes(range(256)) * 300), ("not text",))
    found["nested-tags"] = (page(b"<div>" * 100_000), ("too deep",))
    found["nested-odd-tags"] = (page(b"<x y='z'>" * 100_000), ("too deep",))
    found["many-attributes"] = (page(b"<div " + b"a=b " * 200_000 + b">x</div>"), ("no article",))
    laughs = b'<!DOCTYPE l [<!ENTITY a "ha">' + b"".join(
        b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 10) for i in range(12)
    )
    found["entity-bomb"] = (page(laughs + b"]><html><body><p>&m;</p></body></html>"), ("no article",))
    found["external-entity"] = (
        page(b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><html><body><p>&e;</p></body></html>'),
        ("no article",),
    )
    found["video"] = (page(b"...", "video/mp4"), ("type",))
    found["blank"] = (page(b" \n\t "), ("empty",))
    found["charset-lie"] = (page(GOOD, "text/html; charset=utf-16"), ("",))
    found["charset-nonsense"] = (page(GOOD, "text/html; charset=\xff\x00x".replace("\x00", "")), ("",))
    found["short-length"] = (raw(HEAD, b"Content-Length: %d\r\n\r\n" % len(GOOD), GOOD, b"more" * 9999), ("",))
    return found


def ever_new_cookie(_: BaseHTTPRequestHandler) -> Route:
    """Redirect to the same address with a cookie that was never set before."""
    return 302, {"Location": "/", "Set-Cookie": f"n={time.monotonic_ns()}"}, b""


def deep_linked_data() -> bytes:
    return b'<script type="application/ld+json">' + b'{"@graph":[' * 30_000 + b"]}" * 30_000 + b"</script>"


def robots() -> dict[str, Case]:
    """How robots.txt itself can be bad; the page behind it is a good one."""
    text = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
    return {
        "robots-endless": (flood(text + b"\r\n", b"User-agent: *\nDisallow: /x\n" * 1000), ("",)),
        "robots-drip": (drip(text + b"\r\n", letters(b"#" * 5000)), ("robots",)),
        "robots-fails": ((500, {}, b""), ("robots",)),
        "robots-loop": (redirect("/robots.txt"), ("robots",)),
        "robots-inside": (redirect("http://127.0.0.1/robots.txt"), ("address",)),
        "robots-bomb": (encoded("gzip", bombs(4_000_000)["gzip"]), ("",)),
        "robots-noise": (page(bytes(range(256)) * 100, "text/plain"), ("",)),
        "robots-delay": (page("User-agent: *\nCrawl-delay: 1e9\nRequest-rate: 1/100000d\n", "text/plain"), ("",)),
    }
