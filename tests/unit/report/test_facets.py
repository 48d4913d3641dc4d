from __future__ import annotations

from pathlib import Path

import pytest

from unit.report.summaries import news, outlets
from visavis.errors import TooFewDocuments, VisavisError
from visavis.report.facets import write_facets


def test_each_value_has_a_page_and_the_index_leads_to_it(tmp_path: Path) -> None:
    results = [("North & South", news()), ("<b>", outlets()), ("alone", TooFewDocuments("one <group> only"))]
    index = write_facets(results, tmp_path / "a" / "pages")
    assert index == tmp_path / "a" / "pages" / "index.html"
    assert sorted(path.name for path in index.parent.iterdir()) == [
        "001-north-south.html", "002-b.html", "index.html",
    ]  # fmt: skip
    page = index.read_text()
    assert '<a href="001-north-south.html">North &amp; South</a> (256 documents, 4 groups' in page
    assert '<a href="002-b.html">&lt;b&gt;</a>' in page
    assert "<li>alone: not compared (one &lt;group&gt; only)</li>" in page
    assert "default-src 'none'" in page


def test_a_file_in_the_place_of_the_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "pages").write_text("")
    with pytest.raises(VisavisError, match="cannot be made a folder: File exists"):
        write_facets([("a", news())], tmp_path / "pages")
