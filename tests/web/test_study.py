"""The study's pages in a real browser: a worker by mouse and by keyboard, the researcher, phone and desktop."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from unit.study import studies
from visavis.study.app import ServeOptions, create_app
from visavis.study.fieldwork.keys import Keys, make_keys
from visavis.study.gold import Gold, GoldQuestion, Text
from visavis.study.rehearsal.crowd import AnswerKey
from visavis.study.rehearsal.page import read_page
from visavis.study.store import Store, schema
from visavis.study.store.golds import add_gold
from visavis.web.local import running

PHONE, DESKTOP = {"width": 360, "height": 740}, {"width": 1280, "height": 900}
PAST = """old => document.readyState == "complete" && (location.pathname == "/w/done"
    || (document.querySelector("input[name=item]") || {value: old}).value != old)"""
MORE = "\n\nOne more\nWith a lead\n\nAnd one\nWith a lead"
LONG = "A court in the capital heard on Monday that the ban on selling cattle for slaughter cannot stand, " * 3


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return studies.make_study(tmp_path / "s.db", golds=8)


@pytest.fixture
def keys() -> Keys:
    return make_keys()


@pytest.fixture
def url(store: Store, keys: Keys) -> Iterator[str]:
    options = ServeOptions(rate=0, ask=("usefulness", "difficulty"), screen=(("country", ("IN",)),))
    with running(create_app(store, keys, options)) as address:
        yield address


@pytest.fixture
def page(browser: Any, url: str) -> Iterator[Any]:
    context = browser.new_context(base_url=url, viewport=DESKTOP)
    found = context.new_page()
    problems: list[str] = []
    found.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    found.on("pageerror", lambda error: problems.append(str(error)))
    found.on("request", lambda request: problems.append(request.url) if not request.url.startswith(url) else None)
    yield found
    context.close()
    assert problems == []


def test_a_worker_completes_a_unit_by_mouse(page: Any, store: Store) -> None:
    key = AnswerKey(store)
    page.goto("/w?PROLIFIC_PID=abc")
    page.get_by_label("Country").fill("IN")
    page.get_by_label("I have read the conditions").check()
    page.get_by_role("button", name="Start").click()
    for number in range(6):
        page.locator("input[name=item]").wait_for(state="attached")
        for place, side in enumerate(key.sides(read_page(page.content()))):
            group = page.get_by_role("group", name=f"Article {place + 1} of 3")
            group.get_by_text("Group A" if side == "left" else "Group B").click()
        if number == 3:
            page.get_by_label("Comments").fill("Quite clear <b>really</b>")
            page.get_by_role("group", name="How useful").get_by_label("4").check()
        now = page.locator("input[name=item]").get_attribute("value")
        page.get_by_role("button", name="Send").dblclick()
        page.wait_for_function(PAST, arg=now)
    page.wait_for_url("**/w/done")
    assert len(page.locator("output").inner_text()) == 10
    with store.reading() as connection:
        assert len(connection.execute(select(schema.judgement)).all()) == 18
        assert all(row.correct for row in connection.execute(select(schema.judgement)))
        [told] = connection.execute(select(schema.item).where(schema.item.c.comment.is_not(None))).all()
    assert (told.comment, told.usefulness) == ("Quite clear <b>really</b>", 4)


def test_a_worker_takes_the_quiz_and_goes_on_by_keyboard_alone(page: Any, store: Store) -> None:
    key = AnswerKey(store)
    page.goto("/w")
    press = page.keyboard.press
    reach(page, "screen-1")
    page.keyboard.type("IN")
    reach(page, "consent")
    press("Space")
    reach_button(page)
    press("Enter")
    for _ in range(3):  # the quiz, and the first questionnaire of a unit
        page.locator("input[name=item]").wait_for(state="attached")
        for place, side in enumerate(key.sides(read_page(page.content()))):
            reach(page, f"q{place}-left")
            press("Space" if side == "left" else "ArrowRight")
        reach_button(page)
        now = page.locator("input[name=item]").get_attribute("value")
        press("Enter")
        page.wait_for_function(PAST, arg=now)
    with store.reading() as connection:
        rows = connection.execute(select(schema.judgement)).all()
        assert connection.execute(select(schema.worker.c.state)).scalar_one() == "working"
    assert len(rows) == 9
    assert all(row.correct for row in rows)


def reach(page: Any, name: str) -> None:
    """Press Tab until the element of that id has the focus."""
    for _ in range(60):
        if page.evaluate("document.activeElement && document.activeElement.id") == name:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{name} cannot be reached by Tab")


def reach_button(page: Any) -> None:
    for _ in range(60):
        if page.evaluate("document.activeElement && document.activeElement.tagName") == "BUTTON":
            return
        page.keyboard.press("Tab")
    raise AssertionError("no button can be reached by Tab")


def test_an_incomplete_questionnaire_is_not_sent_and_the_back_button_is_harmless(page: Any, store: Store) -> None:
    start(page)
    page.get_by_role("button", name="Send").click()
    with store.reading() as connection:
        assert connection.execute(select(schema.judgement)).all() == []
    for place in range(3):
        page.locator(f"#q{place}-left").check()
    now = page.locator("input[name=item]").get_attribute("value")
    page.get_by_role("button", name="Send").click()
    page.wait_for_function(PAST, arg=now)
    page.go_back()
    page.wait_for_load_state()
    page.get_by_role("button", name="Continue").wait_for()
    with store.reading() as connection:
        assert len(connection.execute(select(schema.judgement)).all()) == 3


def start(page: Any) -> None:
    page.goto("/w")
    page.get_by_label("Country").fill("IN")
    page.get_by_label("I have read the conditions").check()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/w/unit/*")


def log_in(page: Any, keys: Keys) -> None:
    page.goto("/admin")
    page.get_by_label("Password").fill(keys.admin)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/admin")


def test_a_researcher_creates_gold_pauses_and_exports(page: Any, keys: Keys) -> None:
    log_in(page, keys)
    page.get_by_role("link", name="Gold").click()
    page.get_by_label("Group A", exact=True).fill("First\nIts lead\n\nSecond\nAnother lead" + MORE)
    page.get_by_label("Group B", exact=True).fill("Third\nIts lead\n\nFourth\nAnother lead" + MORE)
    for place in range(3):
        page.locator(f"#question{place}").fill(f"Question {place}\nWith a lead")
    page.locator("#answer1").select_option("right")
    page.get_by_role("button", name="Create gold").click()
    page.wait_for_load_state()
    assert page.get_by_role("row", name="9 First Third").count() == 1
    page.get_by_role("link", name="Progress").click()
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Resume").wait_for()
    assert "paused" in page.locator("main").inner_text()
    with page.expect_download() as download:
        page.get_by_role("link", name="Export CSV").click()
    text = Path(download.value.path()).read_text()
    assert text.startswith("question,article,")
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url("**/admin/login")


def looks(page: Any, name: str, size: dict[str, int]) -> None:
    """Nothing sticks out to the side; a picture is kept where VISAVIS_SHOTS names a folder."""
    page.set_viewport_size(size)
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= size["width"], f"{name} is {wide} wide at {size['width']}"
    folder = os.environ.get("VISAVIS_SHOTS")
    if folder:
        page.screenshot(path=f"{folder}/{name}-{size['width']}.png", full_page=True)


def test_pages_fit_a_phone_and_a_desktop(page: Any, store: Store, keys: Keys) -> None:
    with store.writing() as connection:
        connection.execute(schema.gold.update().values(retired=True))
        for number in range(8):
            texts = tuple(Text(f"Headline {number}{letter} of an article about a ban", LONG) for letter in "abcd")
            questions = tuple(GoldQuestion(Text(f"Asked {number}{k} " + "x" * 60, LONG), "left") for k in range(3))
            add_gold(connection, Gold(texts, texts[::-1], questions), 0.0)
    page.goto("/w")
    for size in (PHONE, DESKTOP):
        looks(page, "welcome", size)
    start(page)
    for size in (PHONE, DESKTOP):
        looks(page, "questionnaire", size)
    targets = page.eval_on_selector_all(
        ".choice label, button", "all => all.map(e => e.getBoundingClientRect().height)"
    )
    assert min(targets) >= 40  # a finger hits them
    page.goto("/w/done")
    looks(page, "done", PHONE)
    log_in(page, keys)
    for path in ("/admin", "/admin/workers", "/admin/gold"):
        page.goto(path)
        for size in (PHONE, DESKTOP):
            looks(page, path.replace("/", "-").strip("-"), size)


def test_a_screen_reader_finds_names_for_everything(page: Any) -> None:
    start(page)
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll('input:not([type=hidden]), textarea, button, progress')]
        .filter(e => !(e.labels && e.labels.length) && !e.getAttribute('aria-label') && !e.innerText.trim())
        .map(e => e.outerHTML)"""
    )
    assert unnamed == []
    levels = page.eval_on_selector_all("h1, h2, h3", "all => all.map(e => Number(e.tagName[1]))")
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.get_by_role("region", name="Group A").count() == 1
