"""Cards, words and prints: headlines, sources, whole texts, and where words lead."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

import pytest

from unit.report.summaries import large, news, outlets, with_first_document
from visavis.comparing import Comparison
from visavis.records import Document
from visavis.report import notebook_html, render
from visavis.report.bars import bars, known_scores
from visavis.report.html.cards import WHOLE_TEXTS, columns
from visavis.report.text import heading, snippet
from visavis.report.why import from_one_source, why


def test_an_untitled_document_goes_by_its_headline_everywhere_and_the_snippet_does_not_repeat_it() -> None:
    headline = "The valley has had no rain since May."
    text = f"Letters to the editor. {headline} The council meets on Monday."
    made = with_first_document(news(), title="", headline=headline, text=text)
    document = made.groups[0].picks[0].document
    assert heading(document) == headline
    assert snippet(document) == "Letters to the editor. … The council meets on Monday."
    for form in (".html", ".md", ".csv", ".json"):
        assert headline in render(made, form).replace("\\", "")
    assert headline in notebook_html(made)
    assert next(csv.DictReader(io.StringIO(render(made, ".csv"))))["headline"] == headline
    pick = json.loads(render(made, ".json"))["groups"][0]["picks"][0]
    assert (pick["title"], pick["headline"]) == ("", headline)


def test_the_rest_of_a_headline_that_was_cut_begins_the_snippet() -> None:
    document = Document("1", text="One two three four five six.", headline="One two three…")
    assert snippet(document) == "…four five six."
    assert snippet(replace(document, text="One two three.", headline="One two three.")) == ""
    assert snippet(Document("1", title="T", text="See https://e.org/x for more.")) == "See for more."
    assert snippet(Document("1", title="T", text="On our feet.pic.twitter.com/0IUDMg")) == "On our feet."


def test_the_whole_text_unfolds_within_limits() -> None:
    long = "A first sentence of some length, with the last word. " * 30 + "\n\nThe very end."
    page = render(with_first_document(news(), text=long), ".html")
    assert '<p dir="auto">The very end.</p>' in page
    huge = "word " * WHOLE_TEXTS
    page = render(with_first_document(news(), text=huge), ".html")
    assert len(page) < 2_000_000
    assert "words more, which would make this page too large" in page
    assert (
        "The whole text"
        not in render(with_first_document(news(size=1), text="Short."), ".html").split('id="pick-B1"')[0]
    )


@pytest.mark.parametrize(
    ("text", "shown", "left"),
    [
        ("字" * 100_000, 6_250, "46,875 words"),
        ("新聞 " + "字" * 100_000, 6_250, "46,877 words"),
        ("word " * 1_250 + "end", 6_249, "1 word"),
    ],
)  # fmt: skip
def test_a_whole_text_is_cut_late_and_never_in_silence(text: str, shown: int, left: str) -> None:
    first = columns(with_first_document(news(n_groups=20), title="T", text=text))[0].cards[0]
    assert WHOLE_TEXTS // 80 == 6_250
    assert sum(len(piece) for paragraph in first.whole for piece, _ in paragraph) == shown
    assert first.cut == f"and {left} more, which would make this page too large"


def test_words_lead_to_the_documents_that_hold_them() -> None:
    made = news()
    group = made.groups[0]
    held = (group.picks[0].document, Document("x", title="Another one", url="https://e.org/x", source="Tideline"))
    first = replace(group.terms[0], holders=held, documents=5)
    page = render(replace(made, groups=(replace(group, terms=(first, *group.terms[1:])), *made.groups[1:])), ".html")
    assert '<a href="#word-A-1" title="' in page
    assert f'<a class="word" href="#word-A-1"><em><bdi>{first.term}</bdi></em></a>' in page
    listed = page[page.index('<ul class="names" id="word-A-1">') :].split("</ul>")[0]
    assert '<a class="rank" href="#pick-A1">A1</a>' in listed
    assert '<a href="https://e.org/x"' in listed
    assert "and 3 more" in listed
    targets = set(re.findall(r'href="#([^"]+)"', page))
    assert targets <= set(re.findall(r'id="([^"]+)"', page))


def test_a_page_of_many_words_with_documents_stays_small() -> None:
    made = large()
    documents = tuple(
        Document(f"{at}", title="A title of usual length, such as newspapers have " * 2) for at in range(8)
    )
    groups = tuple(
        replace(g, terms=tuple(replace(g.terms[0], holders=documents) for _ in range(12))) for g in made.groups
    )
    assert len(render(replace(made, groups=groups), ".html").encode()) < 3_000_000


def test_picks_of_one_source_are_said_to_be() -> None:
    def picks_from(*sources: str) -> str:
        group = outlets().groups[0]
        found = (replace(p, document=replace(p.document, source=s)) for p, s in zip(group.picks, sources, strict=False))
        return from_one_source(replace(group, picks=tuple(found)))

    assert picks_from("CNN", "CNN", "CNN", "CNN") == "all four from CNN"
    assert picks_from("CNN", "Vox", "CNN", "CNN") == "three of four from CNN"
    assert picks_from("CNN", "Vox", "CNN", "Vox") == picks_from("CNN") == picks_from("CNN", "Vox", "CNN") == ""
    assert from_one_source(outlets().groups[0]) == ""  # the group is the source
    group = outlets().groups[0]
    made = replace(outlets(), groups=(replace(group, name="here"), *outlets().groups[1:]))
    for text in (render(made, ".html"), render(made, ".md"), notebook_html(made)):
        assert "all five from Meridian Post" in text


def test_why_this_one_is_said_in_plain_words_with_percentiles() -> None:
    made = outlets()
    group = made.groups[0]
    scores = replace(group.picks[0].scores, typical=93.9, distinct=88.0)
    pick = replace(group.picks[0], scores=scores, words=("coral", "tide"), stands_for=0.31, stands_for_rest=0.0)
    assert [sentence.replace("\u202f", " ") for sentence in why(pick, group, made)] == [
        "On average it is closer to the documents of Meridian Post than 93 % of them are.",
        "It is more of Meridian Post, and less of Tideline, than 88 % of Meridian Post’s documents are.",
        "It holds “coral” and “tide”, more frequent in Meridian Post than in Tideline.",
        "Of all picks here it is the nearest to 31 % of Meridian Post and none of the rest.",
    ]


def test_bars_of_picks_that_differ_little_differ_visibly() -> None:
    made = outlets()
    group = made.groups[0]
    picks = tuple(
        replace(pick, scores=replace(pick.scores, diversity=0.60 + 0.01 * place))
        for place, pick in enumerate(group.picks)
    )
    alone = replace(made, groups=(replace(group, picks=picks),))
    known = known_scores(alone)
    varied = [next(bar for bar in bars(pick, group, known) if bar.label == "Varied") for pick in picks]
    assert [bar.length for bar in varied] == [0, 25, 50, 75, 100]
    assert [bar.value for bar in varied] == ["0 of 4", "1 of 4", "2 of 4", "3 of 4", "4 of 4"]


def test_a_print_is_a_dozen_lines() -> None:
    for made in (news(), outlets(), large()):
        shown = Comparison(**vars(made))
        lines = str(shown).splitlines()
        assert len(lines) <= 12
        assert max(map(len, lines)) <= 200
        assert lines[0] == made.title
        assert len(repr(shown)) < 300
    assert "A1 " in str(Comparison(**vars(news())))
