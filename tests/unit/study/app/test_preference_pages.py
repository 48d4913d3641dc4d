from __future__ import annotations

import re
from pathlib import Path

import pytest

from unit.study.comparing import METHODS, make_comparisons
from unit.study.visiting import Site
from visavis.study.store import set_fact
from visavis.study.store.comparisons import preferences


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path, store=make_comparisons(tmp_path / "s.db"))


def test_a_worker_goes_from_the_consent_over_the_quiz_to_a_code(site: Site) -> None:
    worker = site.visitor()
    first = worker.get("/w").text
    assert "Which summary serves a reader better?" in first
    assert "three comparisons" in first
    worker.start("P")
    assert "Warm-up comparison 1 of 3" in worker.get(worker.unit).text
    assert worker.finish()
    found = preferences(site.store)
    assert sum(one.gold for one in found) == 4
    assert [one.chosen for one in found if one.gold] == ["the better one"] * 4
    assert {one.clearness for one in found} <= {1, 2, 3}
    assert all(len(one.reasons) == 1 for one in found)


def test_a_page_shows_groups_and_two_summaries_and_neither_methods_nor_answers(site: Site) -> None:
    worker = site.worker("P")
    while "Warm-up" in (page := worker.get(worker.unit).text):
        worker.answer()
    assert page.count("<article>") == 4 + 8
    named = re.findall(r'<h3 class="name">(\w+)</h3>', page)
    assert named == named[:2] * 3  # the groups, and each again in both summaries, in one order
    assert not any(word in page for word in (*METHODS[:2], "truth", "better one", "gold"))
    assert page.count('type="checkbox"') == 4


def test_what_is_missing_or_made_up_is_refused_and_stored_nowhere(site: Site) -> None:
    worker = site.worker("P")
    form = worker.form()
    for change in ({"q0": ""}, {"q0": "up"}, {"clearness": ""}, {"clearness": "4"}, {"reason": "luck"}):
        assert worker.post(worker.unit, {**form, **change}).status_code == 422
    assert preferences(site.store) == []
    assert worker.post(worker.unit, {**form, "reason": ["worth", "variety"]}).status_code == 303
    assert preferences(site.store)[0].reasons == ("variety", "worth")


def test_hostile_texts_are_escaped(site: Site) -> None:
    with site.store.writing() as connection:
        set_fact(connection, "groups", ["<script>alert(1)</script>", "b"])
    worker = site.worker("P")
    seen = ""
    while worker.unit.startswith("/w/unit"):
        seen += worker.get(worker.unit).text
        worker.answer()
    assert "<script>alert" not in seen
    assert "&lt;script&gt;alert" in seen


def test_the_admin_pages_show_comparisons_golds_and_machines_and_take_no_gold_by_form(site: Site) -> None:
    admin = site.admin()
    site.worker("P")
    overview = admin.get("/admin").text
    assert "kmeans | mmd-diff-grad" in overview
    assert "preferred the same summary" in overview
    golds = admin.get("/admin/gold").text
    assert "Rivers: Water" in golds
    assert '<form method="post" action="/admin/gold"' not in golds
    assert "In the worse summary" in admin.get("/admin/gold/1").text
    form = {"left": "a", "right": "b"} | {f"{name}{n}": "left" for name in ("question", "answer") for n in range(3)}
    refused = admin.post("/admin/gold", {**admin.csrf("/admin"), **form})
    assert refused.status_code == 422
    assert "visavis study gold import" in refused.text
    assert admin.get("/admin/export/judgements.csv").text.startswith("comparison,material")
