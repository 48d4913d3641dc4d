from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest

from visavis.corpus import ReadOptions, read_corpus
from visavis.corpus.encodings import check_encoding
from visavis.corpus.errors import Unreadable
from visavis.errors import InvalidParameter, UnknownName

TEXTS = {
    "de": "Die Bürgermeisterin kündigte größere Maßnahmen für Schulen und Straßen an.",
    "en": "The café’s owner said “no” to the naïve résumé — a cliché.",
    "fr": "Le gouvernement a annoncé une hausse des impôts, où que l’on aille déjà.",
    "pl": "Rząd ogłosił podwyżkę podatków, ludzie będą żyć gorzej, piszą związki.",
    "ru": "Правительство объявило о повышении налогов с января следующего года.",
    "el": "Η κυβέρνηση ανακοίνωσε αύξηση των φόρων από τον Ιανουάριο.",
    "tr": "Hükümet vergileri artıracağını açıkladı, şimdiden protesto ediliyor.",
    "he": "הממשלה הודיעה על העלאת מסים החל מינואר הקרוב.",
    "ar": "أعلنت الحكومة عن زيادة الضرائب ابتداء من يناير المقبل.",
    "ja": "政府は来年四月から消費税率を引き上げる方針を発表した。",
    "zh": "政府宣布明年四月起提高消费税，小企业主强烈反对这一政策。",
    "zht": "政府宣布明年四月起提高消費稅，小企業主強烈反對這一政策。",
    "ko": "정부는 내년 4월부터 소비세를 인상한다고 발표했다.",
    "th": "รัฐบาลประกาศขึ้นภาษีมูลค่าเพิ่มในเดือนเมษายนปีหน้า",
}
WRITTEN = [
    ("de", "cp1252"), ("de", "mac_roman"), ("de", "cp850"), ("de", "utf-16-le"), ("en", "cp1252"), ("fr", "latin-1"),
    ("fr", "utf-32-be"), ("pl", "cp1250"), ("pl", "iso8859-2"), ("ru", "cp1251"), ("ru", "koi8-r"), ("ru", "cp866"),
    ("ru", "iso8859-5"), ("el", "cp1253"), ("tr", "cp1254"), ("he", "cp1255"), ("ar", "cp1256"), ("ja", "shift_jis"),
    ("ja", "euc-jp"), ("ja", "iso2022_jp"), ("zh", "gb18030"), ("zht", "big5"), ("ko", "cp949"), ("th", "tis-620"),
]  # fmt: skip


def table(text: str) -> str:
    return f"title;text\r\nOne;{text}\r\nTwo;{text}\r\n"


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(("language", "encoding"), WRITTEN)
def test_other_encodings_are_found_and_a_note_says_which(language: str, encoding: str, tmp_path: Path) -> None:
    text = TEXTS[language] if encoding != "latin-1" else TEXTS[language].replace("’", "'")
    corpus = read_corpus(write(tmp_path / "a.csv", table(text).encode(encoding)))
    assert [document.text for document in corpus.documents] == [text, text]
    (note,) = corpus.notes
    assert note.startswith("not UTF-8: read as ")
    assert "--encoding" in note


def test_a_note_shows_words_as_they_were_read_and_what_else_would_fit(tmp_path: Path) -> None:
    (clear,) = read_corpus(write(tmp_path / "a.csv", table(TEXTS["de"]).encode("cp1252"))).notes
    assert clear == (
        "not UTF-8: read as Windows-1252, as its bytes suggest (for example 'Bürgermeisterin', 'kündigte', 'größere'); "
        "--encoding says otherwise"
    )
    (thin,) = read_corpus(write(tmp_path / "a.csv", b"text\nPi\xe8ce\n")).notes
    assert thin.startswith("not UTF-8: read as Windows-1252, a guess, it could also be Windows-1250")


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv.gz", "a.txt"])
def test_every_text_format_is_read_in_its_encoding(name: str, tmp_path: Path) -> None:
    text = TEXTS["fr"]
    forms = {
        "a.jsonl": f'{{"text": "{text}"}}\n', "a.json": f'[{{"text": "{text}"}}]', "a.csv.gz": table(text),
        "a.txt": f"Title\n{text}",
    }  # fmt: skip
    data = forms[name].encode("cp1252")
    data = gzip.compress(data) if name.endswith(".gz") else data
    assert read_corpus(write(tmp_path / name, data)).documents[0].text == text


def test_in_a_folder_every_file_has_its_own_encoding_and_notes_are_joined(tmp_path: Path) -> None:
    for name, encoding in (("a", "cp1252"), ("b", "cp1252"), ("c", "utf-8"), ("d", "utf-16")):
        write(tmp_path / f"{name}.txt", f"Title\n{TEXTS['de']}".encode(encoding))
    corpus = read_corpus(tmp_path)
    assert {document.text for document in corpus.documents} == {TEXTS["de"]}
    (note,) = corpus.notes
    assert note.startswith("a.txt is not UTF-8: read as Windows-1252")
    assert note.endswith("(likewise 1 more)")


def test_standard_input_is_read_again_as_what_it_looks_like(monkeypatch: pytest.MonkeyPatch) -> None:
    data = table(TEXTS["ru"]).encode("cp1251")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert read_corpus("-").documents[0].text == TEXTS["ru"]


def test_what_is_told_is_taken_without_a_note_but_a_mark_goes_first(tmp_path: Path) -> None:
    told = ReadOptions(encoding="cp1250")
    corpus = read_corpus(write(tmp_path / "a.csv", table(TEXTS["pl"]).encode("cp1250")), told)
    assert (corpus.documents[0].text, corpus.notes) == (TEXTS["pl"], ())
    marked = write(tmp_path / "a.csv", table(TEXTS["pl"]).encode("utf-8-sig"))
    assert read_corpus(marked, told).documents[0].text == TEXTS["pl"]


def test_a_byte_that_fits_nowhere_far_into_the_file_is_named(tmp_path: Path) -> None:
    row = f"One;{TEXTS['de']}\r\n".encode("cp1252")
    path = write(tmp_path / "a.csv", b"title;text\r\n" + row * 12_000 + b"Two;\x81\r\n")
    with pytest.raises(Unreadable, match=f"byte 0x81 at offset {len(row) * 12_000 + 16:,} is not WINDOWS-1252"):
        read_corpus(path)


def test_signs_cut_between_two_pieces_of_the_file_are_read(tmp_path: Path) -> None:
    text = "x" * (2**20 - 6) + "税" * 9
    path = write(tmp_path / "a.csv", f"text\n{text}\n".encode("gb18030"))
    assert read_corpus(path, ReadOptions(encoding="gb18030")).documents[0].text == text


@pytest.mark.parametrize(
    ("name", "meant"),
    [("cp1525", "cp1252"), ("windows1252", "windows-1252"), ("ansi", "windows-1252"), ("utf-9", "utf-8")],
)
def test_an_unknown_encoding_is_refused_with_the_nearest(name: str, meant: str) -> None:
    with pytest.raises(UnknownName, match=f"did you mean '{meant}'"):
        check_encoding(name)


@pytest.mark.parametrize("name", ["hex", "rot13", "idna", "", "x\0", "unicode_escape"])
def test_what_no_file_is_written_in_is_no_encoding(name: str) -> None:
    with pytest.raises(UnknownName, match="unknown encoding"):
        check_encoding(name)
    with pytest.raises(InvalidParameter, match="encoding must be a name"):
        check_encoding(7)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["utf-8", "UTF8", "latin1", "Windows-1252", "sjis", "koi8-u", "cp874", "utf-8-sig"])
def test_names_that_people_use_are_known(name: str) -> None:
    check_encoding(name)
