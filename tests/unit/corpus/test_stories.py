"""Two reports of one event are one story; two articles on one topic are not."""

from __future__ import annotations

import random
import time

import numpy as np

from unit.letterheads import TOPICS, sentence
from visavis.corpus import stories
from visavis.corpus.stories import find_stories
from visavis.corpus.words import Words

RNG = random.Random(11)
TOPIC = [f"{sentence(RNG)} {sentence(RNG)}" for _ in range(40)]
EVENT = (
    "Flood breaks the Hollin dam and drowns forty cattle at Marrow Creek. Sheriff Abel Quist led the rescue.",
    "Sheriff Abel Quist leads rescue after Hollin dam breaks; forty cattle drowned at Marrow Creek, farmers say.",
)


def found(texts, days=None):
    return find_stories(Words.of(texts), None if days is None else np.array(days, float)).tolist()


def test_two_reports_of_an_event_fall_together_and_a_topic_does_not():
    assert found([*TOPIC, *EVENT]) == [*range(40), 40, 40]


def test_days_decide_how_alike_reports_must_be():
    loose = f"{EVENT[0]} {' '.join(TOPIC[:2])}", f"{EVENT[1]} {' '.join(TOPIC[2:4])}"
    texts = [*TOPIC[4:], *loose]
    same, unknown, far = ([0] * 36 + [0, last] for last in (2, np.nan, 40))
    assert found(texts, same)[-1] == 36
    assert found(texts, unknown)[-1] == found(texts, far)[-1] == 37


def test_a_story_is_held_against_its_first_so_that_chains_do_not_drift():
    words = [f"word{n}" for n in range(30)]
    chain = [" ".join(words[at : at + 12]) for at in range(0, 18, 4)]
    stories_found = found([*TOPIC, *chain])[40:]
    assert len(set(stories_found)) > 1
    assert all(stories_found[first - 40] == first for first in stories_found)


def test_texts_without_words_stay_alone_and_nothing_is_nothing():
    assert found(["", "!", ""]) == [0, 1, 2]
    assert found([]) == []


def test_chunks_do_not_show(monkeypatch):
    texts = [text for n in range(12) for text in (TOPIC[n], f"{EVENT[0]} {n}", f"{EVENT[1]} {n}")]
    whole = found(texts)
    monkeypatch.setattr(stories, "CHUNK", 5)
    assert found(texts) == whole


def test_many_texts_take_little_time():
    rng = random.Random(1)
    names = [f"name{n}" for n in range(20_000)]
    texts = [f"{sentence(rng, TOPICS['roads'])} {' '.join(rng.choices(names, k=12))}" for _ in range(10_000)]
    begin = time.process_time()
    assert len(set(found(texts))) == 10_000
    assert time.process_time() - begin < 5
