"""The page of a comparison in a real browser: by mouse, on a phone and a desktop, in light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from unit.study.comparing import make_comparisons
from visavis.study.app import ServeOptions, create_app
from visavis.study.fieldwork.keys import make_keys
from visavis.study.rehearsal.crowd import key_of
from visavis.study.rehearsal.page import read_page
from visavis.study.store import Store
from visavis.study.store.comparisons import preferences
from visavis.web.local import running

PHONE, DESKTOP = {"width": 360, "height": 740}, {"width": 1280, "height": 900}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return make_comparisons(tmp_path / "s.db")


@pytest.fixture
def page(browser: Any, store: Store) -> Iterator[Any]:
    problems: list[str] = []
    with running(create_app(store, make_keys(), ServeOptions(rate=0))) as url:
        context = browser.new_context(base_url=url, viewport=DESKTOP)
        found = context.new_page()
        found.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        found.on("pageerror", lambda error: problems.append(str(error)))
        yield found
        context.close()
    assert problems == []


def start(page: Any) -> None:
    page.goto("/w?PROLIFIC_PID=abc")
    page.get_by_label("I have read the conditions").check()
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Send").wait_for()  # the page that is measured is there


def test_a_worker_prefers_by_mouse_and_what_is_missing_is_not_sent(page: Any, store: Store) -> None:
    key = key_of(store)
    start(page)
    page.get_by_role("button", name="Send").click()  # nothing is chosen: the browser itself holds it back
    assert preferences(store) == []
    (side,) = key.sides(read_page(page.content()))
    page.get_by_role("group", name="Which summary").get_by_text("Summary X" if side == "left" else "Summary Y").click()
    page.get_by_role("group", name="How clearly").get_by_text("By far").click()
    for reason in ("It represents the groups", "It is worth reading"):
        page.get_by_label(reason).check()
    page.get_by_role("button", name="Send").dblclick()
    page.get_by_text("Warm-up comparison 2 of 3").wait_for()
    (found,) = preferences(store)
    assert (found.chosen, found.clearness, found.reasons) == ("the better one", 3, ("represents", "worth"))


def test_the_page_fits_a_phone_and_a_desktop_and_has_names_for_everything(page: Any) -> None:
    start(page)
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        heights = page.eval_on_selector_all(
            ".choice label, button", "all => all.map(e => e.getBoundingClientRect().height)"
        )
        assert min(heights) >= 40  # a finger hits them
    levels = page.eval_on_selector_all("h1, h2, h3, h4", "all => all.map(e => Number(e.tagName[1]))")
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    for name in ("Summary X", "Summary Y"):
        assert page.get_by_role("region", name=name, exact=True).count() == 1
    unnamed = page.eval_on_selector_all(
        "input:not([type=hidden]), textarea", "all => all.filter(e => !e.labels.length).map(e => e.outerHTML)"
    )
    assert unnamed == []
