from __future__ import annotations

import gzip
import json
import socket
import time
from dataclasses import replace
from datetime import UTC, datetime
from urllib.parse import urlencode

import pytest
from local_web import LocalWeb, page, redirect
from warcio.archiveiterator import ArchiveIterator

from visavis.collect.records import Article
from visavis.collect.state.store import Store
from visavis.collect.steps.fetch import FetchOptions, fetch_pages
from visavis.collect.web.guard import Allowance, Problem
from visavis.collect.web.pace import Frontier, Interrupted, Manners, Pace
from visavis.collect.web.wayback import Wayback
from visavis.errors import InvalidParameter

HOST = "news.test"
QUICK = Manners(seconds_a_host=0.0, longest_delay=0.05, longest_retry=0.3)


@pytest.fixture
def web():
    with LocalWeb({(HOST, "/"): page("home")}, hosts=("other.test", "third.test")) as web:
        yield web


@pytest.fixture
def store():
    with Store(":memory:") as store:
        yield store


def fetch(store, web, *paths, **more):
    urls = [path if "://" in path else f"http://{HOST}{path}" for path in paths]
    time_ = datetime(2026, 1, 1, tzinfo=UTC)
    store.set_articles("t", [Article("t", url, time_, 1) for url in urls])
    return fetch_pages(store, FetchOptions(**{"allowance": web.allowance, "manners": QUICK, **more}))


def reasons(store):
    return {fetch.url.rpartition("/")[2]: fetch.reason.label for fetch in store.fetches() if fetch.reason}


def test_pages_are_kept_as_they_came(store, web):
    web.routes[HOST, "/a"] = page(b"\xe9t\xe9", "text/html; charset=latin-1")
    web.routes[HOST, "/b"] = redirect("http://other.test/c")
    web.routes["other.test", "/c"] = page("c")
    result = fetch(store, web, "/a", "/b")
    assert (result.fetched, result.missed, result.total) == (2, {}, 2)
    first, second = store.page(f"http://{HOST}/a"), store.page(f"http://{HOST}/b")
    assert (first.body, first.content_type) == (b"\xe9t\xe9", "text/html; charset=latin-1")
    assert (second.body, second.final_url) == (b"c", "http://other.test/c")


def test_nothing_is_fetched_twice(store, web):
    for name in "abc":
        web.routes[HOST, f"/{name}"] = page(name)
    fetch(store, web, "/a", "/gone")
    result = fetch(store, web, "/a", "/b", "/c", "/gone")
    assert result.total == 2
    assert {count for (_, path), count in web.asked.items() if path != "/robots.txt"} == {1}
    assert web.asked[HOST, "/robots.txt"] == 1


def test_a_redirect_to_a_page_that_is_here_asks_no_more(store, web):
    web.routes[HOST, "/a"] = page("a")
    web.routes[HOST, "/short"] = redirect("/a")
    fetch(store, web, "/a")
    fetch(store, web, "/a", "/short")
    assert web.asked[HOST, "/a"] == 1
    assert store.page(f"http://{HOST}/short").body == b"a"


def test_what_cannot_be_fetched_has_a_reason_that_is_listed_as_a_drop(store, web):
    web.routes[HOST, "/robots.txt"] = page("User-agent: *\nDisallow: /no\n", "text/plain")
    web.routes[HOST, "/film"] = page(b"...", "video/mp4")
    web.routes[HOST, "/blank"] = page("  \n")
    result = fetch(store, web, "/no", "/film", "/blank", "/gone", "http://127.0.0.1/in", "http://news.test:22/ssh")
    expected = {
        "no": "robots", "film": "type", "blank": "empty", "gone": "status 404", "in": "address", "ssh": "port",
    }  # fmt: skip
    assert reasons(store) == expected
    assert result.missed == dict.fromkeys(expected.values(), 1)
    assert {drop.reason.label for drop in store.drops("t")} == set(expected.values())
    assert (HOST, "/no") not in web.asked


def test_a_drop_that_is_brought_back_is_tried_once_more(store, web):
    fetch(store, web, "/a")
    web.routes[HOST, "/a"] = page("a")
    assert fetch(store, web, "/a").total == 0
    store.set_undone(store.drops("t"))
    assert fetch(store, web, "/a").fetched == 1
    assert store.drops("t") == []


def test_redirects_obey_the_robots_of_the_site_they_lead_to(store, web):
    web.routes[HOST, "/a"] = redirect("http://other.test/secret")
    web.routes["other.test", "/robots.txt"] = page("User-agent: *\nDisallow: /secret\n", "text/plain")
    fetch(store, web, "/a")
    assert reasons(store) == {"a": "robots"}
    assert ("other.test", "/secret") not in web.asked


def test_a_server_that_asks_to_come_again_is_asked_again(store, web):
    def busy_once(_):
        return page("a") if web.asked[HOST, "/a"] > 1 else (503, {"Retry-After": "0"}, b"")

    web.routes[HOST, "/a"] = busy_once
    assert fetch(store, web, "/a").fetched == 1
    assert next(store.fetches()).attempts == 2


@pytest.mark.parametrize("value", ["1000000000", "9" * 400, "Tue, 01 Jan 2999 00:00:00 GMT"])
def test_a_server_that_asks_for_too_much_patience_is_given_up(store, web, value):
    web.routes[HOST, "/a"] = (429, {"Retry-After": value}, b"")
    fetch(store, web, "/a")
    assert reasons(store) == {"a": "retry"}


@pytest.mark.parametrize("value", ["", "soon", "-5", "1e9", "٣"])
def test_a_server_that_does_not_say_when_is_asked_again_after_a_while(store, web, value):
    web.routes[HOST, "/a"] = (429, {"Retry-After": value.encode().decode("latin-1")}, b"")
    fetch(store, web, "/a", manners=replace(QUICK, first_retry=0.01))
    assert reasons(store) == {"a": "status 429"}
    assert web.asked[HOST, "/a"] == 3


def test_attempts_end(store, web):
    web.routes[HOST, "/a"] = (503, {"Retry-After": "0"}, b"")
    fetch(store, web, "/a")
    assert reasons(store) == {"a": "status 503"}
    assert web.asked[HOST, "/a"] == 3


def test_one_request_at_a_time_for_each_host(store, web):
    def slow(_):
        time.sleep(0.02)
        return page("x")

    for i in range(6):
        for host in (HOST, "other.test", "third.test"):
            web.routes[host, f"/{i}"] = slow
    paths = [f"http://{host}/{i}" for host in (HOST, "other.test", "third.test") for i in range(6)]
    assert fetch(store, web, *paths).fetched == 18
    assert web.most_at_once == 1


def test_turns_of_a_host_keep_their_distance():
    clock = []
    pace = Pace(Manners(seconds_a_host=1.0, longest_delay=30.0))
    pace.stopping.wait = lambda seconds: clock.append(round(seconds, 1))
    for _ in range(3):
        pace.wait("http://a.test/")
    pace.wait("http://b.test/")
    pace.set_delay("a.test", 5.0)
    pace.wait("http://a.test/")
    pace.set_delay("a.test", 1e9)
    pace.wait("http://a.test/")
    pace.wait("http://a.test/")
    assert clock == [0.0, 1.0, 2.0, 0.0, 3.0, 8.0, 38.0]


def test_a_crawl_delay_below_ours_does_not_hurry_us():
    clock = []
    pace = Pace(Manners(seconds_a_host=1.0))
    pace.stopping.wait = lambda seconds: clock.append(round(seconds, 1))
    pace.set_delay("a.test", 0.0)
    pace.wait("http://a.test/")
    pace.wait("http://a.test/")
    assert clock == [0.0, 1.0]


def test_the_frontier_hands_out_everything_once_and_one_a_host():
    pace = Pace(Manners(seconds_a_host=0.0))
    urls = [f"http://{host}.test/{i}" for i in range(3) for host in "ab"]
    frontier = Frontier(urls, pace)
    first, second = frontier.take()[0], frontier.take()[0]
    assert {first, second} == {"http://a.test/0", "http://b.test/0"}
    seen = [first, second]
    frontier.done(first)
    frontier.done(second)
    while (taken := frontier.take()) is not None:
        seen.append(taken[0])
        frontier.done(taken[0])
    assert sorted(seen) == sorted(urls)


def test_fetched_pages_can_be_archived(store, web, tmp_path):
    web.routes[HOST, "/a"] = page("<p>hello</p>", **{"X-Note": "kept"})
    fetch(store, web, "/a", "/gone", warc=tmp_path / "warc")
    (file,) = (tmp_path / "warc").glob("*.warc.gz")
    with file.open("rb") as stream:
        records = [
            (record.rec_headers["WARC-Target-URI"], record.http_headers["X-Note"], record.content_stream().read())
            for record in ArchiveIterator(stream)
            if record.rec_type == "response"
        ]
    assert records == [(f"http://{HOST}/a", "kept", b"<p>hello</p>")]


def test_a_failure_of_the_state_file_ends_the_run(store, web, monkeypatch):
    def full(*_):
        raise OSError("disk full")

    monkeypatch.setattr(store, "add_fetch", full)
    with pytest.raises(OSError, match="disk full"):
        fetch(store, web, "/a", "/b")


def test_progress_is_told(store, web):
    told = []
    fetch(store, web, "/a", "/b", progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 2), (2, 2)]


def test_what_failed_for_a_reason_that_may_pass_is_listed_and_tried_again(store, web):
    def offline(_):
        raise socket.gaierror(-3, "Temporary failure in name resolution")

    web.routes[HOST, "/a"] = page("a")
    assert fetch(store, web, "/a", allowance=Allowance(), resolve=offline).missed == {"name": 1}
    assert [drop.reason.label for drop in store.drops("t")] == ["name"]
    assert fetch(store, web, "/a").fetched == 1
    assert store.drops("t") == []


def test_a_site_that_could_not_say_its_rules_is_asked_again_when_it_can(store, web):
    web.routes[HOST, "/robots.txt"] = (503, {}, b"")
    web.routes[HOST, "/a"] = page("a")
    assert fetch(store, web, "/a").missed == {"robots": 1}
    web.routes[HOST, "/robots.txt"] = page("User-agent: *\nDisallow: /b\n", "text/plain")
    assert fetch(store, web, "/a").missed == {"robots": 1}
    assert web.asked[HOST, "/robots.txt"] == 1
    store.execute("DELETE FROM robots")
    assert fetch(store, web, "/a", "/b").fetched == 1
    assert fetch(store, web, "/a", "/b").total == 0


def test_a_stop_before_the_rules_came_leaves_the_page_to_the_next_run(store, web, monkeypatch):
    def stop(*_):
        raise Interrupted("stopped", "stopped while waiting")

    web.routes[HOST, "/a"] = page("a")
    with monkeypatch.context() as patched:
        patched.setattr(Pace, "wait", stop)
        assert fetch(store, web, "/a").total == 0
    assert fetch(store, web, "/a").fetched == 1


def test_the_host_that_asks_for_a_rest_is_the_one_that_gets_it(store, web, monkeypatch):
    rests = []
    monkeypatch.setattr(Pace, "postpone", lambda _, host, seconds: rests.append((host, seconds)))
    web.routes[HOST, "/a"] = redirect("http://other.test/b")
    web.routes["other.test", "/b"] = (429, {"Retry-After": "0"}, b"")
    fetch(store, web, "/a")
    assert rests == [("other.test", 0.0)] * 3
    assert [(fetch.reason.label, fetch.status) for fetch in store.fetches()] == [("status 429", 429)]


def test_a_long_pause_of_our_own_is_waited_out_and_only_a_hosts_wish_can_be_too_long():
    clock = []
    pace = Pace(Manners(seconds_a_host=500.0))
    pace.stopping.wait = lambda seconds: clock.append(round(seconds))
    for _ in range(3):
        pace.wait("http://a.test/")
    assert clock == [0, 500, 1000]
    pace.postpone("b.test", 121)
    with pytest.raises(Problem, match="not to be asked for another"):
        pace.wait("http://b.test/")


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), -1.0])
def test_a_pause_is_a_number_of_seconds(seconds):
    with pytest.raises(InvalidParameter, match="seconds_a_host"):
        Manners(seconds)


def test_two_addresses_that_lead_to_one_page_ask_for_it_once(store, web):
    web.routes[HOST, "/page"] = page("a")
    for name in ("/one", "/two"):
        web.routes[HOST, name] = redirect("/page")
    assert fetch(store, web, "/one", "/two").fetched == 2
    assert web.asked[HOST, "/page"] == 1
    assert store.page(f"http://{HOST}/two").final_url == f"http://{HOST}/page"


def test_a_run_that_ends_early_does_not_wait_for_slow_answers(store, web, monkeypatch):
    def fail(*_):
        raise OSError("disk full")

    web.routes["other.test", "/slow"] = lambda _: (time.sleep(8), page("late"))[1]
    monkeypatch.setattr(store, "add_fetch", fail)
    began = time.monotonic()
    with pytest.raises(OSError, match="disk full"):
        fetch(store, web, "http://other.test/slow", "/gone")
    assert time.monotonic() - began < 6


def test_an_archive_is_made_only_where_there_is_something_to_write(store, web, tmp_path):
    fetch(store, web, "/gone", warc=tmp_path)
    assert list(tmp_path.iterdir()) == []


EAGER = replace(QUICK, first_retry=0.01)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_server_that_is_broken_for_a_while_is_tried_again_in_this_run_and_the_next(store, web, status):
    def broken(_):
        return page("a") if web.asked[HOST, "/a"] > 4 else (status, {}, b"")

    web.routes[HOST, "/a"] = broken
    assert fetch(store, web, "/a", manners=EAGER).missed == {f"status {status}": 1}
    assert [(one.state, one.attempts) for one in store.fetches()] == [("later", 3)]
    assert fetch(store, web, "/a", manners=EAGER).fetched == 1
    assert web.asked[HOST, "/a"] == 5


def test_what_never_passes_is_given_up_in_the_end(store, web):
    web.routes[HOST, "/a"] = (500, {}, b"")
    for run in range(4):
        assert fetch(store, web, "/a", manners=EAGER).total == (run < 3)
    assert web.asked[HOST, "/a"] == EAGER.most_attempts
    assert [one.state for one in store.fetches()] == ["failed"]


def test_runs_in_which_nothing_could_be_asked_do_not_count_as_attempts(store, web):
    web.routes[HOST, "/a"] = (503, {"Retry-After": "0"}, b"")
    store.keep_rest(HOST, time.time() + 86_400)
    for _ in range(EAGER.most_attempts):
        assert fetch(store, web, "/a", manners=EAGER).missed == {"busy": 1}
    assert [(one.state, one.attempts) for one in store.fetches()] == [("later", 0)]
    store.keep_rest(HOST, time.time() - 1)
    fetch(store, web, "/a", manners=EAGER)
    assert [(one.state, one.attempts) for one in store.fetches()] == [("later", EAGER.attempts)]


@pytest.mark.parametrize(
    "half", [b"", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 900\r\n\r\n<p>x"]
)
def test_a_line_that_drops_is_tried_again(store, web, half):
    def drop(handler):
        if web.asked[HOST, "/a"] > 2:
            return page("a")
        handler.connection.sendall(half)
        return None

    web.routes[HOST, "/a"] = drop
    assert fetch(store, web, "/a", manners=EAGER).fetched == 1
    assert web.asked[HOST, "/a"] == 3


def test_a_long_rest_holds_for_the_whole_host_and_for_later_runs(store, web):
    web.routes[HOST, "/a"] = (429, {"Retry-After": "3600"}, b"")
    for name in ("b", "c"):
        web.routes[HOST, f"/{name}"] = page(name)
    web.routes["other.test", "/d"] = page("d")
    store.set_articles("t", [])
    assert fetch(store, web, "/a").missed == {"retry": 1}
    again = fetch(store, web, "/a", "/b", "/c", "http://other.test/d")
    assert (again.fetched, again.missed) == (1, {"busy": 3})
    assert web.asked[HOST, "/a"] == 1
    assert {(HOST, "/b"), (HOST, "/c")}.isdisjoint(web.asked)
    store.keep_rest(HOST, time.time() - 1)
    web.routes[HOST, "/a"] = page("a")
    assert fetch(store, web, "/a", "/b", "/c").fetched == 3


def test_a_site_that_wants_its_cookie_back_gets_it_in_the_same_request_alone(store, web):
    def bounce(handler):
        if "seen=1" in handler.headers.get("Cookie", ""):
            return page("a")
        return 302, {"Location": handler.path, "Set-Cookie": "seen=1; Path=/"}, b""

    said = []
    for name in ("/a", "/b"):
        web.routes[HOST, name] = lambda handler: (said.append(handler.headers.get("Cookie")), bounce(handler))[1]
    web.routes[HOST, "/away"] = (302, {"Location": "http://other.test/c", "Set-Cookie": "seen=1"}, b"")
    web.routes["other.test", "/c"] = lambda handler: (said.append(handler.headers.get("Cookie")), page("c"))[1]
    assert fetch(store, web, "/a", "/b", "/away").fetched == 3
    assert said.count("seen=1") == 2
    assert said.count(None) == 3


def test_a_body_of_several_gzip_members_is_read_whole(store, web):
    parts = [gzip.compress(text) for text in (b"<p>one</p>", b"<p>two</p>", b"<p>three</p>")]
    bodies = {"/a": b"".join(parts), "/b": b"".join(parts) + b"\0\0", "/c": parts[0] + b"no gzip"}
    for name, body in bodies.items():
        web.routes[HOST, name] = page(body, **{"Content-Encoding": "gzip"})
    fetch(store, web, *bodies)
    found = {name: store.page(f"http://{HOST}{name}").body for name in bodies}
    assert found == {"/a": b"<p>one</p><p>two</p><p>three</p>", "/b": found["/a"], "/c": b"<p>one</p>"}


ARCHIVE = Wayback("http://other.test/available", "http://third.test/web")
COPIED = datetime(2025, 12, 24, 8, tzinfo=UTC)


def archived(web, url, body="an old page"):
    """Let the archive know a URL: with a copy, or with none if there is no body."""
    closest = {"available": True, "status": "200", "timestamp": "20251224080000", "url": "http://elsewhere"}
    known = {"archived_snapshots": {"closest": closest} if body else {}}
    asked = f"/available?{urlencode({'url': url, 'timestamp': '20260101000000'})}"
    web.routes["other.test", asked] = page(json.dumps(known), "application/json")
    web.routes["third.test", f"/web/20251224080000id_/{url}"] = page(body)
    return "other.test", asked


def test_pages_that_died_come_from_the_archive_with_the_time_of_the_copy(store, web):
    archived(web, f"http://{HOST}/gone")
    asked = archived(web, f"http://{HOST}/never", "")
    assert fetch(store, web, "/gone", "/never").missed == {"status 404": 2}
    found = fetch(store, web, "/gone", "/never", wayback=ARCHIVE)
    assert (found.fetched, found.missed) == (1, {"status 404": 1})
    copy = store.page(f"http://{HOST}/gone")
    assert (copy.body, copy.final_url, copy.copied) == (b"an old page", f"http://{HOST}/gone", COPIED)
    assert fetch(store, web, "/gone", "/never", wayback=ARCHIVE).total == 0
    assert web.asked[asked] == 1


def test_sites_that_died_come_from_the_archive(store, web):
    with socket.socket() as unheard:  # bound, and not listening: connections are refused
        unheard.bind(("127.0.0.1", 0))
        hosts = {**web.allowance.hosts, "dead.test": unheard.getsockname()}
        urls = ["http://dead.test/a", f"https://{HOST}/b"]  # the second answers without TLS
        for url in urls:
            archived(web, url)
        assert fetch(store, web, *urls, allowance=Allowance(hosts)).missed == {"robots": 2}
        assert fetch(store, web, *urls, allowance=Allowance(hosts), wayback=ARCHIVE).fetched == 2
    assert [store.page(url).copied for url in urls] == [COPIED] * 2


def test_a_copy_that_a_redirect_leads_to_keeps_its_time(store, web):
    archived(web, f"http://{HOST}/gone")
    web.routes[HOST, "/short"] = redirect("/gone")
    fetch(store, web, "/gone", wayback=ARCHIVE)
    assert fetch(store, web, "/short").fetched == 1
    assert store.page(f"http://{HOST}/short").copied == COPIED


@pytest.mark.parametrize("place", ["index", "copy"])
@pytest.mark.parametrize(("wait", "rests"), [("3600", True), ("0", False)])
def test_an_archive_that_is_busy_is_left_alone_and_asked_by_a_later_run(store, web, place, wait, rests):
    url = f"http://{HOST}/gone"
    index = archived(web, url)
    busy = index if place == "index" else ("third.test", f"/web/20251224080000id_/{url}")
    answer, web.routes[busy] = web.routes[busy], (429, {"Retry-After": wait}, b"")
    assert fetch(store, web, "/gone", wayback=ARCHIVE).missed == {"status 404": 1}
    assert [(one.state, one.attempts) for one in store.fetches()] == [("later", 0)]
    assert (busy[0] in store.rests()) == rests
    web.routes[busy] = answer
    assert fetch(store, web, "/gone", wayback=ARCHIVE).fetched == (not rests)
    assert web.asked[busy] == (1 if rests else 2)


def test_a_host_that_is_too_busy_to_say_its_rules_is_left_alone(store, web):
    web.routes[HOST, "/robots.txt"] = (429, {"Retry-After": "3600"}, b"")
    assert fetch(store, web, "/a").missed == {"robots": 1}
    assert store.rests()[HOST] > time.time() + 3000
