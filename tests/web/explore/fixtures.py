"""A server with the sample, opened in a browser that must have nothing to complain of in the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from visavis.datasets import sample_path
from visavis.explore import Workspace, create_app, serve
from visavis.web.local import running
from web.explore.pages import DESKTOP, SETTLED
from web.tabs import open_tab

PATIENCE = 20_000  # ms that anything may take


@pytest.fixture(scope="session")
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
    """Opens a page; in the end no script of others ran, nothing was asked of other places, nothing went wrong."""
    tabs: list[Any] = []
    problems: list[str] = []

    def open_page(url: str, expected: str = "") -> Any:
        page = open_tab(browser, DESKTOP, permissions=("clipboard-read", "clipboard-write"), reduced_motion="reduce")
        page.set_default_timeout(PATIENCE)
        tabs.append(page)

        def note(text: str) -> None:
            if not expected or expected not in text:
                problems.append(text)

        page.on("console", lambda message: note(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: note(str(error)))
        page.on("dialog", lambda dialog: (note(dialog.message), dialog.dismiss()))
        page.on("request", lambda asked: note(asked.url) if not asked.url.startswith(url[:16]) else None)
        page.goto(url)
        return page

    yield open_page
    for page in tabs:
        page.close()  # first: without its cookies a page that still asks for something is refused
    for page in tabs:
        page.context.clear_cookies()
    assert problems == []


@pytest.fixture
def page(visit: Any, address: str) -> Any:
    found = visit(address)
    found.wait_for_function(SETTLED)
    return found
