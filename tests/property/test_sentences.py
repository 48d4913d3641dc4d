"""The rule of the nearest sentence: what it says, and that sentences on chosen documents do not pass by chance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from visavis.explain.grounding import ungrounded
from visavis.explain.sentences import HeldAgainst, balanced_accuracy, claimed, tell_by_sentences

WORDS = ["harbor", "cargo", "crane", "glacier", "tundra", "reindeer", "ranch", "drought", "studio", "strike"]
OTHERS = ["bishop", "liturgy", "vicar", "curate", "vestment", "psalter", "chancel", "deacon"]


def unit(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def documents(seed, n_groups=2, each=20, d=6, apart=0.0, unit_size=1, spread=0.0):
    """Documents around their groups' centers (`apart`), in blocks with centers of their own (`spread`)."""
    rng = np.random.default_rng(seed)
    n_units = n_groups * each // unit_size
    units = np.repeat(np.arange(n_units), unit_size)
    codes = rng.permuted(np.arange(n_units) % n_groups)[units]
    centers, blocks = rng.normal(size=(n_groups, d)), rng.normal(size=(n_units, d))
    vectors = unit(apart * centers[codes] + spread * blocks[units] + rng.normal(size=(len(codes), d)))
    return vectors, codes, units, rng


def chosen(vectors, codes, rng, size=3):
    """Picks that tell the groups apart as far as labels go: what a selection makes of a hat's labels, at its best."""
    shown = np.zeros(len(codes), bool)
    for group in range(codes.max() + 1):
        inside = np.flatnonzero(codes == group)
        apart = vectors[inside] @ (vectors[inside].mean(axis=0) - vectors[codes != group].mean(axis=0))
        shown[inside[np.argsort(-apart)[: size + 2]][rng.permutation(size + 2)[:size]]] = True
    return shown


def told(vectors, codes, units, shown, rng, rounds=99):
    n_groups = codes.max() + 1
    counts = np.bincount(codes[shown], minlength=n_groups)
    held = HeldAgainst(vectors, codes, shown, counts, units, np.zeros(len(codes), np.intp))
    sentences = unit(np.stack([vectors[shown & (codes == group)].mean(axis=0) for group in range(n_groups)]))
    return tell_by_sentences(held, sentences, np.arange(n_groups), rng, rounds)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 5))
def test_accuracy_is_that_of_asking_each_sentence_about_each_unseen_document(seed, n_sentences):
    rng = np.random.default_rng(seed)
    similar, codes, unseen = rng.normal(size=(30, n_sentences)), np.arange(30) % 5, rng.random(30) < 0.8
    about = rng.permutation(5)[:n_sentences]
    seen = similar[unseen]
    scaled = (seen - seen.mean(axis=0)) / seen.std(axis=0)
    found = []
    for number, group in enumerate(about):
        hits = {True: [], False: []}
        for row, code in zip(scaled, codes[unseen], strict=True):
            says = row[number] == row.max() and (row[number] > 0 or n_sentences == 5)
            hits[bool(code == group)].append(says == (code == group))
        found.append(np.mean([np.mean(part) if part else 0.0 for part in hits.values()]))
    assert balanced_accuracy(similar, codes, unseen, about) == pytest.approx(found)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.floats(-5, 5), st.floats(0.1, 9))
def test_a_sentence_that_is_near_to_everything_is_no_nearer_for_it(seed, shift, scale):
    similar = np.random.default_rng(seed).normal(size=(20, 3))
    moved = similar * [1, scale, 1] + [0, shift, 0]
    assert np.array_equal(claimed(similar, every_group=True), claimed(moved, every_group=True))


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 4))
def test_groups_that_lie_apart_are_told_apart_whatever_the_order_of_documents(seed, n_groups):
    vectors, codes, units, rng = documents(seed, n_groups, apart=6.0, d=12)
    shown = chosen(vectors, codes, rng)
    first = told(vectors, codes, units, shown, np.random.default_rng(0))
    order = rng.permutation(len(codes))
    again = told(vectors[order], codes[order], units[order], shown[order], np.random.default_rng(0))
    assert [one.accuracy for one in first] == pytest.approx([one.accuracy for one in again])
    assert all(1 / 100 <= p < 0.05 for one in (*first, *again) for p in (one.p_value, one.p_alone))


def test_a_sentence_on_nothing_gets_no_credit_for_a_good_one_beside_it():
    vectors, codes, units, rng = documents(3, apart=2.0, d=12)
    held = HeldAgainst(vectors, codes, np.zeros(len(codes), bool), np.array([3, 3]), units, codes * 0)
    means = np.stack([vectors[codes == group].mean(axis=0) for group in (0, 1)])
    apart, nothing = means[0] - means[1], rng.normal(size=12)
    nothing -= apart * (nothing @ apart) / (apart @ apart)  # as near to one group as to the other
    good, idle = tell_by_sentences(held, unit(np.stack([means[0], nothing])), np.arange(2), rng, 59)
    assert good.accuracy == idle.accuracy > 0.6
    assert good.p_alone < 0.05 < idle.p_alone


@pytest.mark.parametrize(
    "hat",
    [{}, {"n_groups": 3}, {"unit_size": 4, "spread": 2.0}],
    ids=["two groups", "three groups", "blocks"],
)
def test_sentences_on_groups_from_a_hat_pass_one_time_in_twenty_at_most(hat):
    passed = []
    for seed in range(60):
        vectors, codes, units, rng = documents(seed, **hat)
        found = told(vectors, codes, units, chosen(vectors, codes, rng), rng, 59)
        passed.append(np.mean([one.p_value < 0.05 for one in found]))
    assert np.mean(passed) <= 0.05 + 0.056  # two standard deviations of 60 runs


@given(st.permutations(WORDS), st.integers(3, 8))
def test_a_sentence_of_the_documents_own_words_rests_on_them(words, count):
    assert ungrounded(" ".join(words[:count]), [" ".join(words)], [" ".join(words)]) == ""


@given(st.permutations(WORDS), st.permutations(OTHERS), st.integers(0, 10), st.integers(0, 8))
def test_a_sentence_with_more_invented_words_than_found_ones_does_not(words, others, found, invented):
    sentence = " ".join([*words[:found], *others[:invented]])
    why = ungrounded(sentence, [" ".join(WORDS)], [" ".join(WORDS)])
    assert (why == "") == (found >= 3 and found >= invented)


@pytest.mark.parametrize(
    ("claim", "said", "rests"),
    [
        ("Niger", "Nigeria", False), ("Georgia", "George", False), ("Clint", "Clinton", False), ("Ira", "Iran", False),
        ("Iran", "Iranian", True), ("Americans", "American", True), ("America", "American", True),
        ("Clinton", "Clinton's", True), ("1500", "1,500", True), ("1,500.5", "1500.5", True), ("150", "1,500", False),
        ("1,50", "150", False),
    ],
)  # fmt: skip
def test_names_and_numbers_are_those_of_the_documents(claim, said, rests):
    text = f"harbor cargo crane glacier {said} tundra"
    assert (ungrounded(f"harbor cargo crane glacier {claim} tundra", [text], [text]) == "") == rests
