"""Does the snowball stay on the topic? A few of the seeds of scripts/topics.py, judged by words it does not see."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

from conftest import ROOT, require

FLOORS = json.loads((Path(__file__).parent / "floors.json").read_text())["topics"]

_spec = importlib.util.spec_from_file_location("topics", ROOT / "scripts" / "topics.py")
topics = importlib.util.module_from_spec(_spec)
sys.modules["topics"] = topics  # where its records look for themselves
_spec.loader.exec_module(topics)


@pytest.fixture(scope="module")
def congress(data_folder):
    path = data_folder / topics.TWEETS
    require(path.is_file(), "the tweets of Congress")
    with topics.load(path, before="2018-02-28") as store:  # two weeks: enough to tell, and soon told
        yield store


@pytest.mark.parametrize(("seed", "floor"), FLOORS.items())
def test_what_the_first_two_weeks_lead_to_is_on_the_topic(congress, seed, floor):
    found = topics.measure(congress, seed, "all")
    assert found.precision >= floor["precision"]
    assert found.growth >= floor["growth"]
