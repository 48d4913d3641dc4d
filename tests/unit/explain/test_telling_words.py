from __future__ import annotations

import time

import numpy as np
import pytest

from visavis.explain.telling import LEAST_DOCUMENTS, Origins, Provenance
from visavis.explain.terms import count_terms
from visavis.explain.tokens import read_tokens, words_of
from visavis.explain.words import MOST_GAPS, GroupWords

TEXTS = [
    *(f"the minister and the party met, item {n}" for n in "abcdefghijklmnop"),
    *(f"the company and the market rose, item {n}" for n in "abcdefghijklmnop"),
    "the minister owns a company",
]
CODES = np.array([0] * 16 + [1] * 16 + [1])


@pytest.fixture(scope="module")
def words():
    return GroupWords(TEXTS, CODES, 2)


def written(words, group, **told):
    return [term.term for term in words.of_group(group, **told)]


def split(inside, outside, each, rest="nothing here"):
    """Two groups of `each` documents: so many of the first and of the second hold the text, the others the rest."""
    (text, here), there = inside, outside
    texts = [text if n < count else rest for count in (here, there) for n in range(each)]
    return GroupWords(texts, np.repeat([0, 1], each), 2)


def test_words_are_folded_and_function_words_possessives_letters_and_numerals_left_out():
    addresses = "https://t.co/abc www.x.org pic.twitter.com/0IUDMg"
    assert words_of(f"The Minister's A 2018 e-mail, it’s O'Neill’s über_x 3rd! {addresses}") == [
        "minister", "e-mail", "o'neill", "über_x",
    ]  # fmt: skip


def test_how_somebody_is_addressed_and_how_posts_are_passed_on_are_no_words():
    assert words_of("Mr. Smith and Ms Jones: RT @ann QT @bob") == ["smith", "jones", "ann", "bob"]
    assert not {"mr", "mr smith"} & set(written(split(("Mr Smith", 40), 10, 100), 0))


def test_a_groups_words_are_those_it_has_more_often(words):
    for group, own in ((0, {"minister", "party", "met"}), (1, {"company", "market", "rose"})):
        assert set(" ".join(written(words, group)).split()) - {"and", "the"} == own


def test_a_word_of_all_groups_tells_nothing(words):
    for group in (0, 1):
        assert not {"the", "and", "item"} & set(written(words, group))


def test_a_term_says_how_many_documents_hold_it():
    (term,) = split(("ice cold", 40), 10, 100).of_group(0)
    assert (term.term, term.documents, term.share, term.elsewhere, term.share_elsewhere, term.sources) == (
        "ice cold", 40, 0.4, 10, 0.1, None,
    )  # fmt: skip


def test_a_documents_words_are_in_it_and_set_its_group_apart(words):
    for row, text in enumerate(TEXTS):
        found = words.of_document(row, int(CODES[row]))
        assert all(term in text for term in found)
        assert set(found) <= set(written(words, int(CODES[row]), most=1000))


def test_a_word_in_fewer_than_three_documents_says_little():
    assert LEAST_DOCUMENTS == 3
    assert "reef" not in written(split(("reef", 2), 0, 40), 0)
    assert "reef" in written(split(("reef", 15), 0, 40), 0)


def test_a_difference_that_chance_would_make_tells_nothing():
    assert written(split(("ice", 9), 3, 30), 0) == []
    assert written(split(("ice", 40), 15, 120), 0) == ["ice"]


def test_a_difference_that_is_sure_but_slight_tells_nothing():
    assert written(split(("news", 1200), 1000, 2000), 0) == []
    assert written(split(("news", 600), 400, 2000), 0) == ["news"]
    assert written(split(("the", 600), 400, 2000), 0) == []


def test_documents_count_and_not_how_often_they_say_a_word():
    texts = ["fire " * 500, *["water here"] * 39, *["water there"] * 40]
    assert "fire" not in written(GroupWords(texts, np.repeat([0, 1], 40), 2), 0)


def test_not_more_words_than_asked():
    texts = [f"{a} . {b} . {c}" for a, b, c in [("ice", "sea", "fog")] * 30 + [("oak", "elm", "ash")] * 30]
    words = GroupWords(texts, np.repeat([0, 1], 30), 2)
    assert written(words, 0, most=2) == written(words, 0)[:2] == ["fog", "ice"]


def test_one_group_alone_shows_its_most_frequent_words():
    found = GroupWords(["ice sea", "ice sea", "ice"], np.zeros(3, np.intp), 1)
    assert [(term.term, term.share, term.share_elsewhere) for term in found.of_group(0)] == [("ice", 1.0, None)]


def test_texts_without_words_have_none():
    found = GroupWords(["", "1 2 3", "--"], np.array([0, 1, 1]), 2)
    assert found.of_group(0) == found.of_group(1) == found.of_document(0, 0) == ()


# --- phrases ----------------------------------------------------------------------------------------------------------
def test_a_phrase_takes_the_place_of_its_words():
    assert written(split(("a border wall rose", 40), 5, 100), 0) == ["border wall rose"]
    assert written(split(("a state of emergency", 40), 5, 100), 0) == ["state of emergency"]


def test_a_word_stays_where_it_tells_something_without_the_phrase():
    texts = ["border wall"] * 30 + ["border patrols"] * 30 + ["border crossings"] * 30 + ["other things"] * 110
    found = written(GroupWords(texts, np.repeat([0, 1], 100), 2), 0)
    assert "border" in found
    assert "wall" not in found


def names_in(texts):
    terms = count_terms(texts, 3)
    return {terms.name(number) for number in range(len(terms.runs))}


def test_marks_and_numerals_end_a_phrase():
    names = names_in(["snow, ice. title 38 states; women’s march and the sea"] * 4)
    assert "women's march" in names
    assert "march and the sea" in names
    assert not {"snow ice", "ice title", "title states", "states women"} & set(names)


def test_a_phrase_begins_and_ends_with_a_word_that_tells_something():
    names = names_in(["in the house of the representatives of it"] * 4)
    assert set(names) == {"house", "representatives", "house of the representatives"}


def test_of_phrases_that_overlap_the_most_telling_stays():
    long = "one two secretary alpha beta gamma delta epsilon zeta"
    assert len(written(split((long, 40), 0, 100), 0)) <= 3


# --- tested -----------------------------------------------------------------------------------------------------------
def test_words_that_a_test_shows_take_the_place_of_gaps():
    texts = ["ice sea"] * 20 + ["ice fog"] * 20 + ["oak elm"] * 40
    words = GroupWords(texts, np.repeat([0, 1], 40), 2)
    assert {term.telling for group in (0, 1) for term in words.of_group(group)} == {False}
    names = [words._terms.name(number) for number in range(words.held.shape[1])]
    strengths = np.array([[5.0 * (name == "sea") for name in names], [0.0] * len(names)])
    tested = words.tested(strengths)
    assert [(term.term, term.telling) for term in tested.of_group(0)] == [("sea", True)]
    assert tested.of_document(0, 0) == ("sea",)
    assert tested.of_document(30, 0) == ()
    assert tested.of_group(1) == words.of_group(1)[:MOST_GAPS], "no word is shown to tell it: its gaps stay"
    assert [term.term for term in words.of_group(0)] != ["sea"], "the words as they were are left as they are"


# --- chance -----------------------------------------------------------------------------------------------------------
def made_corpus(rng, n=400, n_words=300, n_sources=12):
    """Documents of many sources with habits of their own, about stories with words of their own."""
    popular = 1.0 / np.arange(1, n_words + 1)
    sources, stories = rng.integers(0, n_sources, n), rng.integers(0, 40, n)
    texts = [
        " ".join(
            [f"w{chr(97 + w % 26)}{chr(97 + w // 26)}" for w in rng.choice(n_words, 25, p=popular / popular.sum())]
            + [f"habit{chr(97 + s)}", f"story{chr(97 + t // 26)}{chr(97 + t % 26)} told"]
        )
        for s, t in zip(sources, stories, strict=True)
    ]
    return texts, tuple(f"Source {s}" for s in sources)


def test_random_groups_have_no_telling_words():
    rng = np.random.default_rng(0)
    shown = []
    for _ in range(20):
        texts, sources = made_corpus(rng)
        words = GroupWords(texts, rng.integers(0, 3, len(texts)), 3, Provenance((sources,)))
        shown.append(sum(len(words.of_group(group)) for group in range(3)))
    assert sum(count > 0 for count in shown) <= 1


# --- sources ----------------------------------------------------------------------------------------------------------
def from_sources(counts, each=20, word="caption", group_names=()):
    """Two groups of sources with `each` documents; counts[group] says how many of each source's hold the word."""
    texts, codes, names = [], [], []
    for group, sources in enumerate(counts):
        for number, count in enumerate(sources):
            texts += [f"{word} here" if n < count else "nothing here" for n in range(each)]
            codes += [group] * each
            names += [f"The Daily {'abcdefgh'[number]}{group}"] * each
    return texts, np.array(codes), Provenance((tuple(names),), None, group_names)


def test_what_one_source_repeats_does_not_tell_its_group():
    texts, codes, about = from_sources([[20, 0, 0, 0, 0, 0], [0] * 6])
    assert written(GroupWords(texts, codes, 2), 0) == ["caption"]
    assert written(GroupWords(texts, codes, 2, about), 0) == []


def test_what_several_sources_write_tells_their_group():
    texts, codes, about = from_sources([[8, 7, 6, 9, 5, 8], [1, 0, 1, 0, 0, 1]])
    (term,) = GroupWords(texts, codes, 2, about).of_group(0)
    assert (term.term, term.documents, term.sources) == ("caption", 43, 6)


def test_a_group_of_one_source_needs_no_others():
    texts, codes, about = from_sources([[15], [0]])
    assert written(GroupWords(texts, codes, 2, about), 0) == ["caption"]


def test_names_of_groups_and_sources_are_left_out():
    texts, codes, about = from_sources([[8, 7, 6, 9, 5, 8], [0] * 6], word="daily")
    assert written(GroupWords(texts, codes, 2, about), 0) == []
    texts, codes, about = from_sources([[8, 7, 6, 9, 5, 8], [0] * 6], group_names=("Caption_and more", "rest"))
    assert written(GroupWords(texts, codes, 2, about), 0) == []


def test_a_name_counts_where_the_documents_that_hold_it_come_from_it():
    origins = Origins.of(["The Daily Sun", "", "Sun and Moon", "The Daily Sun", "Star"])
    everyone = np.arange(5)
    assert origins.codes.tolist() == [0, -1, 1, 0, 2]
    assert origins.count_named(everyone, frozenset({"sun"})) == 3
    assert origins.count_named(everyone, frozenset({"daily", "sun"})) == 2
    assert origins.count_named(np.array([1, 2]), frozenset({"sun"})) == 1
    assert origins.count_named(everyone, frozenset({"rain"})) == 0


def test_words_are_the_same_of_tokens_that_were_read_with_others():
    texts, codes, about = from_sources([[8, 7, 6, 9, 5, 8], [1, 0, 1, 0, 0, 1]])
    beside = read_tokens([*(f"caption number {n} of others" for n in range(9)), *texts])
    known = beside.of_texts(np.arange(9, 9 + len(texts)))
    found = GroupWords(texts, codes, 2, about, tokens=known)
    assert found.of_group(0) == GroupWords(texts, codes, 2, about).of_group(0)


def test_copies_count_once():
    texts = ["flood"] * 30 + ["calm"] * 70
    counted = np.ones(100, bool)
    counted[1:30] = False
    codes = np.array([0] * 50 + [1] * 50)
    assert written(GroupWords(texts, codes, 2), 0) == ["flood"]
    assert written(GroupWords(texts, codes, 2, Provenance(counted=counted)), 0) == []


def test_a_phrase_that_repeats_a_word_takes_its_place_once():
    assert written(split(("ha ha", 20), 0, 24), 0) in (["ha ha"], ["ha"])


def test_other_parts_of_the_same_documents_have_words_of_their_own(words):
    halves = np.arange(len(TEXTS)) % 2
    assert list(words.of_parts(CODES, 2)[0]) == [term.term for term in words.of_group(0)]
    assert words.of_parts(halves, 2) == [{}, {}]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Jim Watson/AFP/Getty Images A wall is planned", ["wall", "planned"]),
        ("It costs more. | AP Photos The wall (AP Photo/Paul Sancya, File)", ["costs", "wall", "file"]),
        ("The wall (Photo: Paul Vernon, AP) stands. FILE PHOTO: a guard", ["wall", "stands", "guard"]),
        ("Enlarge this image toggle caption Win McNamee/Getty Images A wall", ["wall"]),
        ("This article is more than 1 year old A wall", ["wall"]),
        ("CLOSE The wall is close. Story Highlights A guard", ["wall", "close", "guard"]),
        ("Reuters and AFP close offices in photos", ["reuters", "afp", "close", "offices", "photos"]),
    ],
)
def test_what_stands_around_a_story_on_its_page_is_no_word_of_it(text, left):
    assert words_of(text) == left


@pytest.mark.parametrize("piece", ["a.", "a", "a ", "a/", "photo: (", "ap/", "| ap ", "close CLOSE "])
def test_no_text_takes_long_to_read(piece):
    began = time.process_time()
    words_of("photo " + piece * 50_000)
    assert time.process_time() - began < 5  # seconds; a rule that looks back would take hours
