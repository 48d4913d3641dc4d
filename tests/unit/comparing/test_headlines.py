"""What documents without a title are called."""

from __future__ import annotations

import numpy as np
import pytest

from visavis.comparing.headlines import headlines
from visavis.records import Document


def headline(text: str, *words: str, **fields: str) -> str:
    return headlines([Document("1", text=text, **fields)], [text], np.zeros(1, np.intp), [words])[0]


def test_the_first_sentence_that_holds_a_word_of_the_group_is_the_headline() -> None:
    text = "It was a quiet morning in town. The reef is bleaching faster than ever. Nobody knows why that is. " * 3
    assert headline(text, "reef") == "The reef is bleaching faster than ever."
    assert headline(text) == headline(text, "glacier") == "It was a quiet morning in town."


def test_a_short_text_is_read_in_order() -> None:
    text = "It was a quiet morning in town. The reef is bleaching faster than ever."
    assert headline(text, "reef") == "It was a quiet morning in town."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Oops. The council voted on the dam today.", "The council voted on the dam today."),
        ("Fellow citizens: The state of the union is good.", "The state of the union is good."),
        ("Proud of the students who march today https://t.co/x1y2", "Proud of the students who march today"),
        (f"Crude Oil Export Act - Amends {'the act to repeal ' * 20}.", "Crude Oil Export Act"),
        ("", ""),
    ],
)
def test_salutations_addresses_and_fragments_are_no_headline(text: str, words: str) -> None:
    assert headline(text) == words


def test_a_long_sentence_is_cut_and_titles_and_pictures_need_none() -> None:
    assert headline("word " * 100).endswith("word…")
    assert len(headline("word " * 100)) <= 110
    assert (
        headline("A sentence of five words.", title="Title")
        == headline("A sentence of five words.", image="a.png")
        == ""
    )
