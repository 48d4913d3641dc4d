"""Make docs/images/report.png: the top of the report of the bundled sample, as a browser shows it.

    python scripts/picture.py [docs/images/report.png]

It needs playwright (the extra `dev`) and the system's Chromium.
"""

from __future__ import annotations

import argparse
import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from visavis.comparing import CompareOptions
from visavis.comparing.demos import compare_news

CHROMIUM = "/usr/bin/chromium"
OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WIDTH, HEIGHT = 1280, 1400
LARGEST = 300_000  # bytes


def write_report(page: Path) -> None:
    """The report that `visavis demo` makes."""
    compare_news(CompareOptions.method, CompareOptions.size, CompareOptions.seed, command="visavis demo").to_html(page)


def screenshot(page: Path) -> bytes:
    """The first screen of a page, as PNG."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        tab = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        tab.goto(page.absolute().as_uri())
        taken = tab.screenshot()
        browser.close()
    return taken


def shrink(picture: bytes) -> bytes:
    """The same in 128 colors, which a page of text does not miss."""
    file = io.BytesIO()
    colors = Image.open(io.BytesIO(picture)).convert("RGB").quantize(128, dither=Image.Dither.NONE)
    colors.save(file, "PNG", optimize=True)
    return file.getvalue()


def main() -> None:
    """Write the picture; refuse one that is too large to keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", nargs="?", type=Path, default=Path("docs/images/report.png"))
    target = parser.parse_args().target
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        write_report(page)
        picture = shrink(screenshot(page))
    if len(picture) > LARGEST:
        raise SystemExit(f"the picture has {len(picture):,} bytes, more than {LARGEST:,}: lower HEIGHT")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(picture)
    print(f"{target}: {len(picture):,} bytes")


if __name__ == "__main__":
    main()
