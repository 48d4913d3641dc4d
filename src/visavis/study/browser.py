"""A very small browser for rehearsals: it keeps cookies, follows redirects, and reads a questionnaire's page."""

from __future__ import annotations

import http.client
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urlsplit

from visavis.errors import InvalidParameter

TIMEOUT = 60.0
IDLE = 3.0


@dataclass(frozen=True)
class Answer:
    """What came back, after redirects: the last status, path and page, and whether the request was acknowledged."""

    status: int
    path: str
    page: str


class Browser:
    """One visitor's connection and cookies."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme != "http" or not parts.hostname:
            raise InvalidParameter(f"a rehearsal needs an address such as http://127.0.0.1:8000, got {url!r}")
        self._address = (parts.hostname, parts.port or 80)
        self._connection: http.client.HTTPConnection | None = None
        self._used = 0.0
        self.cookies: dict[str, str] = {}

    def get(self, path: str) -> Answer:
        """Ask for a page, following redirects."""
        return self._follow("GET", path, None)

    def post(self, path: str, fields: Mapping[str, str]) -> Answer:
        """Send a form, following redirects."""
        return self._follow("POST", path, fields)

    def send(self, method: str, path: str, fields: Mapping[str, str] | None) -> tuple[int, str, str]:
        """One request: status, the address it redirects to, the page."""
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        body = None
        if fields is not None:
            body = urlencode(fields)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        if time.monotonic() - self._used > IDLE:  # the server may be hanging up at this moment
            self.close()
        connection = self._connection or http.client.HTTPConnection(*self._address, timeout=TIMEOUT)
        self._connection = connection
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            page = response.read().decode()
        except (OSError, http.client.HTTPException):
            self.close()
            raise
        self._used = time.monotonic()
        for header in response.headers.get_all("Set-Cookie") or []:
            self.cookies.update({name: morsel.value for name, morsel in SimpleCookie(header).items()})
        return response.status, response.headers.get("Location", ""), page

    def twin(self) -> Browser:
        """Another tab: the same cookies over a connection of its own."""
        other = Browser(f"http://{self._address[0]}:{self._address[1]}")
        other.cookies = dict(self.cookies)
        return other

    def close(self) -> None:
        """Let go of the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _follow(self, method: str, path: str, fields: Mapping[str, str] | None) -> Answer:
        status, location, page = self.send(method, path, fields)
        for _ in range(5):
            if not location:
                break
            path = location
            status, location, page = self.send("GET", path, None)
        return Answer(status, path, page)


@dataclass
class Sheet:
    """What a questionnaire's page says: hidden fields, and the texts of both groups and of the questions."""

    fields: dict[str, str] = field(default_factory=dict)
    left: list[tuple[str, str]] = field(default_factory=list)
    right: list[tuple[str, str]] = field(default_factory=list)
    questions: list[tuple[str, str]] = field(default_factory=list)
    buttons: int = 0
    code: str = ""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.sheet = Sheet()
        self._where: list[tuple[str, str]] | None = None
        self._text: str | None = None
        self._pieces: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        kinds = (named.get("class") or "").split()
        if tag == "section" and "group" in kinds:
            self._where = self.sheet.left if "left" in kinds else self.sheet.right
        elif tag == "fieldset" and "question" in kinds:
            self._where = self.sheet.questions
        elif tag == "article":
            self._pieces = {"h3": "", "p": ""}
        elif tag in ("h3", "p") and self._pieces:
            self._text = tag
        elif tag == "input" and named.get("type") == "hidden":
            self.sheet.fields[named.get("name") or ""] = named.get("value") or ""
        elif tag == "button":
            self.sheet.buttons += 1
        elif tag == "output":
            self._text = "output"

    def handle_data(self, data: str) -> None:
        if self._text == "output":
            self.sheet.code += data
        elif self._text is not None:
            self._pieces[self._text] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "article" and self._where is not None:
            self._where.append((self._pieces["h3"], self._pieces["p"]))
            self._pieces = {}
        if tag == self._text:
            self._text = None


def read_sheet(page: str) -> Sheet:
    """The questionnaire on a page, or whatever form it holds."""
    reader = _Reader()
    reader.feed(page)
    return reader.sheet
