"""What a checker of accessibility finds on the pages, and the way through them by keyboard."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from typing import Any

import pytest

from conftest import require
from unit.report import summaries
from visavis.errors import TooFewDocuments
from visavis.records import Theme
from visavis.report import write
from visavis.report.facets import write_facets
from web.tabs import open_tab

DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 740}
REACHABLE = """
(() => [...document.querySelectorAll("a[href], button, summary, [tabindex='0']")].filter((e) => e.checkVisibility()
  && !e.closest("[hidden], details:not([open]) > :not(summary:first-of-type)")).map((e) => e.outerHTML.slice(0, 90)))()
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("pages")
    news = summaries.news(size=1)  # one of everything is enough, and the checker looks at every part of the page
    news = replace(news, groups=tuple(replace(group, terms=group.terms[:2]) for group in news.groups))
    themes = (Theme(("carbon", "permits"), 0.5, 0.5, 40), Theme(("reef",), -0.5, -0.5, 30))
    write(replace(news, map=replace(news.map, themes=themes)), folder / "report.html")
    facets = [("2022", news), ("2023", summaries.outlets()), ("2024", news), ("2025", TooFewDocuments("too few"))]
    index = write_facets(facets, folder / "facets", "published:year")
    return {"report": (folder / "report.html").as_uri(), "facets": index.as_uri()}


def violations(page: Any, only: str = "") -> list[str]:
    """Everything the checker finds fault with, on the page with all that is folded away unfolded."""
    require(importlib.util.find_spec("axe_playwright_python") is not None, "axe-playwright-python")
    from axe_playwright_python.sync_playwright import Axe

    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    found = Axe().run(page, options={"runOnly": [only]} if only else None)
    return [f"{rule['id']} {node['html'][:120]}" for rule in found.response["violations"] for node in rule["nodes"]]


@pytest.mark.parametrize("name", ["report", "facets"])
@pytest.mark.parametrize(
    ("scheme", "viewport", "only"), [("light", DESKTOP, ""), ("dark", DESKTOP, "color-contrast"), ("light", PHONE, "")]
)
def test_the_checker_finds_no_fault(
    browser: Any, pages: dict[str, str], name: str, scheme: str, viewport: dict[str, int], only: str
) -> None:
    page = open_tab(browser, viewport, color_scheme=scheme)
    page.goto(pages[name])
    assert violations(page, only) == []
    page.close()


def test_the_checker_would_find_a_fault(browser: Any, pages: dict[str, str]) -> None:
    page = open_tab(browser)
    page.goto(pages["facets"])
    page.evaluate("document.querySelector('h1').style.color = '#eee'")
    assert [found.split()[0] for found in violations(page, "color-contrast")] == ["color-contrast"]
    page.close()


@pytest.mark.parametrize("name", ["report", "facets"])
def test_the_keyboard_goes_through_the_page_in_the_order_it_is_read(
    browser: Any, pages: dict[str, str], name: str
) -> None:
    page = open_tab(browser, DESKTOP)
    page.goto(pages[name])
    expected = page.evaluate(REACHABLE)
    visited = []
    for _ in expected:
        page.keyboard.press("Tab")
        visited.append(page.evaluate("document.activeElement.outerHTML.slice(0, 90)"))
    assert visited == expected
    assert len(expected) > 10
    page.close()


@pytest.mark.parametrize(("viewport", "words"), [(DESKTOP, "carbon, permits"), (PHONE, "carbon")])
def test_themes_stand_on_the_map_with_as_many_words_as_there_is_room_for(
    browser: Any, pages: dict[str, str], viewport: dict[str, int], words: str
) -> None:
    page = open_tab(browser, viewport)
    page.goto(pages["report"])
    assert page.locator("#theme-0").inner_text() == words
    area, box = page.locator("#map-area").bounding_box(), page.locator("#theme-0").bounding_box()
    assert area["x"] <= box["x"]
    assert box["x"] + box["width"] <= area["x"] + area["width"]
    page.close()
