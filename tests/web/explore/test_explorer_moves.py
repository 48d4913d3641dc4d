"""What is moved on the page, and what is seen then."""

from __future__ import annotations

import re
from typing import Any

from web.explore.pages import SETTLED, picks, settle

pytest_plugins = ("web.explore.fixtures",)


def test_the_sample_is_one_click_away(empty: str, visit: Any) -> None:
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


def test_a_move_while_a_view_is_loading_leaves_nothing_of_the_old_one(page: Any) -> None:
    page.evaluate(
        """() => {
          const [ask, gate] = [fetch, new Promise((open) => { window.openGate = open; })];
          window.fetch = async (url, ...more) => {
            if (url.startsWith("/api/view")) await gate;
            return ask(url, ...more);
          };
        }"""
    )
    page.get_by_label("Column").select_option("outlet")
    page.get_by_role("slider", name="Contrast").fill("0.2")
    page.wait_for_timeout(400)  # what a move would ask for comes in that time
    settle(page, lambda: page.evaluate("openGate()"))
    assert page.locator(".column h3 bdi").all_inner_texts() == page.locator("#grouping .ticks bdi").all_inner_texts()
    assert "contrast=0.2" in page.url


def test_undoing_the_first_move_asks_for_no_other_view(page: Any) -> None:
    assert "by=published" in page.url
    settle(page, lambda: page.get_by_role("slider", name="Contrast").fill("0.05"))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    settle(page, page.get_by_role("button", name="Undo").click)
    assert any("/api/picks" in url for url in asked)
    assert not any("/api/view" in url or "/api/map" in url for url in asked)


def test_another_seed_is_another_view(page: Any) -> None:
    seed = page.get_by_label("Seed")
    with page.expect_request(lambda request: "/api/view" in request.url and "seed=3" in request.url):
        settle(page, lambda: seed.fill("3") or seed.press("Enter"))


def test_the_contrast_moves_the_picks_and_says_what_was_kept(page: Any) -> None:
    slider = page.get_by_role("slider", name="Contrast")
    settle(page, lambda: slider.fill("0.85"))
    assert page.locator(".chip.new").count() + page.locator(".chip.kept").count() == 16
    assert page.locator(".gone li").count() == page.locator(".chip.new").count() > 0
    assert re.fullmatch(r"\d+ kept, \d+ new, \d+ gone", page.locator("#answer").inner_text())
    page.wait_for_url("**contrast=0.85**")
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
    page.locator("#narrow summary", has_text="outlet").click()
    settle(page, lambda: page.get_by_label("Tideline").check())
    assert set(page.locator(".card .outlet").all_inner_texts()) == {"Tideline"}


def test_other_documents_make_the_page_begin_anew(page: Any) -> None:
    settle(page, lambda: page.get_by_label("Column").select_option("outlet"))
    page.evaluate(
        """() => {
          const ask = fetch;
          window.fetch = async (url, ...more) => {
            const answer = await ask(url, ...more);
            return url.startsWith("/api/corpus") ? Response.json({ ...(await answer.json()), number: 99 }) : answer;
          };
        }"""
    )
    page.get_by_label("Of each document").select_option("1")
    page.wait_for_url("**/?by=published*")
    page.wait_for_function(SETTLED)
    assert page.locator(".column").count() == 4


def test_a_column_whose_name_holds_a_colon(empty: str, visit: Any) -> None:
    found = visit(empty).evaluate(
        """async () => {
          const { split } = await import("/static/grouping.js");
          const columns = [{ name: "a:b" }, { name: "c:month" }, { name: "d" }];
          return ["a:b", "a:b:month", "c:month", "c:month:year", "d:spans=2"].map((by) => split(by, columns));
        }"""
    )
    assert found == [["a:b", ""], ["a:b", "month"], ["c:month", ""], ["c:month", "year"], ["d", "spans=2"]]


def test_the_contrast_path_shows_what_is_picked_where(page: Any) -> None:
    page.locator("#tracks .track").first.wait_for()
    settle(page, lambda: page.get_by_label("Method").select_option("mmd-diff-greedy"))
    page.evaluate("document.querySelectorAll('#tracks details').forEach((fold) => { fold.open = true; })")
    crossed = page.eval_on_selector_all(".track.now", "rows => rows.map(row => row.dataset.id)")
    assert sorted(crossed) == sorted(picks(page))
    page.locator("#tracks .track").first.click()
    page.get_by_role("dialog").wait_for()


def test_two_settings_side_by_side(page: Any) -> None:
    page.get_by_role("button", name="Hold beside").click()
    page.locator(".side").nth(1).wait_for()
    assert page.locator("#beside-said").inner_text() == "Both settings pick the same documents."
    settle(page, lambda: page.get_by_role("slider", name="Contrast").fill("0"))
    page.wait_for_function("() => /shared/.test(document.querySelector('#beside-said').textContent)")
    shared = int(page.locator("#beside-said").inner_text().split()[0])
    assert page.locator(".side .chip").count() == 2 * shared > 0
    page.get_by_role("button", name="Let go").click()
    assert not page.locator("#beside").is_visible()
