"""What is too short among longer texts, and what is no oddity among its like."""

from __future__ import annotations

import random

import pytest

from unit.letterheads import SYLLABLES, TOPICS, sentence
from visavis.comparing.candidates import find_candidates
from visavis.comparing.options import CompareOptions
from visavis.comparing.prepare import group_documents, prepare
from visavis.comparing.worth import FEWEST_WORDS, LONGEST_STUB, POST_STUB, STUB
from visavis.corpus.forms import POST

HARBOR = TOPICS[next(iter(TOPICS))]
CAPTION = "FILE - In this photo a man waits by the river for rescue on {}. (AP Photo/A. Smith)"


def texts_of(rng, count, length):
    """So many texts of so many words."""
    return [" ".join(" ".join(sentence(rng, HARBOR) for _ in range(length)).split()[:length]) for _ in range(count)]


def reasons(**groups):
    """Why the texts of each group are not shown, by group and place."""
    return _reasons(
        [{"id": f"{side}{n}", "side": side, "text": text} for side, own in groups.items() for n, text in enumerate(own)]
    )


def _reasons(rows):
    chosen = CompareOptions(by="side", duplicates=False, boilerplate="keep")  # captions recur
    prepared = prepare(rows, chosen.reading)
    found = find_candidates(prepared, group_documents(prepared, chosen.grouping), chosen)
    return {name: away.reason for away in found.not_shown for name in away.where}


@pytest.fixture
def rng():
    return random.Random(6)


def stubs(told):
    return {name for name, reason in told.items() if reason == "too short to say something"}


def test_a_stub_is_short_for_all_and_for_its_group(rng):
    notes, articles = texts_of(rng, 60, 30), texts_of(rng, 100, 200)
    assert not stubs(reasons(notes=notes, articles=articles)), "among notes a note is none"
    short = texts_of(rng, 2, int(STUB * 200) - 20)
    assert stubs(reasons(notes=notes, articles=[*short, *articles])) == {"articles0", "articles1"}


def test_among_posts_less_is_a_stub_sooner(rng):
    usual = POST - 10
    between = texts_of(rng, 2, int((STUB + POST_STUB) / 2 * usual))
    posts = texts_of(rng, 80, usual)
    assert stubs(reasons(one=[*between, *posts[:40]], other=posts[40:])) == {"one0", "one1"}
    longer = POST + 10
    between = texts_of(rng, 2, int((STUB + POST_STUB) / 2 * longer))
    texts = texts_of(rng, 80, longer)
    assert not stubs(reasons(one=[*between, *texts[:40]], other=texts[40:]))


def test_who_has_words_enough_is_no_stub_however_long_the_others_are(rng):
    long = texts_of(rng, 40, 5 * LONGEST_STUB)
    enough, few = texts_of(rng, 1, LONGEST_STUB), texts_of(rng, 1, LONGEST_STUB - 20)
    assert stubs(reasons(one=[*enough, *few, *long], other=long[:20])) == {"one1"}


def test_among_captions_a_caption_of_any_length_is_not_odd(rng):
    days = [f"Monday {n}" for n in range(60)]
    captions = [CAPTION.format(day) if n % 2 else f"{CAPTION.format(day)} {text}" for n, (day, text) in
                enumerate(zip(days, texts_of(rng, 60, 25), strict=True))]  # fmt: skip
    told = reasons(captions=captions, articles=[*texts_of(rng, 60, 40), CAPTION.format("Friday")])
    assert "a caption" not in {reason for name, reason in told.items() if name.startswith("captions")}
    assert told["articles60"] == "a caption"


def test_who_says_little_in_as_many_words_is_a_stub_too(rng):
    posts = [f"We will fix the {word} of the {place} this year" for word, place in zip(*(
        [rng.choice(TOPICS[topic]) for _ in range(60)] for topic in list(TOPICS)[:2]), strict=True)]  # fmt: skip
    empty = "Here it is for all of you to be with us at it"
    told = stubs(reasons(one=[*posts[:30], empty], other=posts[30:]))
    assert "one30" in told
    assert len(told) <= 6, "it is no rule against many"


def test_a_long_text_in_words_of_its_own_is_no_stub(rng):
    own = [" ".join(f"{rng.choice('bcdfg')}{rng.randrange(10**6)}x" for _ in range(80)) for _ in range(6)]
    assert not stubs(reasons(one=[*own, *texts_of(rng, 40, 60)], other=texts_of(rng, 40, 60)))


def test_among_texts_in_sentences_a_list_without_any_is_known_and_in_lists_a_list_is_none(rng):
    written = [". ".join(sentence(rng, HARBOR) for _ in range(12)) + "." for _ in range(60)]
    lists = [
        " * ".join(f"{rng.choice(HARBOR)} {''.join(rng.choices(SYLLABLES, k=4))}" for _ in range(60)) for _ in range(30)
    ]
    told = reasons(one=[*lists[:3], *written[:30]], other=written[30:])
    assert {name for name, reason in told.items() if reason == "without sentences"} == {"one0", "one1", "one2"}
    told = reasons(one=lists, other=written)
    assert "without sentences" not in told.values()


def test_a_list_of_contents_is_known_though_what_recurs_in_it_is_boilerplate(rng):
    entries = ["{}. {} Client: none. Search terms: storm and flood. Type: plain language of all." for _ in range(30)]
    lists = [
        "\n".join(entry.format(n, sentence(rng, HARBOR)) for n, entry in enumerate(entries)) for _ in range(4)
    ]  # fmt: skip
    rows = [
        {"id": f"{side}{n}", "side": side, "text": text}
        for side in ("one", "other")
        for n, text in enumerate([*lists[side == "one" :: 2], *texts_of(rng, 30, 120)])
    ]
    chosen = CompareOptions(by="side")
    prepared = prepare(rows, chosen.reading)
    found = find_candidates(prepared, group_documents(prepared, chosen.grouping), chosen)
    told = {name: away.reason for away in found.not_shown for name in away.where}
    assert {name for name, reason in told.items() if reason == "the same again and again"} == {
        "one0", "one1", "other0", "other1",
    }  # fmt: skip


def test_what_breaks_off_goes_on_answers_or_only_links_is_not_shown_unless_most_of_a_group_do(rng):
    posts = [f"{text} today" for text in texts_of(rng, 80, 18)]
    answers = [f"@reader{n} {text}" for n, text in enumerate(posts)]
    links = [f"{' '.join(text.split()[:14])} {'#budget @town https://example.org/a ' * 5}" for text in posts]
    cut = [f"{text} and then the…" for text in posts]
    later = [f"{text}. ({2 + n % 3}/4)" for n, text in enumerate(posts)]
    told = reasons(one=[*answers[:3], *links[:3], *cut[6:9], *later[9:12], *posts[12:40]], other=posts[40:])
    assert {name for name, reason in told.items() if reason == "an answer, by how it begins"} == {
        "one0",
        "one1",
        "one2",
    }
    assert {name for name, reason in told.items() if reason == "mostly links and tags"} == {"one3", "one4", "one5"}
    assert {name for name, reason in told.items() if reason == "ending in “…”"} == {"one6", "one7", "one8"}
    parts = {name for name, reason in told.items() if reason == "a later part of a thread"}
    assert parts == {"one9", "one10", "one11"}
    assert not {"an answer, by how it begins", "mostly links and tags", "ending in “…”", "a later part of a thread"} & {
        *reasons(one=[*cut[:35], *posts[35:40]], other=posts[40:]).values(),
        *reasons(one=[*answers[:30], *posts[30:40]], other=posts[40:]).values(),
        *reasons(one=[*links[:30], *posts[30:40]], other=posts[40:]).values(),
        *reasons(one=[*later[:30], *posts[30:40]], other=posts[40:]).values(),
    }


def test_what_sells_is_not_shown_unless_most_of_a_group_do(rng):
    articles = texts_of(rng, 80, 120)
    deals = [f"Purchases you make through our links may earn us a commission. {text}" for text in articles]
    told = reasons(one=[*deals[:4], *articles[4:40]], other=articles[40:])
    sold = {name for name, reason in told.items() if reason == "an advertisement, as it says itself"}
    assert sold == {"one0", "one1", "one2", "one3"}
    told = reasons(one=[*deals[:30], *articles[30:40]], other=articles[40:])
    assert "an advertisement, as it says itself" not in told.values()


def test_where_most_are_cut_off_whole_ones_are_still_shown(rng):
    posts = [f"{text} today" for text in texts_of(rng, 80, 18)]
    cut = [f"{text} and then the…" for text in posts]
    told = reasons(one=[*cut[:30], *posts[30:40]], other=posts[40:])
    assert sum(reason == "ending in “…”" for reason in told.values()) == 30


def test_what_answers_something_else_says_so_in_its_title(rng):
    rows = [
        {"id": str(n), "side": "one" if n < 40 else "other", "title": "Re: the bridge" if n < 3 else "", "text": text}
        for n, text in enumerate(texts_of(rng, 80, 40))
    ]
    told = _reasons(rows)
    assert [told.get(str(n)) for n in range(3)] == ["an answer, by how it begins"] * 3
    assert "an answer, by how it begins" not in _reasons([{**row, "title": "Re: it"} for row in rows]).values()


def test_where_many_say_much_more_a_few_words_are_a_stub_though_most_have_no_more(rng):
    few, more = texts_of(rng, 50, FEWEST_WORDS - 4), texts_of(rng, 40, 2 * FEWEST_WORDS)
    assert len(stubs(reasons(one=[*few[:25], *more[:20]], other=[*few[25:], *more[20:]]))) == 50
    assert not stubs(reasons(one=few[:25], other=few[25:])), "headlines among headlines"
    rare = texts_of(rng, 4, 2 * FEWEST_WORDS)
    assert not stubs(reasons(one=[*few[:25], *rare[:2]], other=[*few[25:], *rare[2:]]))
    little = texts_of(rng, 20, FEWEST_WORDS + 1)
    assert not stubs(reasons(one=[*few[:25], *little[:10]], other=[*few[25:], *little[10:]])), "not much more"
