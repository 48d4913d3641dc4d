from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from prose import article, sentences

from visavis.collect.records import Article, Extracted, Query, Reason
from visavis.collect.state.store import Store
from visavis.collect.steps.clean import CleanOptions, clean_documents
from visavis.collect.text.boilerplate import remove_boilerplate
from visavis.collect.text.judge import short_verdict, spam_signs, spam_verdict, topic_verdict
from visavis.collect.text.walls import wall_verdict
from visavis.errors import InvalidParameter

START = datetime(2026, 1, 1, tzinfo=UTC)
SPAM = (
    "BUY NOW!!! Click here for the best price on replica watches! Limited time offer, free shipping, order now! "
    "Use promo code WIN for a discount code. Cheap watches $19, cheap watches $29, cheap watches $39! Act now! "
) * 3


class Topic:
    """A topic whose documents are given as text, an hour apart, on sites of their own unless told."""

    def __init__(self, queries=("gun control",)):
        self.store = Store(":memory:")
        self.store.set_queries("t", [Query("t", text) for text in queries])
        self.articles, self.documents = [], []

    def add(self, name, text, site=None, language="en", weight=1, title="A title", hours=None):
        url = f"http://{site or name}.test/{name}"
        hours = len(self.articles) if hours is None else hours
        self.articles.append(Article("t", url, START + timedelta(hours=hours), weight))
        self.documents.append(Extracted(url, title, text, None, "", language, f"{site or name}.test"))
        return url

    def clean(self, **options):
        self.store.set_articles("t", self.articles)
        self.store.add_documents(self.documents)
        return clean_documents(self.store, CleanOptions(**options))

    def kept(self):
        return {cleaned.url.rpartition("/")[2]: cleaned for cleaned, _ in self.store.cleaned("t")}

    def dropped(self):
        return {drop.url.rpartition("/")[2]: drop.reason.label for drop in self.store.drops("t") if not drop.undone}


@pytest.fixture
def topic():
    topic = Topic()
    yield topic
    topic.store.close()


def test_each_kind_of_rubbish_goes_for_its_own_reason(topic):
    topic.add("good", article(1))
    topic.add("short", "Gun control, in a few words.")
    topic.add("german", article(2), language="de")
    topic.add("lost", "The page you requested could not be found. " + " ".join(sentences(3, 3)), title="404 Not Found")
    topic.add("cookies", "We use cookies to improve your visit. Accept all cookies or open the cookie settings. " * 3)
    topic.add("spam", SPAM + "gun control")
    topic.add("elsewhere", " ".join(sentences(4, 10)))
    result = topic.clean()
    assert set(topic.kept()) == {"good"}
    assert topic.dropped() == {
        "short": "short", "german": "language", "lost": "error", "cookies": "cookies", "spam": "spam",
        "elsewhere": "off-topic",
    }  # fmt: skip
    assert (result.kept, sum(result.dropped.values())) == (1, 6)


def test_the_earliest_of_near_duplicates_stays_and_stands_for_all(topic):
    text = article(1, 30)
    topic.add("late", text + " One more sentence at the end.", weight=2, hours=5)
    topic.add("copy", text, weight=3, hours=9)
    topic.add("first", text, weight=4, hours=1)
    topic.add("other", article(2, 30), weight=5, hours=2)
    topic.clean()
    kept = topic.kept()
    assert {name: (one.weight, one.duplicates) for name, one in kept.items()} == {"first": (9, 2), "other": (5, 0)}
    assert kept["first"].time == START + timedelta(hours=1)
    details = {drop.url.rpartition("/")[2]: drop.reason.detail for drop in topic.store.drops("t")}
    assert details["copy"].startswith("the same text as http://first.test/")
    assert details["late"].startswith("nearly the text of http://first.test/")


def test_every_drop_can_be_undone_and_stays_undone(topic):
    topic.add("short", "Gun control, in a few words.")
    topic.add("first", article(1), hours=0)
    topic.add("copy", article(1), hours=3)
    topic.add("german", article(2), language="de")
    topic.clean()
    assert set(topic.kept()) == {"first"}
    topic.store.set_undone(topic.store.drops("t"))
    for _ in range(2):
        topic.clean()
        assert set(topic.kept()) == {"short", "first", "copy", "german"}
        assert topic.dropped() == {}
    topic.store.set_undone(topic.store.drops("t"), undone=False)
    topic.clean()
    assert set(topic.kept()) == {"first"}


def test_bringing_back_one_reason_does_not_silence_another(topic):
    url = topic.add("bad", "Gun control, in a few words.", language="de")
    topic.clean()
    assert topic.dropped() == {"bad": "short"}
    topic.store.set_undone([drop for drop in topic.store.drops("t") if drop.url == url])
    topic.clean()
    assert topic.dropped() == {"bad": "language"}


def test_sentences_a_site_repeats_are_taken_out(topic):
    for i in range(6):
        topic.add(f"a{i}", article(i) + " Subscribe to our channel!\nFollow us for more news.", site="chatty")
        topic.add(f"b{i}", article(100 + i), site="quiet")
    result = topic.clean()
    assert result.sentences_removed == 6 * 2
    assert all("Subscribe" not in one.text and "Follow us" not in one.text for one in topic.kept().values())
    assert len(topic.kept()) == 12


def test_a_text_left_by_its_boilerplate_is_measured_without_it(topic):
    chrome = " ".join(sentences("chrome", 4))
    for i in range(5):
        topic.add(f"a{i}", f"{article(i, 2)} {chrome}", site="chatty")
    topic.clean()
    assert set(topic.dropped().values()) == {"short"}


def test_an_article_on_many_pages_is_not_its_own_boilerplate():
    text = article(1)
    cleaned = remove_boilerplate([text] * 6, ["a.test"] * 6, ["en"] * 6)
    assert [" ".join(one.split()) for one, _ in cleaned] == [text] * 6


def test_what_two_pages_or_two_sites_share_is_no_boilerplate():
    texts = [article(i, about=f"law {i}") + " Follow us." for i in range(5)]
    cleaned = remove_boilerplate(texts, ["a.test"] * 2 + ["b.test"] * 2 + ["c.test"], ["en"] * 5)
    assert [removed for _, removed in cleaned] == [0] * 5


def test_a_long_article_about_cookies_or_errors_is_an_article(topic):
    text = "We use cookies. Accept all cookies. The page you requested could not be found. " + article(1, 30)
    topic.add("long", text, title="Why you see 404 not found")
    topic.clean()
    assert set(topic.kept()) == {"long"}


@pytest.mark.parametrize(
    ("title", "is_error"),
    [
        ("404 Not Found", True), ("Error 503", True), ("404", True), ("403 - Forbidden", True),
        ("Page not found | A", True), ("Access denied", True), ("Just a moment...", True),
        ("500 people march for gun control", False),
        ("404,000 votes counted", False), ("Forbidden love in the capital", False), ("Minister denied access", False),
    ],
)  # fmt: skip
def test_a_servers_excuse_is_told_from_a_headline(title, is_error):
    assert (wall_verdict(title, " ".join(sentences(1, 5))) is not None) is is_error


def test_spam_is_scored_with_reasons():
    verdict = spam_verdict("Deal", SPAM)
    assert verdict.detail.startswith("score ")
    assert "sales talk (" in verdict.detail
    assert "exclamation marks" in verdict.detail
    assert spam_signs("A vote", article(1, 40)) == []
    assert spam_verdict("Casino law", article(1, 40) + " The online casino bill and cheap loans were debated.") is None


def test_the_threshold_of_spam_is_the_users(topic):
    topic.add("spam", SPAM + "gun control")
    topic.clean(spam_threshold=50.0)
    assert set(topic.kept()) == {"spam"}


@pytest.mark.parametrize(
    ("text", "queries", "is_on_topic"),
    [
        ("They spoke of guns and control.", ["gun control"], True),
        ("They spoke of weapons.", ["gun control"], False),
        ("The marchers said Never Again.", ["#neveragain"], True),
        ("#NeverAgain", ["#neveragain"], True),
        ("Never was it said again.", ["#neveragain"], False),
        ("The house of the rising sun", ["state of the union"], False),
        ("Anything at all", [], True),
    ],
)
def test_off_topic_means_none_of_the_queries_words(text, queries, is_on_topic):
    assert (topic_verdict("", text, queries) is None) is is_on_topic


def test_any_language_and_any_topic_can_be_asked_for(topic):
    topic.add("german", article(2), language="de")
    topic.add("elsewhere", " ".join(sentences(4, 10)))
    topic.clean(languages=(), check_topic=False)
    assert set(topic.kept()) == {"german", "elsewhere"}


def test_a_document_without_time_of_a_post_takes_its_own_date(topic):
    topic.articles.append(Article("t", "http://x.test/x", None, 1))
    topic.documents.append(Extracted("http://x.test/x", "T", article(1), START, "", "en", "x.test"))
    topic.clean()
    assert topic.kept()["x"].time == START


def test_what_could_not_be_extracted_is_no_document(topic):
    topic.articles.append(Article("t", "http://x.test/x", START, 1))
    topic.documents.append(Extracted("http://x.test/x", reason=Reason("not HTML", "PDF")))
    assert topic.clean().kept == 0


CHINESE = "".join(f"议员们在第{n}次会议上就枪支管制法案进行了辩论，市长说资金已经到位。" for n in range(12))
THAI = "สภาผู้แทนราษฎรอภิปรายเรื่องการควบคุมอาวุธปืนในวันอังคาร " * 3


@pytest.mark.parametrize(("text", "query"), [(CHINESE, "枪支管制"), (CHINESE, "#枪支管制"), (THAI, "อาวุธปืน")])
def test_scripts_without_spaces_have_words_too(text, query):
    assert short_verdict(text, 50) is None
    assert topic_verdict("", text, [query]) is None
    assert topic_verdict("", text, ["牛肉"]).label == "off-topic"
    assert spam_verdict("", text) is None
    assert short_verdict(text[:20], 50).label == "short"


@pytest.mark.parametrize("languages", [("any",), ("de", "ANY"), (" DE ", "en")])
def test_languages_are_codes_in_any_case_or_any(topic, languages):
    topic.add("german", article(2), language="de")
    topic.clean(languages=languages)
    assert set(topic.kept()) == {"german"}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"languages": ("english",)}, "language 'english': write 'any' or one of"),
        ({"similarity": 5}, "similarity=5"),
        ({"similarity": 0}, "similarity=0"),
        ({"fewest_words": -1}, "fewest_words=-1"),
        ({"topic": "cats"}, "there is no topic 'cats'"),
    ],
)
def test_options_that_make_no_sense_are_refused_by_name(topic, options, says):
    with pytest.raises(InvalidParameter, match=says):
        topic.clean(**options)


def kept_of(*pages):
    """What is left of (URL, text, canonical address, title) and why others went."""
    with Store(":memory:") as store:
        store.set_queries("t", [Query("t", "gun control")])
        store.set_articles("t", [Article("t", url, None, 1) for url, *_ in pages])
        store.add_documents(
            Extracted(url, title, text, None, "", "en", "a.test", canonical=named) for url, text, named, title in pages
        )
        clean_documents(store)
        return {found.url: found.weight for found, _ in store.cleaned("t")}, [drop.reason for drop in store.drops("t")]


def test_pages_that_name_one_address_are_one_article_if_they_are():
    text = article(1)
    short = " ".join(text.split()[: len(text.split()) // 2])
    kept, reasons = kept_of(
        ("http://a.test/story?cid=1", text, "http://a.test/story", "A vote"),
        ("http://a.test/story/amp", short, "https://www.a.test/story", "A vote"),
        ("http://a.test/story?cid=2", article(2), "http://a.test/story", "Another"),
        ("http://a.test/b", article(3), "http://a.test/", "Home"),
        ("http://a.test/c", article(4), "http://a.test/", "Home"),
    )
    assert kept == {
        "http://a.test/story?cid=1": 2, "http://a.test/story?cid=2": 1, "http://a.test/b": 1, "http://a.test/c": 1,
    }  # fmt: skip
    assert [(reason.label, "names the same address" in reason.detail) for reason in reasons] == [("duplicate", True)]


@pytest.mark.parametrize(("share", "copies"), [(0.75, 1), (0.65, 1), (0.3, 0)])
def test_copies_that_were_cut_are_found(share, copies):
    words = f"{article(1)} {article(5)}".split()
    cut = " ".join(words[: int(share * len(words))])
    kept, reasons = kept_of(("http://a.test/a", " ".join(words), "", "A"), ("http://b.test/b", cut, "", "B"))
    assert (len(kept), len(reasons)) == (2 - copies, copies)


def test_what_a_page_was_set_aside_for_can_be_brought_back():
    with Store(":memory:") as store:
        store.set_queries("t", [Query("t", "gun control")])
        store.set_articles("t", [Article("t", "http://a.test/a", None, 1)])
        wall = Reason("paywall", "the page says that it is not free")
        store.add_documents([Extracted("http://a.test/a", "A", article(1), None, "", "en", "a.test", wall=wall)])
        assert clean_documents(store).dropped == {"paywall": 1}
        store.set_undone(store.drops("t"))
        assert clean_documents(store).kept == 1
