"""What recurs within long passages of texts that have no line breaks is left out; what a document says is not."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unit.letterheads import sentence
from visavis.corpus import menus
from visavis.corpus.boilerplate import remove_boilerplate
from visavis.corpus.menus import LONG, RUN, SHORTEST, shared_menus, without_menus
from visavis.updating.cells import read_boilerplate, write_boilerplate
from walking import walk

RNG = random.Random(9)
MENU = " ".join(f"Topic{sign} of the Office" for sign in "ABCDEFGHIJKLMNO")
TITLES = [sentence(RNG).rstrip(".") for _ in range(40)]
STORIES = [" ".join(sentence(RNG) for _ in range(3)) for _ in range(40)]
PROSE = (
    "the court of appeals in its ruling ordered the city to pay the costs of the proceedings before both of the courts"
)


def pages(menu=MENU, share=1.0):
    """A title, the menu of the site and a story, on one line."""
    return [
        f"{title} | Our Town {menu if n < share * len(TITLES) else ''} {story}"
        for n, (title, story) in enumerate(zip(TITLES, STORIES, strict=True))
    ]


def cleaned(texts, sources=None, **options):
    return remove_boilerplate(texts, sources or [""] * len(texts), **options)


def of_words(seed, count):
    """Words that nobody else has, without an end of a sentence."""
    return " ".join(f"{chr(97 + seed % 26)}x{seed:x}y{n:x}".translate(NO_DIGITS) for n in range(count))


NO_DIGITS = str.maketrans("0123456789", "ghijklmnop")


def test_the_menu_of_a_page_on_one_line_goes_and_title_and_story_stay():
    found = cleaned(pages())
    for text, title, story in zip(found.texts, TITLES, STORIES, strict=True):
        assert "Topic" not in text
        assert text.startswith(title)
        assert text.endswith(story)
    assert found.share() > 0.4
    assert not found.bare.any()


def test_it_must_recur_in_a_fifth_of_the_documents():
    assert cleaned(pages(share=0.25)).share() > 0.1
    few = pages(share=0.15)
    assert cleaned(few).texts == tuple(few)


def test_a_source_has_menus_of_its_own_in_five_of_its_documents_at_least():
    few = pages(share=0.15)
    found = cleaned(few, ["ours" if n < 10 else "theirs" for n in range(len(few))])
    assert not any("Topic" in text for text in found.texts)
    four = pages(share=0.1)
    assert cleaned(four, ["ours" if n < 4 else "theirs" for n in range(len(four))]).texts == tuple(four)


def test_words_in_small_letters_must_recur_in_half_of_the_documents():
    long = [f"{of_words(n, 30)} {PROSE} {of_words(n + 50, 30)}" for n in range(40)]
    none = [of_words(n, 80) for n in range(100, 140)]
    found = cleaned([*long[:22], *none[:18]])
    assert not any(PROSE in text for text in found.texts), "as a footer in sentences"
    some = [*long[:18], *none[:22]]
    assert cleaned(some).texts == tuple(some), "a formula of some stories is part of them"


def test_a_formula_of_one_source_stays_in_another_that_hardly_has_it():
    ours = [f"{of_words(n, 30)} {PROSE} {of_words(n + 50, 30)}" for n in range(12)]
    theirs = f"{of_words(90, 30)} {PROSE} {of_words(91, 30)}"
    others = [of_words(n, 80) for n in range(100, 127)]
    texts = [*ours, *others[:8], theirs, *others[8:]]
    found = cleaned(texts, ["ours"] * 20 + ["theirs"] * 20)
    assert not any(PROSE in text for text in found.texts[:12])
    assert found.texts[20] == theirs


def test_words_beside_a_menu_are_no_part_of_it():
    menu = MENU.replace(" of the ", " ")
    beside = [f"{title} | {menu} {PROSE} {of_words(n, 30)}" for n, title in enumerate(TITLES[:6])]
    alone = [f"{of_words(n + 50, 30)} {PROSE} {of_words(n + 70, 30)}" for n in range(6)]
    pages_ = [f"{title} | {menu} {of_words(n + 20, 60)}" for n, title in enumerate(TITLES[6:12])]
    found = cleaned([*beside, *alone, *pages_, *(of_words(n, 80) for n in range(100, 122))])
    assert not any("TopicA Office" in text for text in found.texts)
    assert found.texts[6:12] == tuple(alone)


def test_what_differs_between_recurring_words_stays():
    verdicts = ["close the libraries", "ban all cars", "sell the mill"]
    texts = [
        f"{of_words(n, 20)} {MENU} {verdicts[n % 3]} {MENU.replace('Topic', 'Page')} {of_words(n + 50, 20)}"
        for n in range(30)
    ]
    for n, text in enumerate(cleaned(texts).texts):
        assert text == f"{of_words(n, 20)} {verdicts[n % 3]} {of_words(n + 50, 20)}"


def test_passages_and_menus_that_are_short_stay():
    short = " ".join(MENU.split()[: SHORTEST - 1])
    texts = [f"{of_words(n, LONG)} {short} {of_words(n + 50, 10)}" for n in range(40)]
    assert cleaned(texts).texts == tuple(texts)
    longer = " ".join(MENU.split()[:SHORTEST])
    texts = [f"{of_words(n, LONG)} {longer} {of_words(n + 50, 10)}" for n in range(40)]
    assert not any("Topic" in text for text in cleaned(texts).texts)
    texts = [f"{of_words(n, LONG - 2 - SHORTEST)} {longer} {chr(97 + n % 26)}" for n in range(40)]
    assert cleaned(texts).texts == tuple(texts)


def test_reports_of_one_story_keep_what_they_share():
    story = " ".join(of_words(n, 4) for n in range(30))
    told = [f"{of_words(n + 60, 10)} {story} {of_words(n + 100, 10)}" for n in range(10)]
    texts = [*told, *(of_words(n, 80) for n in range(200, 230))]
    found = cleaned(texts)
    assert found.texts == tuple(texts)
    assert not found.bare.any()


def test_what_was_found_is_left_out_of_later_texts_and_kept_by_a_state():
    texts = pages()
    known = cleaned(texts[:-1]).recurring
    assert known.menus
    kept = read_boilerplate(write_boilerplate(known))
    assert kept == known
    assert cleaned(texts[-1:], known=kept).texts == cleaned(texts).texts[-1:]
    older = {name: value for name, value in write_boilerplate(known).items() if name != "menus"}
    assert read_boilerplate(older).menus == {}, "states made before knew none"


@walk("story", ["นายกรัฐมนตรี", "กรุงเทพมหานคร", "中华人民共和国国务院办公厅"])
def test_words_of_scripts_without_blanks_stay(story):
    signs = "กขคงจฉชซฌญฎฏฐฑฒณ" if story[0] < "\u2e80" else "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳"
    rng = random.Random(3)

    def phrases():
        return ["".join(rng.choices(signs, k=9)) for _ in range(30)]

    texts = [" ".join([*phrases(), story * 3, *phrases()]) for _ in range(20)]
    assert cleaned(texts).texts == tuple(texts)


def test_of_very_many_documents_some_are_judged_and_all_are_cut(monkeypatch):
    monkeypatch.setattr(menus, "MOST_JUDGED", 14)
    monkeypatch.setattr(menus, "CHUNK", 7)
    texts = pages()
    found = cleaned(texts)
    assert not any("Topic" in text for text in found.texts)
    some = [text if n % 3 else text.replace(MENU, "") for n, text in enumerate(texts)]
    assert cleaned(some).recurring.menus == {}, "every third is judged, and those have none"


def test_only_the_beginning_of_a_text_is_looked_at(monkeypatch):
    monkeypatch.setattr(menus, "LOOKED_AT", 60)
    texts = [f"{of_words(n, 70)} {MENU} {of_words(n + 50, 10)}" for n in range(40)]
    assert cleaned(texts).texts == tuple(texts)


@given(
    st.integers(RUN, 2 * SHORTEST),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=10, max_size=14),
)
def test_what_recurs_goes_and_nothing_else(shared, around):
    menu = " ".join(MENU.split()[:shared])
    pieces = [(of_words(n, before), of_words(n + 50, behind)) for n, (before, behind) in enumerate(around)]
    raw = [" ".join(part for part in (before, menu, behind) if part).encode() for before, behind in pieces]
    rows, nobody = np.arange(len(raw)), np.full(len(raw), -1)
    sources = [""] * len(raw)
    known = shared_menus(raw.__getitem__, rows, nobody, rows, sources)
    found = without_menus(raw.__getitem__, rows, known, sources)
    long = [len(text.split()) >= LONG for text in raw]
    goes = shared >= SHORTEST and sum(long) >= 10
    assert set(found) == {row for row in rows.tolist() if goes and long[row]}
    for row, left in found.items():
        assert left.decode() == " ".join(part for part in pieces[row] if part)
