"""Whom the page reaches: by keyboard, on a phone, in the dark, with a screen reader; and the map as it is drawn."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from web.explore.pages import DESKTOP, PHONE, SETTLED, search
from web.tabs import open_tab
from web.test_accessibility import violations

pytest_plugins = ("web.explore.fixtures",)


def test_the_keyboard_reaches_everything(page: Any) -> None:
    field = page.locator("#field")
    field.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.querySelector('#said').textContent.length > 10")
    first = page.locator("#said").inner_text()
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_function("first => document.querySelector('#said').textContent != first", arg=first)
    page.keyboard.press("+")
    page.keyboard.press("Enter")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == "field"
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    search(page, "reef")
    assert page.locator(".hits li").count() > 3


@pytest.mark.parametrize("kind", ["webgl", "canvas"])
def test_the_map_is_drawn(visit: Any, address: str, kind: str) -> None:
    page = visit(f"{address}#map={kind}")
    page.wait_for_function(SETTLED)
    page.wait_for_timeout(100)
    shot = page.locator("#field").screenshot()
    colors = Image.open(BytesIO(shot)).convert("RGB").getcolors(1 << 20)
    assert colors is not None
    assert len(colors) > 50


@pytest.mark.parametrize(("viewport", "scheme", "only"), [(DESKTOP, "light", ""), (PHONE, "dark", "")])
def test_the_checker_finds_no_fault(
    browser: Any, address: str, viewport: dict[str, int], scheme: str, only: str
) -> None:
    page = open_tab(browser, viewport, color_scheme=scheme, reduced_motion="reduce")
    page.goto(f"{address}&by=published:quarter&size=1")  # one of everything is enough
    page.wait_for_function(SETTLED)
    page.locator("#tracks .track").first.wait_for()
    assert violations(page, only) == []
    page.locator(".card .title").first.click()
    page.get_by_role("dialog").wait_for()
    assert violations(page, only) == []
    page.context.clear_cookies()
    page.close()
