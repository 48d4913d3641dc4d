import pytest
from hypothesis import given
from hypothesis import strategies as st

from visavis.corpus.misread import mended
from visavis.corpus.reading import read_corpus

WRITTEN = "It’s “the café” – naïve, 5 € … Привет 😀 日本"


def misread(text, encoding):
    """As a program has it that takes UTF-8 for another encoding; bytes without a sign of their own stay as they are."""
    return "".join(bytes([byte]).decode(encoding, "ignore") or chr(byte) for byte in text.encode())


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
def test_what_was_read_in_a_wrong_encoding_is_put_right(encoding):
    assert mended(misread(WRITTEN, encoding)) == WRITTEN
    (document,) = read_corpus([{"title": misread("Café’s day", encoding), "text": "plain"}]).documents
    assert document.title == "Café’s day"


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
def test_beside_signs_that_were_read_rightly_only_what_nobody_writes_is_put_right(encoding):
    mixed = "«LIBERTÉ» à Paris" + misread("’ 😀", encoding)
    assert mended(mixed) == "«LIBERTÉ» à Paris’ 😀"


def test_what_is_left_of_blanks_that_do_not_break_goes_with_the_rest():
    assert mended(misread("the’s", "latin-1") + "\xc2 Attorney\xc2") == "the’s Attorney"
    assert mended("the\xc2 Attorney") == "the\xc2 Attorney"


@pytest.mark.parametrize(
    "written",
    [
        WRITTEN, "«LIBERTÉ»", "LIBERTÉ» said", "café”… “é”", "NÃO, coração", "à â ä", "ÄÖÜß", "plain", "", "Â", "âé",
        "NESTLÉ’S plan and NESTLÉ’S farms", "Viel Spaß… und Gruß…", '"Spaß“ und "Gruß“', "ODTÜ’de ve ODTÜ’den",
        "MALMÖ’s and HELSINGÖ’s", "LIBERTÉ\xa0: FRATERNITÉ\xa0!", "BEYONCÉ… POKÉ™", "MAMÃ” IRMÃ…", "ALEMÃ– IRMÃ–",
        "À “É” – Ê…", "Þórður’s", "ĐÀ NẴNG – HUẾ",
    ],
)  # fmt: skip
def test_what_was_read_rightly_stays_as_it_is(written):
    assert mended(written) is written


@pytest.mark.parametrize("times", [2, 3])
def test_what_was_misread_more_than_once_is_put_right(times):
    text = "‘Had its challenges’ — café"
    for _ in range(times):
        text = misread(text, "cp1252")
    assert mended(text) == "‘Had its challenges’ — café"


@pytest.mark.parametrize("written", ["François", "Zażółć gęślą jaźń", "Ελληνικά", "שלום עולם", "mañana", "½ ™"])
def test_single_words_are_put_right(written):
    assert mended(misread(written, "cp1252")) == written


FAR = st.characters(min_codepoint=0x100, exclude_categories=["Cs"])  # signs that are in no encoding of one byte
NEAR = st.characters(max_codepoint=0x7F)


@given(st.lists(st.one_of(FAR, NEAR)), st.lists(FAR, min_size=2), st.sampled_from(["cp1252", "latin-1"]))
def test_any_signs_survive_a_wrong_reading(some, more, encoding):
    text = "".join((*some, *more))
    assert mended(misread(text, encoding)) == text


@given(st.text())
def test_what_was_put_right_is_no_longer_and_right(text):
    once = mended(text)
    assert len(once) <= len(text)
    assert mended(once) == once or len(once) < len(text)
