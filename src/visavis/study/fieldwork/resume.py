"""Going on with another device: a code shown on the first, good once and for a short while."""

from __future__ import annotations

import secrets

from visavis.study.fieldwork.keys import Keys
from visavis.study.store import Connection
from visavis.study.store.payments import add_resume_code, take_resume_code

LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789"  # none that look alike
MINUTES = 30


def new_code(connection: Connection, keys: Keys, worker: int, now: float) -> str:
    """A code such as KX7QM-2RDVW (49 bits), of which only a keyed hash is stored; it ends earlier ones."""
    code = "".join(secrets.choice(LETTERS) for _ in range(10))
    add_resume_code(connection, keys.resume(code), worker, now + MINUTES * 60)
    return f"{code[:5]}-{code[5:]}"


def use_code(connection: Connection, keys: Keys, written: str, now: float) -> int | None:
    """The worker whom a code lets in, once; None for one that is wrong, used or too old."""
    code = "".join(letter for letter in written.upper() if letter in LETTERS)
    return take_resume_code(connection, keys.resume(code), now)
