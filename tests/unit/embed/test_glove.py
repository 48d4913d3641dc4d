import numpy as np
import pytest

from visavis.embed import create_embedder
from visavis.embed.averages import NO_WORD, NOTHING_LEFT, plain_vectors, word_means
from visavis.embed.tokens import tokenize
from visavis.embed.wordvectors import WordVectors, bundled_vectors
from visavis.errors import InvalidParameter

TEXTS = [
    "The senate passed a law on gun control after the shooting.",
    "Lawmakers debate background checks for firearms and rifles.",
    "The governor signed the bill that bans assault weapons.",
    "Gun owners rally against new restrictions at the capitol.",
    "The supreme court will hear a case about the right to bear arms.",
    "Doctors warn that the virus spreads quickly in hospitals.",
    "A vaccine against the flu is being tested in patients.",
    "Nurses asked for masks and gloves during the epidemic.",
    "The health ministry reported new infections and deaths.",
    "Researchers found antibodies in the blood of survivors.",
    "Patients with mild symptoms should stay at home.",
    "Police seized pistols and ammunition from the house.",
]
GUNS, HEALTH = [0, 1, 2, 3, 4, 11], [5, 6, 7, 8, 9, 10]


def table(words, vectors):
    n = len(words)
    rows = dict(zip(words, range(n), strict=True))
    return WordVectors(rows, np.array(vectors, np.float32), np.ones(n, np.float32), np.arange(1, n + 1), n)


def average(texts, vectors):
    return plain_vectors(word_means(tokenize(texts), vectors, sif=False))


def test_the_plain_mean_is_the_mean_of_the_words_vectors():
    vectors = bundled_vectors()
    expected = vectors.take(np.array([vectors.rows[word] for word in ("gun", "gun", "law")])).mean(axis=0)
    found = create_embedder("glove-mean").embed(["Gun law: GUN!"])
    assert found.vectors.dtype == np.float32
    assert found.vectors[0] == pytest.approx(expected, abs=1e-6)


def test_sif_weights_and_the_common_direction_follow_the_formula():
    vectors = bundled_vectors()
    rows = []
    for text in TEXTS:
        known = np.array([vectors.rows[word] for word in text.lower().strip(".").split() if word in vectors.rows])
        weights = 1e-3 / (1e-3 + vectors.frequencies(known))
        rows.append((vectors.take(known) * weights[:, None]).mean(axis=0))
    matrix = np.array(rows)
    u = np.linalg.svd(matrix)[2][0]
    rest = matrix - np.outer(matrix @ u, u)
    expected = rest / np.linalg.norm(rest, axis=1, keepdims=True)
    assert create_embedder("glove").embed(TEXTS).vectors == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("name", ["glove", "glove-mean"])
def test_texts_on_one_topic_are_nearer_to_each_other(name):
    found = create_embedder(name).embed(TEXTS).vectors
    unit = found / np.linalg.norm(found, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, np.nan)
    within = np.nanmean([np.nanmean(cosines[np.ix_(topic, topic)]) for topic in (GUNS, HEALTH)])
    assert within > cosines[np.ix_(GUNS, HEALTH)].mean() + 0.03


def test_averaging_the_same_tokens_again_gives_the_same_vectors_and_notes():
    tokens = tokenize([*TEXTS, "gun gun gun zzqx zzqx law law"])
    first = word_means(tokens, bundled_vectors(), sif=True)
    word_means(tokens, bundled_vectors(), sif=False)
    again = word_means(tokens, bundled_vectors(), sif=True)
    assert np.array_equal(first.vectors, again.vectors)
    assert first.notes == again.notes


def test_a_text_without_known_words_is_missing_and_never_zero():
    found = create_embedder("glove").embed([*TEXTS[:2], "", "zzqx 1234", *TEXTS[2:]])
    assert found.missing == ((2, NO_WORD), (3, NO_WORD))
    assert found.kept.tolist() == [0, 1, *range(4, 14)]
    assert np.all(np.linalg.norm(found.vectors, axis=1) > 0.99)


def test_words_that_cancel_out_leave_no_vector():
    opposite = table(["left", "right"], [[1, 2], [-1, -2]])
    found = average(["left right", "left"], opposite)
    assert found.missing == ((0, NOTHING_LEFT),)
    assert found.vectors.tolist() == [[1, 2]]


def test_the_note_names_the_most_frequent_unknown_words_and_their_share():
    small = table(["gun", "law"], [[1, 0], [0, 1]])
    text = "gun law gun law gun don't 2019 foo foo foo bar bar baz qux's a i"
    found = average([text], small)
    # gun ×3 and law ×2 are known; foo ×3, bar ×2, baz, do and qux are not; numbers and function words do not count
    assert found.notes == ("61.5 % of words have no vector (most frequent: foo, bar, baz)",)


def test_nothing_is_noted_when_every_word_is_known():
    assert create_embedder("glove-mean").embed(["the gun law of 2019 is Trump's, I say"]).notes == ()


def test_parts_serve_where_the_whole_has_no_vector():
    small = table(["gun", "rights", "us", "well-known", "well", "known"], np.eye(6))
    found = average(["gun-rights", "U.S.", "well-known"], small)
    assert found.vectors.tolist() == [[0.5, 0.5, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0]]


def test_the_common_direction_is_fitted_on_the_named_rows_only():
    glove = create_embedder("glove")
    fit = np.arange(10)
    before = glove.embed(TEXTS, fit_on=fit).vectors
    changed = glove.embed([*TEXTS[:10], "football match", "the team won the cup"], fit_on=fit).vectors
    assert before[:10] == pytest.approx(changed[:10], abs=1e-6)
    assert np.abs(glove.embed(TEXTS).vectors - before).max() > 1e-3


def test_few_or_equal_texts_keep_the_common_direction_and_say_so():
    few = create_embedder("glove").embed(TEXTS[:3])
    assert "3 are too few" in few.notes[-1]
    assert len(few.vectors) == 3
    equal = create_embedder("glove").embed([TEXTS[0]] * 12)
    assert "nothing is left" in equal.notes[-1]
    assert len(equal.vectors) == 12


def test_no_texts_and_only_unknown_texts_give_no_rows():
    assert create_embedder("glove").embed([]).vectors.shape == (0, 100)
    assert create_embedder("glove-mean").embed(["zzqx"]).vectors.shape == (0, 100)


@pytest.mark.parametrize("rows", [[-1], [12], [0.5], [], [[1]], [True]])
def test_rows_that_are_not_there_are_refused(rows):
    with pytest.raises(InvalidParameter, match="fit_on"):
        create_embedder("glove").embed(TEXTS, fit_on=np.array(rows))
