from __future__ import annotations

import pytest

from visavis.collect.text.inflections import Forms
from visavis.collect.text.topical import topic_verdict

WEATHER = "Heavy rain fell on the valley all day, and the river rose by the evening, the mayor said to reporters."


@pytest.mark.parametrize(
    ("word", "forms", "others"),
    [
        ("gun", "guns gun's gunned gunman gunmen gunfire gunshot gunpoint handguns shotgun gunmaker", "begun gulf"),
        ("ban", "bans banned banning", "bank banking banker bandage urban"),
        ("immigration", "immigrant immigrants", "imagination gration"),
        ("care", "cares caring healthcare", "car card career scare"),
        ("story", "stories story's", "store storm history"),
        ("waffe", "waffen waffengesetz", "wappen"),
        ("climate", "climates climatic", "climb climax"),
    ],
)  # fmt: skip
def test_forms_of_a_word_are_known_and_words_that_look_alike_are_not_taken_for_them(word, forms, others):
    known = Forms(word)
    assert [form for form in forms.split() if form not in known] == []
    assert [other for other in others.split() if other in known] == []


@pytest.mark.parametrize(
    ("text", "queries", "is_on_topic"),
    [
        ("The gunman fled before the police came.", ["gun control"], True),
        ("Guns were found in the house.", ["gun control"], True),
        ("The council has lost control of its budget.", ["gun control"], False),
        ("Rifles, pistols and ammunition: who may carry a concealed firearm?", ["gun control"], True),
        ("It had begun to rain.", ["gun control"], False),
        ("Enough is known of the rain.", ["#enough"], False),
        ("Students say #enough today.", ["#enough"], True),
        ("They said never again.", ["#neveragain"], True),
        ("The health of the forest.", ["health care"], False),
        ("Health workers care for many.", ["health care"], True),
        ("Die Waffen ruhen.", ["waffe"], True),
        (WEATHER, ["gun control", "#neveragain"], False),
        (WEATHER, [], True),
    ],
)
def test_what_a_text_is_about(text, queries, is_on_topic):
    assert (topic_verdict("", text, queries) is None) is is_on_topic
