from __future__ import annotations

import re
import socket
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
from hostile import GOOD, bombs, contents, encoded, redirects, robots, transport
from local_web import LocalWeb, page, redirect

from visavis.collect.records import Article
from visavis.collect.sources import Live, open_source
from visavis.collect.state.store import Store
from visavis.collect.steps.extract import ExtractOptions, extract_pages
from visavis.collect.steps.fetch import FetchOptions, fetch_pages
from visavis.collect.text.reading import ChildLimits
from visavis.collect.web.guard import Problem
from visavis.collect.web.net import Client, Limits
from visavis.collect.web.pace import Manners
from visavis.collect.web.websocket import connect

QUICK = Manners(seconds_a_host=0.0, longest_delay=0.01, longest_retry=0.2)
LIMITS = Limits(seconds=4.0, wire_bytes=1_200_000, decoded_bytes=1_500_000)
PUBLIC = "93.184.216.34"  # the spy leads it to the hostile server, as if it stood in the public internet


class Canary:
    """A listener that nobody may reach; every connection but those to the servers of the test is led to it."""

    def __init__(self, monkeypatch, *ports):
        self.attempts = []
        self.connections = []
        self._ports = set(ports)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._listen, daemon=True).start()
        real = socket.socket.connect

        def spied(sock, address):
            if address[0] == PUBLIC:
                return real(sock, ("127.0.0.1", ports[0]))
            if address[0] == "127.0.0.1" and address[1] in self._ports:
                return real(sock, address)
            self.attempts.append(address)
            return real(sock, ("127.0.0.1", self.port))

        monkeypatch.setattr(socket.socket, "connect", spied)

    def _listen(self):
        while True:
            connection, peer = self._listener.accept()
            self.connections.append(peer)
            connection.close()


@contextmanager
def watched_memory():
    """Yields a function that tells by how many MB memory has grown at most since."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        pytest.skip("memory cannot be measured here")
    page_size = 4096 / 1e6
    start = int(statm.read_text().split()[1]) * page_size
    most, done = [start], threading.Event()

    def watch():
        while not done.wait(0.01):
            most[0] = max(most[0], int(statm.read_text().split()[1]) * page_size)

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield lambda: most[0] - start
    finally:
        done.set()


def resolver():
    """Names that lie: public first and private later, both at once, private in disguise."""
    answers = {
        "rebind.test": iter([[PUBLIC], ["127.0.0.1"], ["127.0.0.1"]]),
        "flip.test": iter([[PUBLIC], [PUBLIC], ["10.0.0.1"], ["10.0.0.1"]]),
    }
    fixed = {
        "mixed.test": [PUBLIC, "127.0.0.1"], "inside.test": ["127.0.0.1"], "wide.test": ["2002:7f00:1::"],
        "nat.test": ["64:ff9b::7f00:1"], "mapped.test": ["::ffff:127.0.0.1"], "scoped.test": ["fe80::1%lo"],
    }  # fmt: skip

    def resolve(name):
        if name in answers:
            return next(answers[name])
        if name in fixed:
            return fixed[name]
        raise OSError("no such name")

    return resolve


LYING_NAMES = {
    "rebind": ("address",), "flip": ("address",), "mixed": ("address",), "inside": ("address",), "wide": ("address",),
    "nat": ("address",), "mapped": ("address",), "scoped": ("address",), "unknown": ("name",),
}  # fmt: skip


def outcome(store, url):
    for fetch in store.fetches():
        if fetch.url == url and fetch.state != "fetched":
            return fetch.reason.label
    rows = store.execute("SELECT reason FROM documents WHERE url = ?", (url,))
    return rows[0][0] if rows else "nothing recorded"


def attack(monkeypatch):
    cases = {**redirects(), **transport(), **contents()}
    behind = robots()
    routes = {(f"{name}.test", "/"): route for name, (route, _) in cases.items()}
    routes["ping.test", "/pong"] = redirect("/")
    routes |= {("longer.test", "/" + "x" * n): cases["longer"][0] for n in range(9)}
    routes["flip.test", "/"] = redirect("/next")
    for name, (route, _) in behind.items():
        routes[f"{name}.test", "/robots.txt"] = route
        routes[f"{name}.test", "/"] = page(GOOD)
    web = LocalWeb(routes)
    hosts = {name: target for name, target in web.allowance.hosts.items() if name not in ("flip.test", "rebind.test")}
    allowance = type(web.allowance)(hosts)
    expected = {f"http://{name}.test/": reasons for name, (_, reasons) in {**cases, **behind}.items()}
    expected |= {f"http://{name}.test/": reasons for name, reasons in LYING_NAMES.items()}
    canary = Canary(monkeypatch, web.port)
    store = Store(":memory:")
    store.set_articles("t", [Article("t", url, None, 1) for url in expected])
    with web:
        fetch_pages(
            store,
            FetchOptions(workers=12, manners=QUICK, limits=LIMITS, allowance=allowance, resolve=resolver()),
        )
        extract_pages(store, ExtractOptions(workers=2, limits=ChildLimits(seconds=20, memory_mb=300)))
    return expected, store, canary


def test_every_attack_ends_in_a_recorded_reason_and_none_reaches_the_canary(monkeypatch):
    with watched_memory() as grown:
        expected, store, canary = attack(monkeypatch)
        growth = grown()
    assert len(expected) >= 100
    found = {url: outcome(store, url) for url in expected}
    wrong = {url: (found[url], allowed) for url, allowed in expected.items() if found[url] not in allowed}
    assert wrong == {}
    assert canary.attempts == []
    assert canary.connections == []
    assert growth < 200
    listed = {drop.url for drop in store.drops("t")}
    assert listed == {url for url, reason in found.items() if reason}


def test_the_canary_sings_when_the_guard_sleeps(monkeypatch):
    monkeypatch.setattr("visavis.collect.web.guard.refused", lambda _: None)
    with LocalWeb({("a.test", "/"): redirect("http://10.0.0.1/")}) as web:
        canary = Canary(monkeypatch, web.port)
        with pytest.raises(Problem) as problem:
            Client(allowance=web.allowance).get("http://a.test/")
    assert problem.value.reason in ("protocol", "connect")
    assert canary.attempts == [("10.0.0.1", 80)]


def test_bombs_stay_small_within_the_limits_that_users_have():
    routes = {(f"{name}.test", "/"): encoded(name, body) for name, body in bombs(150_000_000).items()}
    with LocalWeb(routes) as web, watched_memory() as grown:
        client = Client(allowance=web.allowance)
        reasons = []

        def ask(host):
            with pytest.raises(Problem) as problem:
                client.get(f"http://{host}/")
            reasons.append(problem.value.reason)

        askers = [threading.Thread(target=ask, args=(host,)) for host, _ in routes]
        for asker in askers:
            asker.start()
        for asker in askers:
            asker.join()
        assert reasons == ["size"] * 3
        assert grown() < 200


def test_a_secure_address_that_speaks_no_tls_is_a_failure():
    with LocalWeb({("plain.test", "/"): page(GOOD)}) as web:
        with pytest.raises(Problem) as problem:
            Client(allowance=web.allowance, limits=LIMITS).get("https://plain.test/")
        assert problem.value.reason in ("tls", "connect")
        assert not web.asked


@pytest.mark.parametrize(
    "body",
    [
        b'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "ha">' + b"".join(
            b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 10) for i in range(12)
        ) + b"]><rss version='2.0'><channel><item><title>&m;</title></item></channel></rss>",
        b'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY e SYSTEM "http://127.0.0.1/x">]><rss><channel>&e;</channel></rss>',
        b"<rss version='2.0'><channel>" + b"<item>" * 100_000,
        b"\x00\xff" * 1000,
    ],
)  # fmt: skip
def test_feeds_that_mean_ill_bring_nothing_and_reach_nobody(monkeypatch, body):
    with LocalWeb({("feed.test", "/"): page(body, "application/rss+xml")}) as web, watched_memory() as grown:
        canary = Canary(monkeypatch, web.port)
        source = open_source("http://feed.test/")
        batches = list(source.batches(None, Live(client=Client(allowance=web.allowance), most_failures=1)))
        assert [batch.posts for batch in batches] == [()]
        assert canary.attempts == []
        assert grown() < 200


def test_live_sources_pass_the_same_guard(monkeypatch):
    canary = Canary(monkeypatch, 0)
    client = Client(resolve=lambda _: ["127.0.0.1"])
    for url in ("http://feed.example/rss", "http://127.0.0.1/rss", "http://2130706433/rss"):
        with pytest.raises(Problem):
            client.get(url)
    for url in ("wss://stream.example/subscribe", "ws://[::1]/", "ws://0x7f.1/"):
        with pytest.raises(Problem), connect(client, url):
            pass
    assert canary.attempts == []


def test_no_request_of_the_collector_goes_past_the_guarded_client():
    import visavis.collect

    allowed = {f"web/{name}.py" for name in ("guard", "net", "streams", "websocket")}
    speaks = re.compile(
        r"^\s*(?:import|from) (?:httpx2|httpcore2|socket|ssl|urllib\.request|http\.client|requests|aiohttp)\b", re.M
    )
    fetchers = re.compile(r"fetch_url|fetch_response|feedparser\.parse\((?!io\.BytesIO)")
    folder = Path(visavis.collect.__file__).parent
    for file in sorted(folder.rglob("*.py")):
        text = file.read_text()
        assert file.relative_to(folder).as_posix() in allowed or not speaks.search(text), file.name
        assert not fetchers.search(text), file.name
