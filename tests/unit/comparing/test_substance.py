"""What readers went by when they judged single documents, and where it is not known."""

from __future__ import annotations

import json

import numpy as np
import pytest

from visavis.comparing.substance import DIRECTION, substance
from visavis.corpus.words import Words

DISPUTE = "The senate rejected the bill, and its opponents argued that the measure would cut the wages of the workers."
OCCASION = "The choir of the town is to be at the festival in the old library, and the concert is free to all who come."
GERMAN = "Der Bundestag hat das Gesetz abgelehnt, weil die Abgeordneten der Opposition dagegen gestimmt haben."
NONSENSE = "Xqzv wvkq zzxq qqkx"


def test_what_is_disputed_has_more_substance_than_an_occasion():
    dispute, occasion = substance(Words.of([DISPUTE, OCCASION]))
    assert dispute > occasion


def test_it_is_not_known_of_other_languages_nor_of_nothing():
    assert substance(Words.of([GERMAN, GERMAN, DISPUTE])) is None
    assert substance(Words.of([])) is None


def test_a_text_of_unknown_words_is_as_good_as_the_mean():
    found = substance(Words.of([DISPUTE, OCCASION, NONSENSE]))
    assert found[2] == pytest.approx(found[:2].mean())


def test_neither_order_nor_other_texts_change_what_a_text_has():
    alone = substance(Words.of([DISPUTE, OCCASION]))
    assert substance(Words.of([OCCASION, DISPUTE])) == pytest.approx(alone[::-1])
    assert substance(Words.of([DISPUTE, OCCASION, DISPUTE + " " + OCCASION]))[:2] == pytest.approx(alone)


def test_the_direction_has_a_number_for_each_of_a_vector():
    kept = json.loads(DIRECTION.read_text(encoding="utf-8"))
    assert len(kept["direction"]) == 100
    assert np.linalg.norm(kept["direction"]) > 1
