from __future__ import annotations

import gzip
import json
import random
from datetime import UTC, datetime, timedelta

import pytest

from conftest import ROOT
from visavis.cli.collect_rounds import show_expanded
from visavis.collect.records import Post
from visavis.collect.sources import open_sources
from visavis.collect.state.store import Store
from visavis.collect.steps.decisions import read_decisions, write_proposal
from visavis.collect.steps.expand import ExpandOptions, NoMatch, expand
from visavis.collect.steps.posts import PostOptions, gather
from visavis.collect.text.forms import is_form, names, splits
from visavis.collect.text.likeness import learn, least_share, words_of_post
from visavis.collect.text.places import place
from visavis.collect.text.queries import Matchers, matcher
from visavis.collect.text.windows import seconds, window
from visavis.collect.text.words import gist, hashtags, links
from visavis.errors import Incompatible, InvalidParameter, VisavisError
from walking import walk

START = datetime(2018, 2, 14, tzinfo=UTC)


def store_of(*posts):
    """A state file in memory with posts given as text, or (text, days after the start)."""
    store = Store(":memory:")
    rows = [(post, 0) if isinstance(post, str) else post for post in posts]
    store.add_posts(
        Post("plain", str(number), text, START + timedelta(days=days), tags=hashtags(text))
        for number, (text, days) in enumerate(rows)
    )
    return store


def expanded(store, **more):
    return expand(store, ExpandOptions(**{"topic": "t", "query": "gun control", "window": "all", **more}))


def verdicts(found):
    return {verdict.query: verdict.kept for verdict in found.verdicts}


_ENDS = ("", "ed", "ing", "ward")
GUNS, OTHER = (
    tuple(f"{word}{end}" for word in words.split() for end in _ENDS)
    for words in (
        "rifle school lobby senate check victim vote ban march shoot own court safe bill police",
        "garden budget farm train music winter bridge river doctor teach market film cook harbor paint",
    )
)


def talk(vocabulary, seed, extra=""):
    """A sentence of ten words from a vocabulary, and whatever else is to stand in it."""
    rng = random.Random(f"{vocabulary[0]} {seed} {extra}")
    return " ".join([*rng.sample(vocabulary, 10), extra])


def debate(seeds=40, others=700):
    """Posts on gun control and on other things, under tags of every kind."""
    found = [talk(GUNS, n, "gun control" + (" #neveragain" if n % 4 == 0 else "")) for n in range(seeds)]
    found += [talk(GUNS, n, "#neveragain" + (" #enough" if n % 2 else "")) for n in range(30)]
    found += [talk(OTHER, n, "#news") for n in range(others)]
    found += [talk(GUNS, n, "gun control #news #florida") for n in range(6)]
    found += [talk(OTHER, n, "gun control #guitars") for n in range(4)]
    return found + [talk(OTHER, n, "#guitars") for n in range(40)]


@pytest.fixture(scope="module")
def posts():
    return debate()


@pytest.mark.parametrize(
    ("query", "text", "does"),
    [
        ("gun control", "Control the GUN lobby", True),
        ("gun control", "gun controls", False),
        ("gun control", "a #Gun is out of #control", True),
        ("gun control", "#guncontrol", False),
        ("#guncontrol", "now: #GunControl!", True),
        ("#gun", "#guncontrol gun", False),
        ("STRASSE", "straße", True),
        ("gun-control", "control, gun.", True),
        ("銃規制", "今日の銃規制について", True),
        ("बंदूक", "यह #बंदूक है", True),
    ],
)
def test_a_query_matches_all_of_its_words_in_any_order_and_a_tag_exactly(query, text, does):
    assert matcher(query)(text.casefold(), hashtags(text)) is does
    assert bool(Matchers([query]).matching(text, hashtags(text))) is does


def test_a_query_without_a_word_is_refused():
    for query in ("", "  ", "#", "!?"):
        with pytest.raises(InvalidParameter, match="holds no word"):
            matcher(query)


def test_hashtags_are_folded_and_those_in_links_or_entities_do_not_count():
    assert hashtags("#One, (#TWO) ＃three #2a #123 a#no &#39; http://x.example/#frag?#q #one") == (
        "one", "two", "three", "2a",
    )  # fmt: skip
    assert hashtags("#विश्व_कप #été") == ("विश्व_कप", "été")


def test_links_lose_the_punctuation_after_them():
    text = "See (https://a.example/b_(c)), http://b.example/x?y=1&z=2. “https://c.example/d”…"
    assert links(text) == ("https://a.example/b_(c)", "http://b.example/x?y=1&z=2", "https://c.example/d")


def test_a_query_comes_in_by_how_it_stands_to_the_seed(posts):
    found = expanded(store_of(*posts))
    assert verdicts(found) == {
        "#neveragain": True,
        "#enough": True,
        "#news": False,
        "#guitars": False,
        "#florida": False,
    }
    by_query = {verdict.query: verdict for verdict in found.verdicts}
    assert by_query["#neveragain"].measure.share > 0.9
    assert by_query["#news"].why.startswith("too general: 706 texts, 6 with the seed (lift 0.")
    assert by_query["#guitars"].measure.with_seed == 4
    assert by_query["#guitars"].measure.share < 0.3
    assert by_query["#florida"].reason == "a place, Florida, a state"
    assert (found.posts, found.texts, found.seed_texts, found.notes) == (820, 820, 50, ())


def test_rounds_go_on_from_what_came_in_and_every_query_is_judged_once(posts):
    store = store_of(*posts)
    found = expanded(store)
    assert [[one.query for one in round_.verdicts if one.kept] for round_ in found.rolled.rounds] == [
        ["#neveragain"], ["#enough"], [],
    ]  # fmt: skip
    assert [round_.texts for round_ in found.rolled.rounds] == [50, 80, 80]
    assert found.rolled.ended == "fixed point"
    judged = [one.query for one in found.verdicts]
    assert len(judged) == len(set(judged))
    assert found.queries == ("gun control", "#neveragain", "#enough")
    assert [query.text for query in store.queries("t")] == list(found.queries)
    assert {query.text for query in store.queries("t", kept=False)} >= {"#news", "#florida"}
    assert expanded(store, rounds=1).rolled.ended == "round limit"


def test_a_query_that_never_stands_beside_the_seed_must_be_purer(posts):
    found = expanded(store_of(*posts, *(talk(GUNS, n, "#neveragain #mixed") for n in range(9)),
                              *(talk(OTHER, n, "#mixed") for n in range(1))))  # fmt: skip
    (mixed,) = [one for one in found.verdicts if one.query == "#mixed"]
    assert mixed.measure.with_seed == 0
    assert 0.7 < mixed.measure.least < 0.85
    assert not mixed.kept


def test_those_that_bring_most_come_first_and_others_wait(posts):
    more = [talk(GUNS, n, "gun control #second") for n in range(9)]
    found = expanded(store_of(*posts, *more), top=1)
    first, second, *_ = found.rolled.rounds
    assert [one.query for one in first.verdicts if one.kept] == ["#neveragain"]
    assert first.waiting == 1
    assert [one.query for one in second.verdicts if one.kept] == ["#enough"]
    assert {"#neveragain", "#enough", "#second"} <= set(found.queries)


def test_copies_of_a_text_are_one_voice(posts):
    copied = [f"RT @member{n}: rifle gun control #once https://a.example/{n}" for n in range(20)]
    found = expanded(store_of(*posts, *copied))
    assert "#once" not in verdicts(found)
    assert found.texts == 821
    assert gist(copied[0]) == gist(copied[1]) == "rifle gun control #once"


def test_other_forms_of_a_seed_of_one_word_are_judged_too():
    texts = [talk(GUNS, n, "opioids") for n in range(60)] + [talk(GUNS, n, "opioid") for n in range(60)]
    texts += [talk(OTHER, n, "season") for n in range(300)]
    found = expanded(store_of(*texts), query="opioids")
    assert verdicts(found) == {"opioid": True}
    parted = [text.replace("opioids", "healthcare").replace("opioid", "health care") for text in texts]
    assert verdicts(expanded(store_of(*parted), query="healthcare")) == {"health care": True}
    for one, other in (("opioid", "opioids"), ("syrian", "syria"), ("immigrants", "immigration"), ("taxing", "tax")):
        assert is_form(one, other)
    assert not is_form("opioid", "opinion")
    assert "health care" in splits("healthcare")
    assert not is_form("army", "arm")


@walk("tag, needed, is_named", [
        ("goptaxscam", ["taxes"], True), ("notaxes", ["tax"], True), ("taxidriver", ["tax"], False),
        ("endgunviolence", ["guns"], True), ("gun_control", ["control", "gun"], True), ("2018guns", ["gun"], True),
        ("begun", ["gun"], False), ("handguns", ["gun"], True), ("guns", ["gun", "control"], False),
        ("farmbill", ["army"], False), ("pharma", ["army"], False), ("usarmy", ["army"], True),
        ("government", ["mental"], False), ("mentor", ["mental"], False), ("mentalhealth", ["mental"], True),
        ("fightopioids", ["opioid"], True), ("opioidtaxes", ["opioid", "tax"], True), ("銃規制反対", ["規制"], True),
        ("guns", [], False),
    ])  # fmt: skip
def test_a_hashtag_names_words_that_begin_in_it_where_words_do(tag, needed, is_named):
    assert names(tag, tuple(needed)) is is_named


def test_a_small_seed_is_said_to_be_small():
    few = [talk(GUNS, n, "gun control #a") for n in range(6)] + [talk(OTHER, n) for n in range(50)]
    found = expanded(store_of(*few))
    assert found.notes[0].startswith("the seed is very small: of 6 texts nothing can be learned")
    assert verdicts(found) == {"#a": True}  # all of its texts hold the seed
    lonely = expanded(store_of(*few, *(talk(GUNS, n, "#a") for n in range(20))))
    assert verdicts(lonely) == {"#a": False}
    some = expanded(store_of(*debate(seeds=10, others=60)))
    assert some.notes[0].startswith("the seed is small: of 20 texts")
    vague = [talk(OTHER, n, "gun control") for n in range(40)] + [talk(OTHER, n) for n in range(400)]
    assert "read like any others" in expanded(store_of(*vague)).notes[0]


def test_what_reads_like_a_seed_is_learned_from_its_words():
    own, others = ([words_of_post(talk(v, n)) for n in range(50)] for v in (GUNS, OTHER))
    found = learn(own, others, ["rifle"])
    assert found.reads_alike(words_of_post("the senate bill, a ban for the lobby, the school vote"))
    assert not found.reads_alike(words_of_post("a film in winter, music by the river"))
    assert "rifle" not in found.weights
    assert found.corrected(found.found) == 1.0
    assert found.corrected(found.strays) == 0.0
    assert learn(own[:5], others, []) is None
    assert learn(own, own, []) is None
    assert least_share(0, 10) == pytest.approx(0.0)
    assert 0.6 < least_share(3, 3) < 0.7
    assert least_share(300, 300) > 0.99


def test_only_the_window_counts_and_it_begins_with_the_first_post():
    days = [
        (f"gun control #{name} {n}", day) for name, day in (("early", 0), ("late", 20), ("last", 40)) for n in "abcdef"
    ]
    store = store_of(*days)
    assert verdicts(expanded(store, window="14d")) == {"#early": True}
    assert set(verdicts(expanded(store, window="2018-03-01..2018-03-10"))) == {"#late"}
    assert set(verdicts(expanded(store, window="2018-03-01+30d"))) == {"#late", "#last"}
    assert set(verdicts(expanded(store, window="..2018-03-10"))) == {"#early", "#late"}


@pytest.mark.parametrize("bad", ["14", "d", "-3d", "x..y", "2018-03-02..2018-03-01", "0d"])
def test_a_window_that_cannot_be_read_is_refused(bad):
    with pytest.raises(InvalidParameter):
        window(bad)


def test_durations():
    assert [seconds(text) for text in ("90s", "10m", "1.5h", "14d", "2w")] == [90, 600, 5400, 14 * 86400, 14 * 86400]


def test_places_go_unless_kept(posts):
    store = store_of(*posts, *(talk(GUNS, n, "gun control #parkland #SaoPaulo") for n in range(9)))
    found = expanded(store)
    assert not verdicts(found)["#parkland"]
    assert not verdicts(found)["#saopaulo"]
    assert "inhabitants" in next(one.reason for one in found.verdicts if one.query == "#parkland")
    assert verdicts(expanded(store, keep=("Parkland",)))["#parkland"]
    assert verdicts(expanded(store, places=False))["#parkland"]


def test_reading_and_mobile_are_places_too():
    assert place("reading")
    assert place("mobile")
    assert place("enough") is None


def test_generality_is_the_share_of_texts_that_may_lie_off_the_topic(posts):
    store = store_of(*posts)
    assert all(verdicts(expanded(store, generality=1, places=False)).values())
    assert not any(verdicts(expanded(store, generality=0, places=False)).values())
    strict = expanded(store, generality=0.1)
    assert [one.query for one in strict.verdicts if one.kept] == ["#neveragain"]


def test_lists_decide_by_name_and_what_was_not_found_comes_in_as_it_is(posts):
    store = store_of(*posts)
    found = expanded(store, keep=("#news", "assault weapons", "florida"), exclude=("NeverAgain",))
    assert found.queries[:4] == ("gun control", "#news", "assault weapons", "#florida")
    assert [one.reason for one in found.by_hand] == ["on the keep list"] * 3
    assert next(one.reason for one in found.verdicts if one.query == "#neveragain") == "on the exclude list"
    assert "#neveragain" not in found.queries
    with pytest.raises(Incompatible, match="'a' is to be kept and to be excluded"):
        ExpandOptions("t", "q", keep=("a",), exclude=("A",))


def test_a_word_and_the_tag_of_it_are_two_queries_and_can_be_told_apart():
    texts = [talk(GUNS, n, "opioids") for n in range(60)] + [talk(GUNS, n, "opioid #opioid") for n in range(60)]
    store = store_of(*texts)
    assert set(verdicts(expanded(store, query="opioids"))) == {"opioid", "#opioid"}
    assert not any(verdicts(expanded(store, query="opioids", exclude=("opioid",))).values())
    apart = verdicts(expanded(store, query="opioids", keep=("#opioid",), exclude=("opioid",)))
    assert apart == {"#opioid": True, "opioid": False}
    apart = verdicts(expanded(store, query="opioids", keep=("opioid",), exclude=("#opioid",)))
    assert apart == {"opioid": True, "#opioid": False}


def test_the_review_has_the_last_word_and_is_spared_what_is_far_off(posts):
    store = store_of(*posts)
    asked = []

    def review(verdict):
        asked.append(verdict.query)
        return verdict.query == "#florida"

    found = expanded(store, review=review)
    assert set(asked) == {"#neveragain", "#florida"}
    assert found.queries == ("gun control", "#florida")
    reasons = {one.query: one.reason for one in found.verdicts}
    assert reasons["#florida"] == "kept by you, though a place, Florida, a state"
    assert reasons["#neveragain"] == "left out by you"
    assert {query.text: query.kept for query in store.queries("t", kept=False)}["#neveragain"] is False


def test_decisions_are_proposed_in_a_file_and_taken_from_it(posts, tmp_path):
    store, path = store_of(*posts), tmp_path / "guns.toml"
    write_proposal(path, expanded(store))
    read = read_decisions(path)
    assert read.keep == ("#neveragain", "#enough")
    assert set(read.exclude) == {"#news", "#guitars", "#florida"}
    assert "% on its topic" in path.read_text(encoding="utf-8")
    again = expanded(store, keep=read.keep, exclude=read.exclude)
    assert again.queries == ("gun control", *read.keep)
    for text, says in (
        ("kep = []", "unknown entry 'kep'"),
        ("keep = 'a'", "must be a list of queries"),
        ("=", "not TOML"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(VisavisError, match=says):
            read_decisions(path)


def test_further_queries_stay_as_given_and_a_query_without_posts_is_refused(posts):
    found = expanded(store_of(*posts), queries=("school lobby", "#news"))
    assert found.queries[:3] == ("gun control", "school lobby", "#news")
    with pytest.raises(NoMatch, match="no post matches 'beef ban' among the 1"):
        expanded(store_of("gun control"), query="beef ban")
    for bad in ({"top": 0}, {"rounds": 0}, {"fewest": 0}, {"generality": 1.5}):
        with pytest.raises(InvalidParameter):
            ExpandOptions("t", "q", **bad)


@pytest.fixture(scope="module")
def congress(data_folder, tmp_path_factory):
    """The first two weeks of the tweets of Congress, which are its seed window."""
    folder = tmp_path_factory.mktemp("congress")
    with gzip.open(data_folder / "tweets" / "congress-2018.jsonl.gz", "rt", encoding="utf-8") as file:
        lines = [line for line in file if json.loads(line)["time"] < "2018-02-28"]
    (folder / "posts.jsonl").write_text("".join(lines), encoding="utf-8")
    with Store(folder / "state.sqlite") as store:
        read = gather(store, PostOptions(tuple(open_sources([str(folder / "posts.jsonl")]))))
        assert (read.total, read.sources[0].problems) == (26_875, ())
        yield store


def test_the_documented_expansion_is_what_is_printed(congress, capsys):
    page = (ROOT / "docs" / "collect.md").read_text(encoding="utf-8")
    shown = page.partition('$ visavis collect expand --topic guns --query "gun control"\n')[2].partition("```")[0]
    show_expanded(expanded(congress, window="14d"))
    assert capsys.readouterr().out == shown


def test_a_seed_that_is_a_hashtag_is_not_found_again_as_another_query():
    store = store_of(*(f"#GunControl now #vote {n}" for n in range(3)))
    found = expanded(store, query="#GunControl", generality=1)
    assert (found.query, found.queries) == ("#guncontrol", ("#guncontrol", "#vote"))
    assert [query.text for query in store.queries("t")] == ["#guncontrol", "#vote"]


def test_listed_urls_alone_cannot_be_expanded_and_the_message_says_what_to_do():
    store = Store(":memory:")
    store.add_posts([Post("url", "https://a.example/", "", urls=("https://a.example/",))])
    with pytest.raises(NoMatch, match="expand = false"):
        expanded(store)


def test_a_window_that_ends_after_all_dates_is_refused():
    with pytest.raises(InvalidParameter, match="9,999,999 days from 2018-02-14"):
        expanded(store_of("gun control"), window="9999999d")
