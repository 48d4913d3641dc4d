import pytest

from visavis.corpus.entities import decoded
from visavis.corpus.reading import read_corpus


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Thank the ICE agents &amp; secure the border", "Thank the ICE agents & secure the border"),
        ("it&#39;s &#x2764; &lt;3 &quot;now&quot;&nbsp;!", 'it\'s ❤ <3 "now"\xa0!'),
        ("&amp;amp; stays &amp; once", "&amp; stays & once"),
        ("R&D, AT&T; &copy; &ampersand; a&b", "R&D, AT&T; &copy; &ampersand; a&b"),
        ("no NUL: &#0; &#x00;", "no NUL: &#0; &#x00;"),
    ],
)
def test_signs_are_read_as_a_reader_would_see_them(written, read):
    assert decoded({"text": written, "other": written}, ["title", "text"]) == {"text": read, "other": written}


def test_fields_without_any_are_handed_on_as_they_are():
    fields = {"text": "R&D", "title": 3}
    assert decoded(fields, ["title", "text"]) is fields


def test_a_corpus_has_them_in_titles_and_texts_alone():
    (document,) = read_corpus(
        [{"id": "a&amp;b", "title": "Q&amp;A", "text": "this &amp; that", "tag": "x&amp;y"}]
    ).documents
    assert (document.id, document.title, document.text) == ("a&amp;b", "Q&A", "this & that")
    assert (document.fields["text"], document.fields["tag"]) == ("this & that", "x&amp;y")
