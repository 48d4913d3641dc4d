"""What the tests of the explorer's page do again and again."""

from __future__ import annotations

from typing import Any

DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 740}
SETTLED = "() => document.querySelector('#stage-now.done') && document.querySelector('#reading').hidden"


def picks(page: Any) -> list[str]:
    """The ids of the picks on the page, in their order."""
    return page.eval_on_selector_all(".card", "cards => cards.map(card => card.dataset.id)")


def settle(page: Any, act: Any) -> None:
    """Does something, and waits until its refined picks have come."""
    page.evaluate("document.querySelector('#stage-now').className = 'stage-now'")
    act()
    page.wait_for_function(SETTLED)


def search(page: Any, words: str) -> None:
    """Searches by keyboard, and waits for what is found."""
    page.get_by_role("searchbox", name="Search the documents").fill(words)
    page.keyboard.press("Enter")
    page.locator(".hits li").first.wait_for()
