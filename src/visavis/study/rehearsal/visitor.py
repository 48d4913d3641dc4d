"""Somebody at the study's pages: cookies are kept, redirects followed."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from dataclasses import dataclass

import httpx2

from visavis.errors import InvalidParameter

TIMEOUT = 60.0
IDLE = 3.0  # seconds after which a connection is not used again: the server may be hanging up at that moment
NOBODY = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # no certificates are read, which takes long: plain http is spoken
Unreachable = httpx2.TransportError  # no server, or one that broke off


@dataclass(frozen=True)
class Answer:
    """What came back, after redirects: the last status, path and page."""

    status: int
    path: str
    page: str


class Visitor:
    """One visitor's connection and cookies."""

    def __init__(self, url: str) -> None:
        """Raises InvalidParameter for an address that is none."""
        try:
            address = httpx2.URL(url)
        except httpx2.InvalidURL:
            address = httpx2.URL()
        if address.scheme != "http" or not address.host:
            raise InvalidParameter(f"a rehearsal needs an address such as http://127.0.0.1:8000, got {url!r}")
        self.url = url
        kept = httpx2.Limits(keepalive_expiry=IDLE)
        self._client = httpx2.Client(
            base_url=address, timeout=TIMEOUT, trust_env=False, verify=NOBODY, max_redirects=5, limits=kept
        )

    def get(self, path: str) -> Answer:
        """Ask for a page, following redirects."""
        return _answer(self._client.get(path, follow_redirects=True))

    def post(self, path: str, fields: Mapping[str, str]) -> Answer:
        """Send a form, following redirects."""
        return _answer(self._client.post(path, data=dict(fields), follow_redirects=True))

    def send(self, path: str, fields: Mapping[str, str]) -> tuple[int, str]:
        """Send a form: the status, and the address it redirects to."""
        response = self._client.post(path, data=dict(fields))
        return response.status_code, response.headers.get("location", "")

    def second_tab(self) -> Visitor:
        """The same cookies over a connection of its own."""
        other = Visitor(self.url)
        other._client.cookies.update(self._client.cookies)
        return other

    def close(self) -> None:
        """Let go of the connection."""
        self._client.close()


def _answer(response: httpx2.Response) -> Answer:
    return Answer(response.status_code, response.url.raw_path.decode(), response.text)
