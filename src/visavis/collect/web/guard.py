"""Where the collector may connect: public addresses only, by our own rule, after we resolved the name ourselves.

`ipaddress.is_global` is not the rule: it lets pass 64:ff9b::7f00:1, 2002:7f00:1::, ::127.0.0.1, fec0::1 and 224.0.0.1.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import threading
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from visavis.corpus.errors import one_line
from visavis.errors import InvalidParameter, VisavisError

Resolve = Callable[[str], Sequence[str]]

PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}

_IPV4 = {
    "unspecified": "0.0.0.0/8",
    "private": "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16",
    "shared (carrier NAT)": "100.64.0.0/10",
    "loopback": "127.0.0.0/8",
    "link-local": "169.254.0.0/16",
    "protocol assignment": "192.0.0.0/24 192.31.196.0/24 192.52.193.0/24 192.175.48.0/24",
    "documentation": "192.0.2.0/24 198.51.100.0/24 203.0.113.0/24",
    "6to4 relay": "192.88.99.0/24",
    "benchmarking": "198.18.0.0/15",
    "multicast": "224.0.0.0/4",
    "reserved": "240.0.0.0/4",
}
_IPV6 = {  # most precise first; what lies outside 2000::/3 is refused in any case
    "unspecified": "::/128",
    "loopback": "::1/128",
    "IPv4-mapped": "::ffff:0:0/96",
    "IPv4-compatible": "::/96",
    "NAT64": "64:ff9b::/96 64:ff9b:1::/48",
    "6to4": "2002::/16",
    "Teredo": "2001::/32",
    "protocol assignment": "2001::/23 2620:4f:8000::/48",
    "documentation": "2001:db8::/32 3fff::/20",
    "unique local": "fc00::/7",
    "link-local": "fe80::/10",
    "site-local": "fec0::/10",
    "multicast": "ff00::/8",
}


def _table(named: Mapping[str, str]) -> tuple[tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, str], ...]:
    return tuple((ipaddress.ip_network(net), kind) for kind, nets in named.items() for net in nets.split())


_REFUSED = {4: _table(_IPV4), 6: _table(_IPV6)}
_UNICAST = ipaddress.ip_network("2000::/3")
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_NUMERIC = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)", re.IGNORECASE)


class Problem(VisavisError):
    """A request that was refused or failed; `reason` is one word that can be counted, the message says the rest."""

    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        self.message = one_line(message)[:500]
        super().__init__(self.message)

    def __reduce__(self) -> tuple[type[Problem], tuple[str, ...]]:
        return type(self), (self.reason, self.message)


class Passing(Problem):
    """A failure that another attempt may not meet: the server was broken for a while, or the line was."""


class Dropped(Passing):
    """The line broke in the middle of an answer."""


class Busy(Passing):
    """A server wants to be left alone: `url` is what was asked for, `wait` its Retry-After, "" if it does not say."""

    def __init__(self, reason: str, message: str, url: str, wait: str = "") -> None:
        super().__init__(reason, message)
        self.url, self.wait = url, wait

    def __reduce__(self) -> tuple[type[Problem], tuple[str, ...]]:
        return type(self), (self.reason, self.message, self.url, self.wait)


@dataclass(frozen=True)
class Allowance:
    """Loopback servers that may be reached under a made-up name: {"news.test": ("127.0.0.1", 8081)}.

    For tests of the collector, never a default: the standard ports of such a name lead to the address and port given.
    `authorities` are certificates (PEM) to trust besides the system's. Raises InvalidParameter for any address that
    is not a loopback one.
    """

    hosts: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    authorities: str = ""

    def __post_init__(self) -> None:
        for name, (address, _) in self.hosts.items():
            if not ipaddress.ip_address(address).is_loopback or name != name.lower() or refused(name) is not None:
                raise InvalidParameter(f"only loopback servers can be let through, by a lower-case name: {name!r}")


def refused(address: str) -> str | None:
    """The kind of an address to which no request may go ("loopback", "private", ...), or None for a public one.

    None also for what is no address at all: only resolved addresses are connected to, and those always are.
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    if "%" in address:
        return "scoped"
    for network, kind in _REFUSED[parsed.version]:
        if parsed in network:
            return kind
    return "reserved" if parsed.version == 6 and parsed not in _UNICAST else None


def plain_host(host: str) -> str:
    """The host as it will be looked up: an address in its one standard spelling, or a lower-case ASCII name.

    Raises Problem for an address in any other spelling (decimal, octal, hexadecimal, short, full-width, scoped) and
    for names that are none on the public web (localhost, a single label).
    """
    name = unicodedata.normalize("NFKC", host).replace("。", ".").strip("[]").rstrip(".").lower()
    if ":" in name:
        try:
            return str(ipaddress.IPv6Address(name))
        except ValueError:
            raise Problem("address", f"{host!r} is no plain IPv6 address") from None
    labels = name.split(".")
    if _NUMERIC.fullmatch(labels[-1]):  # what ends in a number is an address to some resolver or other
        try:
            return str(ipaddress.IPv4Address(name))
        except ValueError:
            raise Problem("address", f"{host!r}: an address must be written as four decimal numbers") from None
    if len(labels) < 2 or labels[-1] in ("localhost", "local", "internal"):
        raise Problem("address", f"{host!r} is no name on the public web")
    if len(name) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise Problem("url", f"{host!r} is no valid host name")
    return name


def system_resolve(host: str) -> list[str]:
    """All addresses the system knows for a name."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


@dataclass(frozen=True)
class Guard:
    """Turns a host and port into addresses that may be connected to, or refuses."""

    allowance: Allowance = field(default_factory=Allowance)
    resolve: Resolve = system_resolve

    def targets(self, host: str, port: int, seconds: float) -> list[tuple[str, int]]:
        """Addresses and ports to connect to, in order. Raises Problem if any address of the name is not public.

        One bad address refuses the name: a name that is public and private at once is a trap, not a server.
        """
        if port not in PORTS.values():
            raise Problem("port", f"port {port} of {host!r}: only 80 and 443 are used")
        name = plain_host(host)
        if name in self.allowance.hosts:
            return [self.allowance.hosts[name]]
        addresses = [name] if _is_address(name) else self._looked_up(name, seconds)
        for address in addresses:
            kind = refused(address)
            if kind is not None or not _is_address(address):
                where = name if name == address else f"{name} ({address})"
                raise Problem("address", f"{where} is not public: {kind or 'unknown'}")
        return [(address, port) for address in addresses]

    def _looked_up(self, name: str, seconds: float) -> list[str]:
        """The addresses of a name, waiting no longer than that: the system's resolver has no limit of its own."""
        found: list[str] = []
        failure: list[Exception] = []

        def look_up() -> None:
            try:
                found.extend(self.resolve(name))
            except Exception as error:
                failure.append(error)

        worker = threading.Thread(target=look_up, daemon=True, name="visavis-resolve")
        worker.start()
        worker.join(max(0.0, seconds))
        if worker.is_alive():
            raise Problem("timeout", f"the name {name!r} was not resolved in time")
        if failure or not found:
            raise Problem("name", f"the name {name!r} has no address" + (f" ({failure[0]})" if failure else ""))
        return list(found)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
