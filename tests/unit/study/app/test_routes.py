from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import select

from unit.study.visiting import HERE, Site, Visitor
from visavis.study.store import open_store, schema


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


def roles(site: Site) -> dict[str, tuple[Visitor, dict[str, str]]]:
    """Visitors by role, each with the form token their pages gave them."""
    anonymous, worker, other = site.visitor(), site.worker("one"), site.worker("two")
    anonymous.get("/w")
    admin, expired = site.admin(), site.admin()
    tokens = {
        "anonymous": (anonymous, anonymous.csrf("/w")),
        "worker": (worker, worker.csrf("/w")),
        "other worker": (other, other.csrf("/w")),
        "admin": (admin, admin.csrf("/admin")),
        "expired": (expired, expired.csrf("/admin")),
    }
    cookie = expired.client.cookies.get("visavis_admin", path="/admin")
    began, nonce, _ = cookie.split(".")
    old = f"{int(began) - 13 * 3600}.{nonce}"
    expired.client.cookies.clear()
    expired.client.cookies.set("visavis_admin", f"{old}.{site.keys.sign(old)}", domain="study.test", path="/admin")
    return tokens


ROLES = ("anonymous", "worker", "other worker", "admin", "expired")
TABLE = [
    # method, path, statuses for anonymous, worker, other worker, admin, expired
    ("GET", "/", (303, 303, 303, 303, 303)),
    ("GET", "/w", (200, 200, 200, 200, 200)),
    ("POST", "/w/start", (422, 303, 303, 403, 403)),
    ("GET", "/w/unit/{unit}", (403, 200, 403, 403, 403)),
    ("POST", "/w/unit/{unit}", (403, 303, 403, 403, 403)),
    ("GET", "/w/unit/none", (404, 404, 404, 404, 404)),
    ("GET", "/w/done", (303, 200, 200, 303, 303)),
    ("POST", "/w/exit", (403, 303, 303, 403, 403)),
    ("POST", "/w/device", (403, 200, 200, 403, 403)),
    ("GET", "/w/resume", (200, 200, 200, 200, 200)),
    ("POST", "/w/resume", (403, 403, 403, 403, 403)),
    ("GET", "/admin/login", (200, 200, 200, 200, 200)),
    ("POST", "/admin/login", (403, 403, 403, 403, 403)),
    ("GET", "/admin", (303, 303, 303, 200, 303)),
    ("POST", "/admin/pause", (403, 403, 403, 303, 403)),
    ("POST", "/admin/resume", (403, 403, 403, 303, 403)),
    ("GET", "/admin/workers", (303, 303, 303, 200, 303)),
    ("POST", "/admin/workers/{name}/exclude", (403, 403, 403, 303, 403)),
    ("POST", "/admin/workers/{name}/include", (403, 403, 403, 303, 403)),
    ("POST", "/admin/workers/{name}/code", (403, 403, 403, 200, 403)),
    ("GET", "/admin/payments", (303, 303, 303, 200, 303)),
    ("GET", "/admin/export/payments.csv", (303, 303, 303, 200, 303)),
    ("GET", "/admin/export/exit-answers.csv", (303, 303, 303, 200, 303)),
    ("GET", "/admin/gold", (303, 303, 303, 200, 303)),
    ("GET", "/admin/gold/1", (303, 303, 303, 200, 303)),
    ("GET", "/admin/gold/999", (303, 303, 303, 404, 303)),
    ("POST", "/admin/gold", (403, 403, 403, 303, 403)),
    ("POST", "/admin/gold/1/retire", (403, 403, 403, 303, 403)),
    ("POST", "/admin/gold/1/restore", (403, 403, 403, 303, 403)),
    ("GET", "/admin/export/judgements.csv", (303, 303, 303, 200, 303)),
    ("GET", "/admin/export/study.jsonl", (303, 303, 303, 200, 303)),
    ("POST", "/admin/logout", (403, 403, 403, 303, 403)),
    ("GET", "/api/unit", (401, 401, 401, 401, 401)),
    ("POST", "/api/answers", (422, 422, 422, 422, 422)),
    ("GET", "/static/study.css", (200, 200, 200, 200, 200)),
    ("GET", "/openapi.json", (404, 404, 404, 404, 404)),
    ("GET", "/docs", (404, 404, 404, 404, 404)),
]
GOLD = {"left": "\n\n".join(f"A{k}\nx" for k in range(4)), "right": "\n\n".join(f"B{k}\ny" for k in range(4)),
        "question0": "C\nz", "question1": "D\nz", "question2": "E\nz", "answer0": "left", "answer1": "right",
        "answer2": "left"}  # fmt: skip


@dataclass(frozen=True)
class Begun:
    """A study that somebody of each role has come to: its file, and what each of them has."""

    site: Site
    visitors: dict[str, tuple[Visitor, dict[str, str]]]
    form: dict[str, str]
    name: str

    def again(self, folder: Path) -> dict[str, tuple[Visitor, dict[str, str]]]:
        """The same people at a copy of the study."""
        shutil.copy(self.site.path, folder / "s.db")
        site = Site(folder, store=open_store(folder / "s.db"), keys=self.site.keys)
        found = {role: (site.visitor(), token) for role, (_, token) in self.visitors.items()}
        for role, (visitor, _) in found.items():
            visitor.client.cookies = self.visitors[role][0].client.cookies
        return found


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Begun:
    site = Site(tmp_path_factory.mktemp("begun"))
    visitors = roles(site)
    with site.store.reading() as connection:
        name = connection.execute(select(schema.worker.c.pseudonym)).scalars().first()
    found = Begun(site, visitors, visitors["worker"][0].form(), name)
    site.store.close()
    return found


@pytest.mark.parametrize(("method", "path", "statuses"), TABLE, ids=[f"{m} {p}" for m, p, _ in TABLE])
def test_every_route_answers_each_role_as_it_should(
    begun: Begun, tmp_path: Path, method: str, path: str, statuses: tuple
) -> None:
    visitors = begun.again(tmp_path)
    place = path.replace("/w/unit/{unit}", begun.visitors["worker"][0].unit).replace("{name}", begun.name)
    found = []
    for role in ROLES:
        visitor, token = visitors[role]
        if method == "GET":
            found.append(visitor.get(place).status_code)
        else:
            fields = {**begun.form, **GOLD, "reason": "none", "password": "guess", **token}
            found.append(visitor.post(place, fields).status_code)
    assert tuple(found) == statuses


def test_the_table_names_every_route(site: Site) -> None:
    def plain(path: str) -> str:
        return re.sub(r"\{[a-z]+\}|(?<=gold/)\d+", "{}", path)

    routes = {(method.upper(), plain(path)) for path, ways in site.app.openapi()["paths"].items() for method in ways}
    assert routes <= {(method, plain(path)) for method, path, _ in TABLE}


def test_posts_from_other_sites_are_refused_and_change_nothing(site: Site) -> None:
    worker, admin = site.worker("one"), site.admin()
    before = site.rows()
    posts = [(worker, worker.unit, worker.form()), (worker, "/w/start", worker.csrf("/w")),
             (admin, "/admin/pause", admin.csrf()), (admin, "/admin/gold", {**admin.csrf(), **GOLD})]  # fmt: skip
    for visitor, path, fields in posts:
        for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"},
                        {"Sec-Fetch-Site": "same-site"}):  # fmt: skip
            assert visitor.post(path, fields, headers=headers).status_code == 403
        stale = {**fields, "csrf": "0" * 64}
        assert visitor.post(path, stale).status_code == 403
        without = {name: value for name, value in fields.items() if name != "csrf"}
        assert visitor.post(path, without).status_code == 403
    assert site.rows() == before
    assert admin.post("/admin/pause", admin.csrf(), headers={"Origin": HERE}).status_code == 303


def test_one_visitors_token_does_not_serve_another(site: Site) -> None:
    one, two = site.worker("one"), site.worker("two")
    assert one.post(one.unit, {**one.form(), **two.csrf("/w")}).status_code == 403


MALFORMED = [
    {"q0": ""}, {"q1": ""}, {"q2": ""}, {"q0": "middle"}, {"q1": "LEFT"}, {"q2": "left "}, {"q0": "0"}, {"q0": "ltr"},
    {"q0": "left\x00"}, {"q1": "<script>"}, {"q2": "' OR 1=1 --"}, {"q0": "x" * 201}, {"q0": "x" * 100_000},
    {"item": ""}, {"item": "0"}, {"item": "none"}, {"item": "x" * 129}, {"item": "\x00"}, {"item": "é" * 20},
    {"item": "../../etc"}, {"usefulness": "0"}, {"usefulness": "6"}, {"usefulness": "-1"}, {"usefulness": "1.5"},
    {"usefulness": "five"}, {"usefulness": "１"}, {"difficulty": "1e3"}, {"difficulty": "\x00"}, {"difficulty": "٣"},
    {"comment": "x" * 2001}, {"csrf": ""}, {"csrf": "0" * 64}, {"csrf": "x" * 129}, {"csrf": "é"},
]  # fmt: skip
BODIES = [
    (b"", "application/x-www-form-urlencoded"),
    (b"{}", "application/json"),
    (b"q0=left&q1=left", "text/plain"),
    (b"\xff\xfe\x00", "application/x-www-form-urlencoded"),
    (b"--x\r\nbroken", "multipart/form-data; boundary=x"),
    (b"--x--", "multipart/form-data"),
    (b"%", "application/x-www-form-urlencoded"),
    (b"&".join(b"a%d=1" % n for n in range(2000)), "application/x-www-form-urlencoded"),
]


def test_malformed_submissions_get_a_4xx_and_change_nothing(site: Site) -> None:
    worker = site.worker("one")
    form = worker.form()
    before = site.rows()
    statuses = []
    for wrong in MALFORMED:
        statuses.append(worker.post(worker.unit, {**form, **wrong}).status_code)
    for content, kind in BODIES:
        answer = worker.client.post(worker.unit, content=content, headers={"Content-Type": kind})
        statuses.append(answer.status_code)
    statuses.append(worker.client.post(worker.unit, content=b"x" * 300_000).status_code)
    statuses.append(worker.client.post(worker.unit, content=iter([b"q0=left"])).status_code)
    assert len(statuses) >= 40
    assert [status for status in statuses if not 400 <= status < 500] == []
    assert site.rows() == before
    assert worker.post(worker.unit, form).status_code == 303


@pytest.mark.parametrize("wrong", [{"left": ""}, {"answer0": "both"}, {"question1": ""}, {"question1": "A\n\nB"},
                                   {"instead_of": "-1"}, {"instead_of": "77"}, {"left": "x" * 501},
                                   {"left": "A\nx"}, {"question1": "D"}])  # fmt: skip
def test_a_malformed_gold_is_refused(site: Site, wrong: dict[str, str]) -> None:
    admin = site.admin()
    before = site.rows()
    assert admin.post("/admin/gold", {**GOLD, **admin.csrf(), **wrong}).status_code == 422
    assert site.rows() == before


def test_schemathesis_finds_no_server_error(tmp_path: Path) -> None:
    schemathesis = pytest.importorskip("schemathesis")
    from hypothesis import HealthCheck, Phase, given, settings

    site = Site(tmp_path)
    admin, worker = site.admin(), site.worker("one")
    tokens = {admin.client: admin.csrf()["csrf"], worker.client: worker.csrf("/w")["csrf"]}
    loaded = schemathesis.openapi.from_dict(site.app.openapi())
    tried = 0
    for operation in (found.ok() for found in loaded.get_all_operations()):

        @settings(max_examples=12, database=None, phases=[Phase.generate],
                  suppress_health_check=list(HealthCheck))  # fmt: skip
        @given(case=operation.as_strategy())
        def check(case: object) -> None:
            nonlocal tried
            path = case.formatted_path
            client = worker.client if path.startswith("/w") else admin.client
            sent = case.body if isinstance(case.body, dict) else {}
            body = {**{key: str(value) for key, value in sent.items()}, "csrf": tokens[client]}
            query = {key: str(value) for key, value in (case.query or {}).items()}
            if case.method.upper() == "GET":
                answer = client.get(path, params=query)
            else:
                answer = client.post(path, params=query, data=body)
            assert answer.status_code < 500, (case.method, path, body)
            tried += 1

        check()
    assert tried > 150
