"""The page that stays alive: contrast, size, pins and bans, in a file that was forwarded."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from unit.report import shortlists, summaries
from visavis.records import Summary
from visavis.report import write
from visavis.select.search import Request, select
from web.tabs import open_tab
from web.test_accessibility import DESKTOP, PHONE, violations
from web.test_report import hostile, hostile_documents, outside, visit

TITLES = """(() => [...document.querySelectorAll(".column")].map((column) =>
    [...column.querySelectorAll(":scope > .card h4 bdi")].map((title) => title.textContent)))()"""


@pytest.fixture(scope="module")
def summary() -> Summary:
    return shortlists.live(summaries.news(size=2), summaries.sample())


@pytest.fixture(scope="module")
def address(summary: Summary, tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("live") / "report.html"
    write(summary, path)
    return path.as_uri()


def own_titles(summary: Summary) -> list[list[str]]:
    return [[pick.document.title for pick in group.picks] for group in summary.groups]


def slide(page: Any, contrast: float) -> None:
    """The slider moved to a contrast by the keys."""
    page.locator("#live-contrast").focus()
    page.keyboard.press("Home")
    for _ in range(round(contrast * 20)):
        page.keyboard.press("ArrowRight")


def press(page: Any, button: str, times: int) -> None:
    page.evaluate("([id, times]) => { while (times--) document.getElementById(id).click(); }", [button, times])


def engine_titles(summary: Summary, contrast: float, size: int) -> list[list[str]]:
    session = shortlists.session_of(summary, summaries.sample())
    found = select(session, Request("mmd-diff-greedy", {"contrast": contrast}, size=size))
    every = range(len(summary.groups))
    return [[session.documents[row].title for row in found.rows[found.owner == group]] for group in every]


def test_it_begins_with_the_reports_own_picks(browser: Any, summary: Summary, address: str) -> None:
    page, seen = visit(browser, address)
    assert page.evaluate(TITLES) == own_titles(summary)
    assert page.locator("#live-anew").is_hidden()
    assert page.locator("#live-said-size").inner_text() == "2"
    assert seen["errors"] == []
    page.close()


def test_moving_the_slider_shows_what_the_engine_picks_and_asks_nobody(
    browser: Any, summary: Summary, address: str
) -> None:
    page, seen = visit(browser, address)
    for contrast, size in ((0.0, 3), (0.9, 4)):
        slide(page, contrast)
        page.locator("#live-more").click()
        assert page.evaluate(TITLES) == engine_titles(summary, contrast, size)
    assert page.locator("#live-contrast").get_attribute("aria-valuetext") == "0.90"
    assert "mmd-diff-greedy" in page.locator("#live-message").inner_text()
    assert outside(seen["requests"], address) == []
    assert seen["errors"] == []
    page.close()


def test_cards_are_marked_kept_new_or_gone(browser: Any, summary: Summary, address: str) -> None:
    page, _ = visit(browser, address)
    slide(page, 0.9)
    own, now = own_titles(summary), page.evaluate(TITLES)
    for group in range(len(own)):
        column = page.locator(".column").nth(group)
        kept, gone = [[title in now[group] for title in own[group]].count(is_there) for is_there in (True, False)]
        assert column.locator(":scope > .card .mark.kept").count() == kept
        assert column.locator(":scope > .card .mark.new").count() == len(now[group]) - kept
        assert column.locator(".gone .card").count() == gone
        assert gone > 0
    page.close()


def test_pins_stay_bans_go_and_all_can_be_undone(browser: Any, summary: Summary, address: str) -> None:
    page, _ = visit(browser, address)
    own = own_titles(summary)
    first = page.locator("#pick-A1")
    first.locator(".pin").click()
    assert first.locator(".pin").evaluate("(e) => e === document.activeElement")
    slide(page, 0.95)
    assert page.evaluate(TITLES)[0][0] == own[0][0]
    assert first.locator(".pin").get_attribute("aria-pressed") == "true"
    first.locator(".ban").click()
    assert own[0][0] not in page.evaluate(TITLES)[0]
    assert page.locator("#live-undo").evaluate("(e) => e === document.activeElement")
    page.locator("#live-undo").click()
    assert page.evaluate(TITLES)[0][0] == own[0][0]
    page.locator("#live-back").click()
    assert page.evaluate(TITLES) == own
    assert page.locator("#picks.moved").count() == 0
    page.close()


def test_what_was_banned_can_be_taken_back(browser: Any, summary: Summary, address: str) -> None:
    page, _ = visit(browser, address)
    page.locator("#pick-B2 .ban").click()
    page.locator(".column").nth(1).locator(".gone > summary").click()
    assert page.locator(".gone #pick-B2 .ban").get_attribute("aria-pressed") == "true"
    page.locator(".gone #pick-B2 .ban").click()
    assert page.evaluate(TITLES) == own_titles(summary)
    page.close()


def test_there_are_between_one_and_sixteen_picks(browser: Any, address: str) -> None:
    page, _ = visit(browser, address)
    press(page, "live-more", 14)
    assert page.locator("#live-more").is_disabled()
    assert {len(titles) for titles in page.evaluate(TITLES)} == {16}
    assert page.locator(".so-many").first.inner_text() == "16 picks"
    press(page, "live-fewer", 15)
    assert page.locator("#live-fewer").is_disabled()
    assert {len(titles) for titles in page.evaluate(TITLES)} == {1}
    page.close()


def test_without_scripts_there_are_no_controls(browser: Any, summary: Summary, address: str) -> None:
    page, _ = visit(browser, address, java_script_enabled=False)
    assert page.locator("button:visible, input:visible, #live:visible, #live-anew:visible").count() == 0
    assert page.locator(".card").count() == sum(len(group.picks) for group in summary.groups)
    page.close()


def test_the_controls_leave_the_first_picks_where_they_were(browser: Any, address: str, tmp_path: Path) -> None:
    write(summaries.news(size=2), tmp_path / "still.html")
    tops = []
    for one in (address, (tmp_path / "still.html").as_uri()):
        page, _ = visit(browser, one, viewport={"width": 1280, "height": 900})
        tops.append(page.locator(".card").first.bounding_box()["y"])
        page.close()
    assert tops[0] <= tops[1] + 8


@pytest.mark.parametrize(
    ("scheme", "viewport", "only"), [("light", DESKTOP, ""), ("dark", DESKTOP, "color-contrast"), ("light", PHONE, "")]
)
def test_the_checker_finds_no_fault_after_a_move(
    browser: Any, tmp_path: Path, scheme: str, viewport: dict[str, int], only: str
) -> None:
    write(shortlists.live(summaries.news(n_groups=2, size=1), summaries.sample()), tmp_path / "small.html")
    page = open_tab(browser, viewport, color_scheme=scheme, reduced_motion="reduce")
    page.goto((tmp_path / "small.html").as_uri())
    slide(page, 0.9)
    page.locator(".column .pin").first.click()
    assert violations(page, only) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()


def test_hostile_text_on_the_shortlist_runs_nothing_and_reaches_no_one(browser: Any, tmp_path: Path) -> None:
    summary = hostile()
    summary = replace(summary, groups=tuple(replace(group, picks=group.picks[:1]) for group in summary.groups))
    write(shortlists.live(summary, hostile_documents()), tmp_path / "hostile.html")
    page, seen = visit(browser, (tmp_path / "hostile.html").as_uri(), viewport=DESKTOP)
    press(page, "live-more", 15)
    assert page.locator(".column > .card").count() == 160
    assert page.locator("script").count() == 3
    assert page.locator("iframe, object, embed, form, base, video, math, .card img, .card input").count() == 0
    links = page.evaluate("[...document.querySelectorAll('.card a')].map((link) => link.getAttribute('href'))")
    assert all(link.startswith(("https://", "http://")) for link in links)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert seen["dialogs"] == []
    assert outside(seen["requests"], (tmp_path / "hostile.html").as_uri()) == []
    assert seen["errors"] == []
    page.close()
