from __future__ import annotations

import base64
import gzip
import hashlib
import socket
import subprocess
import threading
import time

import httpx2
import pytest
from local_web import LocalWeb, page, redirect

from visavis.collect.web.guard import Allowance, Problem
from visavis.collect.web.net import Client, Limits, agent
from visavis.collect.web.streams import Unzipped
from visavis.collect.web.websocket import SocketLimits, connect
from visavis.errors import InvalidParameter

HOST = "news.test"


@pytest.fixture
def web():
    routes = {
        (HOST, "/"): page("hello"),
        (HOST, "/zipped"): page(gzip.compress(b"hello" * 100), **{"Content-Encoding": "gzip"}),
        (HOST, "/a"): redirect("/b"),
        (HOST, "/b"): redirect("http://other.test/c", 301),
        ("other.test", "/c"): page("c"),
        (HOST, "/me"): redirect("/me"),
        (HOST, "/picture"): page(b"\x89PNG", "image/png"),
        (HOST, "/large"): page("x" * 50_000),
        **{(HOST, f"/hop{i}"): redirect(f"/hop{i + 1}") for i in range(9)},
    }
    with LocalWeb(routes) as web:
        yield web


@pytest.fixture
def client(web):
    return Client(contact="mailto:someone@example.org", allowance=web.allowance)


def reason(call, *args, **kwargs):
    with pytest.raises(Problem) as problem:
        call(*args, **kwargs)
    return problem.value.reason


def test_a_page_comes_with_its_status_headers_and_body(client):
    answer = client.get(f"http://{HOST}/#part")
    assert (answer.status, answer.body, answer.url) == (200, b"hello", f"http://{HOST}/")
    assert answer.media_type == "text/html"


def test_compressed_bodies_are_decoded(client):
    assert client.get(f"http://{HOST}/zipped").body == b"hello" * 100


def test_the_user_agent_names_the_program_and_the_contact(client, web):
    client.get(f"http://{HOST}/")
    assert web.agents == {agent("mailto:someone@example.org")}
    assert agent("mailto:someone@example.org").endswith("(+mailto:someone@example.org)")


@pytest.mark.parametrize("contact", ["a\r\nX: y", "Jörg"])
def test_a_contact_that_cannot_stand_in_a_header_is_refused_before_anything_is_asked(contact):
    with pytest.raises(InvalidParameter, match="cannot stand in a User-Agent"):
        Client(contact)


def test_redirects_are_followed_across_hosts_and_noted(client):
    answer = client.get(f"http://{HOST}/a")
    assert answer.body == b"c"
    assert answer.hops == (f"http://{HOST}/a", f"http://{HOST}/b", "http://other.test/c")


def test_own_headers_do_not_travel_to_another_host(client, web):
    seen = []
    web.routes[HOST, "/a"] = lambda handler: (
        seen.append(handler.headers.get("X-Key")) or redirect("http://other.test/c")
    )
    web.routes["other.test", "/c"] = lambda handler: seen.append(handler.headers.get("X-Key")) or page("c")
    client.get(f"http://{HOST}/a", headers={"X-Key": "secret"})
    assert seen == ["secret", None]


def test_every_hop_is_announced_and_can_be_refused(client):
    hops = []
    client.get(f"http://{HOST}/a", before=hops.append)
    assert len(hops) == 3

    def refuse(url):
        if "other" in url:
            raise Problem("robots", "no")

    assert reason(client.get, f"http://{HOST}/a", before=refuse) == "robots"


def test_waiting_before_a_hop_does_not_count(client):
    limits = Limits(seconds=1.5)
    assert client.get(f"http://{HOST}/a", before=lambda _: time.sleep(0.6), limits=limits).body == b"c"


def test_redirects_end_after_five_and_in_circles(client, web):
    web.routes[HOST, "/hop5"] = page("end")
    assert client.get(f"http://{HOST}/hop0").body == b"end"
    web.routes[HOST, "/hop5"] = redirect("/hop6")
    assert reason(client.get, f"http://{HOST}/hop0") == "redirects"
    assert reason(client.get, f"http://{HOST}/me") == "redirects"


def test_a_media_type_that_is_not_wanted_ends_the_request(client):
    assert reason(client.get, f"http://{HOST}/picture", types=("text/html",)) == "type"
    assert client.get(f"http://{HOST}/picture").body == b"\x89PNG"


def test_bodies_end_at_their_limits(client):
    url = f"http://{HOST}/large"
    assert reason(client.get, url, limits=Limits(wire_bytes=20_000)) == "size"
    assert reason(client.get, url, limits=Limits(decoded_bytes=20_000)) == "size"
    assert len(client.get(url, limits=Limits(decoded_bytes=20_000, truncate=True)).body) == 20_000


@pytest.mark.parametrize(
    "url",
    [
        "ftp://news.test/", "file:///etc/passwd", "//news.test/", "http:///x", "http://user:word@news.test/",
        "http://news.test\\@127.0.0.1/", "http://new s.test/", "http://news.test/\r\nX: y", "gopher://news.test/",
        "http://news.test/" + "x" * 5000, "", "news.test", "http://news.test:x/", "javascript:alert(1)",
    ],
)  # fmt: skip
def test_what_is_no_web_address_is_refused_before_anything_is_asked(client, web, url):
    assert reason(client.get, url) == "url"
    assert not web.asked


def test_other_ports_are_refused_also_for_names_that_are_let_through(client, web):
    assert reason(client.get, f"http://{HOST}:{web.port}/") == "port"
    assert reason(client.get, f"http://{HOST}:8080/") == "port"


def test_proxies_of_the_environment_are_ignored(client, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert client.get(f"http://{HOST}/").body == b"hello"


def test_the_host_and_no_address_is_sent(client, web):
    client.get(f"http://{HOST}/")
    assert (HOST, "/") in web.asked


def test_by_default_loopback_is_out_of_reach_by_any_name(web):
    client = Client(resolve=lambda _: ["127.0.0.1"])
    for url in (f"http://{HOST}/", "http://127.0.0.1/", "http://localhost/", "http://[::1]/", "http://2130706433/"):
        assert reason(client.get, url) == "address"
    assert not web.asked


def certificate(folder, name):
    key, pem = folder / "key.pem", folder / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", pem, "-days", "2", "-subj",
         f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}"],
        check=True, capture_output=True,
    )  # fmt: skip
    return key, pem


def test_certificates_are_verified_against_the_name_that_was_asked_for(tmp_path):
    import shutil
    import ssl

    from conftest import require

    require(shutil.which("openssl") is not None, "openssl")
    key, pem = certificate(tmp_path, "safe.test")
    with LocalWeb({("safe.test", "/"): page("safe"), ("wrong.test", "/"): page("wrong")}) as web:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pem, key)
        web.server.socket = context.wrap_socket(web.server.socket, server_side=True)
        assert reason(Client(allowance=web.allowance).get, "https://safe.test/") == "tls"
        trusting = Client(allowance=Allowance(web.allowance.hosts, pem.read_text()))
        assert trusting.get("https://safe.test/").body == b"safe"
        assert reason(trusting.get, "https://wrong.test/") == "tls"
        assert web.asked == {("safe.test", "/"): 1}


class SocketServer:
    """Answers one websocket handshake, then sends the frames it is given."""

    def __init__(self, frames, accept=True):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.allowance = Allowance({"stream.test": ("127.0.0.1", self.listener.getsockname()[1])})
        self._frames, self._accept = frames, accept
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        connection, _ = self.listener.accept()
        head = connection.recv(65536).decode()
        key = next(line.split(": ")[1] for line in head.split("\r\n") if line.lower().startswith("sec-websocket-key"))
        digest = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        proof = base64.b64encode(digest).decode() if self._accept else "no"
        connection.sendall(
            f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Accept: {proof}\r\n\r\n".encode()
        )
        try:
            for frame in self._frames:
                connection.sendall(frame)
            connection.recv(65536)
        except OSError:
            pass


def frame(data, opcode=1, final=True):
    head = bytes([opcode | (0x80 if final else 0)])
    size = len(data)
    head += bytes([size]) if size < 126 else b"\x7e" + size.to_bytes(2, "big")
    return head + data


def received(frames, limits=None, n=1, **more):
    server = SocketServer(frames, **more)
    with connect(Client(allowance=server.allowance), "ws://stream.test/subscribe", limits) as messages:
        return [messages.receive() for _ in range(n)]


def test_messages_of_a_websocket_arrive_whole_and_in_order():
    frames = [frame(b"one"), frame(b"tw", final=False), frame(b"o", opcode=0), frame(b"", opcode=9), frame(b"three")]
    assert received([b"".join(frames)], n=3) == ["one", "two", "three"]
    assert received(frames, n=3) == ["one", "two", "three"]


def test_a_websocket_that_falls_silent_grows_too_large_or_closes_is_a_problem():
    assert reason(received, [], SocketLimits(idle_seconds=0.1)) == "timeout"
    endless = [frame(b"x" * 60_000, opcode=int(not i), final=False) for i in range(50)]
    assert reason(received, endless, SocketLimits(message_bytes=100_000)) == "size"
    assert reason(received, [frame(b"\x03\xe8", opcode=8)]) == "closed"
    assert reason(received, [b"\xff\xff\xff"]) in ("protocol", "closed")
    assert reason(received, [], accept=False) == "protocol"
    assert reason(received, [frame(b"\x00" * 9, opcode=2)] * 3, SocketLimits(idle_seconds=0.1)) == "timeout"


def test_a_websocket_goes_through_the_same_guard(client):
    for url in ("ws://127.0.0.1/", "ws://[::1]/", "ws://2130706433/", "wss://localhost/"):
        with pytest.raises(Problem), connect(Client(), url):
            pass
    with pytest.raises(Problem, match="instead of a websocket"), connect(client, f"ws://{HOST}/"):
        pass


def test_errors_of_the_caller_inside_a_websocket_stay_the_callers():
    server = SocketServer([frame(b"{")])
    with pytest.raises(KeyError), connect(Client(allowance=server.allowance), "ws://stream.test/"):
        raise KeyError("mine")


class Chunks(httpx2.SyncByteStream):
    def __init__(self, *chunks):
        self.chunks = chunks

    def __iter__(self):
        return iter(self.chunks)


@pytest.mark.parametrize("after", [b"", b"\r\n", b"no gzip", b"\0\0", b"\0\0\r\n", b"\x1f", b"\x1fx", b"\x1f\x8bno"])
def test_what_follows_gzip_is_ignored_wherever_the_chunks_part(after):
    body = gzip.compress(b"one, ") + b"\0" + gzip.compress(b"two") + after
    for at in range(len(body) + 1):
        assert b"".join(Unzipped(Chunks(body[:at], body[at:]))) == b"one, two"
    assert b"".join(Unzipped(Chunks(*(bytes([byte]) for byte in body)))) == b"one, two"
    with pytest.raises(httpx2.DecodingError):
        list(Unzipped(Chunks(b"no gzip", body)))
