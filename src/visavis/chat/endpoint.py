"""Where a language model stands: https anywhere, plain http on this machine alone; the address never holds a key."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from visavis.errors import InvalidParameter

KEY = "VISAVIS_API_KEY"  # the only place a key is read from
LONGEST_ADDRESS, LONGEST_NAME = 2000, 200
PORTS = {"http": 80, "https": 443}
LOCAL = "localhost"

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?")
_ASKED = "/chat/completions"


@dataclass(frozen=True)
class Endpoint:
    """A model of an OpenAI-compatible server, such as Endpoint("http://localhost:11434/v1", "llama3.2").

    `url` is what the server's manual calls its base URL; a bare host stands for its `/v1`. Raises InvalidParameter for
    an address that is neither https nor on this machine, and for one that carries a password, a query or a fragment.
    """

    url: str
    model: str

    def __post_init__(self) -> None:
        parts = _split(self.url)
        if parts.scheme not in PORTS:
            raise InvalidParameter("the model's endpoint must begin with https://, or http:// on this machine")
        if parts.scheme == "http" and not is_loopback(parts.hostname or ""):
            raise InvalidParameter(
                f"the model's endpoint at {parts.hostname} is plain http: use https, or a server on this machine "
                "(http://localhost or http://127.0.0.1)"
            )
        named = isinstance(self.model, str) and self.model.isprintable() and self.model.strip() != ""
        if not named or len(self.model) > LONGEST_NAME:
            raise InvalidParameter(f"the model's name must be printable text of at most {LONGEST_NAME} characters")

    @property
    def is_encrypted(self) -> bool:
        """Whether it is asked by https."""
        return _split(self.url).scheme == "https"

    @property
    def hostname(self) -> str:
        """The name or address of the machine, without a port."""
        return _split(self.url).hostname or ""

    @property
    def port(self) -> int:
        """The port, the scheme's own where none is given."""
        parts = _split(self.url)
        return parts.port or PORTS[parts.scheme]

    @property
    def host(self) -> str:
        """The machine as a reader is told of it: its name, and the port where it is not the usual one."""
        name = f"[{self.hostname}]" if ":" in self.hostname else self.hostname
        return name if self.port == PORTS[_split(self.url).scheme] else f"{name}:{self.port}"

    @property
    def path(self) -> str:
        """What is asked for on that machine."""
        base = _split(self.url).path.rstrip("/")
        return base if base.endswith(_ASKED) else (base or "/v1") + _ASKED


def is_loopback(host: str) -> bool:
    """Whether a host is this machine beyond doubt: a loopback address, or `localhost`; other names lead anywhere."""
    if host == LOCAL:
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return (
        address in ipaddress.ip_network("127.0.0.0/8") if address.version == 4 else address == ipaddress.IPv6Address(1)
    )


def _split(url: str) -> SplitResult:
    """The parts of an address. Raises InvalidParameter, without repeating what may hold a secret."""
    if not isinstance(url, str) or not url.isascii() or not url.isprintable() or re.search(r"[\s\\<>\"]", url):
        raise InvalidParameter(
            "the model's endpoint must be an address of plain ASCII, such as http://localhost:11434/v1"
        )
    if len(url) > LONGEST_ADDRESS:
        raise InvalidParameter(f"the model's endpoint is longer than {LONGEST_ADDRESS:,} characters")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise InvalidParameter("the model's endpoint is no valid address: try http://localhost:11434/v1") from None
    if "@" in parts.netloc or any(mark in url for mark in "?#"):
        raise InvalidParameter(
            f"the model's endpoint must not carry a user name, a password or a query: a key comes from {KEY} alone"
        )
    if port == 0 or not _is_host(parts.hostname or ""):
        raise InvalidParameter("the model's endpoint names no valid host: try http://localhost:11434/v1")
    return parts


def _is_host(host: str) -> bool:
    if ":" not in host:
        return _NAME.fullmatch(host) is not None
    try:
        return "%" not in host and ipaddress.ip_address(host).version == 6
    except ValueError:
        return False
