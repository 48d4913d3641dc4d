from __future__ import annotations

import pytest

from visavis.collect.text.encodings import decode_page
from walking import walk

TEXTS = {
    "ja": "東京都は一日、新しい銃規制の条例案を発表した。知事は会見で「市民の安全を守るために必要だ」と述べた。",
    "zh": "北京市政府周一宣布了新的枪支管制规定。官员在记者会上表示,这项措施将于明年春天开始实施。",
    "zh-hant": "臺北市政府週一宣布了新的槍枝管制規定。官員在記者會上表示,這項措施將於明年春天開始實施。",
    "ko": "서울시는 월요일 새로운 총기 규제 조례안을 발표했다. 시장은 시민의 안전을 지키기 위해 필요하다고 말했다.",
    "ru": "Городские власти в понедельник объявили о новых правилах контроля над оружием, сказал мэр города.",
    "uk": "Міська влада в понеділок оголосила про нові правила контролю над зброєю. Її їжа, його ґанок, який є.",
    "el": "Οι αρχές της πόλης ανακοίνωσαν τη Δευτέρα νέους κανόνες για τον έλεγχο των όπλων.",
    "he": "עיריית תל אביב הודיעה ביום שני על כללים חדשים לפיקוח על כלי נשק.",
    "ar": "أعلنت بلدية المدينة يوم الاثنين عن قواعد جديدة لمراقبة الأسلحة.",
    "th": "เทศบาลเมืองประกาศกฎใหม่เกี่ยวกับการควบคุมอาวุธปืนเมื่อวันจันทร์",
    "pl": "Władze miasta ogłosiły w poniedziałek nowe przepisy dotyczące kontroli broni, żeby chronić mieszkańców.",
    "tr": "Belediye pazartesi günü silah denetimi için yeni kurallar açıkladı; önlemler ilkbaharda başlıyor.",
    "fr": "La mairie a annoncé lundi de nouvelles règles : c’est nécessaire à la sécurité, déjà l’été prochain.",
    "lt": "Miesto valdžia pirmadienį paskelbė naujas ginklų kontrolės taisykles, kurių reikia žmonių saugumui.",
}
DECLARED = [  # label as pages write it, the codec it stands for, language
    ("Shift_JIS", "cp932", "ja"), ("x-sjis", "cp932", "ja"), ("EUC-JP", "euc_jp", "ja"),
    ("ISO-2022-JP", "iso2022_jp", "ja"), ("GB2312", "gb18030", "zh"), ("gbk", "gbk", "zh"),
    ("gb18030", "gb18030", "zh"), ("Big5", "big5hkscs", "zh-hant"), ("EUC-KR", "cp949", "ko"),
    ("ks_c_5601-1987", "cp949", "ko"), ("windows-1251", "cp1251", "ru"), ("KOI8-R", "koi8-r", "ru"),
    ("koi8-u", "koi8-u", "uk"), ("ISO-8859-5", "iso8859-5", "ru"), ("cp866", "cp866", "ru"),
    ("x-mac-cyrillic", "mac-cyrillic", "ru"), ("windows-1253", "cp1253", "el"), ("windows-1255", "cp1255", "he"),
    ("windows-1256", "cp1256", "ar"), ("TIS-620", "cp874", "th"), ("iso-8859-2", "iso8859-2", "pl"),
    ("windows-1250", "cp1250", "pl"), ("iso-8859-9", "cp1254", "tr"), ("windows-1257", "cp1257", "lt"),
    ("ISO-8859-1", "cp1252", "fr"), ("us-ascii", "cp1252", "fr"), ("macintosh", "mac-roman", "fr"),
    ("utf-8", "utf-8", "ja"),
]  # fmt: skip
GUESSED = ("cp932", "euc_jp", "iso2022_jp", "gb18030", "big5hkscs", "cp949", "cp1251", "koi8-r", "iso8859-5", "cp866")


def a_page(text: str, head: str = "") -> str:
    return f"<html><head>{head}<title>A page</title></head><body><p>{text}</p><p>Plain words.</p></body></html>"


@walk("label, codec, language", DECLARED)
@walk("where", ["header", "meta", "http-equiv", "xml"])
def test_a_label_means_what_browsers_take_it_for(label, codec, language, where):
    head = {
        "meta": f"<!-- <meta charset='utf-16'> --><meta charset={label}>",
        "http-equiv": f'<META content="text/html; charset={label}" HTTP-EQUIV="Content-Type">',
    }.get(where, "")
    text = a_page(TEXTS[language], head)
    text = f'<?xml version="1.0" encoding="{label}"?>{text}' if where == "xml" else text
    kind = f'text/html; charset="{label}"' if where == "header" else "text/html"
    assert decode_page(text.encode(codec), kind) == text


GUESSABLE = sorted({(codec, lang) for _, codec, lang in DECLARED if codec in GUESSED})


@pytest.mark.parametrize(("codec", "language"), GUESSABLE)
def test_what_declares_nothing_is_known_by_its_bytes(codec, language):
    text = a_page(TEXTS[language] * 2)
    assert decode_page(text.encode(codec), "text/html") == text


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("kind", ["text/html", "text/html; charset=windows-1252", "text/html; charset=nonsense"])
def test_marks_go_before_all_that_is_said(codec, kind):
    text = a_page(TEXTS["ru"])
    marks = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}
    assert decode_page(marks.get(codec, b"") + text.encode(codec), kind) == text


FULL = (  # every byte is a sign there, or it has a state
    "iso2022_jp", "mac-roman", "cp1256", "cp1251", "koi8-r", "koi8-u", "iso8859-5", "cp866", "mac-cyrillic",
    "iso8859-2",
)  # fmt: skip


@walk("label, codec, language", [row for row in DECLARED if row[1] not in FULL])
def test_one_bad_byte_costs_itself_alone(label, codec, language):
    before, after = (a_page(TEXTS[language]).encode(codec) for _ in range(2))
    bad = {"cp1252": b"\x81", "cp1254": b"\x81", "cp1250": b"\x81", "cp1257": b"\x81"}.get(codec, b"\xff")
    found = decode_page(before + bad + b"<br>" + after, f"text/html; charset={label}")
    assert found.count(a_page(TEXTS[language])) == 2


@pytest.mark.parametrize("label", ["iso-2022-jp", ""])
@pytest.mark.parametrize("where", ["header", "meta"])
@pytest.mark.parametrize("after", ["<p>".encode("iso2022_jp"), "<p>東京".encode("iso2022_jp")[:-3]])
def test_a_bad_byte_among_escapes_costs_itself_alone(label, where, after):
    text = a_page(TEXTS["ja"], f"<meta charset={label}>" if label and where == "meta" else "")
    whole = text.encode("iso2022_jp")
    body = whole.replace(after, after + b"\xff")
    assert len(body) > len(whole)
    found = decode_page(body, f"text/html; charset={label}" if label and where == "header" else "text/html")
    assert found.replace("\ufffd", "") == text
    assert found.count("\ufffd") == body.count(b"\xff")


@walk("body, kind, text", [
        (b"plain caf\xe9, and that is all", "text/html", "plain café, and that is all"),
        (b"plain caf\xe9, and that is all", "text/html; charset=utf-8", "plain caf\ufffd, and that is all"),
        ("été déjà".encode() + b" \xff " + "été".encode(), "text/html", "été déjà \ufffd été"),
        ("é – ж".encode(), "text/html; charset=latin-1", "é – ж"),
        (("déjà été " * 9).encode("cp1252"), "text/html; charset=utf-8", "déjà été " * 9),
        (b"<meta charset=cp1251>" + "правила города".encode("cp1251"), "text/html; charset=utf-8", "правила города"),
        (b"<meta charset=euc-jp>" + TEXTS["ja"].encode("cp932"), "text/html", TEXTS["ja"]),
        (b"<p>hello", "text/html; charset=utf-16", "<p>hello"),
        (b"<meta charset=utf-16>" + "été".encode(), "text/html", "été"),
        ("①東京㈱".encode("cp932"), "text/html; charset=shift_jis", "①東京㈱"),
        ("①東京".encode("euc_jis_2004"), "text/html; charset=euc-jp", "①東京"),
        ("“€”".encode("cp1252"), "text/html; charset=iso-8859-1", "“€”"),
        (b"\x1b(J", "text/html; charset=hz-gb-2312", "\ufffd"),
        ("été\x1b(B".encode(), "text/html", "été\x1b(B"),
        (("déjà été " * 9).encode("cp1252") + b"\x1b(B", "text/html; charset=iso-2022-jp", "déjà été \x1b(B"),
        (b"", "", ""),
    ])  # fmt: skip
def test_lies_and_damage(body, kind, text):
    assert decode_page(body, kind).endswith(text)
