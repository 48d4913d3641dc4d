"""A model's headline in reports: escaped, labelled, linked to its picks, and absent where none was asked for."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from unit.report.summaries import news
from visavis import report
from visavis.records import Headline, Sentence
from visavis.report.by_model import about, dropped, in_short, read
from visavis.report.terminal import print_summary

PLAIN = news(2, 2)
FIRST, SECOND = PLAIN.groups
HOSTILE = '<img src=x onerror=alert(1)> [x](http://evil.example) \u202e"'
CITED = (FIRST.picks[0].document.id, FIRST.picks[1].document.id)
SHOWN = Sentence(FIRST.name, "Coral reefs turn white.", CITED, 0.7, 0.01, cited_groups=(FIRST.name, FIRST.name))
GONE = Sentence(SECOND.name, f"It rains {HOSTILE}", (), None, None, "it is not so")
HEADLINE = Headline("tiny <b>", "localhost:11434", 4, (SHOWN, GONE))
SUMMARY = replace(PLAIN, headline=HEADLINE)


def printed(summary):
    out = StringIO()
    print_summary(summary, Console(file=out, width=100, color_system=None))
    return out.getvalue()


def test_the_page_shows_sentences_with_links_to_their_picks():
    page = report.render(SUMMARY, ".html")
    assert "<bdi>Coral reefs turn white.</bdi>" in page
    assert '<a href="#pick-A1">A1</a> <a href="#pick-A2">A2</a>' in page
    assert 'id="pick-A1"' in page
    assert "Written by the model tiny &lt;b&gt;" in page
    assert "4 texts were sent to localhost:11434" in page
    assert "1 sentence of the model was dropped" in page


def test_a_pick_of_two_groups_is_cited_as_that_of_the_group_that_is_meant():
    twice = replace(SECOND, picks=(SECOND.picks[0], replace(SECOND.picks[1], document=FIRST.picks[0].document)))
    summary = replace(SUMMARY, groups=(FIRST, twice))
    (shown,) = read(summary).sentences
    assert [one.key for one in shown.cites] == ["A1", "A2"]
    of_both = replace(SHOWN, cites=(CITED[0],) * 2, cited_groups=(FIRST.name, SECOND.name))
    (shown,) = read(replace(summary, headline=replace(HEADLINE, sentences=(of_both,)))).sentences
    assert [one.key for one in shown.cites] == ["A1", "B2"]


def test_whatever_a_model_says_is_shown_as_text():
    page, text = report.render(SUMMARY, ".html"), report.render(SUMMARY, ".md")
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert not any(live in page for live in ("<img src=x", 'href="http://evil.example', "\u202e"))
    assert r"\<img src=x onerror=alert(1)\> \[x\](http\://evil.example)" in text
    assert "\u202e" not in text + printed(SUMMARY)


def test_markdown_terminal_and_notebook_say_the_same():
    for text in (report.render(SUMMARY, ".md"), printed(SUMMARY), report.notebook_html(SUMMARY)):
        assert "Coral reefs turn white." in text
        assert "4 texts were sent to localhost:11434" in " ".join(text.split())
    assert "Coral reefs turn white. (picks 1, 2)" in report.render(SUMMARY, ".md")
    assert "(A1, A2)" in printed(SUMMARY)


def test_json_holds_the_sentences_and_what_was_dropped():
    found = json.loads(report.render(SUMMARY, ".json"))["headline"]
    assert (found["model"], found["host"], found["texts_sent"], found["missing"]) == (
        "tiny <b>",
        "localhost:11434",
        4,
        None,
    )
    assert found["sentences"][0] == {
        "group": FIRST.name, "text": SHOWN.text, "cites": list(CITED), "cited_groups": [FIRST.name] * 2,
        "accuracy": 0.7, "p_value": 0.01,
    }  # fmt: skip
    assert found["dropped"][0]["reason"] == "it is not so"


@pytest.mark.parametrize("form", [".html", ".md"])
def test_without_a_headline_nothing_is_said_of_one(form):
    assert "headline" not in report.render(PLAIN, form).partition("<body>")[2 if form == ".html" else 0].lower()


def test_without_a_headline_json_has_none():
    assert "headline" not in json.loads(report.render(PLAIN, ".json"))


def test_why_there_is_none_is_said():
    none = Headline("tiny", "h.test", 0, (), "the server sleeps")
    assert about(none) == "No headline by the model tiny: the server sleeps; nothing was sent to h.test."
    assert in_short(none) == "nothing was sent to h.test (model tiny); the server sleeps"
    spoiled = Headline("tiny", "h.test", 1, (GONE, Sentence("", "", dropped="it holds markup")))
    assert about(spoiled) == "No headline by the model tiny: no sentence passed the checks; 1 text was sent to h.test."
    assert dropped(spoiled)[1] == "a sentence was dropped: it holds markup"
    assert "the server sleeps" in report.render(replace(PLAIN, headline=none), ".html")
