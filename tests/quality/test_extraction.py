from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from conftest import require
from visavis.collect.records import Page
from visavis.collect.text.reading import Extractor

pytestmark = pytest.mark.usefixtures("kept_readers")
FLOORS = json.loads((Path(__file__).parent / "floors.json").read_text())["html"]


def grams(text):
    """Multiset of runs of four words; a shorter text is one run."""
    words = re.findall(r"\w+", text)
    return Counter(tuple(words[at : at + 4]) for at in range(max(1, len(words) - 3))) if words else Counter()


@pytest.fixture(scope="module")
def scores(data_folder):
    folder = data_folder / "html"
    require((folder / "ground-truth.json").is_file(), "the pages with known articles")
    gold = json.loads((folder / "ground-truth.json").read_text())
    digest = hashlib.sha256((folder / "ground-truth.json").read_bytes())
    found = []
    with Extractor() as extractor:
        for name in sorted(gold):
            body = gzip.decompress((folder / "pages" / f"{name}.html.gz").read_bytes())
            digest.update(body)
            document = extractor.read(Page(name, gold[name]["url"], "text/html", body))
            ours, theirs = grams(document.text), grams(gold[name]["articleBody"])
            shared = sum((ours & theirs).values())
            found.append((shared / max(1, sum(ours.values())), shared / max(1, sum(theirs.values()))))
    assert digest.hexdigest() == FLOORS["digest"], "the floors belong to other data"
    return found


def f_score(scores):
    precision, recall = (sum(column) / len(scores) for column in zip(*scores, strict=True))
    return 2 * precision * recall / (precision + recall)


def test_articles_are_extracted_as_well_as_ever(scores):
    assert len(scores) == FLOORS["pages"]
    assert f_score(scores) >= FLOORS["floor"]["f"], "lowering a floor needs a reason in the changelog"


def test_so_are_those_of_the_half_by_which_no_setting_was_chosen(scores):
    assert f_score(scores[1::2]) >= FLOORS["floor"]["f_other_half"], "lowering a floor needs a reason in the changelog"
