"""Answers survive a reload, a server that goes away and comes back, and are taken once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from unit.study import studies
from visavis.study.app import ServeOptions, create_app
from visavis.study.fieldwork.keys import make_keys
from visavis.study.store import Store, schema
from visavis.web.local import listen, running

WAITING = "There is no connection"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return studies.make_study(tmp_path / "s.db", golds=8)


@pytest.fixture
def app(store: Store) -> Any:
    return create_app(store, make_keys(), ServeOptions(rate=0, ask=("usefulness",)))


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


def begin(page: Any, url: str) -> str:
    """Start, and fill the first questionnaire in; its token."""
    page.goto(f"{url}/w")
    page.get_by_label("I have read the conditions").check()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/w/unit/*")
    for place in range(3):
        page.locator(f"#q{place}-right").check()
    page.get_by_role("group", name="How useful").get_by_label("4").check()
    page.get_by_label("Comments").fill("half a thought")
    return str(page.locator("input[name=item]").get_attribute("value"))


def answered(store: Store) -> list[Any]:
    with store.reading() as connection:
        return list(connection.execute(select(schema.item).where(schema.item.c.answered.is_not(None))).all())


def filled(page: Any) -> list[Any]:
    return [
        *(page.locator(f"#q{place}-right").is_checked() for place in range(3)),
        page.locator("#usefulness-4").is_checked(),
        page.get_by_label("Comments").input_value(),
    ]


def test_answers_survive_a_reload_and_leave_the_browser_when_they_are_sent(page: Any, app: Any, store: Store) -> None:
    with running(app) as url:
        item = begin(page, url)
        page.reload()
        assert filled(page) == [True, True, True, True, "half a thought"]
        page.get_by_role("button", name="Send").click()
        page.wait_for_function("old => document.querySelector('input[name=item]').value != old", arg=item)
        assert page.evaluate("Object.keys(localStorage)") == []
        assert filled(page)[-1] == ""
    [one] = answered(store)
    assert (one.token, one.comment, one.usefulness) == (item, "half a thought", 4)


def test_answers_wait_for_a_server_that_went_away_and_are_taken_once(page: Any, app: Any, store: Store) -> None:
    with running(app) as url:
        item = begin(page, url)
    page.get_by_role("button", name="Send").click()
    page.get_by_text(WAITING).wait_for()
    assert answered(store) == []
    with running(app, listen(int(url.rpartition(":")[2]))):
        page.wait_for_function("old => document.querySelector('input[name=item]').value != old", arg=item)
        with store.reading() as connection:
            judged = connection.execute(select(schema.judgement.c.item_id)).all()
        assert [one.token for one in answered(store)] == [item]
        assert len(judged) == 3


def test_what_was_sent_before_the_page_was_lost_is_sent_when_it_is_back(page: Any, app: Any, store: Store) -> None:
    with running(app) as url:
        item = begin(page, url)
        unit = page.url
    page.get_by_role("button", name="Send").click()
    page.get_by_text(WAITING).wait_for()
    page.goto("about:blank")
    with running(app, listen(int(url.rpartition(":")[2]))):
        page.goto(unit)
        page.wait_for_function("old => (document.querySelector('input[name=item]') || {}).value != old", arg=item)
        page.locator("input[name=item]").wait_for(state="attached")
        assert [one.token for one in answered(store)] == [item]


def test_an_answer_whose_reply_was_lost_is_taken_once(page: Any, app: Any, store: Store) -> None:
    with running(app) as url:
        item = begin(page, url)
        lost = []

        def lose_the_first_reply(route: Any) -> None:
            if route.request.method == "POST" and not lost:
                lost.append(route.fetch(max_redirects=0).status)
                route.abort()
            else:
                route.continue_()

        page.route("**/w/unit/*", lose_the_first_reply)
        page.get_by_role("button", name="Send").click()
        page.get_by_text(WAITING).wait_for()
        page.evaluate("window.dispatchEvent(new Event('online'))")  # it need not wait for the next try
        page.wait_for_function("old => document.querySelector('input[name=item]').value != old", arg=item)
        assert lost == [303]
        with store.reading() as connection:
            assert len(connection.execute(select(schema.judgement)).all()) == 3
