from __future__ import annotations

import numpy as np

from visavis.explain.themes import LONGEST, _apart, find_themes
from visavis.explain.words import GroupWords

TOPICS = ("coral reef bleaching", "carbon permit prices", "night train strike")


def news() -> tuple[list[str], np.ndarray, np.ndarray]:
    """Texts of three topics in three corners of a plane, in two groups that mix."""
    rng = np.random.default_rng(0)
    topics = np.repeat(np.arange(3), 40)
    filler = ["council", "report", "minister", "region", "budget", "survey", "plan", "record"]
    texts = [f"{TOPICS[topic]} {' '.join(rng.choice(filler, 4))}" for topic in topics]
    corners = np.array([[-1, -1], [1, -1], [0, 1]])
    return texts, corners[topics] + 0.1 * rng.normal(size=(120, 2)), np.arange(120) % 2


def test_each_region_is_named_by_words_of_its_own_in_its_middle() -> None:
    texts, points, codes = news()
    found = find_themes(points, GroupWords(texts, codes, 2), 0)
    assert sum(theme.documents for theme in found) >= 80
    corners = {"coral": (-1, -1), "carbon": (1, -1), "night": (0, 1)}
    for theme in found:
        corner = corners[theme.words[0].split()[0]]
        assert np.hypot(theme.x - corner[0], theme.y - corner[1]) < 0.3
    words = [word for theme in found for term in theme.words for word in term.split()]
    assert len(words) == len(set(words))
    assert all(len(term) <= LONGEST for theme in found for term in theme.words)


def test_where_words_do_not_go_with_places_there_are_no_themes() -> None:
    texts, points, codes = news()
    mixed = np.random.default_rng(1).permutation(len(points))
    assert find_themes(points[mixed], GroupWords(texts, codes, 2), 0) == ()


def test_a_few_documents_have_no_themes() -> None:
    texts, points, codes = news()
    assert find_themes(points[:30], GroupWords(texts[:30], codes[:30], 2), 0) == ()
    assert find_themes(np.zeros((120, 2)), GroupWords(texts, codes, 2), 0) == ()


def test_terms_without_blanks_share_words_as_well() -> None:
    used: set[str] = set()
    terms = {"高票价": frozenset({"高", "票价"}), "票价上涨": frozenset({"票价", "上涨"}), "地铁": frozenset({"地铁"})}
    assert _apart(terms, used) == ("高票价", "地铁")
    codes = np.arange(80) % 2
    words = GroupWords([("修建地铁", "提高票价")[code] for code in codes], codes, 2)
    for part in words.of_parts(codes, 2):
        assert part
        assert all(held and set("".join(held)) == set(term) for term, held in part.items())


def test_the_largest_seed_is_as_good_as_any() -> None:
    texts, points, codes = news()
    assert len(find_themes(points, GroupWords(texts, codes, 2), 2**70)) == 3
