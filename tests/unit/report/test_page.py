"""The page without a browser: what it says, what it weighs, what it lets in."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from unit.report.summaries import large, news, outlets
from visavis.records import DocumentMap, Summary
from visavis.report import notebook_html, render
from visavis.report.html.palette import DARK_PAGE, HUES, LEAST_CONTRAST, LIGHT_PAGE, PAPER, contrast, hue_of, on, rgb


def page(summary: Summary) -> str:
    rendered = render(summary, ".html")
    assert isinstance(rendered, str)
    return rendered


def bare() -> Summary:
    """As little as a summary can hold."""
    groups = tuple(replace(group, picks=(), terms=(), stages={}) for group in news().groups[:1])
    return replace(
        news(), title="", by="", groups=groups, test=(), accuracy=None, ceiling=None, common=(), set_aside=(), folded=0,
        warnings=(), notes=(), parameters={}, command="", size_curve=(), timeline=None, map=None,
    )  # fmt: skip


def test_the_policy_names_the_hashes_of_what_the_page_carries() -> None:
    text = page(news())
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1].replace("&#39;", "'")
    for tag in ("script", "style"):
        content = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)[1]
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; ")
    assert policy.endswith("img-src data:; base-uri 'none'; form-action 'none'")
    assert " style=" not in text


def test_a_page_of_ten_thousand_documents_and_fourteen_groups_stays_small() -> None:
    assert len(page(large()).encode()) < 3_000_000


def test_a_difference_that_is_not_shown_is_told_first_and_calmly() -> None:
    text = page(outlets())
    assert '<section id="verdict" class="verdict calm"' in text
    assert text.index("this could be chance") < text.index('<section id="picks"')
    assert '<section id="verdict" class="verdict differ"' in page(news())
    assert "alarm" not in text
    assert "#b3261e" not in notebook_html(outlets())


@pytest.mark.parametrize("value", [0.05, 0.0500001, 1.0])
def test_the_verdict_follows_the_omnibus_test(value: float) -> None:
    assert "No difference shown" in page(news(p=value))
    assert "The groups differ" in page(news(p=0.0499))


def test_the_table_of_tests_says_what_the_verdict_says() -> None:
    first, *rest = news(p=0.03).test
    text = page(replace(news(), test=(replace(first, adjusted=0.12), *rest)))
    assert "The groups differ" in text
    row = re.search(r"<tr><th scope=\"row\"><bdi>all groups at once.*?</tr>", text)
    assert row is not None
    assert "p\xa0=\xa00.030" in row[0]
    assert ">yes<" in row[0]


def test_how_it_was_made_is_told_in_words() -> None:
    told = {"budget": None, "tuned": False, "embedding": {"average": "sif", "none": None}, "size_curve": [[1, 0.5]]}
    text = page(replace(news(), parameters=told))
    making = text[text.index('id="making"') :]
    assert "average sif<" in making
    assert ">no<" in making
    assert not re.search("budget|size.curve|None|False|&#39;average", making.split("</dl>")[0])


def test_stability_counts_resamples_where_their_number_is_known() -> None:
    assert re.search(r"; picked again in \d+ of 20 resamples", page(news()))
    assert re.search(r"; picked again in \d+\u202f% of resamples", page(replace(news(), parameters={})))


@pytest.mark.parametrize("make", [bare, lambda: replace(news(), map=None), lambda: replace(news(), timeline=None)])
def test_what_a_summary_lacks_the_page_leaves_out(make) -> None:
    text = page(make())
    assert ('id="map"' in text) == (make().map is not None)
    assert ('id="volume"' in text) == (make().timeline is not None)
    assert notebook_html(make())


def test_a_map_of_points_that_are_no_numbers_is_still_drawn() -> None:
    where = news().map
    points = np.full_like(where.points, np.nan)
    points[0] = [1.0, 2.0]
    assert 'id="map"' in page(replace(news(), map=DocumentMap(points, where.codes, where.ids, where.titles)))


def test_pictures_are_shown_small_and_missing_ones_are_skipped(tmp_path: Path) -> None:
    Image.new("RGB", (640, 320), "navy").save(tmp_path / "picture.png")
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\nnot a picture")
    group = news().groups[0]
    images = [tmp_path / "picture.png", tmp_path / "broken.png", tmp_path / "missing.png", tmp_path]
    picks = tuple(
        replace(pick, document=replace(pick.document, image=str(image)))
        for pick, image in zip(group.picks, images, strict=True)
    )
    text = page(replace(news(), groups=(replace(group, picks=picks), *news().groups[1:])))
    shown = re.findall(r'class="thumb" src="data:image/png;base64,([^"]*)"', text)
    assert len(shown) == 1
    (tmp_path / "shown.png").write_bytes(base64.b64decode(shown[0]))
    assert Image.open(tmp_path / "shown.png").size == (160, 80)


def test_every_hue_stands_out_from_its_page_and_carries_its_letter() -> None:
    for hue in HUES:
        assert min(contrast(hue.light, page) for page in (LIGHT_PAGE, PAPER)) >= 4.5
        assert contrast(hue.dark, DARK_PAGE) >= 4.5
        assert contrast(on(hue.light), hue.light) >= 4.5
        assert contrast(on(hue.dark), hue.dark) >= 4.5
    assert len({hue.light for hue in HUES}) == len({hue.dark for hue in HUES}) == 12


SEEN = {  # linear RGB as seen without green, red or blue cones, and with all (Machado, Oliveira, Fernandes 2009)
    "deuteranopia": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "protanopia": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "tritanopia": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
    "all": np.eye(3),
}


def lab(color: str, seen: object) -> np.ndarray:
    """CIE L*a*b* of a color as seen."""
    parts = np.array(rgb(color)) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    xyz = to_xyz @ np.clip(np.asarray(seen) @ linear, 0, 1) / np.array([0.9505, 1, 1.089])
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("seen", list(SEEN))
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_hues_differ_for_the_color_blind_the_first_ones_most(seen: str, scheme: str) -> None:
    colors = [lab(getattr(hue, scheme), SEEN[seen]) for hue in HUES]
    for many, least in ((2, 55), (4, 18), (8, 15), (12, 12)):
        assert min(float(np.linalg.norm(a - b)) for a, b in combinations(colors[:many], 2)) > least


def test_the_first_four_hues_differ_in_print_without_color() -> None:
    lightness = [lab(hue.light, np.eye(3))[0] for hue in HUES[:4]]
    assert min(abs(a - b) for a, b in combinations(lightness, 2)) > 4.5


def test_a_chosen_color_is_kept_where_it_stands_out_and_mended_where_not() -> None:
    assert hue_of("#c33").light == "#cc3333"
    pale, deep = hue_of("#ffeeaa"), hue_of("#000060")
    assert pale.dark == "#ffeeaa"
    assert deep.light == "#000060"
    assert contrast(pale.light, LIGHT_PAGE) >= LEAST_CONTRAST
    assert contrast(deep.dark, DARK_PAGE) >= LEAST_CONTRAST
    made = replace(outlets(), colors={"Tideline": "#c33"})
    assert ".g1{--hue:#cc3333;" in page(made)
    assert "4px solid #cc3333" in notebook_html(made)
