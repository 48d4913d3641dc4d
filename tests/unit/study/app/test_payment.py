from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import select

from unit.study import studies
from unit.study.visiting import Site, Visitor
from visavis.cli.study import study as command
from visavis.errors import InvalidParameter
from visavis.study.app import ServeOptions
from visavis.study.fieldwork.export import as_csv, as_jsonl
from visavis.study.fieldwork.keys import make_keys
from visavis.study.fieldwork.payments import OUTCOMES, payment_rows
from visavis.study.fieldwork.resume import MINUTES
from visavis.study.rehearsal.page import read_page
from visavis.study.store import schema

pytest_plugins = ("unit.study.fixtures",)
MakeSite = Callable[..., Site]
CODES = {"code": "DONE", "screened_code": "OUT", "failed_code": "SORRY"}
BACK = "https://app.prolific.com/submissions/complete?cc="


def code_on(visitor: Visitor) -> str:
    return read_page(visitor.get("/w/done").text).code


def rows_of(site: Site, **more: float) -> dict[str, dict]:
    codes = site.app.state.shared.options.codes
    with site.store.reading() as connection:
        rows = payment_rows(connection, site.keys, codes=codes, **more)
    return {row["participant"]: row for row in rows}


def three_people(site: Site) -> dict[str, Visitor]:
    """One who completes, one who is screened out, one who fails the quiz."""
    done, failed = site.visitor(), site.visitor()
    for visitor, name in ((done, "good"), (failed, "bad")):
        visitor.start(name, screen_country="IN")
    done.finish()
    while failed.unit.startswith("/w/unit"):
        failed.answer(right=False)
    out = site.visitor()
    out.start("elsewhere", screen_country="FR")
    return {"completed": done, "screened": out, "failed": failed}


def test_completed_screened_and_failed_have_different_codes_which_payments_name(make_site: MakeSite) -> None:
    site = make_site(screen=(("country", ("IN",)),))
    people = three_people(site)
    check_codes(site, people)
    shared = site.app.state.shared
    shared.options = replace(shared.options, **CODES, return_link=BACK + "{code}")
    codes = check_codes(site, people)
    assert codes == {"completed": "DONE", "screened": "OUT", "failed": "SORRY"}
    for outcome, visitor in people.items():
        assert f'href="{BACK}{codes[outcome]}"' in visitor.get("/w/done").text


def check_codes(site: Site, people: dict[str, Visitor]) -> dict[str, str]:
    """The code of each outcome: different, told by payments and on the admin page, and by no export."""
    codes = {outcome: code_on(visitor) for outcome, visitor in people.items()}
    assert len({*codes.values(), ""}) == 4
    rows = rows_of(site)
    assert {row["outcome"]: row["code"] for row in rows.values()} == codes
    assert {name: row["outcome"] for name, row in rows.items()} == {
        "good": "completed", "elsewhere": "screened", "bad": "failed",
    }  # fmt: skip
    assert (rows["good"]["units"], rows["good"]["questionnaires"]) == (1, 6)
    with site.store.writing() as connection:
        studies.set_fact(connection, "codes", site.app.state.shared.options.codes)  # as the server does
    for text in (as_csv(site.store), as_jsonl(site.store)):
        assert [code for code in codes.values() if code in text] == []
        assert "elsewhere" not in text
    page = site.admin().get("/admin/payments").text
    assert all(code in page for code in codes.values())
    assert "good" in page
    return codes


def test_one_code_for_two_outcomes_and_a_return_without_codes_are_refused() -> None:
    with pytest.raises(InvalidParameter, match="different codes"):
        ServeOptions(code="A", failed_code="A")
    with pytest.raises(InvalidParameter, match="--failed-code"):
        ServeOptions(code="A", return_link=BACK + "{code}")
    with pytest.raises(InvalidParameter, match="https://"):
        ServeOptions(**CODES, return_link="javascript:{code}")


def test_nobody_answers_more_units_than_the_cap_and_a_bonus_counts_further_ones(make_site: MakeSite) -> None:
    site = make_site(n_pairs=6, most_units=2)
    worker = site.worker("keen")
    worker.finish()
    assert "Do another set" in worker.get("/w/done").text
    worker.again()
    worker.finish()
    assert "Do another set" not in worker.get("/w/done").text
    worker.again()
    assert worker.unit == "/w/done"
    row = rows_of(site, bonus=0.75)["keen"]
    assert (row["units"], row["bonus"]) == (2, 0.75)


def check_devices(site: Site) -> None:
    """Whoever joins with another's id gets nothing; a second device goes on by a code of the first, once."""
    first = site.worker("victim")
    first.answer()
    begun = first.unit
    thief = site.visitor()
    answer = thief.start("victim")
    assert answer.status_code == 409
    assert "set-cookie" not in answer.headers or "visavis_worker" not in answer.headers["set-cookie"]
    assert begun.rsplit("/", 1)[1] not in answer.text
    assert 'value="victim"' in answer.text  # the id is kept
    assert thief.get(begun).status_code == 403
    assert thief.get("/w/done").headers["location"] == "/w"
    form = read_page(answer.text).fields
    assert thief.post("/w/resume", {**form, "code": "AAAAA-AAAAA"}).status_code == 403
    shown = first.post("/w/device", first.csrf("/w")).text
    code = re.search(r"[A-Z0-9]{5}-[A-Z0-9]{5}", shown)[0]
    with site.store.reading() as connection:
        assert code.replace("-", "") not in str(connection.execute(select(schema.resume_code)).all())
    second = site.visitor()
    page = second.get(f"/w/resume?code={code}").text
    answer = second.post("/w/resume", {**read_page(page).fields, "code": code.lower()})
    assert answer.headers["location"] == begun
    second.unit = begun
    assert second.finish()
    assert first.get(begun).status_code == 403  # signed out, knowingly
    assert thief.post("/w/resume", {**form, "code": code}).status_code == 403  # used up
    with site.store.reading() as connection:
        assert len(connection.execute(select(schema.judgement)).all()) == 18
        assert len(connection.execute(select(schema.worker)).all()) == 1


def test_an_id_is_no_password_and_a_code_takes_work_to_another_device(make_site: MakeSite) -> None:
    check_devices(make_site())


def test_a_code_ends_after_a_while_and_the_researcher_can_make_another(make_site: MakeSite) -> None:
    site = make_site()
    first = site.worker("abc")
    shown = first.post("/w/device", first.csrf("/w")).text
    code = re.search(r"[A-Z0-9]{5}-[A-Z0-9]{5}", shown)[0]
    site.clock.advance(MINUTES * 60 + 1)
    other = site.visitor()
    form = read_page(other.get("/w/resume").text).fields
    assert other.post("/w/resume", {**form, "code": code}).status_code == 403
    admin = site.admin()
    name = site.keys.pseudonym("abc")
    made = admin.post(f"/admin/workers/{name}/code", admin.csrf()).text
    code = re.search(r"code=([A-Z0-9]{5}-[A-Z0-9]{5})", made)[1]
    assert other.post("/w/resume", {**form, "code": code}).headers["location"] == first.unit


def test_codes_cannot_be_tried_in_numbers(tmp_path: Path) -> None:
    visitor = Site(tmp_path, rate=600).visitor()
    form = read_page(visitor.get("/w/resume").text).fields
    statuses = [visitor.post("/w/resume", {**form, "code": f"AAAAA-{n:05}"}).status_code for n in range(12)]
    assert statuses == [403] * 10 + [429] * 2


def test_a_lost_first_answer_does_not_lock_anybody_out(tmp_path: Path) -> None:
    visitor = Site(tmp_path).visitor()
    visitor.start("abc")
    begun = visitor.unit
    visitor.client.cookies.delete("visavis_worker")  # the answer with the cookie never arrived
    visitor.start("abc")
    assert visitor.unit == begun


def test_ids_can_be_required_and_signed(tmp_path: Path) -> None:
    site = Site(tmp_path, require_id=True)
    assert "link that names you" in site.visitor().get("/w").text
    visitor = site.visitor()
    form = read_page(visitor.get("/w?participant=a").text).fields
    answer = visitor.post("/w/start", {**form, "participant": "", "consent": "yes"})
    assert (answer.status_code, "link that names you" in answer.text) == (403, True)
    (tmp_path / "b").mkdir()
    site = Site(tmp_path / "b", signed_links=True)
    assert site.visitor().start("abc").status_code == 403
    assert site.visitor().start("abc", "x").status_code == 403
    first, second = site.visitor(), site.visitor()
    signature = site.keys.link("abc")
    assert first.start("abc", signature).status_code == 303
    assert site.visitor().start("abd", signature).status_code == 403
    assert second.start("abc", signature).headers["location"] == first.unit  # the link proves who it is


def test_the_page_of_an_error_keeps_the_id(tmp_path: Path) -> None:
    visitor = Site(tmp_path).visitor()
    form = read_page(visitor.get("/w?PROLIFIC_PID=a%26b").text).fields
    answer = visitor.post("/w/start", form)
    assert answer.status_code == 422
    assert 'href="/w?participant=a%26b"' in answer.text


def test_the_screener_does_not_name_its_answer(tmp_path: Path) -> None:
    page = Site(tmp_path, screen=(("country", ("IN", "PK")), ("language", ("hindi",)))).visitor().get("/w").text
    words = re.findall(r"\w+", re.sub(r"<[^>]*>", " ", page))
    assert not {"IN", "PK", "hindi"} & set(words)


def test_what_was_agreed_to_is_kept_with_its_version_and_time(make_site: MakeSite) -> None:
    site = make_site(consent="First text.")
    site.worker("one")
    options = ServeOptions(rate=0, consent="Second text.")
    site.app.state.shared.options = options
    site.worker("two")
    site.worker("three")
    with site.store.reading() as connection:
        texts = {row.version: row.text for row in connection.execute(select(schema.consent))}
        agreed = [texts[row.consent] for row in connection.execute(select(schema.worker).order_by(schema.worker.c.id))]
        assert all(row.consented >= row.joined for row in connection.execute(select(schema.worker)))
    assert agreed == ["First text.", "Second text.", "Second text."]
    assert len(texts) == 2


def test_the_commands_pay_link_print_texts_and_forget(make_site: MakeSite, tmp_path: Path) -> None:
    from visavis.study.fieldwork.keys import load_keys

    site = make_site()
    keys, _ = load_keys(tmp_path / "s.db.keys")
    site.app.state.shared.keys = keys
    worker = site.worker("=abc")
    code = worker.finish()
    site.store.close()

    def run(name: str, *words: str) -> str:
        found = CliRunner().invoke(command, [name, site.where, *words, "--keys", str(tmp_path / "s.db.keys")])
        assert found.exit_code == 0, (found.output, found.exception)
        return found.stdout

    [row] = json.loads(run("payments", "--json"))
    assert (row["participant"], row["code"], row["outcome"]) == ("=abc", code, "completed")
    run("payments", "-o", str(tmp_path / "p.csv"))
    assert "'=abc" in (tmp_path / "p.csv").read_text()
    (tmp_path / "ids.txt").write_text("p1\np 2\n")
    table = run("links", "--ids", str(tmp_path / "ids.txt"), "--url", "https://x.org/")
    assert f"https://x.org/w?participant=p+2&signature={keys.link('p 2')}" in table
    wrong = CliRunner().invoke(command, ["links", site.where, "--ids", str(tmp_path / "ids.txt"), "--url", "ftp://x"])
    assert "--url must be an address" in str(wrong.exception)
    sealed = keys.seal("=abc", keys.pseudonym("=abc"))
    assert any(sealed in row for row in site.rows())
    assert run("payments", "--forget", "--yes") == "removed: 1 ids\n"
    assert not any(sealed in row for row in site.rows())
    if site.path.exists():
        assert sealed.encode() not in site.path.read_bytes()
    [row] = json.loads(run("payments", "--json"))
    assert (row["participant"], row["code"]) == ("", code)


def test_an_id_is_sealed_and_opened_again() -> None:
    keys = make_keys()
    for name in ("a", "5f1c" * 6, "ünïcödé " * 12):
        sealed = keys.seal(name, keys.pseudonym(name))
        assert keys.unseal(sealed, keys.pseudonym(name)) == name
        assert keys.unseal(sealed, keys.pseudonym(name + "x")) != name
        assert make_keys().unseal(sealed, keys.pseudonym(name)) != name
    assert OUTCOMES == ("completed", "screened", "failed")
