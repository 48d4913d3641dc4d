"""The study's secrets: made at the first run, kept in a file only its owner can read, never in the database."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import stat
from dataclasses import asdict, dataclass
from pathlib import Path

from visavis.errors import VisavisError
from visavis.shared.files import create_private_file


class BadKeys(VisavisError):
    """The file of keys cannot be used."""


@dataclass(frozen=True, repr=False)
class Keys:
    """`admin` is the password of the admin pages; the others sign and hash."""

    admin: str
    pseudonyms: str
    sessions: str
    forms: str

    def pseudonym(self, participant: str) -> str:
        """What a participant is called in the study."""
        return self._mac(self.pseudonyms, "participant:" + participant)[:24]

    def code(self, pseudonym: str, outcome: str) -> str:
        """The code of a worker who completed, was screened out or failed the quiz: a different one for each."""
        return self._mac(self.pseudonyms, f"code:{outcome}:{pseudonym}")[:10].upper()

    def link(self, participant: str) -> str:
        """The signature of a link made for one participant."""
        return self._mac(self.pseudonyms, "link:" + participant)[:32]

    def seal(self, participant: str, pseudonym: str) -> str:
        """An id as the database keeps it: xor with a keyed stream of its own, readable only with these keys."""
        return self._mix(participant.encode(), pseudonym).hex()

    def unseal(self, sealed: str, pseudonym: str) -> str:
        """The id that was sealed."""
        return self._mix(bytes.fromhex(sealed), pseudonym).decode("utf-8", "replace")

    def _mix(self, text: bytes, pseudonym: str) -> bytes:
        blocks = range(-(-len(text) // 32))
        stream = b"".join(bytes.fromhex(self._mac(self.pseudonyms, f"seal:{n}:{pseudonym}")) for n in blocks)
        return bytes(one ^ other for one, other in zip(text, stream, strict=False))

    def resume(self, code: str) -> str:
        """How a code for another device is stored."""
        return self._mac(self.sessions, "resume:" + code)

    def cookie(self, visit: str, participant: str) -> str:
        """The cookie of a worker who begins in this browser: the same after a second click, or a lost answer."""
        return self._mac(self.sessions, f"cookie:{visit}:{participant}")

    def session(self, cookie: str) -> str:
        """How a worker's cookie is stored."""
        return self._mac(self.sessions, "worker:" + cookie)

    def sign(self, text: str) -> str:
        """A signature of an admin session."""
        return self._mac(self.sessions, "admin:" + text)

    def form(self, holder: str) -> str:
        """The token that forms carry, bound to the cookie of whoever asked for the page."""
        return self._mac(self.forms, holder)

    @staticmethod
    def _mac(key: str, text: str) -> str:
        return hmac.new(key.encode(), text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def same(left: str, right: str) -> bool:
    """Whether two secrets agree, in a time that tells nothing."""
    return hmac.compare_digest(left.encode("utf-8", "surrogatepass"), right.encode("utf-8", "surrogatepass"))


def make_keys() -> Keys:
    """New secrets."""
    return Keys(secrets.token_urlsafe(18), secrets.token_hex(32), secrets.token_hex(32), secrets.token_hex(32))


def load_keys(path: Path, *, make: bool = True) -> tuple[Keys, bool]:
    """The keys of a file; and whether they are new. Where it is not there they are made if `make`. Raises BadKeys."""
    if not path.exists():
        if not make:
            raise BadKeys(f"there are no keys in {str(path)!r}: put the file back, or name it with --keys")
        keys = make_keys()
        _write(path, keys)
        return keys, True
    if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise BadKeys(f"others can read the keys in {str(path)!r}: chmod 600 it")
    try:
        return Keys(**json.loads(path.read_text(encoding="utf-8"))), False
    except (OSError, ValueError, TypeError) as error:
        raise BadKeys(f"{str(path)!r} is no file of keys: {error}") from error


def keys_of_study(path: Path, *, used: bool, new: bool) -> tuple[Keys, bool]:
    """The keys of a study and whether they are new; where it is `used`, lost ones are made only if `new`.

    Raises BadKeys.
    """
    try:
        return load_keys(path, make=new or not used)
    except BadKeys as error:
        if path.exists():
            raise
        raise BadKeys(
            f"{error}; with new ones (--new-keys) nobody who took part is known again, so they could answer twice"
        ) from None


def _write(path: Path, keys: Keys) -> None:
    try:
        create_private_file(path, json.dumps(asdict(keys), indent=1))
    except OSError as error:
        raise BadKeys(f"cannot write the keys to {str(path)!r}: {error.strerror}") from error
