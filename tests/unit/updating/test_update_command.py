"""`visavis update`, `ledger` and `diff`, and what their reports say."""

import csv
import io
import json
import sqlite3
from contextlib import closing

import pytest

import visavis
from unit.updating.updates import MONDAY, article, articles, picks, step
from visavis.cli.main import main
from visavis.corpus.lead import usual_lead
from visavis.errors import InvalidParameter
from visavis.report import render
from visavis.report.ledger import DIFFS
from visavis.updating import diff, ledger, write_diff
from visavis.updating.diff import face_to_face
from visavis.updating.ledger import find_entry
from visavis.updating.options import Settings
from visavis.updating.state import write_state

FIRST = ("--by", "side", "--method", "mmd-diff-greedy", "--size", "2", "--quick", "--no-live")
EVIL = '<script>alert("x")</script> [x](javascript:1) =1+1 | **b**'


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Runs `visavis` in a folder with two files: exit status, standard output, standard error."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "first.csv", articles(range(16)))
    put(tmp_path / "second.csv", articles(range(14, 24)))

    def call(*words):
        with pytest.raises(SystemExit) as done:
            main(list(words))
        told = capsys.readouterr()
        return done.value.code, told.out, told.err

    return call


def put(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def test_two_weeks_and_what_is_between_them(run, tmp_path):
    assert run("update", "week.state", "first.csv", *FIRST, "-o", "one.html")[0] == 0
    code, out, err = run("update", "week.state", "second.csv", "-o", "two.html", "-o", "two.md", "--json")
    assert (code, err) == (0, "written: two.html\nwritten: two.md\n")
    record = json.loads(out)
    assert record["changes"]["arrivals"] == {"new": 8, "replaced": 0, "same": 2, "copies": 0, "unused": 0}
    assert record["changes"]["since"] == 1
    assert "What changed since" not in (tmp_path / "one.html").read_text(encoding="utf-8")
    assert "What changed since" in (tmp_path / "two.html").read_text(encoding="utf-8")
    assert "## What changed since" in (tmp_path / "two.md").read_text(encoding="utf-8")
    code, out, _ = run("ledger", "week.state")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines() if line[:1].isdigit()] == ["1", "2"]
    listed = json.loads(run("ledger", "week.state", "--json")[1])["summaries"]
    assert [entry["documents"] for entry in listed] == [16, 24]
    code, out, _ = run("diff", "week.state", "first", "last", "-o", "d.html", "-o", "d.json", "-o", "d.md")
    assert code == 0
    found = json.loads((tmp_path / "d.json").read_text(encoding="utf-8"))
    assert (found["before"]["number"], found["after"]["number"]) == (1, 2)


def test_the_options_are_those_of_the_state(run):
    run("update", "week.state", "first.csv", *FIRST)
    record = json.loads(run("update", "week.state", "second.csv", "--json")[1])
    assert record["method"] == "mmd-diff-greedy"
    assert [len(group["picks"]) for group in record["groups"]] == [2, 2]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--by", "title"), "by='title' contradicts the state, which was made with by='side'"),
        (("--gamma", "2"), "gamma=2.0 contradicts the state"),
        (("--embedder", "glove"), "embedder='glove' contradicts the state"),
        (("--keep-duplicates",), "duplicates=False contradicts the state"),
        (("--text", "title"), "columns={'text': 'title'} contradicts the state"),
        (("--boilerplate", "keep"), "boilerplate='keep' contradicts the state"),
        (("--stickiness", "-1"), "stickiness must be at least 0"),
    ],
)
def test_what_contradicts_a_state_is_refused_and_changes_nothing(run, tmp_path, words, told):
    run("update", "week.state", "first.csv", *FIRST)
    before = (tmp_path / "week.state").read_bytes()
    code, out, err = run("update", "week.state", "second.csv", *words)
    assert (code, out) == (2, "")
    assert told in err
    assert err.count("\n") == 1
    assert (tmp_path / "week.state").read_bytes() == before


def test_saying_the_same_again_is_no_contradiction(run):
    run("update", "week.state", "first.csv", *FIRST)
    assert run("update", "week.state", "second.csv", *FIRST, "--gamma", "median", "--lead", "auto")[0] == 0


def test_as_much_is_read_of_later_documents_as_of_the_first(run):
    first = json.loads(run("update", "week.state", "first.csv", *FIRST, "--json")[1])
    later = json.loads(run("update", "week.state", "second.csv", "--json")[1])
    assert first["parameters"]["lead"] == usual_lead(16)
    assert later["parameters"]["lead"] == usual_lead(16) != usual_lead(24)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--size", "auto"), "an update cannot do size='auto'"),
        (("--tune",), "an update cannot do tune"),
        (("--given", "title"), "an update cannot do given"),
        (("--embedder", "pixels"), "not pictures"),
        (("--embedder", "x.npy"), "keep the vectors in a column"),
    ],
)
def test_what_no_state_can_do_is_refused(run, tmp_path, words, told):
    code, _, err = run("update", "week.state", "first.csv", "--by", "side", *words)
    assert code == 2
    assert told in err
    assert not list(tmp_path.glob("week.state*"))


def test_wrong_names_are_one_line(run):
    assert run("update", "week.state")[2] == "visavis: there is no state 'week.state': name files to make it of\n"
    code, _, err = run("update", "first.csv", "second.csv", "--by", "side")
    assert (code, err.count("\n")) == (2, 1)
    run("update", "week.state", "first.csv", *FIRST)
    assert "there is no summary 9" in run("diff", "week.state", "1", "9")[2]
    assert "names no summary" in run("diff", "week.state", "1", "yesterday")[2]
    assert "no known format" in run("diff", "week.state", "1", "1", "-o", "d.xlsx")[2]
    assert "is also an input" in run("update", "week.state", "second.csv", "-o", "second.csv")[2]
    assert run("ledger", "nowhere.state")[0] == 2


def test_without_files_another_method_is_another_summary(run):
    run("update", "week.state", "first.csv", *FIRST)
    code, out, _ = run("update", "week.state", "--method", "kmeans", "--json")
    assert (code, json.loads(out)["method"]) == (0, "kmeans")
    found = diff("week.state", 1, 2)
    assert ("method", "mmd-diff-greedy", "kmeans") in found.options


def test_nothing_new_is_said(run):
    run("update", "week.state", "first.csv", *FIRST)
    _, _, err = run("update", "week.state", "first.csv", "--json")
    assert err == "Nothing new, because all 16 documents are known as they are.\n"


def test_a_report_that_cannot_be_written_leaves_the_state(tmp_path):
    path = tmp_path / "week.state"
    told = {"by": "side", "size": 1, "quick": True, "live": False}
    found = visavis.update(path, articles(range(8)), **told)
    before = path.read_bytes()
    with pytest.raises(visavis.errors.VisavisError):
        found.update(articles(range(8, 12)), outputs=[tmp_path / "no" / "where.html"])
    assert path.read_bytes() == before
    assert found.update(articles(range(8, 12))).number == 2


# --- reports ------------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def hostile():
    """Two summaries of documents whose every text is hostile; picks were kept, dropped and added."""
    rows = [{**row, "title": f"{EVIL} {row['id']}", "side": f"{EVIL}{row['side']}"} for row in articles(range(12))]
    state, first = step(None, rows, now=MONDAY)
    gone = picks(first)[f"{EVIL}left"][0]
    more = [{**row, "title": f"{EVIL} {row['id']}", "side": f"{EVIL}{row['side']}"} for row in articles(range(12, 16))]
    return step(state, more, Settings.later(state.settings, {"ban": [gone]}), now=MONDAY)


def test_hostile_texts_are_escaped_on_every_report(hostile):
    state, summary = hostile
    assert summary.changes.dropped
    page = render(summary, ".html")
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page.partition('id="changes"')[2]
    told = render(summary, ".md").partition("## What changed")[2]
    assert "<script>" not in told.replace("\\<script\\>", "")
    found = face_to_face(*state.entries)
    assert "<script>alert" not in DIFFS[".html"](found)
    assert "[x](" not in DIFFS[".md"](found)
    assert json.loads(DIFFS[".json"](found))["after"]["number"] == 2


def test_the_page_marks_what_was_kept_and_what_is_new(hostile):
    _, summary = hostile
    page = render(summary, ".html")
    changes = summary.changes
    assert page.count('<span class="since kept">') == len(changes.kept)
    assert page.count('<span class="since new">') == len(changes.added) > 0
    assert page.count('<li class="gone">') == len(changes.dropped) > 0


def test_tables_say_what_became_of_each_pick(hostile):
    _, summary = hostile
    rows = list(csv.DictReader(io.StringIO(render(summary, ".csv"))))
    assert [row["change"] for row in rows].count("new") == len(summary.changes.added)
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(render(summary, ".sqlite"))
        (told,) = database.execute("SELECT value FROM about WHERE key = 'changes'").fetchone()
    assert json.loads(told)["since"] == 1


def test_reports_of_a_first_summary_say_nothing_of_changes():
    _, summary = step(None, articles(range(8)))
    assert "What changed" not in render(summary, ".html") + render(summary, ".md")
    assert "changes" not in json.loads(render(summary, ".json"))
    assert "change" not in render(summary, ".csv").splitlines()[0].split(",")


# --- the ledger ---------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def three(tmp_path_factory):
    """A state of three summaries, made a week apart."""
    path = tmp_path_factory.mktemp("ledgers") / "week.state"
    before = None
    for week in range(3):
        rows = articles(range(8 * week, 8 * week + 8))
        after, _ = step(before, rows, now=MONDAY.replace(day=1 + 7 * week))
        write_state(path, before, after)
        before = after
    return path


def test_summaries_are_found_by_number_day_and_place(three):
    entries = ledger(three)
    assert [entry.made[:10] for entry in entries] == ["2026-11-01", "2026-11-08", "2026-11-15"]
    names = {"1": 1, "first": 1, "last": 3, "2026-11-08": 2, "2026-11-14": 2, "2027-01-01": 3}
    assert {name: find_entry(entries, name).number for name in names} == names
    for name in ("0", "4", "2026-10-31", "", "-1", "1.5", "99999999999"):
        with pytest.raises(InvalidParameter):
            find_entry(entries, name)


def test_a_diff_is_what_one_has_and_the_other_has_not(three):
    found = diff(three, "first", 3)
    before, after = found.before, found.after
    for group in found.groups:
        old, new = ({pick.id for pick in entry.picks if pick.group == group.name} for entry in (before, after))
        assert {pick.id for pick in group.dropped} == old - new
        assert {pick.id for pick in group.added} == new - old
        assert {pick.id for _, pick in group.kept} == old & new
        assert group.documents == (4, 12)
    turned = diff(three, 3, 1)
    assert [group.added for group in turned.groups] == [group.dropped for group in found.groups]
    assert diff(three, 2, 2).options == ()


def test_a_group_that_only_one_summary_has_is_told_so(three):
    entries = ledger(three)
    state, _ = step(None, [article(n, "up") for n in range(6)] + articles(range(6, 12)))
    found = face_to_face(entries[0], state.entries[0])
    (up,) = (group for group in found.groups if group.name == "up")
    assert up.documents == (None, 6)
    assert "not there, then 6 documents" in DIFFS[".md"](found)


def test_a_diff_is_written_by_its_suffix(three, tmp_path):
    found = diff(three, 1, 2)
    for suffix in DIFFS:
        write_diff(found, tmp_path / f"diff{suffix}")
        assert (tmp_path / f"diff{suffix}").stat().st_size > 200
    with pytest.raises(InvalidParameter, match="no known format"):
        write_diff(found, tmp_path / "diff.pdf")
    page = (tmp_path / "diff.html").read_text(encoding="utf-8")
    assert "Content-Security-Policy" in page
    assert "<script" not in page


def test_files_given_together_are_known_by_their_ids(tmp_path):
    head = "id,title,text,outlet\n"
    first = [f"{n},Title {n},The {('sky', 'river')[n % 2]} is {n} and wide,{'ba'[n % 2]}" for n in range(12)]
    (tmp_path / "w1.csv").write_text(head + "\n".join(first))
    (tmp_path / "w2.csv").write_text(head + "7,Title 7,The river was corrected and is wide,a\n")
    state = tmp_path / "s.state"
    visavis.update(state, tmp_path / "w1.csv", by="outlet", size=1, quick=True)
    found = visavis.update(state, [tmp_path / "w1.csv", tmp_path / "w2.csv"])
    assert (found.changes.arrivals.new, found.changes.arrivals.replaced, found.changes.arrivals.same) == (0, 1, 11)


def test_a_state_that_asks_for_more_than_a_state_keeps_is_refused():
    with pytest.raises(InvalidParameter, match="'engine', which no update keeps"):
        Settings.later({"by": "outlet", "engine": "dask://evil.example:8786"}, {})
