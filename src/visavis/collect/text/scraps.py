"""Scraps of HTML, as posts and feeds hold them: their text in one line, and where their links lead."""

from __future__ import annotations

from typing import Any

from lxml import etree, html

LONGEST = 200_000  # characters of a scrap that are read
_BLOCKS = ("br", "p", "div", "li", "tr", "h1", "h2", "h3", "blockquote")
_SILENT = ("script", "style", "head", "template")


def read_scrap(markup: str) -> dict[str, Any]:
    """The text of a scrap, and its links that are no mention or hashtag of a platform: {"text", "links"}."""
    markup = markup[:LONGEST]
    if "<" not in markup and "&" not in markup:
        return {"text": " ".join(markup.split()), "links": []}
    try:
        tree = html.fragment_fromstring(markup, create_parent="div")
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return {"text": "", "links": []}
    for element in tree.iter():
        if element.tag in _SILENT:
            element.text = None
        elif element.tag in _BLOCKS:
            element.tail = f" {element.tail or ''}"
    anchors = [one for one in tree.iter("a") if not {"mention", "hashtag"} & set((one.get("class") or "").split())]
    links = [" ".join((one.get("href") or "").split()) for one in anchors]
    return {"text": " ".join("".join(_said(tree)).split()), "links": list(dict.fromkeys(filter(None, links)))}


def _said(tree: html.HtmlElement) -> list[str]:
    return [str(piece) for piece in tree.itertext(with_tail=True)]
