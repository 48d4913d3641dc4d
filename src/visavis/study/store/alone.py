"""One process at a time works on a study, also after the database's server was started anew."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection

from visavis.shared.locks import FileLock, InUse
from visavis.study.store.database import SERVERS, Store

HELD = f"SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = {SERVERS} AND granted AND pid = %(pid)s"


@contextlib.contextmanager
def alone(store: Store) -> Iterator[None]:
    """Hold the study for this process. Raises InUse where another has it."""
    if store.is_sqlite:
        with FileLock(Path(f"{store.path}.lock"), f"another process works on {store.name!r}: stop the server first"):
            yield
        return
    lock = ServerLock(store)
    store.before_writing = lock.confirm
    try:
        yield
    finally:
        store.before_writing = None
        lock.release()


class ServerLock:
    """A lock that PostgreSQL holds for one connection of ours: it is gone when the server restarts.

    So every write asks whether it is still held. If not it is taken again; where another process was quicker, nothing
    is written any more.
    """

    def __init__(self, store: Store) -> None:
        """Raises InUse if another process holds it."""
        self._store = store
        self._holder, self._pid = self._take()

    def confirm(self, connection: Connection) -> None:
        """Make sure, within a write, that the lock is ours. Raises InUse."""
        if connection.exec_driver_sql(HELD, {"pid": self._pid}).first() is None:
            self.release()
            self._holder, self._pid = self._take()

    def release(self) -> None:
        """Let others have it."""
        if not self._holder.closed:
            self._holder.invalidate()
            self._holder.close()

    def _take(self) -> tuple[Connection, int]:
        holder = self._store.engine.connect()
        found = holder.exec_driver_sql(f"SELECT pg_try_advisory_lock({SERVERS}), pg_backend_pid()").one()
        holder.commit()
        if not found[0]:
            holder.close()
            raise InUse(f"another server runs the study in {self._store.name}: stop it first")
        return holder, int(found[1])
