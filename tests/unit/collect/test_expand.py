from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import ROOT
from visavis.cli.collecting import show_expanded
from visavis.collect.records import Post
from visavis.collect.sources import open_sources
from visavis.collect.state.store import Store
from visavis.collect.steps.expand import ExpandOptions, NoMatch, expand
from visavis.collect.steps.posts import PostOptions, gather
from visavis.collect.steps.snowball import roll
from visavis.collect.text.places import place
from visavis.collect.text.queries import Matchers, matcher
from visavis.collect.text.windows import seconds, window
from visavis.collect.text.words import hashtags, links
from visavis.errors import Incompatible, InvalidParameter

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
    return {verdict.tag: verdict.kept for verdict in found.verdicts}


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


def test_the_snowball_goes_from_the_query_over_its_tags_to_a_fixed_point():
    store = store_of("gun control #a", "gun control #a #b", "#a #c", "#a #c", "#c #c2", "nothing #d")
    found = expanded(store, top=2)
    assert [sorted(one.names) for one in found.rolled.rounds] == [["a", "b"], ["a", "c"], ["a", "c"]]
    assert [one.posts for one in found.rolled.rounds] == [2, 4, 5]
    assert found.rolled.ended == "fixed point"
    assert found.queries == ("gun control", "#a", "#c")
    assert [query.text for query in store.queries("t")] == list(found.queries)


def test_ties_go_by_the_alphabet():
    found = expanded(store_of("gun control #b #a #c"), top=2)
    assert found.rolled.rounds[0].tags == (("a", 1), ("b", 1))


def test_the_round_limit_ends_it():
    posts = [("gun control", ("t0",))] + [("", (f"t{n}", f"t{n + 1}", f"t{n + 1}")) for n in range(30)]
    rolled = roll([(text, tuple(dict.fromkeys(tags))) for text, tags in posts], matcher("gun control"), 3, 2)
    assert (rolled.ended, len(rolled.rounds)) == ("round limit", 2)


@given(
    st.lists(st.tuples(st.booleans(), st.sets(st.sampled_from("abcdef"), max_size=4)), min_size=1, max_size=25),
    st.integers(1, 4),
)
def test_rounds_are_what_a_plain_count_gives_and_it_always_ends(rows, top):
    posts = [("seed" if seeded else "", tuple(sorted(tags))) for seeded, tags in rows]
    rolled = roll(posts, matcher("seed"), top, 200)
    matched = [tags for text, tags in posts if text == "seed"]
    for one in rolled.rounds:
        counts = {tag: sum(tag in tags for tags in matched) for tag in "abcdef"}
        common = sorted((tag for tag in counts if counts[tag]), key=lambda tag: (-counts[tag], tag))[:top]
        assert one.tags == tuple((tag, counts[tag]) for tag in common)
        assert one.posts == len(matched)
        matched = [tags for _, tags in posts if set(tags) & one.names]
    assert rolled.ended == "fixed point"
    if rolled.taken.tags:
        assert rolled.rounds[-1].names == rolled.rounds[-2].names


@given(
    st.lists(st.tuples(st.booleans(), st.sets(st.sampled_from("abcdefgh"), max_size=4)), min_size=1, max_size=40),
    st.integers(1, 4),
)
def test_no_set_of_tags_comes_twice_before_the_fixed_point(rows, top):
    rolled = roll([("seed" if seeded else "", tuple(tags)) for seeded, tags in rows], matcher("seed"), top, 200)
    names = [one.names for one in rolled.rounds[: -1 if rolled.taken.tags else None]]
    assert len(set(names)) == len(names)


def test_only_the_window_counts_and_it_begins_with_the_first_post():
    store = store_of("gun control #early", ("gun control #late", 20), ("gun control #last", 40))
    assert verdicts(expanded(store, window="14d")) == {"early": True}
    assert set(verdicts(expanded(store, window="2018-03-01..2018-03-10"))) == {"late"}
    assert set(verdicts(expanded(store, window="2018-03-01+30d"))) == {"late", "last"}
    assert set(verdicts(expanded(store, window="..2018-03-10"))) == {"early", "late"}


@pytest.mark.parametrize("bad", ["14", "d", "-3d", "x..y", "2018-03-02..2018-03-01", "0d"])
def test_a_window_that_cannot_be_read_is_refused(bad):
    with pytest.raises(InvalidParameter):
        window(bad)


def test_durations():
    assert [seconds(text) for text in ("90s", "10m", "1.5h", "14d", "2w")] == [90, 600, 5400, 14 * 86400, 14 * 86400]


def test_places_go_unless_kept():
    text = "gun control #florida #parkland #unitedkingdom #SaoPaulo #guns"
    found = expanded(store_of(text), generality=1)
    assert verdicts(found) == {
        "florida": False,
        "parkland": False,
        "unitedkingdom": False,
        "saopaulo": False,
        "guns": True,
    }
    reasons = {verdict.tag: verdict.reason for verdict in found.verdicts}
    assert reasons["florida"] == "a place: Florida, a state"
    assert "inhabitants" in reasons["parkland"]
    assert verdicts(expanded(store_of(text), keep=("#Parkland",)))["parkland"]
    assert all(verdicts(expanded(store_of(text), places=False)).values())


def test_reading_and_mobile_are_places_too():
    assert place("reading")
    assert place("mobile")
    assert place("enough") is None


def test_a_tag_is_too_general_when_more_than_the_share_of_its_posts_matches_nothing_else():
    posts = ["gun control #wide #narrow", *["#narrow #wide"] * 1, *["#wide"] * 8]
    at_the_limit = expanded(store_of(*posts))
    assert {v.tag: v.alone for v in at_the_limit.verdicts} == {"wide": 0.8, "narrow": 0.0}
    assert verdicts(at_the_limit) == {"wide": True, "narrow": True}
    over = expanded(store_of(*posts, "#wide"))
    assert verdicts(over) == {"wide": False, "narrow": True}
    assert "too general: 9 of its 11 posts (82%)" in over.verdicts[0].reason
    assert verdicts(expanded(store_of(*posts, "#wide"), generality=0.9))["wide"]
    assert verdicts(expanded(store_of(*posts, "#wide"), keep=("wide",)))["wide"]


def test_the_exclude_list_drops_by_name_and_excluded_tags_support_no_other():
    posts = ["gun control #2a #pjnet", *["#pjnet #2a"] * 9]
    assert verdicts(expanded(store_of(*posts))) == {"2a": True, "pjnet": True}
    found = expanded(store_of(*posts), exclude=("2A",))
    assert verdicts(found) == {"2a": False, "pjnet": False}
    assert found.verdicts[0].reason == "on the exclude list"
    with pytest.raises(Incompatible):
        ExpandOptions("t", "q", keep=("a",), exclude=("#A",))


def test_the_review_has_the_last_word_and_says_so():
    store = store_of("gun control #florida #guns")
    found = expanded(store, generality=1, review=lambda verdict: verdict.tag == "florida")
    assert verdicts(found) == {"florida": True, "guns": False}
    assert found.verdicts[0].reason.startswith("kept by you (was: a place")
    assert {query.text: query.kept for query in store.queries("t", kept=False)} == {
        "gun control": True,
        "#florida": True,
        "#guns": False,
    }


def test_further_queries_stay_as_given_and_a_query_without_posts_is_refused():
    found = expanded(store_of("gun control #a gun laws"), queries=("gun laws", "#a"))
    assert found.queries == ("gun control", "gun laws", "#a")
    with pytest.raises(NoMatch, match="no post matches 'beef ban' among the 1"):
        expanded(store_of("gun control"), query="beef ban")
    for bad in ({"top": 0}, {"rounds": 1}, {"generality": 1.5}):
        with pytest.raises(InvalidParameter):
            ExpandOptions("t", "q", **bad)


@pytest.fixture(scope="module")
def congress(data_folder, tmp_path_factory):
    with Store(tmp_path_factory.mktemp("congress") / "state.sqlite") as store:
        sources = open_sources([str(data_folder / "tweets" / "congress-2018.jsonl.gz")])
        read = gather(store, PostOptions(tuple(sources)))
        assert (read.total, read.sources[0].problems) == (156_674, ())
        yield store


def test_from_gun_control_congress_reaches_the_gun_tags_in_three_rounds(congress):
    found = expanded(congress)
    assert found.posts == 156_674
    assert found.rolled.ended == "fixed point"
    assert [one.posts for one in found.rolled.rounds] == [681, 4_977, 5_129]
    kept = {verdict.tag for verdict in found.verdicts if verdict.kept}
    assert {"neveragain", "endgunviolence", "gunreformnow", "marchforourlives", "enough"} <= kept
    by_tag = {verdict.tag: verdict for verdict in found.verdicts}
    assert by_tag["parkland"].reason.startswith("a place: Parkland")
    assert by_tag["enough"].alone == pytest.approx(111 / 352)  # it stays: two thirds of its posts name guns otherwise


def test_the_first_two_weeks_of_congress_lead_to_nine_tags_and_a_place(congress):
    found = expanded(congress, window="14d")
    assert [one.posts for one in found.rolled.rounds] == [228, 1_210, 1_262]
    assert [verdict.tag for verdict in found.verdicts if not verdict.kept] == ["parkland"]


@pytest.mark.parametrize(("more", "span"), [("", "14d"), (" --window all", "all")])
def test_the_documented_expansion_is_what_is_printed(congress, capsys, more, span):
    page = (ROOT / "docs" / "collect.md").read_text(encoding="utf-8")
    shown = page.partition(f'$ visavis collect expand --topic guns --query "gun control"{more}\n')[2].partition("```")[
        0
    ]
    show_expanded(expanded(congress, window=span))
    assert capsys.readouterr().out == shown


def test_a_seed_that_is_a_hashtag_is_not_found_again_as_another_query():
    store = store_of("#GunControl now #vote", "#guncontrol #vote")
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
