from __future__ import annotations

import base64
import hashlib
import json
import socket
import threading
from datetime import UTC, datetime

import pytest
from gathering import kept, read
from local_web import LocalWeb, page

from visavis.collect.sources import Live, open_sources
from visavis.collect.state.store import Store
from visavis.collect.steps.posts import PostOptions, gather
from visavis.collect.web.guard import Allowance
from visavis.collect.web.net import Client
from visavis.collect.web.waiting import retry_after
from visavis.corpus.errors import Unreadable


@pytest.fixture
def store():
    with Store(":memory:") as store:
        yield store


RSS = """<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>
<item><title>Guns &amp; laws</title><link>https://n.example/1?utm_source=rss</link><guid>g1</guid>
<description>&lt;p&gt;A &lt;b&gt;bill&lt;/b&gt; #Vote&lt;/p&gt;</description><category>Gun Control</category>
<pubDate>Wed, 14 Feb 2018 10:00:00 EST</pubDate></item>
<item><title>No link</title></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title><entry><id>e1</id><title>Entry</title>
<link href="https://n.example/2"/><updated>2018-02-15T00:00:00Z</updated></entry></feed>"""


def test_entries_of_rss_and_atom_become_posts_that_link_to_their_articles(store, tmp_path):
    (tmp_path / "rss.xml").write_text(RSS)
    (tmp_path / "atom.xml").write_text(ATOM)
    found = read(store, f"feed:{tmp_path / 'rss.xml'}", f"feed:{tmp_path / 'atom.xml'}")
    assert [problem.reason for problem in found.sources[0].problems] == ["an entry without a link"]
    first, second = kept(store)
    assert (first.id, first.text, first.tags) == ("g1", "Guns & laws\nA bill #Vote", ("guncontrol", "vote"))
    assert first.time == datetime(2018, 2, 14, 15, tzinfo=UTC)
    assert (second.urls, second.time) == (("https://n.example/2",), datetime(2018, 2, 15, tzinfo=UTC))


@pytest.mark.parametrize(
    "body",
    [
        '<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><rss version="2.0"><channel/></rss>',
        '<?xml version="1.0" encoding="utf-16"?><!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/hostname">]><rss/>',
        "/etc/hostname",
        "http://canary.example/",
        "<html>no feed</html>",
        "",
    ],
)
def test_a_feed_that_is_none_or_defines_entities_is_a_problem_and_reads_no_file(store, tmp_path, body):
    encoded = body.encode("utf-16" if "utf-16" in body else "utf-8")
    (tmp_path / "bad.xml").write_bytes(encoded)
    source = read(store, f"feed:{tmp_path / 'bad.xml'}").sources[0]
    assert (source.seen, len(source.problems)) == (0, 1)


def test_a_feed_on_the_web_is_asked_conditionally_the_second_time(store):
    def serve(handler):
        if handler.headers.get("If-None-Match") == '"v1"':
            return 304, {}, b""
        return page(RSS, "application/rss+xml", ETag='"v1"')

    with LocalWeb({("n.test", "/feed"): serve}) as web:
        client = Client(allowance=web.allowance)
        assert read(store, "http://n.test/feed", client=client).sources[0].new == 1
        assert read(store, "http://n.test/feed", client=client).sources[0].seen == 0
        assert web.asked["n.test", "/feed"] == 2


def test_a_feed_is_asked_again_after_a_failure_and_no_sooner_than_the_server_asks(store):
    replies = [(503, {"Retry-After": "120"}, b""), (500, {}, b""), page(RSS, "application/rss+xml")]
    waits = []
    with LocalWeb({("n.test", "/feed"): lambda _: replies.pop(0)}) as web:
        found = read(store, "http://n.test/feed", client=Client(allowance=web.allowance), sleep=waits.append)
    assert found.sources[0].new == 1
    assert waits[0] == 120
    assert 1 < waits[1] < 3


@pytest.mark.parametrize("reply", [(404, {}, b""), (429, {"Retry-After": "1000000000"}, b"")])
def test_a_feed_that_will_not_come_is_given_up_at_once(store, reply):
    waits = []
    with LocalWeb({("n.test", "/feed"): reply}) as web:
        found = read(store, "http://n.test/feed", client=Client(allowance=web.allowance), sleep=waits.append)
        assert web.asked["n.test", "/feed"] == 1
    assert (waits, len(found.sources[0].problems)) == ([], 1)


def test_no_live_source_reaches_a_loopback_server_that_was_not_let_through(store):
    with LocalWeb({("n.test", "/feed"): page(RSS)}) as web:
        for name in (f"http://127.0.0.1:{web.port}/feed", "http://127.0.0.1/feed", "mastodon:http://127.0.0.1/tag",
                     "jetstream:ws://127.0.0.1", "jetstream:ws://localhost"):  # fmt: skip
            assert "given up" in read(store, name).sources[0].problems[0].reason
        assert not web.asked


def test_retry_after_is_seconds_or_a_date():
    assert retry_after("17") == 17
    assert retry_after("Wed, 14 Feb 2018 10:00:00 GMT") == 0
    assert retry_after("2999-01-01T00:00:00Z") > 1e9
    assert retry_after("soon") is None


def status(
    number,
    text="<p>Guns <a href='https://n.example/1?a=1&amp;b=2'>link</a> <a class='mention hashtag' href='https://s.test/tags/Vote'>#Vote</a></p>",
):
    return {
        "id": str(number), "created_at": "2024-05-01T10:00:00.000Z", "content": text, "account": {"acct": "me"},
        "tags": [{"name": "Vote"}], "card": {"url": "https://n.example/card"},
    }  # fmt: skip


def test_a_mastodon_timeline_is_read_from_the_last_seen_post_on(store):
    path = "/api/v1/timelines/tag/vote?limit=40"
    routes = {
        ("s.test", path): page(json.dumps([status(9), status(10), {"id": 3}]), "application/json"),
        ("s.test", f"{path}&min_id=10"): page(json.dumps([status(n) for n in range(11, 51)]), "application/json"),
        ("s.test", f"{path}&min_id=50"): page(
            json.dumps([status(51)]), "application/json", **{"X-RateLimit-Remaining": "0"}
        ),
    }
    waits = []
    with LocalWeb(routes) as web:
        live = {"client": Client(allowance=web.allowance), "sleep": waits.append}
        first = read(store, "mastodon:http://s.test/Vote", **live).sources[0]
        assert (first.new, first.problems[0].reason) == (2, "1 posts without an id, a time or a text")
        assert store.position("mastodon:s.test/vote") == "10"
        assert read(store, "mastodon:http://s.test/Vote", **live).sources[0].new == 41
        assert store.position("mastodon:s.test/vote") == "51"
    assert waits == [60.0, 1.0] or waits == [1.0, 60.0]
    post = kept(store)[0]
    assert (post.text, post.tags, post.author) == ("Guns link #Vote", ("vote",), "me")
    assert post.urls == ("https://n.example/1?a=1&b=2", "https://n.example/card")


def event(time_us, text="hello #Guns", **record):
    body = {"text": text, "createdAt": "2024-05-01T10:00:00Z", **record}
    commit = {"operation": "create", "collection": "app.bsky.feed.post", "rkey": str(time_us), "record": body}
    return json.dumps({"did": "did:plc:a", "time_us": time_us, "kind": "commit", "commit": commit})


class Jet:
    """A websocket server: each connection gets its list of messages, then is broken off; notes what was asked."""

    def __init__(self, *connections):
        self._connections = list(connections)
        self.asked = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.allowance = Allowance({"jet.test": ("127.0.0.1", self._listener.getsockname()[1])})
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        for messages in self._connections:
            peer, _ = self._listener.accept()
            head = b""
            while b"\r\n\r\n" not in head:
                head += peer.recv(4096)
            lines = head.decode().split("\r\n")
            self.asked.append(lines[0].split()[1])
            key = next(line.split(": ")[1] for line in lines if line.lower().startswith("sec-websocket-key"))
            accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest())
            peer.sendall(
                b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n"
            )
            for message in messages:
                data = message.encode()
                peer.sendall(
                    b"\x81" + (bytes([len(data)]) if len(data) < 126 else b"\x7e" + len(data).to_bytes(2, "big")) + data
                )
            peer.close()
        self._listener.close()


def test_jetstream_reconnects_with_the_last_position_and_keeps_each_post_once(store):
    base = 1_714_557_600_000_000
    jet = Jet(
        [event(base), "not json", '{"time_us": "x"}', json.dumps({"time_us": base + 1, "kind": "identity"})],
        [event(base), event(base + 5_000_000, "later")],
    )
    waits = []
    found = read(
        store, "jetstream:ws://jet.test", client=Client(allowance=jet.allowance), sleep=waits.append, most_failures=3
    ).sources[0]
    assert [post.text for post in kept(store)] == ["hello #Guns", "later"]
    assert (found.new, found.notices) == (2, 1)
    assert jet.asked == [
        "/subscribe?wantedCollections=app.bsky.feed.post",
        f"/subscribe?wantedCollections=app.bsky.feed.post&cursor={base + 1 - 2_000_000}",
    ]
    assert store.position("jetstream:ws://jet.test") == str(base + 5_000_000)
    assert len(waits) >= 2
    assert "given up" in found.problems[-1].reason


def test_a_bluesky_post_brings_marked_links_tags_and_its_card_and_no_time_from_the_future(store):
    facets = [{"features": [{"uri": "https://n.example/1"}, {"tag": "Vote"}, {"did": "x"}]}, "odd"]
    embed = {"$type": "app.bsky.embed.external", "external": {"uri": "https://n.example/card"}}
    record = {"facets": facets, "embed": embed, "tags": ["extra"], "createdAt": "2999-01-01T00:00:00Z"}
    jet = Jet([event(1_714_557_600_000_000, "n.example/1 …", **record), event(1_714_557_600_000_001, "other #x")])
    read(
        store, "jetstream:ws://jet.test", client=Client(allowance=jet.allowance), most_failures=1,
        only=("#Vote",),
    )  # fmt: skip
    (post,) = kept(store)
    assert (post.urls, post.tags) == (("https://n.example/1", "https://n.example/card"), ("vote", "extra"))
    assert post.time == datetime(2024, 5, 1, 10, tzinfo=UTC)


def test_sources_that_are_followed_are_read_at_once(store):
    both = threading.Barrier(2, timeout=10)

    def serve(handler):
        both.wait()  # passes only when both feeds are being asked
        return page(RSS.replace("g1", handler.headers["Host"]), "application/rss+xml")

    with LocalWeb({("n.test", "/feed"): serve, ("o.test", "/feed"): serve}) as web:
        stop = threading.Event()
        live = Live(Client(allowance=web.allowance), follow=True, stop=stop, sleep=lambda _: stop.set())
        sources = tuple(open_sources(["http://n.test/feed", "http://o.test/feed"]))
        found = gather(store, PostOptions(sources, live))
    assert [source.new for source in found.sources] == [1, 1]


def test_a_source_that_fails_ends_the_ones_that_are_followed_with_it(store, tmp_path):
    with LocalWeb({("n.test", "/feed"): page(RSS, "application/rss+xml")}) as web:
        live = Live(Client(allowance=web.allowance), follow=True, pause=30)
        sources = tuple(open_sources(["http://n.test/feed", f"feed:{tmp_path / 'none.xml'}"]))
        with pytest.raises(Unreadable, match=r"none\.xml"):
            gather(store, PostOptions(sources, live))
    assert live.stop.is_set()


def test_jetstream_is_read_for_as_long_as_asked(store):
    ticks = iter(range(1000))
    jet = Jet([event(1_714_557_600_000_000 + n) for n in range(200)])
    live = {"client": Client(allowance=jet.allowance), "seconds": 50, "clock": lambda: next(ticks)}
    source = read(store, "jetstream:ws://jet.test", **live).sources[0]
    assert 0 < source.new < 50
    assert source.problems == ()
    assert store.position(source.source) == str(1_714_557_600_000_000 + source.new - 1)


def test_a_silent_jetstream_heeds_a_stop_at_once(store):
    stop, over = threading.Event(), threading.Event()

    def silence():
        stop.set()
        over.wait(50)
        yield from ()

    jet = Jet(silence())
    found = read(store, "jetstream:ws://jet.test", client=Client(allowance=jet.allowance), follow=True, stop=stop)
    over.set()
    assert found.sources[0].problems == ()
    assert not [thread for thread in threading.enumerate() if "_background_receive" in thread.name]


def test_entries_of_a_feed_in_a_file_are_filtered_too(store, tmp_path):
    (tmp_path / "rss.xml").write_text(RSS)
    assert read(store, f"feed:{tmp_path / 'rss.xml'}", only=("beef ban",)).sources[0].seen == 0
    assert read(store, f"feed:{tmp_path / 'rss.xml'}", only=("guns",)).sources[0].new == 1


def test_a_mark_that_no_header_can_hold_is_not_sent_back(store):
    with LocalWeb({("n.test", "/feed"): page(RSS, "application/rss+xml", ETag='"caf\u00e9"')}) as web:
        for _ in range(2):
            found = read(store, "http://n.test/feed", client=Client(allowance=web.allowance)).sources[0]
            assert found.seen == 1
