"""What readers went by when they judged single documents, and where it is not known."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from visavis.comparing.substance import DIRECTION, substance
from visavis.comparing.typical import typicality
from visavis.corpus.words import Words
from visavis.records import Points

DISPUTE = "The senate rejected the bill, and its opponents argued that the measure would cut the wages of the workers."
OCCASION = "The choir of the town is to be at the festival in the old library, and the concert is free to all who come."
GERMAN = "Der Bundestag hat das Gesetz abgelehnt, weil die Abgeordneten der Opposition dagegen gestimmt haben."
NONSENSE = "Xqzv wvkq zzxq qqkx"


def of(*texts, groups=None):
    return substance(Words.of(texts), np.zeros(len(texts), np.intp) if groups is None else np.array(groups))


def test_what_is_disputed_has_more_substance_than_an_occasion():
    dispute, occasion = of(DISPUTE, OCCASION)
    assert dispute > occasion


def test_it_is_not_known_of_groups_in_other_languages():
    assert np.isnan(of(GERMAN, GERMAN, DISPUTE)).all()
    found = of(DISPUTE, OCCASION, DISPUTE, GERMAN, GERMAN, groups=[0, 0, 0, 1, 1])
    assert not np.isnan(found[:3]).any()
    assert np.isnan(found[3:]).all()


def test_posts_full_of_links_are_in_english_and_a_neighbor_of_english_is_not():
    posts = [f"{DISPUTE} https://t.co/aB{n} #budget #wages https://t.co/{n}cD pic.example/{n}" for n in range(3)]
    few = "Senate rejects wage bill in blow; opponents see workers hit"
    assert not np.isnan(of(f"{few} https://t.co/aB1 https://t.co/cD2")).any()
    headline = "Senate rejects wage bill; opponents see workers hit in all of 2021"
    assert not np.isnan(of(*posts)).any()
    assert not np.isnan(of(headline)).any()
    dutch = "De minister is naar de Kamer gekomen en heeft een brief over het plan voor de wegen en bruggen"
    assert np.isnan(of(*(f"{dutch} https://t.co/{n}cD" for n in range(3)))).all()


def test_nothing_has_none():
    assert len(of()) == 0
    assert np.isnan(of("")).all()


def test_a_text_of_unknown_words_is_as_good_as_the_mean_of_its_group():
    found = of(DISPUTE, OCCASION, NONSENSE, DISPUTE, groups=[0, 0, 0, 1])
    assert found[2] == pytest.approx(found[:2].mean())


def test_neither_order_nor_other_texts_change_what_a_text_has():
    alone = of(DISPUTE, OCCASION)
    assert of(OCCASION, DISPUTE) == pytest.approx(alone[::-1])
    assert of(DISPUTE, OCCASION, DISPUTE + " " + OCCASION)[:2] == pytest.approx(alone)


def points_of(words):
    dense = np.array(words, np.float64)
    rows = sparse.csr_matrix(dense / np.linalg.norm(dense, axis=1, keepdims=True))
    return replace(Points.of(dense), words=rows)


WORDS = [[9, 1], [8, 2], [7, 3], [6, 4], [1, 9]]  # of the first group, each tells more of it than the next
CODES = np.array([0, 0, 0, 0, 1])


def ranks(words, matter):
    """By words, and by what counts beside them: half of these places."""
    return typicality(points_of(words), CODES, 2, beside=np.array([*matter, 0.0]) / 6)[:4].tolist()


def test_words_count_for_more_than_substance_which_moves_who_is_near():
    assert typicality(points_of(WORDS), CODES, 2)[:4].tolist() == [1, 2 / 3, 1 / 3, 0]
    assert ranks(WORDS, [0, 1, 2, 3]) == pytest.approx([1, 2 / 3, 1 / 3, 0]), "places 3, 2.5, 2 and 1.5"
    assert ranks(WORDS, [0, 3, 2, 1]) == pytest.approx([2 / 3, 1, 1 / 3, 0]), "places 3, 3.5, 2 and 0.5"


def test_where_places_are_equal_words_decide_and_not_who_comes_first():
    tied = [1, 3, 2, 0]  # places 3.5, 3.5, 2 and 0
    assert ranks(WORDS, tied) == pytest.approx([1, 2 / 3, 1 / 3, 0])
    turned = [2, 1, 3, 0]
    found = ranks([WORDS[at] for at in turned] + WORDS[4:], [tied[at] for at in turned])
    assert found == pytest.approx([1 / 3, 2 / 3, 0, 1])


def test_the_direction_has_a_number_for_each_of_a_vector():
    kept = json.loads(DIRECTION.read_text(encoding="utf-8"))
    assert len(kept["direction"]) == 100
    assert np.linalg.norm(kept["direction"]) > 1
