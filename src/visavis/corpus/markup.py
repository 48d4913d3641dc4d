"""Texts as a reader would see them: without the tags of web pages, the links of Markdown, and signs spelled `&amp;`.

Columns of real files hold what a page or a weblog was written in. Read as it is, the words that tell groups apart are
"href", "wp-content" and "org". Only what is known by its form goes: tags that HTML has, links whose target looks like
an address, and the shortcodes of common generators of pages; "a < b" and "[sic](as he said)" stay.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import Any

from visavis.corpus.misread import mended

_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#(?!0*;)\d{1,7}|#[xX](?!0*;)[0-9a-fA-F]{1,6});")

_SILENT = frozenset(("head", "nav", "noscript", "script", "style", "svg", "template"))  # what is inside is not shown
_PARAGRAPHS = frozenset(  # each stands apart; a block of names reads better than a list of strings
    """
    address article aside blockquote body caption center details div dl fieldset figcaption figure footer form h1 h2 h3
    h4 h5 h6 header hr html main ol p pre section summary table title ul
    """.split()  # noqa: SIM905
)
_LINES = frozenset(("br", "dd", "dt", "legend", "li", "option", "tbody", "tfoot", "thead", "tr"))
_CELLS = frozenset(("audio", "button", "iframe", "img", "input", "object", "select", "td", "textarea", "th", "video"))
_INLINE = frozenset(
    """
    a abbr acronym b base bdi bdo big cite code col colgroup data del dfn em embed font i ins kbd label link map mark
    meta q s samp small source span strike strong sub sup time tt u var wbr
    """.split()  # noqa: SIM905
)
_NAMES = _SILENT | _PARAGRAPHS | _LINES | _CELLS | _INLINE
_BEFORE = dict.fromkeys(_PARAGRAPHS, "\n\n") | dict.fromkeys(_LINES, "\n") | dict.fromkeys(_CELLS, " ")
_BEHIND = dict.fromkeys(_PARAGRAPHS, "\n\n")
_NAME = "|".join((*sorted(_NAMES, key=len, reverse=True), r"[a-z]\w{0,9}:[a-z]\w{0,19}"))
_TAG = re.compile(rf"<(/?)({_NAME})(?=[\s/>])[^<>]*(?:>|\Z)", re.I)
_WHOLE_LINES = re.compile(r"</(?:p|div|li|td|h[1-6])\s*>|<br\s*/?>", re.I)  # who writes these, breaks lines by tags
_BLANKS, _GAP = re.compile(r"\s+"), re.compile(r"[^\S\n]*\n\s*\n\s*")

_WORDS = r"\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*+)\]"  # of a link; brackets may stand in them
_TARGET = (  # an address or the name of a page, maybe with a title; some are empty
    r"\(\s{0,3}<?(?=\)|[a-z][a-z0-9+.-]{0,20}:|/|#|\.{1,2}/|www\.|[\w%-]{0,80}[a-z][\w%-]{0,80}[./])"
    r"[^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s{1,3}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))?\s{0,3}\)"
)
_PICTURE = re.compile("!" + _WORDS + _TARGET, re.I)
_LINK = re.compile(_WORDS + _TARGET, re.I)
_DEFINITION = re.compile(r"^ {0,3}\[[^\[\]\n]+\]:[ \t]+<?(?:[a-z]+:|/|#|www\.)\S+.*$", re.I | re.M)
_REFERENCE = re.compile(r"!?\[([^\[\]\n]+)\] ?\[[^\[\]\n]*\]")
_SHORTCODE = re.compile(
    r"\[/?(?:caption|gallery|embed|audio|video)(?=[\s\]])[^\[\]]{0,1000}\]|\{\{[^{}]{0,500}\}\}|\{%[^{}%]{0,500}%\}"
)
_GENERATED = ("{{", "{%", "[caption", "[gallery", "[embed", "[audio", "[video")


def as_shown(fields: dict[str, Any], columns: Iterable[str]) -> dict[str, Any]:
    """The fields with these columns as a reader would see them; the same fields where nothing changes."""
    found = {}
    for column in columns:
        value = fields.get(column)
        if isinstance(value, str) and (shown := shown_text(mended(value))) is not value:
            found[column] = shown
    return {**fields, **found} if found else fields


def shown_text(text: str) -> str:
    """What a reader would see of a text; the same text where it is no other."""
    shown = without_tags(text) if "<" in text else text
    if "&" in shown and _ENTITY.search(shown):
        spelled_twice = shown is text  # as feeds do with pages
        shown = _ENTITY.sub(lambda written: html.unescape(written[0]), shown)
        if spelled_twice and _WHOLE_LINES.search(shown):
            return shown_text(shown)
    if any(sign in shown for sign in _GENERATED):
        shown = _SHORTCODE.sub("", shown)
    if "](" in shown or "][" in shown:
        shown = _without_links(shown)
    return text if shown == text else shown


def without_tags(text: str) -> str:
    """The text without comments, the tags of HTML, and what a page does not show; the same text if it has none."""
    bare = _without_comments(text)
    if _WHOLE_LINES.search(bare):
        bare = _BLANKS.sub(" ", bare)
    tags = list(_TAG.finditer(bare))
    if not tags:
        return bare
    last = {tag[2].lower(): tag.start() for tag in tags if tag[1]}  # where each ends for the last time
    pieces: list[str] = []
    end, silent = 0, ""
    for tag in tags:
        name = tag[2].lower()
        if silent:
            if not (tag[1] and name == silent):
                continue
            silent = ""
        else:
            pieces += bare[end : tag.start()], (_BEHIND if tag[1] else _BEFORE).get(name, "")
            if name in _SILENT and not tag[1] and last.get(name, -1) > tag.start():
                silent = name
        end = tag.end()
    return _GAP.sub("\n\n", "".join((*pieces, bare[end:]))).strip()


def _without_comments(text: str) -> str:
    pieces, begin = [], 0
    while (start := text.find("<!--", begin)) >= 0 and (end := text.find("-->", start)) >= 0:
        pieces.append(text[begin:start])
        begin = end + 3
    return "".join((*pieces, text[begin:])) if begin else text


def _without_links(text: str) -> str:
    """The text without pictures and definitions of Markdown, and with the words of its links alone."""
    found = _LINK.sub(r"\1", _PICTURE.sub("", text))
    if "]: " in found or "]:\t" in found:
        defined = _DEFINITION.sub("", found)
        found = _REFERENCE.sub(r"\1", defined) if defined != found else found
    return found
