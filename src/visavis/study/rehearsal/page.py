"""What a page of the study says, read as a browser would read it."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Page:
    """What a questionnaire's page says: hidden fields, and the texts of both groups (or summaries) and of questions."""

    fields: dict[str, str] = field(default_factory=dict)
    left: list[tuple[str, str]] = field(default_factory=list)
    right: list[tuple[str, str]] = field(default_factory=list)
    questions: list[tuple[str, str]] = field(default_factory=list)
    asks: bool = False
    actions: list[str] = field(default_factory=list)  # where its forms are sent
    code: str = ""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page()
        self._where: list[tuple[str, str]] | None = None
        self._text: str | None = None
        self._pieces: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        kinds = (named.get("class") or "").split()
        if tag == "section" and "group" in kinds:
            self._where = self.page.left if "left" in kinds else self.page.right
        elif tag == "fieldset" and "question" in kinds:
            self._where = self.page.questions
            self.page.asks = True
        elif tag == "article":
            self._pieces = {"title": "", "p": ""}
        elif tag in ("h3", "h4", "p") and self._pieces:
            self._text = tag
        elif tag == "input" and named.get("type") == "hidden":
            self.page.fields[named.get("name") or ""] = named.get("value") or ""
        elif tag == "form":
            self.page.actions.append(named.get("action") or "")
        elif tag == "output":
            self._text = "output"

    def handle_data(self, data: str) -> None:
        if self._text == "output":
            self.page.code += data
        elif self._text is not None:
            self._pieces["p" if self._text == "p" else "title"] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "article" and self._where is not None:
            self._where.append((self._pieces["title"], self._pieces["p"]))
        if tag == "article":
            self._pieces = {}
        if tag == self._text:
            self._text = None


def read_page(html: str) -> Page:
    """The questionnaire on a page, or whatever form it holds."""
    reader = _Reader()
    reader.feed(html)
    return reader.page
