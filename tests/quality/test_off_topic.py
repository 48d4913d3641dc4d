"""Articles of a topic stay, other news goes: measured on what stands in the first 900 characters."""

from __future__ import annotations

import gzip
import json
import random

import pytest

from conftest import require
from visavis.collect.text.topical import topic_verdict

TOPIC, QUERY = "gun_control_and_gun_rights", "gun control"
MOST_LOST, MOST_PASSED = 0.03, 0.05


@pytest.fixture(scope="module")
def news(data_folder):
    path = data_folder / "news" / "articles_lead.jsonl.gz"
    require(path.is_file(), "the news articles")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def share_on_topic(articles):
    return sum(topic_verdict(one["title"], one["text"], (QUERY,)) is None for one in articles) / len(articles)


def test_few_articles_of_a_topic_are_lost_and_few_others_pass(news):
    on_topic = [one for one in news if one["topic"] == TOPIC]
    others = random.Random(5).sample([one for one in news if one["topic"] != TOPIC], 2_000)
    assert len(on_topic) == 850
    assert 1 - share_on_topic(on_topic) <= MOST_LOST
    assert share_on_topic(others) <= MOST_PASSED
