from __future__ import annotations

import hashlib
import json
from pathlib import Path
from statistics import fmean

import pytest

from conftest import require
from visavis.comparing.documents import DocumentOptions
from visavis.comparing.options import CompareOptions
from visavis.comparing.prepare import prepare
from visavis.evaluate import Plan, evaluate
from visavis.evaluate.material import document_material
from visavis.select import ComparativeSummarizer

FLOORS = json.loads((Path(__file__).parent / "floors.json").read_text())["news"]
DEFAULT_METHOD = ComparativeSummarizer().method
METHODS = (DEFAULT_METHOD, CompareOptions.method, "kmeans", "random")
PLAN = Plan(methods=METHODS, grid="fixed", sizes=(2, 4, 8), splits=3, ceilings=False)


@pytest.fixture(scope="module")
def articles(data_folder):
    file = data_folder / "news" / "articles_lead.jsonl.gz"
    require(file.is_file(), "the news articles")
    assert hashlib.sha256(file.read_bytes()).hexdigest() == FLOORS["digest"], "the floors belong to other data"
    return prepare(str(file))


def evaluated(articles, comparison, embedder):
    options = DocumentOptions(
        by=comparison["by"], only=comparison["only"], filter=f'topic == "{comparison["topic"]}"', embedder=embedder
    )
    material = document_material(articles, options)
    return evaluate(material.vectors, material.groups, PLAN)


def means(found):
    return {method: fmean(found.cell(method, *setting).mean for setting in found.settings) for method in METHODS}


def test_the_methods_by_default_tell_news_apart_as_well_as_ever(articles):
    for name, comparison in FLOORS["comparisons"].items():
        found = means(evaluated(articles, comparison, "tfidf"))
        for method, floor in comparison["floor"].items():
            assert found[method] >= floor, f"{name}: lowering a floor needs a reason in the changelog"
        others = [accuracy for method, accuracy in found.items() if method != DEFAULT_METHOD]
        assert found[DEFAULT_METHOD] > max(others), name
        assert found[CompareOptions.method] > max(found["kmeans"], found["random"]), name


def test_with_glove_it_is_ahead_too(articles):
    comparison = FLOORS["comparisons"]["immigration-time"]
    found = means(evaluated(articles, comparison, "glove"))
    assert found[DEFAULT_METHOD] >= comparison["glove"], "lowering a floor needs a reason in the changelog"
    assert found[DEFAULT_METHOD] > max(found["kmeans"], found["random"])
