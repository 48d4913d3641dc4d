"""Pins, bans, reasons and sets of one's own."""

from __future__ import annotations

import re
from typing import Any

from web.explore.pages import picks, search, settle

pytest_plugins = ("web.explore.fixtures",)


def test_pins_bans_and_undo(page: Any) -> None:
    before = picks(page)
    settle(page, page.get_by_role("button", name="Pin A2").click)
    assert f"pin={before[1]}" in page.url
    assert page.locator(".card .pin[aria-pressed=true]").count() == 1
    settle(page, page.get_by_role("button", name="Not this one: B1").click)
    assert before[4] not in picks(page)
    page.wait_for_function("() => /would take its place/.test(document.querySelector('#toast').textContent)")
    settle(page, page.locator("#toast").get_by_role("button", name="Undo").click)
    assert before[4] in picks(page)
    assert "ban=" not in page.url


def test_looking_only_at_what_was_found_keeps_just_that(page: Any) -> None:
    search(page, "carbon sea")
    found = page.locator("#results .chosen span").inner_text().split()[0]
    settle(page, page.get_by_role("button", name="Look at these only").click)
    shown = sum(int(said.split()[0]) for said in page.locator(".column .count").all_inner_texts())
    assert shown == int(found) > 0
    page.evaluate(
        """() => {
          const ask = fetch;
          window.fetch = async (url, ...more) => {
            const answer = await ask(url, ...more);
            return url.startsWith("/api/search") ? Response.json({ ...(await answer.json()), filter: null }) : answer;
          };
        }"""
    )
    search(page, "carbon")
    assert page.get_by_role("button", name="Keep as a set").is_visible()
    assert page.get_by_role("button", name="Look at these only").count() == 0


def test_why_not_this_one(page: Any) -> None:
    search(page, "carbon")
    titles = set(page.locator(".card .title").all_inner_texts())
    next(hit for hit in page.locator(".hits .link").all() if hit.inner_text() not in titles).click()
    page.get_by_role("button", name="Why not this one?").click()
    answer = page.locator(".answered", has_text="In the place of")
    answer.wait_for()
    assert any(title in answer.inner_text() for title in titles)


def test_the_whole_text_and_what_a_pick_stands_for(page: Any) -> None:
    most = max(page.locator(".card .stands").all(), key=lambda card: int(re.findall(r"\d+", card.inner_text())[0]))
    most.click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("heading", name="Stands for").wait_for()
    assert sheet.locator("#stands li").count() > 1
    assert len(sheet.locator(".text").first.inner_text()) > 100
    page.keyboard.press("Escape")
    assert not sheet.is_visible()


def draw_a_set(page: Any, name: str) -> None:
    """Draws around the left half of the map."""
    page.get_by_role("button", name="Draw a set on the map").click()
    box = page.locator("#field").bounding_box()
    corners = [(0.02, 0.02), (0.45, 0.02), (0.45, 0.98), (0.02, 0.98)]
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in corners]
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=4)
    page.mouse.up()
    page.get_by_label("Name", exact=True).fill(name)
    page.keyboard.press("Enter")
    page.locator(".sets .n", has_text="drawn, ").wait_for()


def test_a_drawn_set_is_the_same_documents_on_another_map(page: Any) -> None:
    draw_a_set(page, "west")
    said = page.locator(".sets .n").inner_text()
    assert "by%3Dpublished" in page.url
    settle(page, lambda: page.get_by_label("Column").select_option("outlet"))
    assert page.locator(".sets .n").inner_text() == said
    page.get_by_role("button", name="west", exact=True).click()
    page.wait_for_function("() => /another map/.test(document.querySelector('#toast').textContent)")


def test_sets_are_drawn_and_found_and_differ_by_construction(page: Any) -> None:
    draw_a_set(page, "west")
    search(page, "flood")
    page.get_by_role("button", name="Keep as a set").click()
    page.get_by_role("button", name="Keep", exact=True).click()
    settle(page, page.get_by_role("button", name="Compare the sets").click)
    assert page.locator(".column h3 bdi").all_inner_texts() == ["west", "flood"]
    assert "differ by construction" in page.locator("#verdict").inner_text()
    assert "in more than one set" in page.locator("#set-list").inner_text()
    assert "0.0" not in page.locator("#verdict").inner_text()
