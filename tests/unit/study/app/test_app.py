from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import select

from unit.study import studies
from unit.study.visiting import HERE, Site
from visavis.study import gold
from visavis.study.app import admin, guard
from visavis.study.app.guard import HEADERS
from visavis.study.fieldwork.keys import BadKeys, load_keys
from visavis.study.rehearsal.page import read_page
from visavis.study.store import schema


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


def test_a_worker_goes_from_consent_through_the_quiz_and_a_unit_to_a_code(site: Site) -> None:
    worker = site.worker("abc")
    seen = []
    while worker.unit.startswith("/w/unit"):
        seen.append(re.search(r"(Warm-up q|Q)uestionnaire</?.*|(?:Warm-up q|Q)uestionnaire (\d) of (\d)",
                              worker.get(worker.unit).text)[0])  # fmt: skip
        worker.answer()
    assert len(seen) == 6
    done = worker.get("/w/done").text
    assert re.search(r'<output class="code">[0-9A-F]{10}</output>', done)
    assert "Do another set" in done


def test_nobody_starts_without_consent_and_screening_is_self_declared(tmp_path: Path) -> None:
    site = Site(tmp_path, screen=(("country", ("IN",)),), consent="Agree to <this>.", instructions="Do that.")
    visitor = site.visitor()
    page = visitor.get("/w").text
    assert "Agree to &lt;this&gt;." in page
    fields = read_page(page).fields
    assert visitor.post("/w/start", {**fields, "screen_country": "IN"}).status_code == 422
    answer = visitor.post("/w/start", {**fields, "consent": "yes", "screen_country": "in"})
    assert answer.headers["location"].startswith("/w/unit/")
    other = site.visitor()
    fields = read_page(other.get("/w").text).fields
    answer = other.post("/w/start", {**fields, "consent": "yes", "screen_country": "FR"})
    assert answer.headers["location"] == "/w/done"
    assert read_page(other.get("/w/done").text).code


def test_the_same_participant_goes_on_and_another_in_the_same_browser_is_flagged(site: Site) -> None:
    first = site.worker("abc")
    begun = first.unit
    first.start("abc")
    assert first.unit == begun
    assert first.get("/w/unit/x").status_code == 404
    first.start("another")
    with site.store.reading() as connection:
        assert [row.kind for row in connection.execute(select(schema.flag))] == ["duplicate"]
        assert len(connection.execute(select(schema.worker)).all()) == 2


def test_back_button_and_double_click_are_harmless(site: Site) -> None:
    worker = site.worker()
    form = worker.form()
    first = worker.post(worker.unit, form)
    again = worker.post(worker.unit, {**form, "q0": "left", "q1": "left", "q2": "left"})
    assert (first.status_code, again.status_code) == (303, 303)
    with site.store.reading() as connection:
        assert len(connection.execute(select(schema.judgement)).all()) == 3
    assert worker.get(worker.unit).headers["cache-control"] == "no-store"


def test_who_has_nothing_eligible_is_thanked_with_a_code(tmp_path: Path) -> None:
    site = Site(tmp_path, store=studies.make_study(tmp_path / "s.db", n_pairs=1))
    worker = site.worker("abc")
    while worker.unit.startswith("/w/unit"):
        worker.finish()
        worker.start("abc")
    page = worker.get("/w/done").text
    assert read_page(page).code
    assert "nothing more" in page


def test_a_newcomer_to_a_full_study_is_told_so_and_gets_no_code(tmp_path: Path) -> None:
    site = Site(tmp_path, store=studies.make_study(tmp_path / "s.db", n_pairs=1, methods=("kmeans",), judgements=1))
    early = site.visitor()
    form = read_page(early.get("/w").text).fields
    assert site.worker("one").finish()
    assert "hands out no questionnaires" in site.visitor().get("/w").text
    assert "Start" in site.visitor().get("/w?PROLIFIC_PID=one").text  # with another browser, to be told how to go on
    assert early.post("/w/start", {**form, "consent": "yes"}).headers["location"] == "/w/done"
    page = early.get("/w/done").text
    assert "hands out no questionnaires" in page
    assert read_page(page).code == ""


def test_a_code_once_earned_is_shown_while_another_set_is_open(site: Site) -> None:
    worker = site.worker("abc")
    worker.answer()
    assert read_page(worker.get("/w/done").text).code == ""
    code = worker.finish()
    worker.post("/w/start", read_page(worker.get("/w/done").text).fields)
    page = worker.get("/w/done").text
    assert "There is more to do" in page
    assert read_page(page).code == code


def test_simulated_workers_are_flagged(site: Site) -> None:
    site.worker("rehearsal-0-1")
    site.worker("somebody")
    with site.store.reading() as connection:
        assert [(row.worker_id, row.kind) for row in connection.execute(select(schema.flag))] == [(1, "rehearsal")]


def test_a_late_worker_is_thanked_and_told(site: Site) -> None:
    worker = site.worker("abc")
    worker.answer()
    worker.answer()
    unit, form = worker.unit, worker.form()
    site.clock.advance(3 * 3600)
    answer = worker.post(unit, form)
    assert answer.status_code == 303
    assert "late" not in answer.headers["location"]  # nobody took the place, so the work is welcome


def test_no_method_gold_flag_answer_group_source_or_id_reaches_a_worker(site: Site) -> None:
    worker = site.worker("participant-77")
    pages, bodies = [worker.get("/w").text], []
    while worker.unit.startswith("/w/unit"):
        answer = worker.get(worker.unit)
        bodies.append(answer.text)
        pages.append(answer.text + str(answer.headers))
        sent = worker.answer()
        pages.append(sent.text + str(sent.headers))
    pages.append(worker.get("/w/done").text)
    everything = "\n".join(pages)
    everything += worker.get("/static/study.js").text + worker.get("/static/study.css").text
    words = [*studies.METHODS, "gold", "correct", "truth", "2017-", "doc-", "sheet_id", "swapped", "participant-77"]
    found = [word for word in words if word in everything.replace('name="participant" value=""', "")]
    assert found == []
    shapes = {re.sub(r'>[^<]*<|(value|max|action)="[^"]*"', "", body) for body in bodies}
    assert len(bodies) == 6
    assert len(shapes) == 1  # golds look like all others


def test_ids_in_pages_are_random(site: Site) -> None:
    one, two = site.worker().sheet().fields["item"], site.worker().sheet().fields["item"]
    assert len(one) >= 20
    assert one != two


def test_every_answer_carries_the_strict_headers_and_refusals_too(site: Site) -> None:
    visitor = site.visitor()
    for answer in (visitor.get("/w"), visitor.get("/none"), visitor.get("/static/study.css"), visitor.post("/w/start")):
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
    assert "unsafe" not in HEADERS["Content-Security-Policy"]


def test_cookies_are_for_http_only_and_secure_where_told(tmp_path: Path) -> None:
    site = Site(tmp_path, secure=True)
    cookie = site.visitor().get("/w").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "Secure" in cookie
    assert "SameSite=lax" in cookie


GOLD = {"left": "\n\n".join(f"A{k}\nx" for k in range(4)), "right": "\n\n".join(f"B{k}\ny" for k in range(4)),
        "question0": "C\nz", "question1": "D\nz", "question2": "E\nz", "answer0": "left", "answer1": "right",
        "answer2": "left"}  # fmt: skip


def test_the_researcher_excludes_undoes_pauses_and_edits_gold(site: Site) -> None:
    worker, admin = site.worker("one"), site.admin()
    worker.finish()
    with site.store.reading() as connection:
        name = connection.execute(select(schema.worker.c.pseudonym)).scalar_one()
    assert name in admin.get("/admin/workers").text
    assert admin.post(f"/admin/workers/{name}/exclude", {**admin.csrf(), "reason": " "}).status_code == 422
    admin.post(f"/admin/workers/{name}/exclude", {**admin.csrf(), "reason": "<b>bot</b>"})
    page = admin.get("/admin/workers").text
    assert "&lt;b&gt;bot&lt;/b&gt;" in page
    assert "<strong>0</strong> of 72" in admin.get("/admin").text
    admin.post(f"/admin/workers/{name}/include", admin.csrf())
    assert "<strong>3</strong> of 72" in admin.get("/admin").text
    admin.post("/admin/pause", admin.csrf())
    assert "hands out no questionnaires" in site.visitor().get("/w").text
    admin.post("/admin/resume", admin.csrf())
    assert "hands out no questionnaires" not in site.visitor().get("/w").text
    admin.post("/admin/gold", {**GOLD, **admin.csrf(), "instead_of": "1"})
    with site.store.reading() as connection:
        rows = connection.execute(select(schema.gold).order_by(schema.gold.c.id)).all()
    assert rows[0].retired
    assert rows[-1].lineage == rows[0].id


def test_a_gold_opens_in_its_form_as_it_was_stored() -> None:
    question = gold.GoldQuestion(gold.Text("Asked", "one.\n\ntwo."), "left")
    stored = gold.Gold((gold.Text("L"),), (gold.Text("R", "a\n\nb"),), (question,) * 3)
    form = admin._written(asdict(stored))
    assert admin._texts(form["right"]) == (gold.Text("R", "a b"),)
    assert admin._question(*form["questions"][0]) == gold.GoldQuestion(gold.Text("Asked", "one. two."), "left")


def test_a_line_of_spaces_parts_articles() -> None:
    assert admin._texts("A\nlead\r\n \t\r\nB") == (gold.Text("A", "lead"), gold.Text("B"))


def test_logging_out_ends_the_session_on_the_server_too(site: Site) -> None:
    admin = site.admin()
    cookie = admin.client.cookies.get("visavis_admin", path="/admin")
    admin.post("/admin/logout", admin.csrf())
    admin.client.cookies.set("visavis_admin", cookie, domain="study.test", path="/admin")
    assert admin.get("/admin").status_code == 303


def test_there_is_no_default_password_and_keys_lie_in_a_file_for_their_owner_alone(tmp_path: Path) -> None:
    place = tmp_path / "study.keys"
    keys, fresh = load_keys(place)
    assert fresh
    assert place.stat().st_mode & 0o777 == 0o600
    assert load_keys(place) == (keys, False)
    assert len(keys.admin) >= 20
    assert keys.admin != load_keys(tmp_path / "other.keys")[0].admin
    place.chmod(0o644)
    with pytest.raises(BadKeys, match="chmod 600"):
        load_keys(place)
    (tmp_path / "bad").write_text("{}")
    (tmp_path / "bad").chmod(0o600)
    with pytest.raises(BadKeys):
        load_keys(tmp_path / "bad")


def test_requests_are_limited_by_address_and_logins_more_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "time", SimpleNamespace(monotonic=lambda: 90.0))  # all of them in one minute
    site = Site(tmp_path, rate=30)
    visitor = site.visitor()
    form = read_page(visitor.get("/admin/login").text).fields
    statuses = [visitor.post("/admin/login", {**form, "password": "x"}).status_code for _ in range(12)]
    assert statuses == [403] * 10 + [429] * 2
    assert 429 in [visitor.get("/w").status_code for _ in range(30)]


def test_neither_addresses_nor_participants_nor_keys_are_written_anywhere(tmp_path: Path) -> None:
    site = Site(tmp_path)
    worker = site.worker("participant-4711")
    worker.client.headers["X-Forwarded-For"] = "203.0.113.77"
    worker.finish()
    site.admin().get("/admin/export/study.jsonl")
    content = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    cookie = worker.client.cookies.get("visavis_worker")
    for secret in ("participant-4711", "203.0.113.77", "testclient", cookie, site.keys.admin, site.keys.pseudonyms):
        assert secret.encode() not in content


def test_another_person_over_the_same_connection_is_flagged_without_storing_it(tmp_path: Path) -> None:
    from fastapi.testclient import TestClient

    site = Site(tmp_path)
    for name in ("one", "two"):
        visitor = site.visitor()
        visitor.client = TestClient(site.app, base_url=HERE, follow_redirects=False, client=("203.0.113.9", 1234))
        visitor.start(name)
    with site.store.reading() as connection:
        assert [row.kind for row in connection.execute(select(schema.flag))] == ["duplicate"]
    content = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"203.0.113.9" not in content
