"""Chinese, Japanese and Thai on their way through a comparison, with words cut and without."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from unit.unspaced import CHINESE, JAPANESE, LANGUAGES, THAI, Language, corpus, cutting_words
from visavis.comparing.options import CompareOptions
from visavis.comparing.prepare import group_documents, prepare
from visavis.corpus.boilerplate import remove_boilerplate
from visavis.corpus.duplicates import near_duplicates
from visavis.corpus.lead import lead_text, says_something
from visavis.corpus.stories import find_stories
from visavis.corpus.words import Words
from visavis.eligible import screen
from visavis.embed.storing import load_embedder, store_embedder
from visavis.embed.tfidf import Tfidf, split_words
from visavis.errors import InvalidParameter
from visavis.explain.tokens import name_words, written
from visavis.explain.words import GroupWords
from visavis.records import Document

TELLING = {"chinese": ("地铁", "台风"), "japanese": ("保育", "大雪"), "thai": ("น้ำ", "ชาติ")}
EVENT = {
    "chinese": ("石桥镇化工厂爆炸", "消防员扑灭大火"),
    "japanese": ("石橋町の化学工場で爆発", "消防士が火を消した"),
    "thai": ("โรงงานสารเคมีระเบิดที่บางปะอิน", "นักดับเพลิงเข้าควบคุมเพลิง"),
}
CONTACT = {"chinese": "记者王明北京报道。", "japanese": "取材は東京支局の山田が担当しました。"}


@pytest.fixture(params=[True, False], ids=["words", "signs"])
def cut(request: pytest.FixtureRequest) -> Iterator[bool]:
    with cutting_words(request.param):
        yield request.param


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.usefixtures("cut")
def test_the_words_of_a_group_are_those_of_its_own_subject_and_stand_so_in_its_texts(name: str) -> None:
    rows = corpus(LANGUAGES[name])
    codes = np.array([row["group"] == "south" for row in rows], np.intp)
    found = GroupWords([row["text"] for row in rows], codes, 2)
    for group, telling in enumerate(TELLING[name]):
        terms = found.of_group(group)
        assert any(telling in term.term for term in terms)
        for term in terms[:6]:
            holders = sum(term.term in row["text"] for row in rows)
            assert 0.8 * holders <= term.documents + term.elsewhere <= holders
    own = [found.of_document(row, int(codes[row])) for row in range(len(rows))]
    assert all(term in rows[row]["text"] for row, terms in enumerate(own) for term in terms)


def test_phrases_are_written_as_texts_have_them() -> None:
    assert written(["地铁", "票价"]) == "地铁票价"
    assert written(["ai", "技术", "news", "flash"]) == "ai 技术 news flash"
    with cutting_words(True):
        assert name_words("人民日报 People's Daily") == {"人民日报", "people", "s", "daily"}


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.usefixtures("cut")
def test_vectors_are_near_where_the_subject_is_the_same(name: str) -> None:
    rows = corpus(LANGUAGES[name], each=40)
    vectors = Tfidf().embed([row["text"] for row in rows]).vectors
    alike = vectors @ vectors.T
    np.fill_diagonal(alike, -1)
    subjects = np.array([row["subject"] for row in rows])
    assert np.mean(subjects[alike.argmax(axis=1)] == subjects) > 0.9


def test_single_words_are_found_in_any_mixture(cut: bool) -> None:
    found = split_words("提高票价 AI ชาวนา ไทย")
    assert " ".join(found) == ("提高 票价 ai ชาวนา ไทย" if cut else "提 高 票 价 ai ชา ว นา ไท ย")


def test_a_fitted_embedder_cuts_words_as_it_did(tmp_path, cut: bool) -> None:
    texts = [row["text"] for row in corpus(CHINESE, each=6)]
    store_embedder(Tfidf().fit(texts), tmp_path / "fitted.npz")
    kept = load_embedder(tmp_path / "fitted.npz")
    np.testing.assert_allclose(kept.embed(texts).vectors, Tfidf().embed(texts).vectors, atol=1e-5)
    assert bool(kept.parameters["segmenter"]) == cut
    assert "segmenter" not in Tfidf().fit(["plain words", "more words"]).parameters
    before = Tfidf().fingerprint(texts)
    with cutting_words(not cut):
        if cut:
            assert Tfidf().fingerprint(texts) != before
            with pytest.raises(InvalidParameter, match=r"words cut by 'budoux.*visavis\[cjk\]"):
                load_embedder(tmp_path / "fitted.npz")
        else:
            np.testing.assert_allclose(
                load_embedder(tmp_path / "fitted.npz").embed(texts).vectors, kept.embed(texts).vectors, atol=1e-5
            )


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.usefixtures("cut")
def test_a_copy_with_a_small_change_is_a_copy_and_others_are_not(name: str) -> None:
    texts = [row["text"] for row in corpus(LANGUAGES[name], each=12, sentences=6)]
    changed = texts[3][:-6] + texts[5][-6:]
    assert near_duplicates([*texts, changed])[-1] == 3
    assert np.array_equal(near_duplicates(texts), np.arange(len(texts)))


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.usefixtures("cut")
def test_two_reports_of_one_event_tell_a_story_and_subjects_do_not(name: str) -> None:
    texts = [row["text"] for row in corpus(LANGUAGES[name], each=60)]
    event = {"chinese": "石桥镇化工厂爆炸", "japanese": "石橋町の化学工場で爆発", "thai": "โรงงานสารเคมีระเบิดที่บางปะอิน"}[
        name
    ]
    detail = {"chinese": "消防员扑灭大火", "japanese": "消防士が火を消した", "thai": "นักดับเพลิงเข้าควบคุมเพลิง"}[name]
    found = find_stories(Words.of([*texts, f"{event} {detail}", f"{detail} {event}"]))
    assert found[-1] == len(texts) == found[-2]


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        ("票价上涨。市民不满！真的吗？没有回应。", "票价上涨。市民不满！真的吗？"),
        ("値上げです。本当ですか？「はい。」次の文です。", "値上げです。本当ですか？「はい。」"),
        ("តម្លៃឡើង។ ប្រជាជនតវ៉ា។ ហេតុអ្វី។ គ្មានចម្លើយ។", "តម្លៃឡើង។ ប្រជាជនតវ៉ា។ ហេតុអ្វី។"),
        ("ဈေးတက်သည်။ လူများမကျေနပ်။ ဘာကြောင့်လဲ။ အဖြေမရှိ။", "ဈေးတက်သည်။ လူများမကျေနပ်။ ဘာကြောင့်လဲ။"),
    ],
)
def test_a_lead_has_three_sentences_by_the_stops_of_the_script(text: str, lead: str) -> None:
    assert lead_text(Document("a", text=text)) == lead


def test_where_nothing_ends_a_sentence_phrases_make_up_one() -> None:
    phrases = [row["text"] for row in corpus(THAI, each=20)]
    text = " ".join(phrases)
    lead = lead_text(Document("a", title="หัวข้อ", text=text))
    assert text.startswith(lead.removeprefix("หัวข้อ "))
    assert 3 * 80 <= len(lead) < 3 * 160
    assert all(says_something(sentence) for sentence in phrases)


@pytest.mark.parametrize("name", CONTACT)
@pytest.mark.parametrize("where", ["first", "last", "line"])
def test_what_recurs_is_left_out_and_stories_stay(name: str, where: str) -> None:
    texts = [row["text"] for row in corpus(LANGUAGES[name], each=20)]
    notice = CONTACT[name]
    joined = {"first": "{1}{0}", "last": "{0}{1}", "line": "{1}\n{0}"}[where]
    cleaned = remove_boilerplate([joined.format(text, notice) for text in texts], ["post"] * len(texts))
    assert list(cleaned.texts) == texts
    assert not cleaned.bare.any()
    assert 0.05 < cleaned.share() < 0.4


def test_an_opening_that_a_source_repeats_is_left_out_in_thai() -> None:
    texts = [row["text"] for row in corpus(THAI, each=20)]
    opening = "สำนักข่าวกลางรายงานข่าวประจำวันจากกรุงเทพมหานคร"
    cleaned = remove_boilerplate([f"{opening} {text}" for text in texts], ["post"] * len(texts))
    assert not any(opening in text for text in cleaned.texts)
    assert all(
        text.endswith(kept) and len(kept) > len(text) - 20 for kept, text in zip(cleaned.texts, texts, strict=True)
    )


@pytest.mark.parametrize("language", [CHINESE, JAPANESE, THAI])
def test_a_stub_is_short_for_its_corpus(language: Language) -> None:
    rows = [*corpus(language, each=30, sentences=5), {"id": "stub", "text": language.when[0], "group": "north"}]
    prepared = prepare(rows)
    grouping = group_documents(prepared, CompareOptions(by="group").grouping)
    everyone = np.arange(len(rows))
    shown = screen(grouping, everyone, prepared.word_counts(everyone)).shown((4, 4))
    assert "stub" not in {one.id for one, may in zip(grouping.corpus.documents, shown, strict=True) if may}


@pytest.mark.usefixtures("cut")
def test_a_note_says_what_was_made_of_such_texts(cut: bool) -> None:
    rows = [{"text": row["text"]} for row in corpus(CHINESE, each=3)]
    (note,) = prepare(rows).notes_on_words(np.arange(6))
    assert ("cut by budoux" in note) == cut
    assert ("pip install 'visavis[cjk]'" in note) != cut
    english = [{"text": f"Plain words, item {n}"} for n in range(40)]
    assert prepare([*english, *rows[:2]]).notes_on_words(np.arange(42)) == ()
    (khmer,) = prepare([{"text": "តម្លៃឡើង។"}]).notes_on_words(np.arange(1))
    assert "sign by sign" in khmer
