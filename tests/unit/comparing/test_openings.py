from dataclasses import replace

from visavis.comparing.openings import MUCH, SHOWN, opening_of
from visavis.comparing.run import compare
from visavis.records import Document
from visavis.report.html import render
from visavis.report.html.cards import item
from visavis.report.text import snippet

MENU = "Skip to content\nFile a complaint\nView publications\n" + "\n".join(
    f"Topic number {n} of the office" for n in range(20)
)
STORY = "The attorney general sued a landlord today. Tenants had no heat for a month."


WORDS = ("heat", "rent", "scam", "drug", "toll", "fraud", "debt", "lead", "farm", "toxic")


def pages(words):
    """Pages of two offices, each with the menu of all before its story."""
    return [
        {"id": f"{group}{n}", "group": group, "title": "",
         "text": f"{MENU}\n{group.title()} office case {n}: a suit on {word} was filed today by the {group} lawyers. "
                 f"The {word} of number {n} had harmed people in {group} towns, as a court found, for {n + 2} years."}
        for group in ("north", "south") for n, word in enumerate(words)
    ]  # fmt: skip


def test_a_story_begins_behind_the_menu_of_its_page():
    document = Document("1", "Landlord sued", f"{MENU}\n{STORY}")
    assert opening_of(document, f"Landlord sued {STORY}") == STORY
    assert opening_of(replace(document, title=""), STORY) == STORY
    assert len(opening_of(replace(document, text=f"{MENU} {STORY * 100}"), STORY)) == SHOWN


def test_a_story_that_begins_at_once_or_is_not_found_again_has_no_opening_of_its_own():
    assert opening_of(Document("1", "Landlord sued", STORY), f"Landlord sued {STORY}") == ""
    assert opening_of(Document("1", "", f"By our reporter\n{STORY}"), STORY) == ""
    assert opening_of(Document("1", "", f"{MENU}\n{STORY}"), "Something else entirely was read of this page.") == ""
    assert opening_of(Document("1", "Landlord sued", MENU), "Landlord sued") == ""


def test_few_characters_before_a_story_are_shown_with_it_and_a_short_first_sentence_finds_it():
    assert opening_of(Document("1", "", "x" * (MUCH - 1) + " " + STORY), STORY) == STORY
    assert opening_of(Document("1", "", "x" * (MUCH - 2) + " " + STORY), STORY) == ""
    skipped = "The attorney general has sued. By our staff. Tenants had no heat for a month."  # as a choosy lead does
    assert opening_of(Document("1", "", f"{MENU}\n{skipped}"), skipped.replace("By our staff. ", "")) == skipped


def test_the_title_of_a_page_before_its_menu_is_shown_with_the_story():
    title = "Landlord sued | Office of the Attorney General"
    document = Document("1", "", f"{title} {MENU} {STORY}")
    assert opening_of(document, f"{title} {STORY}") == f"{title} … {STORY}"
    again = f"Landlord sued today in court. {STORY}"
    document = Document("1", "", f"Landlord sued today in court | Office {MENU} {again}")
    assert opening_of(document, f"Landlord sued today in court | Office {again}") == again, "not what it says anyway"


def test_no_word_is_parted_where_a_story_begins():
    all_alike = f"Treat all alike. {STORY}"
    document = Document("1", "", f"Rent and heat {MENU} {all_alike}")
    assert opening_of(document, f"Rent and heat {all_alike}") == f"Rent and heat … {all_alike}"
    document = Document("1", "", f"Rent at {MENU}t Heat is out again. {STORY}")
    assert "… t Heat" not in opening_of(document, f"Rent at Heat is out again. {STORY}")


def test_where_no_blanks_stand_the_story_begins_with_its_first_sign():
    title, menu, story = (
        "市长宣布昨天下午",
        "首页新闻体育财经" * 15,
        "市议会以五票对四票决定关闭四个图书馆，市民纷纷表示不满，学校也要关门。",
    )
    assert opening_of(Document("1", "", f"{title}{menu}{story}"), f"{title}{story}") == f"{title} … {story}"


def test_what_a_story_begins_and_a_title_ends_with_is_kept():
    cold = f"-5 degrees were measured. {STORY}"
    document = Document("1", "", f"The bridge is closed. {MENU} {cold}")
    assert opening_of(document, f"The bridge is closed. {cold}") == f"The bridge is closed. … {cold}"
    document = Document("1", "", f"{MENU} - | – {STORY}")
    assert opening_of(document, f"- | – {STORY}") == STORY


def test_the_last_words_of_a_short_story_are_not_sought_where_others_stand():
    text = f"A b c d e f g h. NOTICE NOTICE NOTICE. {'x' * 150} we end. Another thing happened. we end."
    assert opening_of(Document("1", "", text), "A b c d e f g h. we end.") == ""


def test_what_is_left_out_further_on_is_shown():
    long = "The court heard the case at length and set a date for all sides to come back with what they know. " * 3
    document = Document("1", "", f"{long}{MENU} {STORY}")
    assert opening_of(document, f"{long}{STORY}") == ""


def test_a_pick_whose_story_fits_into_its_card_still_shows_the_whole_text():
    summary = compare(pages(WORDS), "group", size=2)
    page = render(summary)
    assert page.count("Skip to content") >= 4, "in the whole text of every pick"


def test_what_is_shown_of_a_document_is_its_story():
    document = Document("1", "Landlord sued", f"{MENU}\n{STORY}", opening=STORY)
    assert snippet(document) == f"… {STORY}"
    named = replace(document, title="", headline="The attorney general sued a landlord today.")
    assert snippet(named) == "… Tenants had no heat for a month."
    assert "".join(piece for piece, _ in item(document).pieces) == f"… {STORY}"


def test_pages_with_menus_are_shown_by_their_stories():
    summary = compare(pages(WORDS), "group", size=2)
    for group in summary.groups:
        for pick in group.picks:
            assert "Skip to content" not in snippet(pick.document)
            assert snippet(pick.document).startswith("…")
            assert "Skip to content" in pick.document.text
