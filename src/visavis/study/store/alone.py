"""One process at a time works on a study."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from visavis.shared.locks import FileLock, InUse
from visavis.study.store.database import SERVERS, Store


@contextlib.contextmanager
def alone(store: Store) -> Iterator[None]:
    """Hold the study for this process. Raises InUse where another has it."""
    if store.is_sqlite:
        with FileLock(Path(f"{store.path}.lock"), f"another process works on {store.name!r}: stop the server first"):
            yield
        return
    with store.engine.connect() as connection:
        if not connection.exec_driver_sql(f"SELECT pg_try_advisory_lock({SERVERS})").scalar():
            raise InUse(f"another server runs the study in {store.name}: stop it first")
        connection.commit()
        yield
