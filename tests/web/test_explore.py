"""The explorer's page in a real browser: what is moved there, what is seen then, and that it can be shared and kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from visavis.comparing import compare
from visavis.datasets import sample_path
from visavis.explore import Workspace, create_app, serve
from visavis.report.json_ import as_record
from visavis.web.local import running
from web.test_accessibility import violations

DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 740}
REFINED = "#stage-now.done"
SETTLED = f"document.querySelector('{REFINED}') && document.querySelector('#reading').hidden"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """What opens the page on the sample."""
    workspace = Workspace()
    workspace.load(sample_path(), "news.jsonl", (str(sample_path()),))
    opened = serve(workspace)
    with running(create_app(workspace, opened.keys), opened.listener):
        yield opened.address()
    workspace.close()


@pytest.fixture
def empty() -> Iterator[str]:
    """What opens the page where no documents were named."""
    workspace = Workspace()
    opened = serve(workspace)
    with running(create_app(workspace, opened.keys), opened.listener):
        yield opened.address()
    workspace.close()


@pytest.fixture
def visit(browser: Any) -> Iterator[Any]:
    """Opens a page in a browser of its own, which must have nothing to complain of in the end."""
    context = browser.new_context(viewport=DESKTOP, reduced_motion="reduce")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    problems: list[str] = []

    def open_page(url: str, state: str = "") -> Any:
        page = context.new_page()
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("dialog", lambda dialog: (problems.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda asked: problems.append(asked.url) if not asked.url.startswith(url[:16]) else None)
        page.goto(url + ("&" + state if state else ""))
        return page

    yield open_page
    context.close()
    assert problems == []


@pytest.fixture
def page(visit: Any, address: str) -> Any:
    found = visit(address)
    found.wait_for_function(SETTLED)
    return found


def picks(page: Any) -> list[str]:
    return page.eval_on_selector_all(".card", "cards => cards.map(card => card.dataset.id)")


def settle(page: Any, act: Any) -> None:
    """Does something, and waits until its refined picks have come."""
    page.evaluate("document.querySelector('#stage-now').className = 'stage-now'")
    act()
    page.wait_for_function(SETTLED)


def test_the_sample_is_one_click_away(visit: Any, empty: str) -> None:
    page = visit(empty)
    page.get_by_role("button", name="Try the sample").click()
    page.wait_for_function(SETTLED)
    assert len(picks(page)) == 16
    assert page.get_by_role("heading", level=1).inner_text() != ""
    assert "token" not in page.url


def test_another_grouping_and_back(page: Any) -> None:
    before = picks(page)
    settle(page, lambda: page.get_by_label("Column").select_option("outlet"))
    assert "by=outlet" in page.url
    assert page.locator(".column").count() > 2
    settle(page, lambda: page.locator(".ticks input").first.uncheck())
    names = page.locator(".column h3 bdi").all_inner_texts()
    assert page.locator(".ticks .off bdi").first.inner_text() not in names
    settle(page, page.go_back)
    settle(page, page.go_back)
    assert picks(page) == before
    settle(page, lambda: page.get_by_label("Against").select_option(index=1))
    assert page.locator(".column").count() == 2


def test_the_contrast_moves_the_picks_and_says_what_was_kept(page: Any) -> None:
    slider = page.get_by_role("slider", name="Contrast")
    settle(page, lambda: slider.fill("0.05"))
    assert page.locator(".chip.new").count() + page.locator(".chip.kept").count() == 16
    assert page.locator(".gone li").count() == page.locator(".chip.new").count() > 0
    assert re.fullmatch(r"\d+ kept, \d+ new, \d+ gone", page.locator("#answer").inner_text())
    page.wait_for_url("**contrast=0.05**")
    settle(page, lambda: page.get_by_role("slider", name="Picks a group").fill("2"))
    assert len(picks(page)) == 8


def test_a_drag_of_the_slider_is_one_step_back(page: Any) -> None:
    before = picks(page)
    box = page.get_by_role("slider", name="Contrast").bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.6 * box["width"], middle)
    page.mouse.down()
    for share in (0.5, 0.4, 0.3, 0.2, 0.1):
        page.mouse.move(box["x"] + share * box["width"], middle)
    settle(page, page.mouse.up)
    assert picks(page) != before
    settle(page, page.get_by_role("button", name="Undo").click)
    assert picks(page) == before
    assert page.get_by_role("button", name="Undo").is_disabled()
    settle(page, page.get_by_role("button", name="Redo").click)
    assert picks(page) != before


def test_the_brush_becomes_a_filter(page: Any) -> None:
    box = page.locator("#brush").bounding_box()
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 30)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.7 * box["width"], box["y"] + 30)
    settle(page, page.mouse.up)
    assert "filter=published" in page.url
    assert page.locator(".column").count() < 4
    settle(page, page.locator("#range").get_by_role("button").click)
    assert "filter" not in page.url
    settle(page, lambda: page.get_by_role("slider", name="From").press("ArrowRight"))
    assert "filter=published" in page.url


def test_filters_by_source_and_by_words(page: Any) -> None:
    settle(page, lambda: page.get_by_label("Text holds").fill("water") or page.keyboard.press("Enter"))
    assert "text+contains+%27water%27" in page.url
    page.locator("details", has_text="outlet").locator("summary").first.click()
    settle(page, lambda: page.get_by_label("Tideline").check())
    assert set(page.locator(".card .outlet").all_inner_texts()) == {"Tideline"}


def test_sets_are_drawn_and_found_and_differ_by_construction(page: Any) -> None:
    page.get_by_role("button", name="Draw a set on the map").click()
    box = page.locator("#field").bounding_box()
    corners = [(0.02, 0.02), (0.45, 0.02), (0.45, 0.98), (0.02, 0.98)]
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in corners]
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=4)
    page.mouse.up()
    page.get_by_label("Name", exact=True).fill("west")
    page.keyboard.press("Enter")
    page.get_by_role("searchbox", name="Search the documents").fill("flood")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Keep as a set").click()
    page.get_by_role("button", name="Keep", exact=True).click()
    settle(page, page.get_by_role("button", name="Compare the sets").click)
    assert page.locator(".column h3 bdi").all_inner_texts() == ["west", "flood"]
    assert "differ by construction" in page.locator("#verdict").inner_text()
    assert "in more than one set" in page.locator("#set-list").inner_text()
    assert "0.0" not in page.locator("#verdict").inner_text()


def test_pins_bans_and_undo(page: Any) -> None:
    before = picks(page)
    settle(page, page.get_by_role("button", name="Pin A2").click)
    assert f"pin={before[1]}" in page.url
    assert page.locator(".card .pin[aria-pressed=true]").count() == 1
    settle(page, page.get_by_role("button", name="Not this one: B1").click)
    assert before[4] not in picks(page)
    page.wait_for_function("/costs|lose|loses|worth|better/.test(document.querySelector('#toast').textContent)")
    settle(page, page.locator("#toast").get_by_role("button", name="Undo").click)
    assert before[4] in picks(page)
    assert "ban=" not in page.url


def test_why_not_this_one(page: Any) -> None:
    page.get_by_role("searchbox", name="Search the documents").fill("carbon")
    page.keyboard.press("Enter")
    chosen = set(picks(page))
    page.locator(".hits li").first.wait_for()
    titles = set(page.locator(".card .title").all_inner_texts())
    hits = page.locator(".hits .link")
    other = next(hit for hit in hits.all() if hit.inner_text() not in titles)
    other.click()
    page.get_by_role("button", name="Why not this one?").click()
    page.wait_for_function("document.querySelector('.answered').textContent.length > 20")
    assert chosen


def test_the_whole_text_and_what_a_pick_stands_for(page: Any) -> None:
    page.locator(".card .stands").first.click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("heading", name="Stands for").wait_for()
    assert sheet.locator("#stands li").count() > 1
    assert len(sheet.locator(".text").first.inner_text()) > 100
    page.keyboard.press("Escape")
    assert not sheet.is_visible()


def test_two_settings_side_by_side(page: Any) -> None:
    page.get_by_role("button", name="Hold beside").click()
    page.locator(".side").nth(1).wait_for()
    assert page.locator("#beside-said").inner_text() == "Both settings pick the same documents."
    settle(page, lambda: page.get_by_role("slider", name="Contrast").fill("0"))
    page.wait_for_function("/shared/.test(document.querySelector('#beside-said').textContent)")
    assert page.locator(".side .chip").count() % 2 == 0
    page.get_by_role("button", name="Let go").click()
    assert not page.locator("#beside").is_visible()


def test_the_contrast_path_shows_what_is_picked_where(page: Any) -> None:
    page.locator(".track").first.wait_for()
    settle(page, lambda: page.get_by_label("Method").select_option("mmd-diff-greedy"))
    page.evaluate("document.querySelectorAll('#tracks details').forEach((fold) => { fold.open = true; })")
    crossed = page.eval_on_selector_all(".track.now", "rows => rows.map(row => row.dataset.id)")
    assert sorted(crossed) == sorted(picks(page))
    page.locator(".track").first.click()
    assert page.get_by_role("dialog").is_visible()


def test_a_shared_address_shows_the_same_picks(page: Any, visit: Any, address: str) -> None:
    settle(page, lambda: page.get_by_role("slider", name="Contrast").fill("0.2"))
    settle(page, page.get_by_role("button", name="Not this one: A1").click)
    page.get_by_role("button", name="Copy link").click()
    page.wait_for_function("/copied/.test(document.querySelector('#toast').textContent)")
    link = page.evaluate("navigator.clipboard.readText()")
    assert "token" not in link
    assert "contrast=0.2" in link
    other = visit(link)
    other.wait_for_function(SETTLED)
    assert picks(other) == picks(page)


def test_the_export_is_what_compare_says(page: Any) -> None:
    page.locator("#export summary").click()
    with page.expect_download() as found:
        page.get_by_role("link", name="The figures").click()
    exported = json.loads(Path(found.value.path()).read_text(encoding="utf-8"))
    expected = json.loads(json.dumps(as_record(compare(sample_path(), by="published:month"))))
    for record in (exported, expected):
        record.pop("command", None)
    assert exported == expected


def test_the_keyboard_reaches_everything(page: Any) -> None:
    field = page.locator("#field")
    field.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelector('#said').textContent.length > 10")
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
    page.keyboard.type("reef")
    page.keyboard.press("Enter")
    page.locator(".hits li").first.wait_for()


@pytest.mark.parametrize("kind", ["webgl", "canvas"])
def test_the_map_is_drawn(visit: Any, address: str, kind: str) -> None:
    page = visit(f"{address}#map={kind}")
    page.wait_for_function(SETTLED)
    page.wait_for_timeout(100)
    shot = page.locator("#field").screenshot()
    from io import BytesIO

    from PIL import Image

    colors = Image.open(BytesIO(shot)).convert("RGB").getcolors(1 << 20)
    assert colors is not None
    assert len(colors) > 50


def test_an_error_is_told_and_the_last_picture_stays(page: Any) -> None:
    before = picks(page)
    page.locator("summary", has_text="An expression of your own").click()
    page.get_by_label("Filter", exact=True).fill("nosuchcolumn == 1")
    page.get_by_role("button", name="Apply").click()
    page.locator("#banner").wait_for()
    assert "nosuchcolumn" in page.locator("#banner").inner_text()
    assert picks(page) == before


@pytest.mark.parametrize(("viewport", "scheme", "only"), [(DESKTOP, "light", ""), (PHONE, "dark", "")])
def test_the_checker_finds_no_fault(
    browser: Any, address: str, viewport: dict[str, int], scheme: str, only: str
) -> None:
    page = browser.new_page(viewport=viewport, color_scheme=scheme, reduced_motion="reduce")
    page.goto(address)
    page.wait_for_function(SETTLED)
    page.locator(".track").first.wait_for()
    assert violations(page, only) == []
    page.locator(".card .title").first.click()
    page.get_by_role("dialog").wait_for()
    assert violations(page, only) == []
    page.close()
