"""Take pictures of the explorer's page, on the bundled sample, to look at; and the one in the README.

    python scripts/explore_screens.py [build/explore] [--only picks sheet ...] [--width 360 1280 ...] [--scheme dark]
    python scripts/explore_screens.py --picture docs/images/explore.png

It needs playwright (the extra `dev`), the extra `web` and the system's Chromium.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from picture import CHROMIUM, LARGEST, OPTIONS, shrink
from playwright.sync_api import Browser, sync_playwright

from visavis.datasets import sample_path
from visavis.explore import Workspace, create_app, serve
from visavis.web.local import running

WIDTHS, SCHEMES = (360, 768, 1280, 1920), ("light", "dark")
PICTURE = {"width": 1680, "height": 1080}
SETTLED = "() => document.querySelector('#stage-now.done') && document.querySelector('#reading').hidden"
TESTED = "() => !document.querySelector('#verdict.waiting, #verdict.again')"


@contextmanager
def explored(named: bool) -> Iterator[str]:
    """The address of an explorer, with the sample or with nothing yet."""
    workspace = Workspace()
    if named:
        workspace.load(sample_path(), "climate-news.jsonl", ("climate-news.jsonl",))
    opened = serve(workspace)
    with running(create_app(workspace, opened.keys), opened.listener):
        yield opened.address()
    workspace.close()


def settle(page: Any) -> None:
    """Until everything that is asked has been answered."""
    page.wait_for_function(SETTLED)
    page.locator(".track").first.wait_for()
    page.wait_for_function(TESTED)
    page.wait_for_timeout(300)


def move(page: Any) -> None:
    """Another contrast, the earlier setting held beside it."""
    page.locator("#hold").click()
    page.locator("#contrast").fill("0.15")
    page.wait_for_function("() => !document.querySelector('#stage-now.done')")
    settle(page)


def find(page: Any) -> None:
    """A search, lit on the map."""
    if not page.locator("#search").is_visible():
        page.locator("#rail-fold > summary").click()
    page.locator("#search").fill("flood")
    page.keyboard.press("Enter")
    page.locator(".hits li").first.wait_for()


def read(page: Any) -> None:
    """A document on its sheet."""
    page.locator(".card .stands").first.click()
    page.locator("#stands").wait_for()
    page.evaluate("document.querySelector('#sheet').scrollTop = 0")


def leave_out(page: Any) -> None:
    """What the next best costs."""
    page.locator(".card .ban").first.click()
    page.wait_for_function("() => /place/.test(document.querySelector('#toast').textContent)")
    settle(page)


def carry(page: Any) -> None:
    """What can be taken along."""
    page.locator("#export summary").click()


SCENES: dict[str, Callable[[Any], None]] = {
    "picks": settle, "moved": move, "found": find, "sheet": read, "left-out": leave_out, "exports": carry,
}  # fmt: skip


def take(browser: Browser, address: str, scene: str, viewport: dict[str, int], scheme: str, *, full: bool) -> bytes:
    """One scene as a picture."""
    page = browser.new_page(viewport=viewport, color_scheme=scheme, reduced_motion="reduce")
    page.goto(address)
    if scene == "empty":
        page.locator("#empty").wait_for()
    else:
        settle(page)
        SCENES[scene](page)
    found = page.screenshot(full_page=full)
    page.close()
    return found


def main() -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("build/explore"))
    parser.add_argument("--only", nargs="+", choices=[*SCENES, "empty"], default=[*SCENES, "empty"], metavar="NAME")
    parser.add_argument("--width", nargs="+", type=int, default=WIDTHS)
    parser.add_argument("--scheme", nargs="+", choices=SCHEMES, default=SCHEMES)
    parser.add_argument("--picture", type=Path, help="Only the picture of the README.")
    options = parser.parse_args()
    with sync_playwright() as playwright, explored(True) as address, explored(False) as nothing:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        if options.picture:
            picture = shrink(take(browser, address, "picks", PICTURE, "light", full=False))
            if len(picture) > LARGEST:
                raise SystemExit(f"the picture has {len(picture):,} bytes, more than {LARGEST:,}: lower PICTURE")
            options.picture.write_bytes(picture)
            return
        options.folder.mkdir(parents=True, exist_ok=True)
        for scene in options.only:
            for width in options.width:
                for scheme in options.scheme:
                    viewport = {"width": width, "height": 740 if width < 600 else 900}
                    where = nothing if scene == "empty" else address
                    found = take(browser, where, scene, viewport, scheme, full=scene in ("picks", "moved"))
                    (options.folder / f"{scene}-{width}-{scheme}.png").write_bytes(found)
            print(scene, flush=True)
        browser.close()


if __name__ == "__main__":
    main()
