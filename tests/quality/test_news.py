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

FLOORS = json.loads((Path(__file__).parent / "floors.json").read_text())["news"]
DEFAULT_METHOD = CompareOptions.method
METHODS = (DEFAULT_METHOD, "softmin-exchange", "mmd-diff-exchange", "kmeans", "random")
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


def typicality(found, method):
    return fmean(result.typicality for result in found.results if result.method == method and result.size)


def variety(found, method):
    return fmean(result.variety for result in found.results if result.method == method and result.size)


def test_the_default_method_tells_news_apart_as_well_as_ever(articles):
    runs = {name: evaluated(articles, comparison, "tfidf") for name, comparison in FLOORS["comparisons"].items()}
    for name, run in runs.items():
        found = means(run)
        for method, floor in FLOORS["comparisons"][name]["floor"].items():
            assert found[method] >= floor, f"{name}: lowering a floor needs a reason in the changelog"
        assert found[DEFAULT_METHOD] > max(found["kmeans"], found["random"]), name

    def mean(of, method):
        return fmean(of(run, method) for run in runs.values())

    def accuracy(run, method):
        return means(run)[method]

    assert mean(accuracy, DEFAULT_METHOD) >= mean(accuracy, "softmin-exchange") - 0.01, "a point below at most"
    assert mean(accuracy, DEFAULT_METHOD) > mean(accuracy, "mmd-diff-exchange")
    assert mean(typicality, DEFAULT_METHOD) >= mean(typicality, "mmd-diff-exchange") - 0.01, "typical of their group"
    assert mean(variety, DEFAULT_METHOD) >= mean(variety, "mmd-diff-exchange") - 0.01, "not repeating each other"


def test_with_glove_the_default_method_is_ahead_too(articles):
    comparison = FLOORS["comparisons"]["immigration-time"]
    found = means(evaluated(articles, comparison, "glove"))
    assert found[DEFAULT_METHOD] >= comparison["glove"], "lowering a floor needs a reason in the changelog"
    assert found[DEFAULT_METHOD] > max(found["kmeans"], found["random"])
