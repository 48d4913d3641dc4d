"""Texts as a reader would see them: without the tags of web pages, the links of Markdown, and signs spelled `&amp;`.

Columns of real files hold what a page or a weblog was written in. Read as it is, the words that tell groups apart are
"href", "wp-content" and "org". Only what is known by its form goes: tags that HTML has, with what looks like their
attributes, links whose target looks like an address, what marks strong words and headings in Markdown, and
shortcodes of common generators of pages. "a < b", "x <b and c", "vector<a>", "2**3" and "[sic](and/or)" stay.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import Any

from visavis.corpus.misread import mended
from visavis.shared.unspaced import UNSPACED

_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#(?!0*;)\d{1,7}|#[xX](?!0*;)[0-9a-fA-F]{1,6});")
_ANY_ENTITY = re.compile(r"&(?:[a-zA-Z]{2,31}|#(?!0*;)\d{1,7}|#[xX](?!0*;)[0-9a-fA-F]{1,6});")  # beside tags

_CODE = frozenset(("script", "style"))  # what is inside is never shown
_SILENT = _CODE | {"head", "nav", "noscript", "svg", "template"}  # nor is this, in what has the lines of a page
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
_NEVER_BARE = (  # without an attribute they mean something else: a type, a nickname
    _CELLS - {"td", "th"}
) | {
    "a",
    "base",
    "data",
    "embed",
    "font",
    "label",
    "link",
    "map",
    "mark",
    "meta",
    "option",
    "q",
    "source",
    "time",
    "var",
}
_BEFORE = dict.fromkeys(_PARAGRAPHS, "\n\n") | dict.fromkeys(_LINES, "\n") | dict.fromkeys(_CELLS, " ")
_BEHIND = dict.fromkeys(_PARAGRAPHS, "\n\n")

_NAMES = _SILENT | _PARAGRAPHS | _LINES | _CELLS | _INLINE
_NAME = "|".join((*sorted(_NAMES, key=len, reverse=True), r"[a-z]\w{0,9}:[a-z]\w{0,19}"))
_VALUE = r"(?:\"[^\"]{0,2000}\"|'[^']{0,2000}'|[^\s\"'=<>`]{1,2000})"
_TAG = re.compile(
    rf"</(?P<closing>{_NAME})\s{{0,9}}(?:>|\Z)"
    rf"|<(?P<name>{_NAME})(?P<attributes>(?:\s+[\w:@.-]{{1,60}}(?:\s{{0,3}}=\s{{0,3}}{_VALUE})?)*+)\s{{0,99}}"
    r"(?:/?>|(?P<cut>(?:=[^<>]{0,2000})?)\Z)",
    re.I,
)
_TORN = re.compile(  # the rest of a tag, where a text begins in one
    rf"\s{{0,99}}(?:{_NAME})(?:\s{{1,9}}[\w:@.-]{{1,60}}=\"[^\"<>]{{0,2000}}\")+\s{{0,9}}/?>", re.I
)
_ATTRIBUTES = re.compile(
    rf"(?:\s+(?:[\w:@.-]+\s*=\s*{_VALUE}|(?:alt|async|class|checked|controls|disabled|hidden|nowrap|selected)\b))*",
    re.I,
)
_DECLARATION = re.compile(r"<!doctype\b[^<>]{0,300}>|<!\[CDATA\[|\]\]>", re.I)
_WHOLE_LINES = re.compile(r"</(?:p|div|li|td|h[1-6])\s{0,9}>|<br\s{0,9}/?>", re.I)  # who writes these, breaks lines so
_BLANKS = re.compile(r"\s+")

_WORDS = r"\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*+)\]"  # of a link; brackets may stand in them
_REST = r"[^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s{1,3}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))?\s{0,3}\)"
_ADDRESS = (
    rf"\(\s{{0,3}}<?(?:(?=(?:https?|ftp|irc|mailto|tel):|//|www\.){_REST}|/[^()\n]{{1,300}}\.(?:docx?|pdf|xlsx?)\))"
)
_PAGE = (  # one of the same place, by its name; some are empty
    r"\(\s{0,3}<?(?=\)|@?/|#|\.{1,2}/|[\w%./-]{0,200}\.(?:aspx?|gif|html?|jpe?g|md|mp[34]|pdf|php|png|svg|txt|webp|zip)\b)"
    rf"{_REST}"
)
_PICTURE = re.compile(f"!{_WORDS}(?:{_ADDRESS}|{_PAGE})", re.I)
_LINK = re.compile(rf"{_WORDS}{_ADDRESS}|(?<!\w){_WORDS}{_PAGE}", re.I)
_DEFINITION = re.compile(
    r"^ {0,3}\[([^\[\]\n]+)\]:[ \t]+<?(?:https?:|mailto:|/|#|www\.)\S+(?:[ \t]+[\"'(][^\n]*)?[ \t]*$", re.I | re.M
)
_REFERENCE = re.compile(r"!?\[([^\[\]\n]+)\] ?\[([^\[\]\n]*)\]")
_SHORTCODE = re.compile(
    r"\[(?:caption|gallery|embed|audio|video)\s+\w+=[^\[\]]{0,1000}\]|\[/(?:caption|gallery|embed|audio|video)\]"
    r"|\{\{[<%][^{}]{0,500}[>%]\}\}|(?<![\\$}\w])\{\{-?\s[\w.| \"':/-]{1,300}\s-?\}\}|\{%-?\s[^{}%]{0,500}\s-?%\}"
)
_SPACED = rf"[^\W{UNSPACED}]"  # a letter of a script that writes spaces: beside the marks of what is strong a curse
_STRONG = re.compile(  # beside brackets they are a power
    rf"(?<!{_SPACED})(?<![*_)])\*\*(?=[^\s*])([^*\n]{{1,400}})\*\*(?!{_SPACED}|[*_(])"
)
_HEADING = re.compile(r"^#{2,6}[ \t]+(?=\S)", re.M)
_GENERATED = ("{{", "{%", "[caption", "[/", "[gallery", "[embed", "[audio", "[video")


def as_seen(fields: dict[str, Any], columns: Iterable[str]) -> dict[str, Any]:
    """The fields with these columns as a reader would see them; the same fields where nothing changes."""
    found = {}
    for column in columns:
        value = fields.get(column)
        if isinstance(value, str) and (seen := text_as_seen(mended(value))) is not value:
            found[column] = seen
    return {**fields, **found} if found else fields


def text_as_seen(text: str) -> str:
    """What a reader would see of a text; the same text where it is no other."""
    seen = without_tags(text) if "<" in text or _TORN.match(text) else text
    entity = _ENTITY if seen is text else _ANY_ENTITY
    if "&" in seen and entity.search(seen):
        spelled_twice = seen is text  # as feeds do with pages
        seen = entity.sub(lambda written: html.unescape(written[0]), seen)
        if spelled_twice and _WHOLE_LINES.search(seen):
            return text_as_seen(seen)
    if ("{" in seen or "[" in seen) and any(sign in seen for sign in _GENERATED):
        seen = _SHORTCODE.sub("", seen)
    if "](" in seen or "][" in seen:
        seen = _without_links(seen)
    if "**" in seen:
        seen = _STRONG.sub(r"\1", seen)
    if "##" in seen:
        seen = _HEADING.sub("", seen)
    return text if seen == text else seen


def without_tags(text: str) -> str:
    """The text without comments, the tags of HTML, and what a page does not show; the same text if it has none."""
    torn = _TORN.match(text)
    bare = _without_comments(text[torn.end() :] if torn else text)
    is_page = _WHOLE_LINES.search(bare) is not None
    bare = _BLANKS.sub(" ", bare) if is_page else bare
    tags = [tag for tag in _TAG.finditer(bare) if _is_tag(tag, is_page)]
    if not tags:
        return bare
    last = {tag["closing"].lower(): tag.start() for tag in tags if tag["closing"]}  # where each ends for the last time
    silenced = _SILENT if is_page else _CODE
    pieces: list[str] = []
    end, silent = 0, ""
    for tag in tags:
        name = (tag["closing"] or tag["name"]).lower()
        if silent:
            if tag["closing"] is None or name != silent:
                continue
            silent = ""
        else:
            pieces += bare[end : tag.start()], (_BEHIND if tag["closing"] else _BEFORE).get(name, "")
            if name in silenced and not tag["closing"] and last.get(name, -1) > tag.start():
                silent = name
        end = tag.end()
    return _BLANKS.sub(_gap, "".join((*pieces, bare[end:]))).strip()


def _is_tag(found: re.Match[str], in_page: bool) -> bool:
    """Whether what looks like a tag is one: words behind a name are attributes only if they look like some."""
    name = (found["closing"] or found["name"]).lower()
    if not in_page and name in _SILENT - _CODE:
        return False
    if found["closing"]:
        return True
    attributes = found["attributes"] + (found["cut"] or "")
    if not attributes:
        return name not in _NEVER_BARE and found["cut"] is None
    return '="' in attributes or "='" in attributes or _ATTRIBUTES.fullmatch(attributes) is not None


def _gap(blanks: re.Match[str]) -> str:
    return "\n\n" if blanks[0].count("\n") > 1 else blanks[0]


def _without_comments(text: str) -> str:
    pieces, begin = [], 0
    while (start := text.find("<!--", begin)) >= 0 and (end := text.find("-->", start)) >= 0:
        pieces.append(text[begin:start])
        begin = end + 3
    bare = "".join((*pieces, text[begin:])) if begin else text
    return _DECLARATION.sub("", bare) if "<!" in bare else bare


def _without_links(text: str) -> str:
    """The text without pictures and definitions of Markdown, and with the words of its links alone."""
    found = _LINK.sub(lambda link: link[1] or link[2] or "", _PICTURE.sub("", text))
    defined = {label.casefold() for label in _DEFINITION.findall(found)} if "]:" in found else set()
    if not defined:
        return found

    def words(reference: re.Match[str]) -> str:
        label = (reference[2] or reference[1]).casefold()
        return ("" if reference[0][0] == "!" else reference[1]) if label in defined else reference[0]

    return _REFERENCE.sub(words, _DEFINITION.sub("", found))
