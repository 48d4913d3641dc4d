"""What pages say of themselves: their text, their date, their address, and what stands in an article's place."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from lxml import html
from prose import article, html_page

from visavis.collect.records import Reason
from visavis.collect.text.extractor import extract
from visavis.collect.text.markup import NoArticle, saved_address
from visavis.collect.text.published import published
from visavis.collect.text.walls import address_verdict, wall_verdict
from walking import walk

URL = "https://www.news.example/a"


def linked(**said) -> str:
    node = {"@context": "https://schema.org", "@type": "NewsArticle", "headline": "A vote", **said}
    return f'<script type="application/ld+json">{json.dumps({"@graph": [{"@type": "WebSite"}, node]})};</script>'


def read(markup: str, url: str = URL) -> dict:
    return extract(markup.encode(), url, "text/html; charset=utf-8")


def test_a_page_that_shows_nothing_is_read_by_what_it_says_of_itself():
    body = article(1)
    said = linked(articleBody=body, datePublished="2018-08-01T10:32:00-04:00", author=[{"name": "Ada"}, "Bo"])
    found = read(f"<html><head><title>A vote</title>{said}</head><body><div id=app></div></body></html>")
    assert found["text"] == body
    assert (found["title"], found["author"], found["date"]) == ("A vote", "Ada, Bo", "2018-08-01T14:32:00+00:00")
    shown = read(html_page("Shown", article(2)).replace("</head>", f"{linked(articleBody='A teaser.')}</head>"))
    assert " ".join(shown["text"].split()) == article(2)


@pytest.mark.parametrize("value", [False, "False", "false", "http://schema.org/False"])
@pytest.mark.parametrize("where", ["itself", "part"])
def test_a_page_that_says_it_is_not_free_is_set_aside(value, where):
    inside = {"isAccessibleForFree": value}
    said = linked(**(inside if where == "itself" else {"hasPart": {"@type": "WebPageElement", **inside}}))
    assert read(html_page("A vote", article(3)).replace("</head>", f"{said}</head>"))["wall"][0] == "paywall"
    free = linked(isAccessibleForFree=True)
    assert read(html_page("A vote", article(3)).replace("</head>", f"{free}</head>"))["wall"] == []


WALLS = [
    ("error", "Page not found", "Sorry, we could not find that page. Try the search."),
    ("error", "The Daily News", "The page you are looking for no longer exists. You can return to the homepage."),
    ("error", "Seite nicht gefunden", "Die gesuchte Seite wurde nicht gefunden."),
    ("error", "Le Journal", "La page que vous recherchez n'existe plus."),
    ("error", "Story", "This article has been removed. Here are our most read stories of the week."),
    ("access denied", "Access Denied", "You don't have permission to access this page. Reference #18.2f"),
    ("access denied", "Just a moment...", "Checking your browser before accessing news.example."),
    ("access denied", "news.example", "Sorry, you have been blocked. You are unable to access news.example. Ray ID: 5"),
    ("access denied", "Are you a robot?", "Please confirm that you are not a robot."),
    ("region", "451: Unavailable", "We recognize you are attempting to access this website from a country"
     " belonging to the European Economic Area (EEA) and therefore access cannot be granted at this time."),
    ("region", "The Tribune", "Unfortunately, our website is currently unavailable in most European countries."),
    ("cookies", "Before you continue", "We use cookies and data to deliver our services. Accept all or reject all."),
    ("cookies", "The News", "We and our 842 partners store and access information on a device. You can accept all or"
     " manage your privacy settings and withdraw your consent at any time. We use cookies for personalized ads."),
    ("cookies", "Nachrichten", "Wir und unsere Partner verarbeiten Ihre Daten mit Cookies. Alle akzeptieren oder Ihre"
     " Einwilligung ablehnen."),
    ("paywall", "A vote", "The council met on Monday. Subscribe to continue reading. Already a subscriber? Log in."),
]  # fmt: skip


@pytest.mark.parametrize(("label", "title", "text"), WALLS)
def test_walls_are_told_from_articles(label, title, text):
    assert wall_verdict(title, text).label == label
    long = f"{text} {article(4)} {article(5)} {article(6)}"
    assert wall_verdict("The council speaks of walls", long) is None


def test_a_long_request_for_consent_is_one_all_the_same():
    text = " ".join(WALLS[-3][2] for _ in range(12))
    assert wall_verdict("The News", text).label == "cookies"


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("500 people march for safety", article(7)),
        ("Court: site must ask before it sets cookies", f"{article(8)} {article(1)} It may set cookies."),
        ("A blocked road", article(9)),
    ],
)  # fmt: skip
def test_articles_are_no_walls(title, text):
    assert wall_verdict(title, text) is None


@pytest.mark.parametrize(
    ("title", "sentence"),
    [
        ("Aid waits", "Humanitarian access has been denied since Monday, said the agency."),
        ("Aid waits", "To most of the north access has been denied."),
        ("Posts vanish", "The page has been removed, said the company on Tuesday."),
        ("Posts vanish", "After complaints the article has been deleted, and the story has been removed."),
        ("Posts vanish", "The video said that the page does not exist any longer."),
        ("A new drug", "The drug is not available in the EU, where it is under review."),
        ("A new drug", "It stays unavailable in most European countries."),
        ("A strike", "Union members said: you have been blocked by the company for years."),
        ("Access denied to aid convoys in the north, agency says", ""),
        ("Service unavailable on two lines of the metro after a fire", ""),
        ("Register to vote by Monday, says the mayor of the city", ""),
    ],
)  # fmt: skip
def test_a_short_piece_of_news_with_a_walls_words_is_none(title, sentence):
    assert wall_verdict(title, f"{article(7, 4)} {sentence} {article(8, 4)}") is None


@walk(
    "label, text",
    [
        ("access denied", "Access has been denied. This request was blocked by our rules."),
        ("access denied", "Access to this page has been denied because we believe you are using automated tools."),
        ("access denied", "Sorry, you have been blocked. Please contact the site owner with the time."),
        ("error", "The page has been removed or its name changed. Please return to the home page."),
        ("error", "The page you requested may be old. Please check the spelling of the address."),
        ("error", "Sorry, this story is no longer available."),
        ("region", "Our content is not available in your country."),
        ("region", "This website is unavailable in the EU. We apologize."),
    ],
)
@walk("more", ["", " Read more of today's news below, and see what others read of it this week."])
def test_a_short_page_that_says_little_else_is_a_wall(label, text, more):
    assert wall_verdict("The Daily News", text + more).label == label


@pytest.mark.parametrize(
    "title", ["Access denied | The Daily News", "Access Denied", "Page not found - News", "Error 503: no service"]
)
def test_a_title_that_says_little_else_is_a_walls(title):
    assert wall_verdict(title, article(7, 4)) is not None
    assert wall_verdict("Access denied to news.example for all of your network", WALLS[7][2]).label == "access denied"


def test_a_page_that_is_nothing_but_a_wall_says_so():
    with pytest.raises(NoArticle) as caught:
        read("<html><head><title>Access Denied</title></head><body><img src=x></body></html>")
    assert caught.value.reason.label == "access denied"


@pytest.mark.parametrize(
    ("asked", "final", "label"),
    [
        ("http://n.example/2018/02/a-long-story", "http://n.example/", "error"),
        ("http://n.example/2018/02/a-long-story", "https://consent.n.example/v2/collectConsent?x=1", "cookies"),
        ("http://n.example/2018/02/a-long-story", "http://n.example/login?next=/2018", "paywall"),
        ("http://n.example/2018/02/a-long-story", "https://www.n.example/2018/02/a-long-story/", None),
        ("http://n.example/a", "http://n.example/2018/02/a-long-story", None),
        ("http://n.example/login-law-story", "http://n.example/login-law-story-2", None),
    ],
)
def test_links_that_lead_elsewhere(asked, final, label):
    found = address_verdict(asked, final)
    assert (found.label if isinstance(found, Reason) else None) == label


LATE = "<p>On 3 May 2011 the council met in the city hall, and little else was said of it before the end.</p>"
DATES = [
    ("fr", '<p class="date">Publié le 1er août 2018 à 10h32</p>', datetime(2018, 8, 1, 10, 32)),
    ("fr", "<p>1er août 2018</p>", datetime(2018, 8, 1)),
    ("", "<time>1er août 2018</time>", datetime(2018, 8, 1)),
    ("en", '<span class="byline">By Ada, August 1, 2018 10:32 AM EDT</span>', datetime(2018, 8, 1, 14, 32)),
    ("en", '<p class=posted>Updated August 3, 2018; August 1, 2018 at 10:32 p.m. ET</p>', datetime(2018, 8, 2, 2, 32)),
    ("de", '<span class="datum date">1. August 2018, 10:32 Uhr</span>', datetime(2018, 8, 1, 10, 32)),
    ("ja", '<span class="date">2018年8月1日 10:32</span>', datetime(2018, 8, 1, 10, 32)),
    ("es", '<span class="fecha-publicacion">1 de agosto de 2018 10:32 CEST</span>', datetime(2018, 8, 1, 8, 32)),
    ("ru", '<span class="date">1 августа 2018, 10:32</span>', datetime(2018, 8, 1, 10, 32)),
    ("en-GB", "<span class=date>3/5/2018</span>", datetime(2018, 5, 3)),
    ("en-US", "<span class=date>3/5/2018</span>", datetime(2018, 3, 5)),
    ("en", "<span class=date>3/5/2018</span>", None),
    ("en", "<span class=date>August 2018</span>", None),
    ("en", '<meta name="date" content="2018">', None),
    ("en", '<meta property="article:published_time" content="2018-08-01T10:32:00+02:00">', datetime(2018, 8, 1, 8, 32)),
    ("en", '<time datetime="2018-08-01T10:32:00Z">then</time>', datetime(2018, 8, 1, 10, 32)),
    ("en", '<time datetime="2150-08-01">then</time>', None),
    ("en", '<p class="copyright">© 2018 The News</p><p class=date>Copyright January 5, 2018</p>', None),
    ("en", "", None),
]  # fmt: skip


@walk("language, markup, moment", DATES)
def test_dates_are_read_and_never_made_up(language, markup, moment):
    footer = "<footer>© 2019. January 5, 2019</footer>"
    page = f'<html lang="{language}"><body><h1>A vote</h1>{markup}{LATE}{footer}</body></html>'
    assert published(html.document_fromstring(page), URL) == (moment and moment.replace(tzinfo=UTC))


def test_the_address_may_say_the_day_and_json_ld_goes_before_it():
    tree = html.document_fromstring(f"<html><body>{LATE}</body></html>")
    assert published(tree, "https://n.example/2018/08/01/story.html") == datetime(2018, 8, 1, tzinfo=UTC)
    assert published(tree, "https://n.example/2018/08/story.html") is None
    zone = timezone(timedelta(hours=-4))
    said = published(tree, "https://n.example/2018/08/02/a", "2018-08-01T10:32:00-0400")
    assert said == datetime(2018, 8, 1, 10, 32, tzinfo=zone)


def test_a_page_names_its_own_address():
    page = html_page("A vote", article(3)).replace("</head>", '<link rel="canonical" href="/story/1"></head>')
    assert read(page)["canonical"] == "https://www.news.example/story/1"
    assert saved_address(page.replace("/story", "https://n.example/story").encode()) == "https://n.example/story/1"
    noted = b"<!-- saved from url=(0021)https://n.example/kept -->" + page.encode()
    assert saved_address(noted) == "https://n.example/kept"
    assert saved_address(b"<p>nothing</p>") == ""
