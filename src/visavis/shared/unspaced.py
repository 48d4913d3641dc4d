"""Scripts written without spaces between words: Han and kana, Thai, Lao, Khmer, Burmese; where they stand, their words.

Words are cut by jieba (simplified Chinese) and BudouX (traditional Chinese, Japanese, Thai), where the extra `cjk` is
installed. Otherwise texts are taken sign by sign: a character with the marks and vowels that belong to it.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.resources
import importlib.util
import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise

KANA = "\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
HAN = "\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f"
EAST_ASIAN = KANA + HAN
THAI = "\u0e01-\u0e3a\u0e40-\u0e4e"
LAO, BURMESE = "\u0e81-\u0ebd\u0ec0-\u0ece\u0edc-\u0edf", "\u1000-\u103f\u1050-\u108f\u109a-\u109d"
SOUTHEAST = THAI + LAO + BURMESE + "\u1780-\u17d3\u17d7\u17dc\u17dd"
UNSPACED = EAST_ASIAN + SOUTHEAST  # letters and marks, for a class of a regular expression

# Vowels and other marks of India's scripts, which have spaces: they are no letters, but part of a word.
INDIC_MARKS = "".join(sign for sign in map(chr, range(0x900, 0xE00)) if unicodedata.category(sign) in ("Mn", "Mc"))

SIGNS, PAIRS = "signs", "pairs"
SEGMENTERS = ("budoux", "rjieba")
EAST_ASIAN_WORD, SOUTHEAST_WORD = 2, 4  # characters that make a word, about
MOST_KEPT = 200_000  # runs whose words are remembered
JAPANESE = 0.05  # of the letters are kana: the rest of the text is Japanese as well

_ANY = re.compile(f"[{UNSPACED}]")
_RUN = re.compile(f"[{EAST_ASIAN}]+|[{THAI}]+|[{SOUTHEAST}]+")
_KANA, _HAN, _EAST = (re.compile(f"[{letters}]") for letters in (KANA, HAN, EAST_ASIAN))
_SOUTHEAST, _WITH_MODEL = re.compile(f"[{SOUTHEAST}]"), re.compile(f"[{EAST_ASIAN}{THAI}]")
_SIGN = re.compile(
    "[\u0e40-\u0e44]?[\u0e01-\u0e2e][\u0e30-\u0e3a\u0e45\u0e47-\u0e4e]*"  # Thai: vowels before, above, below and behind
    "|[\u0ec0-\u0ec4]?[\u0e81-\u0eae\u0edc-\u0edf][\u0eb0-\u0ebd\u0ec8-\u0ece]*"  # Lao
    "|[\u1780-\u17b3](?:\u17d2[\u1780-\u17b3]|[\u17b6-\u17d1\u17dd])*"  # Khmer, with letters written below
    "|[\u1000-\u102a\u103f\u1050-\u1055](?:\u1039[\u1000-\u102a]|[\u102b-\u1038\u103a-\u103e\u1056-\u1059])*"  # Burmese
    f"|[{EAST_ASIAN}][\u3099\u309a\uff9e\uff9f]*|[{UNSPACED}]"
)
# What their characters begin with in UTF-8, rare Han and narrow kana too: quicker to rule out than to find.
_ALL_LEADS = bytes((0xE0, 0xE1, *range(0xE3, 0xEA), 0xEF, 0xF0))
_RAW_INDIC = b"\xe0"  # what characters from U+0800 to U+0FFF begin with
_MODELS = {"th": "th.json", "ja": "ja_word.json", "tw": "zh-hant.json"}
_AROUND = {"th": (" ", " "), "ja": ("、", "。"), "tw": ("，", "。")}

_kept: dict[tuple[str, str], str] = {}


def has_unspaced(text: str) -> bool:
    """Whether a text has letters of such a script."""
    if text.isascii():
        return False
    raw = text.encode("utf-8", "surrogatepass")
    return len(raw.translate(None, _ALL_LEADS)) < len(raw) and _ANY.search(text) is not None


def may_have_indic(text: str) -> bool:
    """Whether a text may have letters of India's scripts."""
    return not text.isascii() and _RAW_INDIC in text.encode("utf-8", "surrogatepass")


def has_words(text: str) -> bool:
    """Whether a text has letters of a script whose words can be cut."""
    return not text.isascii() and _WITH_MODEL.search(text) is not None


def signs_of(text: str) -> list[str]:
    """The signs of a text in such scripts, everything else left out."""
    return _SIGN.findall(text)


def count_words(text: str) -> int:
    """How many words a text has, about, in whatever script."""
    words = len(text.split())
    if not has_unspaced(text):
        return words
    return words + len(_EAST.findall(text)) // EAST_ASIAN_WORD + len(_SOUTHEAST.findall(text)) // SOUTHEAST_WORD


@cache
def segmenter() -> str:
    """What cuts words here, with versions; nothing where it is not installed."""
    if any(importlib.util.find_spec(package) is None for package in SEGMENTERS):
        return ""
    return " and ".join(f"{package} {importlib.metadata.version(package)}" for package in SEGMENTERS)


def part(text: str, by: str, otherwise: str = SIGNS) -> str:
    """The text with blanks around the words of such scripts.

    `by` is what `segmenter` says; with nothing, and in scripts of which it has no words, the text is cut into "signs"
    or into overlapping "pairs" of them, as `otherwise` says.
    """
    if not has_unspaced(text):
        return text
    east = _language(text) if by else ""
    return _RUN.sub(lambda run: f" {_words(run[0], east, otherwise)} ", text)


def _language(text: str) -> str:
    """The model for Han in a text: Japanese if there is kana as well, else by which of two old codes has more of it."""
    kana, han = len(_KANA.findall(text)), "".join(_HAN.findall(text))
    if kana > JAPANESE * (kana + len(han)):
        return "ja"
    return "tw" if len(han.encode("big5", "ignore")) > len(han.encode("gb2312", "ignore")) else "zh"


def _words(run: str, east: str, otherwise: str) -> str:
    """The words of a run of letters, blanks between them; `east` is the model for Han and kana, "" for none at all."""
    model = "" if not east else east if run[0] > "\u3000" else "th" if run[0] < "\u0e80" else ""
    if not model:
        signs = _SIGN.findall(run)
        return " ".join(_pairs(signs) if otherwise == PAIRS else signs)
    found = _kept.get((model, run))
    if found is None:
        if len(_kept) >= MOST_KEPT:
            _kept.clear()
        found = _kept[model, run] = _cutter(model)(run)
    return found


def _pairs(signs: Sequence[str]) -> list[str]:
    return [first + second for first, second in pairwise(signs)] if len(signs) > 1 else list(signs)


@cache
def _cutter(model: str) -> Callable[[str], str]:
    """What puts blanks between words of a language."""
    if model == "zh":
        cut = importlib.import_module("rjieba").cut
        return lambda run: " ".join(cut(run))
    path = importlib.resources.files("budoux") / "models" / _MODELS[model]
    parse = importlib.import_module("budoux").Parser(json.loads(path.read_text(encoding="utf-8"))).parse
    before, behind = _AROUND[model]  # it has learned from sentences, with their marks
    return lambda run: " ".join(parse(before + run + behind)).strip(before + behind + " ")
