"""Visitors of the study's server, without a network."""

from __future__ import annotations

import functools
import random
import re
from pathlib import Path
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from fastapi.testclient import TestClient

from conftest import ENDS
from unit.study import studies
from visavis.study.app import ServeOptions, create_app
from visavis.study.fieldwork.keys import Keys, make_keys
from visavis.study.rehearsal.clock import FastClock
from visavis.study.rehearsal.crowd import key_of
from visavis.study.rehearsal.page import Page, read_page
from visavis.study.store import Store, schema

HERE = "http://study.test"


@functools.cache
def _loop() -> BlockingPortal:
    """The loop that all visitors of a session share."""
    return ENDS.enter_context(start_blocking_portal())


def client_of(app: Any, **options: Any) -> TestClient:
    """A browser without a network."""
    found = TestClient(app, base_url=HERE, raise_server_exceptions=False, **options)
    found.portal = _loop()
    return found


class Site:
    """A study behind its pages, with a clock that can be moved."""

    def __init__(
        self, folder: Path, *, store: Store | None = None, where: str = "", keys: Keys | None = None, **options: Any
    ) -> None:
        self.path = folder / "s.db"
        self.where = where or str(self.path)
        self.store = store or studies.make_study(self.path)
        self.clock, self.keys = FastClock(), keys or make_keys()
        self.app = create_app(self.store, self.keys, ServeOptions(**{"rate": 0, **options}), now=self.clock)
        self.key = key_of(self.store)

    def visitor(self) -> Visitor:
        return Visitor(self)

    def worker(self, participant: str = "") -> Visitor:
        found = Visitor(self)
        found.start(participant)
        return found

    def admin(self) -> Visitor:
        found = Visitor(self)
        form = read_page(found.get("/admin/login").text).fields
        assert found.post("/admin/login", {**form, "password": self.keys.admin}).status_code == 303
        return found

    def worker_secrets(self) -> list[str]:
        """What the database holds that would let somebody in."""
        with self.store.reading() as connection:
            found = connection.exec_driver_sql("SELECT session FROM worker UNION SELECT token FROM unit")
            return [row[0] for row in found]

    def rows(self) -> list[tuple[Any, ...]]:
        """Everything in the database."""
        with self.store.reading() as connection:
            tables = schema.metadata.sorted_tables
            return [tuple(row) for table in tables for row in connection.execute(table.select())]


class Visitor:
    """A browser that shows redirects."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.client = client_of(site.app, follow_redirects=False)
        self.unit = ""

    def get(self, path: str, **more: Any) -> Any:
        return self.client.get(path, **more)

    def post(self, path: str, fields: Any = None, **more: Any) -> Any:
        return self.client.post(path, data=fields or {}, **more)

    def start(self, participant: str = "", signature: str = "", **declared: str) -> Any:
        page = self.get("/w", params={"PROLIFIC_PID": participant, "signature": signature})
        answer = self.post("/w/start", {**read_page(page.text).fields, "consent": "yes", **declared})
        self.unit = answer.headers.get("location", "")
        return answer

    def again(self) -> None:
        """Ask for another set."""
        self.unit = self.post("/w/start", self.csrf("/w")).headers["location"]

    def sheet(self) -> Page:
        return read_page(self.get(self.unit).text)

    def form(self, *, right: bool = True) -> dict[str, str]:
        sheet = self.sheet()
        other = {"left": "right", "right": "left"}
        sides = [side if right else other[side] for side in self.site.key.sides(sheet)]
        chosen = {f"q{place}": side for place, side in enumerate(sides)}
        return {**sheet.fields, **chosen, **self.site.key.more(random.Random(0))}

    def answer(self, *, right: bool = True, **more: str) -> Any:
        answer = self.post(self.unit, {**self.form(right=right), **more})
        self.unit = answer.headers["location"]
        return answer

    def finish(self, **more: str) -> str:
        """Answer until thanked; the completion code."""
        while self.unit.startswith("/w/unit"):
            self.answer(**more)
        return read_page(self.get("/w/done").text).code

    def csrf(self, page: str = "/admin") -> dict[str, str]:
        found = re.search(r'name="csrf" value="([0-9a-f]+)"', self.get(page).text)
        return {"csrf": found[1] if found else ""}


def form_of(page: str) -> dict[str, str]:
    """The hidden fields of a page."""
    return read_page(page).fields
