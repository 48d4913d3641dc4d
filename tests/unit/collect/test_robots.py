from __future__ import annotations

import pytest
from local_web import LocalWeb, page, redirect

from visavis.collect.state.store import Store
from visavis.collect.web.guard import Problem
from visavis.collect.web.net import Client
from visavis.collect.web.pace import Interrupted, Manners, Pace
from visavis.collect.web.robots import LARGEST, Robots

HOST = "news.test"
ROBOTS = (HOST, "/robots.txt")


@pytest.fixture
def web():
    with LocalWeb({ROBOTS: page(b"", "text/plain")}, hosts=("other.test",)) as web:
        yield web


def robots_of(web, text=None, store=None, reply=None, **more):
    web.routes[ROBOTS] = reply or page(text or "", "text/plain")
    return Robots(Client(allowance=web.allowance), store, **more)


def allows(robots, path="/a", host=HOST):
    try:
        robots.check(f"http://{host}{path}")
    except Problem as problem:
        if problem.reason != "robots":
            raise
        return False
    return True


def test_the_longest_rule_decides_with_wildcards_and_ends(web):
    rules = "User-agent: *\nDisallow: /private\nAllow: /private/press\nDisallow: /*.pdf$\nDisallow: /a*z\n"
    robots = robots_of(web, rules)
    paths = ("/", "/private", "/private/x", "/private/press/1", "/x.pdf", "/x.pdf?y", "/abcz1", "/abc")
    assert [allows(robots, path) for path in paths] == [True, False, False, True, False, True, False, True]


def test_a_group_that_names_us_goes_before_the_group_for_all(web):
    robots = robots_of(web, "User-agent: *\nDisallow: /\n\nUser-agent: Visavis\nDisallow: /x\nCrawl-delay: 7\n")
    assert allows(robots, "/a")
    assert not allows(robots, "/x")
    assert robots.delay(f"http://{HOST}/a") == 7


def test_groups_for_other_crawlers_do_not_concern_us(web):
    robots = robots_of(web, "User-agent: googlebot\nUser-agent: visavisual\nDisallow: /\nCrawl-delay: 99\n")
    assert allows(robots)
    assert robots.delay(f"http://{HOST}/a") is None


def test_a_request_rate_is_a_delay_too(web):
    assert robots_of(web, "User-agent: *\nRequest-rate: 1/5\n").delay(f"http://{HOST}/") == 5


@pytest.mark.parametrize(("status", "allowed"), [(404, True), (403, True), (401, True), (500, False), (503, False)])
def test_no_rules_mean_yes_and_a_failing_server_means_no(web, status, allowed):
    robots = robots_of(web, reply=(status, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /\n"))
    assert allows(robots) is allowed


def test_an_unreachable_server_means_no(web):
    def hang_up(handler):
        handler.connection.close()

    assert not allows(robots_of(web, reply=hang_up))


def test_redirected_rules_hold_for_the_site_that_was_asked(web):
    web.routes["other.test", "/rules"] = page("User-agent: *\nDisallow: /a\n", "text/plain")
    robots = robots_of(web, reply=redirect("http://other.test/rules"))
    assert not allows(robots, "/a")
    assert allows(robots, "/b")


def test_rules_are_asked_for_once_and_kept_for_a_day(web, monkeypatch):
    with Store(":memory:") as store:
        robots = robots_of(web, "User-agent: *\nDisallow: /a\n", store)
        assert [allows(robots, path) for path in ("/a", "/b", "/c")] == [False, True, True]
        assert not allows(robots_of(web, "", store), "/a")
        assert web.asked[ROBOTS] == 1
        import time

        now = time.time()
        monkeypatch.setattr("visavis.collect.web.robots.time.time", lambda: now + 86_401)
        assert allows(robots_of(web, "", store), "/a")
        assert web.asked[ROBOTS] == 2


def test_a_failing_server_is_asked_again_after_an_hour(web, monkeypatch):
    import time

    robots = robots_of(web, reply=(500, {}, b""))
    assert not allows(robots)
    now = time.time()
    monkeypatch.setattr("visavis.collect.web.robots.time.time", lambda: now + 3_601)
    web.routes[ROBOTS] = (404, {}, b"")
    assert allows(robots)


def test_what_stands_after_500_kib_is_not_read(web):
    early = b"User-agent: *\nDisallow: /a\n"
    robots = robots_of(web, reply=page(early + b"#" * LARGEST + b"\nDisallow: /b\n", "text/plain"))
    assert not allows(robots, "/a")
    assert allows(robots, "/b")


def test_a_file_that_names_thousands_of_crawlers_does_not_multiply_its_rules(web):
    names = "".join(f"User-agent: bot{i}\n" for i in range(15_000))
    rules = "".join(f"Disallow: /{i}\n" for i in range(10_000))
    robots = robots_of(web, names + "User-agent: *\n" + rules)
    assert not allows(robots, "/9999")
    assert allows(robots, "/x")


def test_politeness_is_asked_before_each_request(web):
    asked = []
    assert allows(robots_of(web, "", before=asked.append))
    assert asked == [f"http://{HOST}/robots.txt"]


def test_a_site_that_may_not_be_reached_at_all_is_refused_as_such():
    robots = Robots(Client(resolve=lambda _: ["10.0.0.1"]))
    with pytest.raises(Problem) as problem:
        robots.check("http://inside.example/")
    assert problem.value.reason == "address"


def test_a_stop_while_the_rules_wait_for_their_turn_is_no_answer_of_the_site(web):
    pace = Pace(Manners())
    pace.stopping.set()
    with Store(":memory:") as store:
        with pytest.raises(Interrupted):
            robots_of(web, "", store, before=pace.wait).check(f"http://{HOST}/a")
        assert store.count("robots") == 0


def test_a_host_that_asked_for_a_rest_is_busy_and_that_is_no_rule_of_it(web):
    pace = Pace(Manners(longest_retry=1.0))
    pace.postpone(HOST, 60)
    with Store(":memory:") as store:
        with pytest.raises(Problem) as problem:
            robots_of(web, "", store, before=pace.wait).check(f"http://{HOST}/a")
        assert (problem.value.reason, store.count("robots")) == ("busy", 0)
