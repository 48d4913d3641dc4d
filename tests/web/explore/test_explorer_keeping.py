"""What the page shows can be shared and kept, and is what the command says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from visavis.comparing import compare
from visavis.datasets import sample_path
from visavis.report.json_ import as_record
from web.explore.pages import SETTLED, picks, settle
from web.test_report import CALL, HOSTILE

pytest_plugins = ("web.explore.fixtures",)


def test_a_shared_address_shows_the_same_picks(page: Any, visit: Any) -> None:
    settle(page, lambda: page.get_by_role("slider", name="Contrast").fill("0.2"))
    settle(page, page.get_by_role("button", name="Not this one: A1").click)
    page.get_by_role("button", name="Copy link").click()
    page.wait_for_function("() => /copied/.test(document.querySelector('#toast').textContent)")
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


def test_an_error_is_told_and_the_last_picture_stays(visit: Any, address: str) -> None:
    page = visit(address, expected="400")
    page.wait_for_function(SETTLED)
    before = picks(page)
    page.locator("summary", has_text="An expression of your own").click()
    page.get_by_label("Filter", exact=True).fill("nosuchcolumn == 1")
    page.get_by_role("button", name="Apply").click()
    page.locator("#banner").wait_for()
    assert "nosuchcolumn" in page.locator("#banner").inner_text()
    assert picks(page) == before


def test_a_hostile_file_is_shown_as_text_alone(empty: str, visit: Any, tmp_path: Path) -> None:
    rows = [
        {
            "id": f"{row} {text}", "title": text, "text": f"{text} {text[:200]} {'rain' if row % 2 else 'snow'} {row}",
            "source": text[:80], "url": text, "side": f"<b>one</b>{CALL}" if row % 2 else "the other' \"",
        }
        for row, text in enumerate(HOSTILE)
        if text.strip() and text.isprintable()
    ]  # fmt: skip
    path = tmp_path / "<img src=x onerror=alert(1)>.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    page = visit(empty)
    page.locator("#file").set_input_files(path)
    page.wait_for_function(SETTLED)
    page.goto(page.url.partition("?")[0] + "?by=side")
    page.wait_for_function(SETTLED)
    assert page.locator(".column").count() == 2
    for card in page.locator(".card .title").all()[:4]:
        card.click()
        page.get_by_role("dialog").wait_for()
        page.keyboard.press("Escape")
    found = page.evaluate(
        "document.querySelectorAll('main img, main script, main iframe, dialog img, dialog script').length"
    )
    assert found == 0
    assert "onerror" in page.locator("#corpus-name").inner_text()
