from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from visavis.corpus.lead import LONGEST_BEGUN, LONGEST_HELD, lead_text, read_lead, sentences_of, settle_lead, usual_lead
from visavis.errors import InvalidParameter
from visavis.records import Document

TEXT = "It rained on Monday.  Roads were closed.\n\nNobody was hurt.\n\n \n\nSchools reopen on Friday."


def test_title_and_three_sentences_by_default() -> None:
    assert lead_text(Document("a", title=" Rain \n today", text=TEXT)) == (
        "Rain today It rained on Monday. Roads were closed. Nobody was hurt."
    )


def test_words_for_a_lead_become_what_is_meant() -> None:
    assert [read_lead(written) for written in ("auto", "all", "7")] == ["auto", None, 7]
    assert [settle_lead(asked, 100) for asked in ("auto", None, 7)] == [300, None, 7]
    with pytest.raises(InvalidParameter, match="None for all, or 'auto', got 'all'"):
        settle_lead("all", 100)


def test_the_fewer_documents_the_more_of_each_is_read() -> None:
    counts = [1, 2, 150, 151, 3_000, 7_499, 7_500, 10_000, 10_001, 1_000_000]
    found = [usual_lead(count) for count in counts]
    assert found == sorted(found, reverse=True)
    assert (usual_lead(150), usual_lead(7_500), usual_lead(7_501), usual_lead(1_000_000)) == (200, 4, 3, 3)


@pytest.mark.parametrize(
    ("sentences", "end"),
    [(0, "Rain"), (1, "Monday."), (2, "closed."), (4, "Friday."), (99, "Friday."), (None, "Friday.")],
)
def test_as_many_sentences_as_asked(sentences: int | None, end: str) -> None:
    assert lead_text(Document("a", title="Rain", text=TEXT), sentences).endswith(end)


def test_a_foreign_word_does_not_cut_the_sentence_around_it() -> None:
    sentence = f"The dish that people in the north of the country call ข้าวซอย is soup {'and more ' * 20}."
    assert lead_text(Document("a", text=f"{sentence} It is eaten hot."), 1) == sentence


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Army - (Sec. 11) Builds barracks. (Sec. 12) Pays.", ["Army - (Sec. 11) Builds barracks.", "(Sec. 12) Pays."]),
        ("It ends (p. 9). It begins (p.", ["It ends (p. 9).", "It begins (p."]),
        ("It rained (a little). Roads were closed.", ["It rained (a little).", "Roads were closed."]),
        ("(Sec.", ["(Sec."]),
    ],
)
def test_an_abbreviation_behind_a_bracket_ends_no_sentence(text: str, sentences: list[str]) -> None:
    assert list(sentences_of(text)) == sentences


def test_blank_segments_do_not_count() -> None:
    document = Document("a", text="\n\n\n\nOne is here.\r\n\r\n\r\nTwo is here.\n \n \nThree is here.\n\nFour is here.")
    assert lead_text(document, 3) == "One is here. Two is here. Three is here."


def test_no_title_no_text_and_neither() -> None:
    assert lead_text(Document("a", text="Only this.")) == "Only this."
    assert lead_text(Document("a", title="Only this")) == "Only this"
    assert lead_text(Document("a"), None) == ""


def test_a_first_line_that_repeats_the_title_is_passed_over() -> None:
    document = Document("a", title="Rain today", text="Rain  today\n\nIt rained. Roads closed.")
    assert lead_text(document, 1) == "Rain today It rained."


def test_only_the_beginning_of_a_long_text_is_searched() -> None:
    assert len(lead_text(Document("a", text="word " * 100_000))) <= 20_000


def test_the_whole_text_is_not_cut() -> None:
    assert len(lead_text(Document("a", text="word " * 10_000), None)) == 49_999


def test_half_surrogates_are_replaced() -> None:
    assert lead_text(Document("a", text="A \ud800 sign. And more here.")) == "A ? sign. And more here."


@pytest.mark.parametrize("sentences", [-1, True, 1.5, "3"])
def test_a_number_of_sentences_that_is_none_is_refused(sentences: int) -> None:
    with pytest.raises(InvalidParameter, match="sentences"):
        lead_text(Document("a"), sentences)


def test_real_leads_are_the_first_sentences_of_the_whole_text(data_folder: Path) -> None:
    from sentencex import segment

    with gzip.open(data_folder / "news" / "articles_lead.jsonl.gz", "rt", encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for _, line in zip(range(1000), lines, strict=False)]
    for text in texts:
        whole = [piece for piece in (" ".join(part.split()) for part in segment("en", text)) if piece]
        assert lead_text(Document("a", text=text), 3) == " ".join(whole[:3])


@pytest.mark.parametrize("piece", ["word (Sec. ", "Aa (ab.\n", "It (No. X"])
def test_what_refers_to_section_after_section_does_not_wait_forever(piece):
    longest = max(map(len, sentences_of(piece * 2_000)))
    assert longest <= LONGEST_HELD + 2 * max(len(piece), LONGEST_BEGUN)
