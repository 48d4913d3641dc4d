"""Render comparisons of many shapes as pages, and take pictures of them to look at.

    python scripts/screens.py [build/screens] [--only two rtl ...] [--width 360 1280 ...] [--scheme light dark print]

The bundled sample and invented texts are always there; what else is shown is real data, looked for in the folder named
by VISAVIS_DATA and left out where it is not there. It needs playwright (the extra `dev`) and the system's Chromium.
"""

from __future__ import annotations

import argparse
import json
import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from picture import CHROMIUM, OPTIONS
from playwright.sync_api import Browser, sync_playwright

from visavis.comparing import Comparison, compare, compare_facets
from visavis.datasets import sample_path
from visavis.report.facets import write_facets

WIDTHS, SCHEMES = (360, 768, 1280, 1920), ("light", "dark", "print")
PAPER = {"width": 794, "height": 1123}  # A4, in the pixels of a page
DATA = Path(os.environ.get("VISAVIS_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
NEWS, BILLS = DATA / "news" / "articles_lead.jsonl.gz", DATA / "bills" / "bills.jsonl.gz"
POLIS, TWEETS = DATA / "polis" / "comments.jsonl.gz", DATA / "tweets" / "congress-2018.jsonl.gz"


@dataclass(frozen=True)
class Shape:
    """One comparison to look at: where its documents are, and what is asked of them."""

    source: Any
    options: dict[str, Any]
    facet: str = ""

    @property
    def is_there(self) -> bool:
        """Whether the documents are."""
        return not isinstance(self.source, Path) or self.source.exists()


def invented(headline: Callable[[str, str], str], groups: dict[str, tuple[list[str], list[str], list[str]]]) -> Any:
    """Documents from every who, what and where of each group."""
    return [
        {
            "id": f"{name}-{number}",
            "title": headline(who, what),
            "text": f"{who} {what} {where}. {where}: {what}.",
            "side": name,
            "source": who,
            "date": f"2024-0{1 + number % 6}-{1 + number % 27:02}",
        }
        for name, parts in groups.items()
        for number, (who, what, where) in enumerate(product(*parts))
    ]


def right_to_left() -> Any:
    """Arabic and Hebrew, with Latin names and numbers among them."""
    return invented(
        "{0}: {1}".format,
        {
            "العربية": (
                ["صحيفة المدينة", "وكالة الأنباء (ANB)", "إذاعة الساحل"],
                ["تناقش خطة المياه الجديدة لعام 2030", "تكتب عن أسعار الكهرباء في الصيف", "تسأل وزير البيئة عن NATO"],
                ["في مدينة الإسكندرية قرب البحر", "أمام البرلمان مساء أمس", "بعد تقرير من 120 صفحة"],
            ),
            "עברית": (
                ["עיתון הבוקר", "סוכנות הידיעות IPN", "רדיו הגליל"],
                ["מדווח על קו הרכבת החדש לחיפה", "שואל כמה עולה דירה ב-2024", "כותב על חקלאים ו-GPS בשדה"],
                ["בישיבת הממשלה אתמול", "ליד נמל אשדוד", "אחרי סקר של 1,500 איש"],
            ),
        },
    )


def halves() -> Any:
    """The sample dealt at random into two halves, which do not differ."""
    rows = [json.loads(row) for row in sample_path().read_text(encoding="utf-8").splitlines()]
    random.Random(1).shuffle(rows)
    return [{**row, "half": "one half" if number % 2 else "the other"} for number, row in enumerate(rows)]


def shapes() -> dict[str, Shape]:
    """What to look at, by name."""
    sample = sample_path()
    news = "topic == 'immigration'"
    sources = "topic == 'elections' and date >= '2018'"
    return {
        "two": Shape(NEWS, {"by": "bias", "only": ("left", "right"), "filter": news}),
        "three": Shape(NEWS, {"by": "bias", "filter": "topic == 'healthcare'"}),
        "four": Shape(sample, {"by": "published:month"}),
        "eight": Shape(NEWS, {"by": "source", "filter": sources, "min_size": 52}),
        "twelve": Shape(NEWS, {"by": "date:month", "filter": "topic == 'immigration' and date == '2018'"}),
        "one-pick": Shape(sample, {"by": "outlet", "size": 1}),
        "sixteen-picks": Shape(NEWS, {"by": "bias", "filter": "topic == 'coronavirus'", "size": 16}),
        "untitled": Shape(BILLS, {"by": "topic", "min_size": 75}),
        "tweets": Shape(TWEETS, {"by": "party", "filter": "text contains 'border'", "only": ("D", "R")}),
        "chinese": Shape(POLIS, {"by": "group", "filter": "conversation == 'taiwan-uber'"}),
        "rtl": Shape(right_to_left(), {"by": "side", "title": "النيل מול הירדן: two rivers"}),
        "null": Shape(halves(), {"by": "half"}),
        "facets": Shape(NEWS, {"by": "bias", "only": ("left", "right"), "filter": news}, "date:year"),
        "facets-sample": Shape(sample, {"by": "outlet", "only": ("Tideline", "Meridian Post")}, "published:month"),
    }


def write_page(shape: Shape, folder: Path, name: str) -> Path:
    """The page of a comparison, or the index of its facets."""
    if shape.facet:
        return write_facets(compare_facets(shape.source, shape.facet, **shape.options), folder / name, shape.facet)
    found: Comparison = compare(shape.source, **shape.options)
    found.to_html(folder / f"{name}.html")
    return folder / f"{name}.html"


def take(browser: Browser, page: Path, width: int, scheme: str) -> Iterator[tuple[str, bytes]]:
    """The whole page as a picture; print is what a sheet of paper shows."""
    viewport = PAPER if scheme == "print" else {"width": width, "height": 900}
    tab = browser.new_page(viewport=viewport, color_scheme="dark" if scheme == "dark" else "light")
    tab.goto(page.absolute().as_uri())
    if scheme == "print":
        tab.emulate_media(media="print")
        yield "print.pdf", tab.pdf(format="A4", prefer_css_page_size=True)
        yield "print.png", tab.screenshot(full_page=True)
    else:
        yield f"{width}-{scheme}.png", tab.screenshot(full_page=True)
    tab.close()


def main() -> None:
    """Write the pages and their pictures."""
    known = shapes()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("build/screens"))
    parser.add_argument("--only", nargs="+", choices=list(known), default=list(known), metavar="NAME")
    parser.add_argument("--width", nargs="+", type=int, default=WIDTHS)
    parser.add_argument("--scheme", nargs="+", choices=SCHEMES, default=SCHEMES)
    told = parser.parse_args()
    told.folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        for name in told.only:
            if not known[name].is_there:
                print(f"{name}: left out, {known[name].source} is not there")
                continue
            page = write_page(known[name], told.folder, name)
            settings = [(w, s) for s in told.scheme for w in (told.width if s != "print" else [PAPER["width"]])]
            for width, scheme in settings:
                for suffix, picture in take(browser, page, width, scheme):
                    (told.folder / f"{name}-{suffix}").write_bytes(picture)
            print(f"{name}: {page.stat().st_size / 1e6:.2f} MB", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
