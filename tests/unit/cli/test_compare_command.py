from __future__ import annotations

import csv
import gzip
import io
import json
import os
import sqlite3
import subprocess
import sys

import numpy as np
import pytest
from rich.status import Status

import visavis
import visavis.report
from visavis.cli.main import main
from visavis.datasets import sample_path
from visavis.select import METHODS

pytestmark = pytest.mark.usefixtures("brief_assessment")

SAMPLE = str(sample_path())
KEYS = [
    "schema", "title", "verdict", "differences", "groups", "test", "accuracy", "accuracy_interval", "ceiling",
    "ceiling_interval", "common", "set_aside", "folded", "not_candidates", "boilerplate", "warnings", "notes", "method",
    "parameters", "seed", "version",
]  # fmt: skip
PICK_KEYS = [
    "id", "rank", "title", "headline", "date", "source", "url", "scores", "share", "gain", "loss", "stability",
    "stability_by_chance", "resamples", "stands_for", "stands_for_rest", "words", "covers",
]  # fmt: skip
TEST_KEYS = ["groups", "mmd2", "p_value", "adjusted", "blocks", "permutations", "why"]
MONTHS = ["2024-02", "2024-03", "2024-04", "2024-05"]
QUICK = ("--method", "mmd-diff-greedy", "--size", "2", "--jobs", "1")


@pytest.fixture
def run(capsys):
    """Runs `visavis compare` in this process: exit status, standard output, standard error."""

    def call(*words):
        with pytest.raises(SystemExit) as done:
            main(["compare", *map(str, words)])
        found = capsys.readouterr()
        return done.value.code, found.out, found.err

    return call


@pytest.fixture
def record(run):
    def call(*words):
        status, out, err = run(*words, "--json")
        assert (status, err) == (0, "")
        return json.loads(out)

    return call


def sizes(found):
    return {group["name"]: group["documents"] for group in found["groups"]}


def picks(found):
    return {group["name"]: [pick["id"] for pick in group["picks"]] for group in found["groups"]}


def articles():
    return [json.loads(line) for line in sample_path().read_text(encoding="utf-8").splitlines()]


def write_csv(path, rows):
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(text.getvalue(), encoding="utf-8")
    return path


def test_json_has_exactly_the_promised_keys(record):
    told = ("--by", "published:month", "--size", "2", "--method", "mmd-diff-exchange", "--seed", "3")
    found = record(SAMPLE, *told)
    assert list(found) == KEYS
    assert (found["schema"], found["seed"], found["version"]) == (1, 3, visavis.__version__)
    assert found["method"] == "mmd-diff-exchange"
    assert [group["name"] for group in found["groups"]] == MONTHS
    for group in found["groups"]:
        assert list(group) == ["name", "documents", "words", "terms", "objective", "picks"]
        assert list(group["objective"]) == ["value", "stages"]
        assert group["objective"]["stages"]["exchanged"] == group["objective"]["value"]
        assert [pick["rank"] for pick in group["picks"]] == [1, 2]
        for pick in group["picks"]:
            assert list(pick) == PICK_KEYS
            assert list(pick["scores"]) == ["coverage", "discrimination", "diversity", "versus", "typical", "distinct"]
            assert pick["url"].startswith("https://")
            assert pick["date"].startswith(group["name"])
    assert [list(test) for test in found["test"]] == [TEST_KEYS] * 5
    assert not [key for key in found["parameters"] if "time" in key or "seconds" in key]


def test_the_output_file_is_what_is_printed_twice_to_the_byte_whatever_the_jobs(run, tmp_path):
    printed = []
    for n, jobs in enumerate((1, 1, 2, 4)):
        path = tmp_path / f"{n}.json"
        told = ("--by", "published:month", "--size", "2", "--jobs", jobs)
        status, out, err = run(SAMPLE, *told, "--json", "-o", path)
        assert status == 0
        assert err == f"written: {path}\n"
        assert path.read_bytes() == out.encode()
        printed.append(out)
    assert len(set(printed)) == 1


def test_real_processes_print_the_same_bytes():
    words = [sys.executable, "-m", "visavis", "compare", SAMPLE, "--by", "outlet", "--size", "1", "--json"]
    first, second = (subprocess.run([*words, "--jobs", jobs], capture_output=True, check=True) for jobs in "24")
    assert first.stdout == second.stdout
    assert json.loads(first.stdout)["schema"] == 1
    assert first.stderr == b""


@pytest.mark.parametrize("method", ["kmeans", "softmin-exchange", "nn-comp-greedy", "mmd-critic"])
def test_methods_are_asked_for_by_name(record, method):
    assert method in METHODS
    assert record(SAMPLE, "--by", "outlet", "--size", "1", "--method", method)["method"] == method


def test_without_output_the_summary_is_printed(run, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    status, out, err = run(SAMPLE, "--by", "published:month", "--lead", "all", *QUICK)
    assert (status, err) == (0, "")
    assert "\x1b[" not in out
    names = ["Feb 2024", "Mar 2024", "Apr 2024", "May 2024"]
    assert all(name in out for name in names)
    assert out.index("groups differ") < out.index("How they differ") < out.index(" A  Feb 2024: ") < out.index("A1 ")


def test_every_format_is_written_and_a_heading_shown(run, tmp_path):
    outputs = [tmp_path / f"report{suffix}" for suffix in visavis.report.RENDERERS]
    words = [word for path in outputs for word in ("-o", path)]
    status, out, err = run(SAMPLE, "--by", "published:month", *QUICK, *words, "--heading", "Four <b> months")
    assert (status, out) == (0, "")
    assert err.splitlines() == [f"written: {path}" for path in outputs]
    page = (tmp_path / "report.html").read_text()
    assert "Four &lt;b&gt; months" in page
    assert "<b> months" not in page
    with sqlite3.connect(tmp_path / "report.db") as database:
        assert database.execute("SELECT count(*) FROM picks").fetchone() == (8,)


# --- groups -----------------------------------------------------------------------------------------------------------
def test_only_versus_filter_and_small_groups(record):
    months = (SAMPLE, "--by", "published:month", *QUICK)
    assert sizes(record(*months, "--only", "2024-05, 2024-02")) == {"2024-05": 64, "2024-02": 64}
    assert sizes(record(*months, "--versus", "2024-03")) == {"2024-03": 64, "rest": 192}
    found = record(*months, "--filter", "outlet == 'Tideline' and published >= '2024-04'")
    assert sum(sizes(found).values()) == 256 - sum(aside["count"] for aside in found["set_aside"])
    assert list(sizes(found)) == ["2024-04", "2024-05"]
    few = "published < '2024-03-10' or (published >= '2024-04-01' and published < '2024-04-10')"
    told = (*months, "--filter", few, "--min-size", "30")
    assert list(sizes(record(*told))) == ["2024-02"]
    assert list(sizes(record(*told, "--small", "merge"))) == ["2024-02", "other"]


def test_groups_by_ranges_and_lists(record, tmp_path):
    ranges = ("--group", "winter=2024-02-01..2024-03-01", "--group", "spring=2024-03-01..2024-05-01")
    assert sizes(record(SAMPLE, *ranges, *QUICK)) == {"winter": 64, "spring": 128}
    (tmp_path / "a.txt").write_text("2024-02-001\n2024-02-002\n")
    (tmp_path / "b.txt").write_text("2024-02-003\n2024-02-004\n2024-02-005\n")
    lists = ("--group", f"a=@{tmp_path / 'a.txt'}", "--group", f"b=@{tmp_path / 'b.txt'}")
    assert sizes(record(SAMPLE, *lists, *QUICK)) == {"a": 2, "b": 3}


def test_equal_spans_and_quantiles(record):
    found = sizes(record(SAMPLE, "--by", "published:spans=2", *QUICK))
    assert len(found) == 2
    assert min(found.values()) > 110
    assert len(sizes(record(SAMPLE, "--by", "published:quantiles=3", *QUICK))) == 3


def test_a_facet_is_a_page_a_value_and_an_index(run, tmp_path):
    rows = [{**row, "desk": "<home>/.." if n % 2 else "abroad"} for n, row in enumerate(articles()[:100])]
    rows[0]["desk"] = "alone"
    path = write_csv(tmp_path / "news.csv", rows)
    told = (path, "--by", "outlet", "--facet", "desk", *QUICK)
    status, out, err = run(*told, "-o", tmp_path / "pages")
    assert (status, out) == (0, "")
    assert err == f"written: {tmp_path / 'pages' / 'index.html'}\n"
    names = sorted(page.name for page in (tmp_path / "pages").iterdir())
    assert names == ["001-home.html", "002-abroad.html", "index.html"]
    index = (tmp_path / "pages" / "index.html").read_text()
    assert "<home>" not in index
    assert "<bdi>alone</bdi>: <bdi>there is only one group" in index
    assert all(f'href="{name}"' in index for name in names[:2])
    status, out, _ = run(*told, "--json")
    found = json.loads(out)["facets"]
    assert set(found) == {"<home>/..", "abroad", "alone"}
    assert list(found["abroad"]) == KEYS
    assert "only one group" in found["alone"]["error"]
    status, out, _ = run(*told)
    assert status == 0
    assert "alone: " in out


def test_a_value_of_a_facet_is_shown_and_never_obeyed(run, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    update = Status.update  # drawn at once: by itself it is drawn every twelfth of a second, if work lasts so long
    monkeypatch.setattr(Status, "update", lambda self, stage: update(self, stage) or self._live.refresh())
    alone = "a\x1b[31m[/b]"
    rows = [{**row, "desk": "[/home]"} for row in articles()[:60]]
    rows[0]["desk"] = alone
    status, out, err = run(write_csv(tmp_path / "news.csv", rows), "--by", "outlet", "--facet", "desk", *QUICK)
    assert status == 0
    assert "a[31m[/b]: there is only one group" in out
    assert "[/home]: " in err


def test_a_facet_of_which_nothing_can_be_compared_is_an_error(run):
    status, out, err = run(SAMPLE, "--by", "outlet", "--facet", "published:month", "--gamma", "-1", *QUICK)
    assert (status, out) == (2, "")
    assert "gamma" in err


def test_a_terminal_without_unicode_gets_question_marks_and_json_in_full(tmp_path):
    rows = [{**row, "title": f"Škoda {row['title']}"} for row in articles()[:60]]
    path = str(write_csv(tmp_path / "news.csv", rows))
    words = [sys.executable, "-m", "visavis", "compare", path, "--by", "outlet", *QUICK]
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    shown = subprocess.run(words, capture_output=True, env=ascii_only, check=True)
    assert b"?koda" in shown.stdout
    data = subprocess.run([*words, "--json"], capture_output=True, env=ascii_only, check=True)
    assert "Škoda" in data.stdout.decode("utf-8")


def test_a_reader_that_has_seen_enough_is_no_failure():
    words = [sys.executable, "-m", "visavis", "compare", SAMPLE, "--by", "outlet", "--lead", "0", *QUICK]
    done = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    done.stdout.close()
    assert done.stderr.read() == b""
    assert done.wait() == 0


# --- picks ------------------------------------------------------------------------------------------------------------
def test_sizes_by_group_budget_auto_and_tuning(record):
    outlets = (SAMPLE, "--by", "outlet", "--method", "mmd-diff-greedy")
    by_group = "Meridian Post=1,The Harbor Ledger=3,Tideline=2,Valley Courier=1"
    assert [len(found) for found in picks(record(*outlets, "--size", by_group)).values()] == [1, 3, 2, 1]
    assert sum(len(found) for found in picks(record(*outlets, "--budget", "6")).values()) == 6
    automatic = record(*outlets, "--size", "auto")
    assert automatic["parameters"]["size"] in (1, 2, 3, 4, 6, 8, 12, 16)
    assert record(*outlets, "--size", "1", "--tune")["parameters"]["tuned"] is True


def test_pins_and_bans(record):
    months = (SAMPLE, "--by", "published:month", *QUICK)
    first = picks(record(*months))["2024-02"][0]
    found = picks(record(*months, "--ban", first, "--pin", "2024-02-001", "--pin", "2024-03-001"))
    assert first not in found["2024-02"]
    assert "2024-02-001" in found["2024-02"]
    assert "2024-03-001" in found["2024-03"]


def test_duplicates_are_folded_unless_kept(record):
    months = (SAMPLE, "--by", "published:month", *QUICK)
    assert record(*months)["folded"] > 0
    assert record(*months, "--keep-duplicates")["folded"] == 0
    assert record(*months, "--lead", "all")["parameters"]["lead"] is None


# --- sources ----------------------------------------------------------------------------------------------------------
def test_standard_input(record, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(sample_path().read_bytes())))
    assert sizes(record("-", "--by", "published:month", *QUICK)) == dict.fromkeys(MONTHS, 64)


def test_several_files_are_told_apart_by_their_names(record, tmp_path):
    rows = articles()
    first, second = write_csv(tmp_path / "old.csv", rows[:60]), write_csv(tmp_path / "new.csv", rows[200:])
    assert sizes(record(first, second, "--by", "file", *QUICK)) == {"new": 56, "old": 60}
    assert sizes(record(tmp_path / "*.csv", "--by", "file", *QUICK)) == {"new": 56, "old": 60}


def test_columns_are_named_by_their_roles(record, tmp_path):
    rows = [{"key": r["id"], "head": r["title"], "story": r["text"], "paper": r["outlet"]} for r in articles()[:80]]
    path = write_csv(tmp_path / "news.csv", rows)
    roles = ("--id", "key", "--title", "head", "--text", "story", "--source", "paper")
    found = record(path, "--by", "source", *roles, *QUICK)
    assert sum(sizes(found).values()) == 80
    pick = found["groups"][0]["picks"][0]
    assert (pick["id"][:5], pick["source"]) == ("2024-", "Meridian Post")


def test_a_query_of_a_database(record, tmp_path):
    with sqlite3.connect(tmp_path / "news.db") as database:
        database.execute("CREATE TABLE articles (id, title, text, outlet)")
        values = [(row["id"], row["title"], row["text"], row["outlet"]) for row in articles()]
        database.executemany("INSERT INTO articles VALUES (?, ?, ?, ?)", values)
    query = "SELECT * FROM articles WHERE outlet IN ('Tideline', 'Valley Courier')"
    assert list(sizes(record(tmp_path / "news.db", "--sql", query, "--by", "outlet", *QUICK))) == [
        "Tideline",
        "Valley Courier",
    ]
    assert len(sizes(record(f"{tmp_path / 'news.db'}::articles", "--by", "outlet", *QUICK))) == 4


def test_vectors_of_an_hdf5_file_are_used(record, tmp_path):
    h5py = pytest.importorskip("h5py")
    rng = np.random.default_rng(0)
    target = np.repeat([0, 1], 20)
    with h5py.File(tmp_path / "news.h5", "w") as file:
        file["data"] = rng.normal(size=(40, 3)) + 3.0 * target[:, None]
        file["target"] = target
        file["title"] = [f"all titles are alike, number {n}" for n in range(40)]
    found = record(tmp_path / "news.h5", "--by", "target", *QUICK)
    assert found["parameters"]["embedder"] == "given"
    assert found["test"][0]["p_value"] == 0.001
    assert found["accuracy"] > 0.9


def test_a_folder_of_pictures(record, tmp_path):
    image = pytest.importorskip("PIL.Image")
    rng = np.random.default_rng(0)
    for folder, shade in (("dark", 60), ("light", 190)):
        (tmp_path / "pictures" / folder).mkdir(parents=True)
        for n in range(8):
            pixels = np.clip(rng.normal(shade, 30, (12, 12)), 0, 255).astype(np.uint8)
            image.fromarray(pixels).save(tmp_path / "pictures" / folder / f"{n}.png")
    found = record(tmp_path / "pictures", "--by", "folder", *QUICK)
    assert sizes(found) == {"dark": 8, "light": 8}
    assert found["folded"] == 0  # equal names are no copies
    assert found["parameters"]["embedder"] == "pixels"
    assert found["accuracy"] > 0.9
    assert all(pick.startswith("dark/") for pick in picks(found)["dark"])


def test_vectors_of_a_column_and_of_an_array_agree(record, tmp_path):
    rng = np.random.default_rng(1)
    vectors = rng.normal(size=(60, 4)).round(6)
    rows = [
        {"id": row["id"], "title": row["title"], "outlet": row["outlet"], "vector": " ".join(map(str, vector))}
        for row, vector in zip(articles(), vectors, strict=False)
    ]
    path = write_csv(tmp_path / "news.csv", rows)
    np.save(tmp_path / "vectors.npy", vectors)
    for told in ((), ("--only", "Tideline,Valley Courier"), ("--filter", f"id != '{rows[0]['id']}'")):
        words = (path, "--by", "outlet", *QUICK, *told)
        by_column = record(*words, "--embedder", "column:vector")
        by_array = record(*words, "--embedder", tmp_path / "vectors.npy")
        assert picks(by_column) == picks(by_array)
        assert by_array["parameters"]["embedding"]["source"] == str(tmp_path / "vectors.npy")


def test_other_languages_are_embedded_by_their_own_words(record, tmp_path):
    german = [
        {"land": land, "text": f"Der {was} wird heute von {n} Leuten in der Stadt nicht ohne Freude {tut}, sagt man"}
        for land, was, tut in (("nord", "Hafen", "besucht"), ("süd", "Gipfel", "bestiegen"))
        for n in range(10, 18)
    ]
    path = write_csv(tmp_path / "berichte.csv", german)
    found = record(path, "--by", "land", "--keep-duplicates", *QUICK)
    assert found["parameters"]["embedder"] == "tfidf"
    assert sizes(found) == {"nord": 8, "süd": 8}


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames_and_lists_give_what_files_give(record, library):
    frames = pytest.importorskip(library)
    pytest.importorskip("narwhals")
    expected = picks(record(SAMPLE, "--by", "outlet", *QUICK))
    for source in (frames.DataFrame(articles()), articles(), sample_path()):
        summary = visavis.compare(source, "outlet", method="mmd-diff-greedy", size=2)
        assert {group.name: [pick.document.id for pick in group.picks] for group in summary.groups} == expected


def test_real_news_of_two_spans_differ(record, data_folder, tmp_path):
    with gzip.open(data_folder / "news" / "articles_lead.jsonl.gz", "rt", encoding="utf-8") as lines:
        some = [line for line in lines if json.loads(line)["topic"] in ("immigration", "taxes")]
    (tmp_path / "some.jsonl").write_text("".join(some), encoding="utf-8")  # all of them take long to read
    found = record(tmp_path / "some.jsonl", "--filter", "topic == 'immigration'", "--by", "date:spans=2", "--size", "2")
    small, large = sorted(sizes(found).values())
    assert small > 500
    assert large / small < 1.2
    assert found["test"][0]["p_value"] < 0.05
    assert found["accuracy"] > 0.6
