from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from unit.report.summaries import news, outlets
from visavis.errors import TooFewDocuments, VisavisError
from visavis.records import Summary
from visavis.report.facets import write_facets
from visavis.report.html.overview import Found, index


def yearly(accuracies: list[float | None], p: float = 0.001) -> list[tuple[str, Summary | VisavisError]]:
    """Two outlets, year by year; None where they could not be compared."""
    first = outlets().test[0]
    return [
        (
            str(2012 + year),
            TooFewDocuments("too few")
            if accuracy is None
            else replace(
                outlets(), title=f"Climate, Tideline against Meridian Post, {2012 + year}", accuracy=accuracy,
                accuracy_interval=(accuracy - 0.1, accuracy + 0.1),
                test=(replace(first, p_value=p if accuracy > 0.6 else 0.4),),
            ),
        )
        for year, accuracy in enumerate(accuracies)
    ]  # fmt: skip


def test_each_value_has_a_page_and_the_index_leads_to_it(tmp_path: Path) -> None:
    results = [("North & South", news()), ("<b>", outlets()), ("alone", TooFewDocuments("one <group> only"))]
    index = write_facets(results, tmp_path / "a" / "pages", "region")
    assert index == tmp_path / "a" / "pages" / "index.html"
    assert sorted(path.name for path in index.parent.iterdir()) == [
        "001-north-south.html", "002-b.html", "index.html",
    ]  # fmt: skip
    page = index.read_text()
    assert '<a href="001-north-south.html">North &amp; South</a></h2>' in page
    assert '<a href="002-b.html">&lt;b&gt;</a></h2>' in page
    assert "<bdi>alone</bdi>: <bdi>one &lt;group&gt; only</bdi>" in page
    assert "<li>256 documents</li>" in page
    assert "<title>Comparisons by region</title>" in page


def test_every_comparison_shows_its_verdict_and_the_first_picks_of_each_group(tmp_path: Path) -> None:
    page = write_facets([("2024", news()), ("2025", outlets())], tmp_path).read_text()
    for summary, answer, file in ((news(), "differ", "001-2024.html"), (outlets(), "could be chance", "002-2025.html")):
        assert f'<span class="answer">{answer}</span>' in page
        for letter, group in zip("ABCD", summary.groups, strict=False):
            for pick in group.picks[:2]:
                assert f'<a href="{file}#pick-{letter}{pick.rank}">{pick.document.title}</a>' in page
            assert f'<a href="{file}#pick-{letter}3"' not in page
            assert ", ".join(group.words[:3]) in page
        assert 'id="pick-A1"' in (tmp_path / file).read_text()


def test_an_outlet_that_is_the_group_is_not_named_again_with_every_pick(tmp_path: Path) -> None:
    page = write_facets([("2025", outlets())], tmp_path).read_text()
    assert "<bdi>Tideline</bdi>" in page
    assert "Tideline, " not in page


def test_the_lead_counts_in_which_the_groups_differ_and_warns_of_many_tests() -> None:
    found = index([Found(*one) for one in yearly([0.8, 0.52, 0.7, None])], "published:year")
    assert found.title == "Climate, Tideline against Meridian Post: year by year"
    assert found.lead.startswith("The groups differ in 2 of 3 comparisons (2012 and 2014); in 1 it could be chance.")
    assert "1 value could not be compared" in found.lead
    assert "1 in 20 would still seem to" in found.lead
    assert found.failed == [("2015", "too few")]


def test_how_well_groups_are_told_apart_is_joined_over_time_except_across_a_gap() -> None:
    dots = index([Found(*one) for one in yearly([0.8, 0.55, None, 0.7, 0.9])], "published:year").dots
    assert [dot.value for dot in dots] == ["80\u202f%", "55\u202f%", "70\u202f%", "90\u202f%"]
    assert [dot.joined for dot in dots] == [False, True, False, True]
    assert dots[3].y < dots[0].y < dots[2].y < dots[1].y
    assert all(dot.high < dot.y < dot.low for dot in dots)
    regions = [
        (name, result) for (_, result), name in zip(yearly([0.8, 0.6, 0.7]), ("north", "east", "west"), strict=True)
    ]
    assert not any(dot.joined for dot in index([Found(*one) for one in regions], "region").dots)


@pytest.mark.parametrize(
    ("by", "title"),
    [("news_topic", "by news topic"), ("shares:quantiles=4", "by shares, 4 quantiles"), ("published:year", "by year")],
)
def test_what_tells_the_comparisons_apart_is_said_in_words(by: str, title: str) -> None:
    assert index([Found("a", news()), Found("b", outlets())], by).title == f"Comparisons {title}"


def test_a_group_has_one_color_on_all_pages_of_a_facet_and_on_their_index(tmp_path: Path) -> None:
    both = outlets()
    later = replace(both, groups=both.groups[1:])
    home = write_facets([("a", both), ("b", later)], tmp_path, "region").read_text()
    first, second = (tmp_path / name for name in ("001-a.html", "002-b.html"))
    hue = re.findall(r"\.g1{--hue:(#\w+)", home)
    assert len(hue) == 2
    assert re.findall(r"\.g1{--hue:(#\w+)", first.read_text()) == hue
    assert re.findall(r"\.g0{--hue:(#\w+)", second.read_text()) == hue
    assert later.colors == {}


def test_a_course_of_two_is_none() -> None:
    assert index([Found(*one) for one in yearly([0.8, None, 0.7])], "published:year").dots == []


def test_the_index_lets_nothing_in_but_its_styles(tmp_path: Path) -> None:
    page = write_facets(yearly([0.8, 0.55, 0.7]), tmp_path, "published:year").read_text()
    assert "default-src 'none'; style-src 'sha256-" in page.replace("&#39;", "'")
    assert "<script" not in page
    assert " style=" not in page


def test_a_file_in_the_place_of_the_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "pages").write_text("")
    with pytest.raises(VisavisError, match="cannot be made a folder: File exists"):
        write_facets([("a", news())], tmp_path / "pages")
