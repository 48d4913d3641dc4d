"""Databases for the tests: a study of each shape is made once, and copied for each test; one server of PostgreSQL."""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import event

from conftest import ENDS, require
from visavis.study.store import Store, open_store


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def postgres_programs() -> Path | None:
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return places[-1].parent if places else None


class PostgresServer:
    """PostgreSQL in a folder of its own, at a free port."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.programs, self.folder, self.port = programs, folder, free_port()
        self.run("initdb", "-D", str(folder / "data"), "-U", "study", "--auth=trust", "--no-sync")

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://study@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        self.control("-w", "-l", str(self.folder / "log"), "-o", options, "start")

    def stop(self) -> None:
        self.control("-m", "immediate", "stop")

    def control(self, *words: str) -> None:
        self.run("pg_ctl", "-D", str(self.folder / "data"), *words)

    def run(self, *words: str) -> None:
        user = {"user": "postgres"} if os.geteuid() == 0 else {}
        call = [str(self.programs / words[0]), *words[1:]]
        subprocess.run(call, check=True, cwd=self.folder, stdout=subprocess.DEVNULL, **user)

    def sql(self, *statements: str) -> None:
        import psycopg

        with psycopg.connect(self.url(), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)


@contextlib.contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """A PostgreSQL server that lives as long as the block, and can be started anew."""
    programs = postgres_programs()
    require(programs is not None, "PostgreSQL's server programs (initdb, pg_ctl)")
    folder = Path(tempfile.mkdtemp(prefix="visavis-pg-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    server = PostgresServer(programs, folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


class Shared:
    """What all tests of a session share: one server, started when first wanted, and studies to copy."""

    def __init__(self) -> None:
        self.server: PostgresServer | None = None
        self.folder: Path | None = None
        self.numbers = itertools.count(1)
        self.places: set[str] = set()
        self.files: dict[object, Path] = {}
        self.bases: dict[object, str] = {}

    def running_server(self) -> PostgresServer:
        """The server, which a test may start anew."""
        if self.server is None:
            self.server = ENDS.enter_context(postgres_server())
        return self.server

    def new_database(self, base: str = "template1") -> str:
        """The name of a database of PostgreSQL's, empty or like another."""
        name = f"test{next(self.numbers)}"
        self.running_server().sql(f"CREATE DATABASE {name} TEMPLATE {base} STRATEGY file_copy")
        return name

    def empty_url(self) -> str:
        """The URL of an empty database of PostgreSQL's."""
        return self.running_server().url(self.new_database())

    def url_to_be(self) -> str:
        """The URL of a database of PostgreSQL's in which a study will be made."""
        url = self.running_server().url(f"study{next(self.numbers)}")
        self.places.add(url)
        return url

    def copy_into_file(self, where: Path, key: object, make: Callable[[Path], Store]) -> None:
        if self.folder is None:
            self.folder = Path(ENDS.enter_context(tempfile.TemporaryDirectory(prefix="visavis-studies-")))
        if key not in self.files:
            path = self.folder / f"{next(self.numbers)}.db"
            make(path).close()
            self.files[key] = path
        shutil.copy2(self.files[key], where)

    def copy_into_database(self, url: str, key: object, make: Callable[[str], Store]) -> None:
        server = self.running_server()
        self.places.remove(url)
        if key not in self.bases:
            self.bases[key] = self.new_database()
            make(server.url(self.bases[key])).close()
        name = url.rpartition("/")[2]
        server.sql(f"CREATE DATABASE {name} TEMPLATE {self.bases[key]} STRATEGY file_copy")


SHARED = Shared()


def copied(where: str | Path, key: object, make: Callable[[Any], Store]) -> Store:
    """The store of a study that `make` makes, once for each key; where something is already, it is made there."""
    if str(where) in SHARED.places:
        SHARED.copy_into_database(str(where), key, make)
    elif "://" in str(where) or Path(where).exists():
        return make(where)
    else:
        SHARED.copy_into_file(Path(where), key, make)
    store = open_store(where)
    if store.is_sqlite:
        _write_lazily(store)
    return store


def _write_lazily(store: Store) -> None:
    """Let a test's database come to the disk when the system likes: whether it does in time is a test of its own."""
    store.close()

    @event.listens_for(store.engine, "connect")
    def _connected(raw: Any, _record: Any) -> None:
        raw.execute("PRAGMA synchronous=OFF").close()
