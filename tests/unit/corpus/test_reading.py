from __future__ import annotations

import gzip
import io
import json
import sqlite3
import subprocess
import sys
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from malformed import PIXEL, hdf5, workbook

from visavis.corpus import ReadOptions, read_corpus
from visavis.corpus.errors import Unreadable
from visavis.corpus.readers import READERS
from visavis.corpus.readers.base import Limits
from visavis.errors import InvalidParameter, MissingExtra, UnknownName

ROWS = [
    {"id": "x", "Headline": "One", "Body": "first text", "Published_At": "2018-03-05", "Outlet": "A", "Link": "u1"},
    {"id": "y", "Headline": "Two", "Body": "second text", "Published_At": "2018-03-06", "Outlet": "B", "Link": "u2"},
]
CELL = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
MANIFEST = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
DAY = datetime(2018, 3, 5, tzinfo=UTC)


def table(rows: list[dict[str, str]], mark: str) -> str:
    lines = [mark.join(rows[0]), *(mark.join(row.values()) for row in rows)]
    return "\n".join(lines) + "\n"


def write(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def as_sqlite(folder: Path) -> str:
    database = sqlite3.connect(folder / "news.db")
    database.execute("CREATE TABLE news (id, Headline, Body, Published_At, Outlet, Link)")
    database.executemany("INSERT INTO news VALUES (?, ?, ?, ?, ?, ?)", [tuple(row.values()) for row in ROWS])
    database.execute("CREATE TABLE other (x)")
    database.commit()
    database.close()
    return f"{folder / 'news.db'}::news"


def as_parquet(folder: Path) -> Path:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.Table.from_pylist(ROWS), folder / "news.parquet")
    return folder / "news.parquet"


def as_workbook(folder: Path) -> str:
    cells = {f"{'ABCDEF'[place]}1": name for place, name in enumerate(ROWS[0])}
    for number, row in enumerate(ROWS, start=2):
        cells |= {f"{'ABCDEF'[place]}{number}": value for place, value in enumerate(row.values())}
    return workbook(cells, "news.xlsx")(folder)


def as_open_document(folder: Path) -> Path:
    pytest.importorskip("python_calamine")
    rows = "".join(
        f"<table:table-row>{''.join(map(CELL.format, cells))}</table:table-row>"
        for cells in (ROWS[0], *(row.values() for row in ROWS))
    )
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
    )
    with zipfile.ZipFile(folder / "news.ods", "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr(
            "content.xml",
            f'<office:document-content {spaces}><office:body><office:spreadsheet><table:table table:name="News">'
            f"{rows}</table:table></office:spreadsheet></office:body></office:document-content>",
        )
        archive.writestr("META-INF/manifest.xml", MANIFEST)
    return folder / "news.ods"


def as_frame(package: str) -> Any:
    module = pytest.importorskip(package)
    return module.Table.from_pylist(ROWS) if package == "pyarrow" else module.DataFrame(ROWS)


FORMS = {
    "csv": lambda folder: write(folder / "news.csv", table(ROWS, ",")),
    "semicolons": lambda folder: write(folder / "news.csv", table(ROWS, ";")),
    "csv with a mark": lambda folder: write(folder / "news.csv", b"\xef\xbb\xbf" + table(ROWS, ",").encode()),
    "csv in UTF-16": lambda folder: write(folder / "news.csv", table(ROWS, ",").encode("utf-16")),
    "tsv": lambda folder: str(write(folder / "news.tsv", table(ROWS, "\t"))),
    "csv.gz": lambda folder: write(folder / "news.csv.gz", gzip.compress(table(ROWS, ",").encode())),
    "tsv.gz": lambda folder: write(folder / "news.tsv.gz", gzip.compress(table(ROWS, "\t").encode())),
    "jsonl": lambda folder: write(folder / "news.jsonl", "\n".join(map(json.dumps, ROWS))),
    "jsonl.gz": lambda folder: write(
        folder / "news.jsonl.gz", gzip.compress("\n".join(map(json.dumps, ROWS)).encode())
    ),
    "json": lambda folder: write(folder / "news.json", json.dumps(ROWS, indent=1)),
    "json.gz": lambda folder: write(folder / "news.json.gz", gzip.compress(json.dumps(ROWS).encode())),
    "array called jsonl": lambda folder: write(folder / "news.jsonl", json.dumps(ROWS, indent=1)),
    "array in one line called jsonl.gz": lambda folder: write(
        folder / "news.jsonl.gz", gzip.compress(json.dumps(ROWS).encode())
    ),
    "table called txt": lambda folder: write(folder / "news.txt", table(ROWS, "\t").encode("utf-16")),
    "separator said": lambda folder: write(folder / "news.csv", "sep=|\r\n" + table(ROWS, "|")),
    "csv in UTF-32": lambda folder: write(folder / "news.csv", table(ROWS, ",").encode("utf-32")),
    "lines called json": lambda folder: write(folder / "news.json", "\n".join(map(json.dumps, ROWS))),
    "sqlite": as_sqlite,
    "parquet": as_parquet,
    "xlsx": as_workbook,
    "xlsx sheet": lambda folder: f"{as_workbook(folder)}::News",
    "ods": as_open_document,
    "dictionaries": lambda _: ROWS,
    "pandas": lambda _: as_frame("pandas"),
    "polars": lambda _: as_frame("polars"),
    "pyarrow": lambda _: as_frame("pyarrow"),
}


@pytest.mark.parametrize("form", FORMS)
def test_the_same_rows_in_any_form_are_the_same_documents(form: str, tmp_path: Path) -> None:
    corpus = read_corpus(FORMS[form](tmp_path))
    assert [document.id for document in corpus.documents] == ["x", "y"]
    first = corpus.documents[0]
    assert (first.title, first.text, first.source, first.url) == ("One", "first text", "A", "u1")
    assert (first.date, first.weight, first.image) == (DAY, 1.0, "")
    assert dict(first.fields) == ROWS[0]
    assert corpus.columns["date"] == "Published_At"
    assert (corpus.notes, corpus.set_aside, corpus.vectors) == ((), (), None)


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "json", "csv.gz"])
def test_standard_input_is_recognized_by_what_it_holds(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = Path(FORMS[form](tmp_path)).read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    corpus = read_corpus("-")
    assert [document.title for document in corpus.documents] == ["One", "Two"]
    assert corpus.origin == "standard input"


def test_every_suffix_has_a_reader() -> None:
    assert all(callable(READERS.load(suffix)) for suffix in READERS)


def test_a_list_of_texts_is_a_corpus() -> None:
    corpus = read_corpus(["see report.csv for more", "another text"])
    assert [(d.id, d.text) for d in corpus.documents] == [
        ("item:1", "see report.csv for more"),
        ("item:2", "another text"),
    ]


def test_several_files_are_joined_and_each_row_knows_its_file(tmp_path: Path) -> None:
    write(tmp_path / "a.csv", "text\none\ntwo\n")
    write(tmp_path / "b.csv", "text,file\nthree,mine\n")
    for source in ([tmp_path / "a.csv", str(tmp_path / "b.csv")], str(tmp_path / "*.csv")):
        documents = read_corpus(source).documents
        assert [(d.id, d.fields["file"]) for d in documents] == [("a:1", "a"), ("a:2", "a"), ("b:1", "mine")]


def test_files_of_one_name_in_two_folders_have_distinct_ids(tmp_path: Path) -> None:
    paths = [write(tmp_path / name / "x.csv", "text\none\n") for name in "ab"]
    found = [document.id for document in read_corpus(paths).documents]
    assert found == [f"{tmp_path}/a/x:1", f"{tmp_path}/b/x:1"]


def test_ids_that_several_files_share_are_told_apart_by_the_file(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{name}.csv", f"id,text\n1,one\n{name}2,two\n") for name in ("left", "right")]
    corpus = read_corpus(paths)
    assert [document.id for document in corpus.documents] == ["left:1", "left2", "right:1", "right2"]
    assert any("'left:' is put before" in note for note in corpus.notes)
    with pytest.raises(Unreadable, match=r"stands already in .*--id"):
        read_corpus(write(tmp_path / "twice.csv", "id,text\n1,one\n1,two\n"))


def test_a_comma_in_a_quoted_name_does_not_choose_the_separator(tmp_path: Path) -> None:
    document = read_corpus(write(tmp_path / "a.csv", 'title;"text, long";place\na;b;c\n')).documents[0]
    assert document.fields == {"title": "a", "text, long": "b", "place": "c"}


def test_named_columns_take_the_place_of_recognized_ones(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "title,summary,text,shares\nt,s,x,3\n")
    document = read_corpus(path, ReadOptions(columns={"text": "summary"})).documents[0]
    assert (document.title, document.text, document.weight) == ("t", "s", 3.0)
    assert document.fields["text"] == "x"


def test_a_column_serves_one_role_and_the_preferred_name_wins() -> None:
    rows = [{"description": "d", "content": "c", "time": "2018", "date": "2017", "lead": "l"}]
    corpus = read_corpus(rows)
    assert corpus.columns == {"text": "content", "date": "date"}
    assert "text" not in read_corpus([{"title": "a"}], ReadOptions(columns={"title": "title"})).columns


def test_rows_without_text_are_set_aside_and_counted(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "title,text\na,b\n,\nc,\nd,e,f\n")
    corpus = read_corpus(path)
    assert [document.id for document in corpus.documents] == ["a:1", "a:3"]
    assert [(found.reason, found.where) for found in corpus.set_aside] == [
        ("row has 3 cells, header has 2", (f"{path}:4",)),
        ("no text", (f"{path}:2",)),
    ]


def test_a_cut_last_line_is_set_aside(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", '{"text": "a"}\n\n7\n{"text": "c"}\n{"text": "b"')
    corpus = read_corpus(path)
    assert [(document.id, document.text) for document in corpus.documents] == [("a:1", "a"), ("a:4", "c")]
    assert {found.reason: found.where for found in corpus.set_aside} == {
        "line is not a JSON object": (f"{path}:3",),
        "last line is not a whole JSON object": (f"{path}:5",),
    }


def test_a_file_of_which_most_cannot_be_used_is_refused_unless_it_is_allowed(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", '{"text": "a"}\n7\n{"text": ""}\n')
    with pytest.raises(Unreadable, match=r"2 of 3 lines cannot be used \(.*JSON object: line 2; no text: line 3\)"):
        read_corpus(path)
    corpus = read_corpus(path, ReadOptions(allow_broken=True))
    assert [document.text for document in corpus.documents] == ["a"]
    assert sum(away.count for away in corpus.set_aside) == 2
    half = write(tmp_path / "half.jsonl", '{"text": "a"}\n7\n')
    assert len(read_corpus(half).documents) == 1
    with pytest.raises(Unreadable, match=r"a\.jsonl: 2 of 3 lines"):
        read_corpus([half, path])


def test_bad_dates_and_weights_are_counted_in_notes() -> None:
    dates = ["2018", "", "soon", "never", "3/5/2018"]
    rows = [
        {"text": "x", "date": date, "weight": weight}
        for date, weight in zip(dates, [2, -1, "3", None, "x"], strict=True)
    ]
    corpus = read_corpus(rows)
    assert [document.weight for document in corpus.documents] == [2.0, 1.0, 3.0, 1.0, 1.0]
    assert [document.date is None for document in corpus.documents] == [False, True, True, True, False]
    assert corpus.notes == (
        "1 document has no date",
        "2 dates could not be read, e.g. 'soon' (item 3)",
        "1 date could be month/day or day/month: read as month/day/year (date_order settles it)",
        "2 weights are not a number of at least 0 and taken as 1, e.g. '-1' (item 2)",
    )


def test_the_whole_file_decides_the_order_of_its_dates() -> None:
    rows = [{"text": "x", "date": "3/5/2018"}, {"text": "y", "date": "25/5/2018"}]
    corpus = read_corpus(rows)
    assert corpus.documents[0].date == datetime(2018, 5, 3, tzinfo=UTC)
    assert corpus.notes == ()
    told = read_corpus(rows[:1], ReadOptions(date_order="mdy"))
    assert (told.documents[0].date, told.notes) == (DAY, ())


def test_long_fields_and_line_ends_inside_quotes_are_fine(tmp_path: Path) -> None:
    long = "word " * 40_000
    path = write(tmp_path / "a.csv", f'title,text\r\n"one\r\ntwo",{long}\r\n5" nail,"a ""quote"""\r\n')
    first, second = read_corpus(path).documents
    assert (first.title, first.text) == ("one\r\ntwo", long.strip())
    assert (second.title, second.text) == ('5" nail', 'a "quote"')


def test_characters_cut_between_two_pieces_of_the_file_are_read(tmp_path: Path) -> None:
    text = "x" * (2**20 - 7) + "€" * 5
    assert read_corpus(write(tmp_path / "a.csv", "text\n" + text + "\n")).documents[0].text == text


def test_a_table_called_txt_may_have_long_cells(tmp_path: Path) -> None:
    rows = [{"id": str(row), "text": "word " * 9_000, "outlet": "X"} for row in range(4)]
    corpus = read_corpus(write(tmp_path / "news.txt", table(rows, "\t")))
    assert [document.id for document in corpus.documents] == ["0", "1", "2", "3"]


def test_prose_with_a_tab_on_every_line_is_one_document(tmp_path: Path) -> None:
    path = write(tmp_path / "minutes.txt", "00:01\tThe chair opened.\n00:02\tA motion was made.\n00:03\tIt fell.\n")
    (document,) = read_corpus(path).documents
    assert document.text.endswith("It fell.")
    told = read_corpus(path, ReadOptions(columns={"text": "The chair opened."}))
    assert [document.text for document in told.documents] == ["A motion was made.", "It fell."]


def test_a_folder_of_texts(tmp_path: Path) -> None:
    write(tmp_path / "news/left/one.txt", "A title\n\nThe text.")
    write(tmp_path / "news/two.md", "# Heading\nMore.")
    write(tmp_path / "news/zero.txt", "long " * 50)
    write(tmp_path / "news/empty.txt", "")
    write(tmp_path / "news/.hidden.txt", "no")
    corpus = read_corpus(tmp_path / "news")
    found = {d.id: (d.title, d.text, d.fields["folder"]) for d in corpus.documents}
    assert found == {
        "left/one.txt": ("A title", "The text.", "left"),
        "two.md": ("Heading", "More.", ""),
        "zero.txt": ("zero", ("long " * 50).strip(), ""),
    }
    assert corpus.set_aside[0].where == (str(tmp_path / "news/empty.txt"),)


def test_a_folder_of_pictures(tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    write(tmp_path / "digits/7/a.png", PIXEL)
    write(tmp_path / "digits/b.png", PIXEL)
    write(tmp_path / "digits/c.jpg", b"broken")
    corpus = read_corpus(tmp_path / "digits")
    found = {d.id: (d.title, d.image, d.fields["folder"]) for d in corpus.documents}
    assert found == {
        "7/a.png": ("a", str(tmp_path / "digits/7/a.png"), "7"),
        "b.png": ("b", str(tmp_path / "digits/b.png"), ""),
    }
    assert corpus.set_aside[0].where == (str(tmp_path / "digits/c.jpg"),)


def test_the_published_hdf5_layout(tmp_path: Path) -> None:
    pytest.importorskip("h5py")
    data = np.arange(10, dtype=np.float32).reshape(5, 2)

    def fill(book: Any, _: Path) -> None:
        book["data"] = data
        book["target"] = [0, 1, 0, 1, 0]
        book["target-month"] = ["a", "b", "a", "b", "a"]
        book["title"] = ["one", "two", "", "four", "fünf"]
        book["datetime"] = ["2018-03-05"] * 5
        book["train_idxs"], book["val_idxs"], book["test_idxs"] = [[0, 1], [2, 3]], [[2], [4]], [[3, 4], [0, 1]]

    corpus = read_corpus(hdf5(fill)(tmp_path))
    assert corpus.vectors is not None
    np.testing.assert_array_equal(corpus.vectors, data)
    assert corpus.vectors.dtype == np.float64
    assert [document.title for document in corpus.documents] == ["one", "two", "", "four", "fünf"]
    assert corpus.documents[4].fields["target-month"] == "a"
    assert corpus.documents[0].date == DAY
    pairs = [(train.tolist(), test.tolist()) for train, test in corpus.splits]
    assert pairs == [([0, 1, 2], [3, 4]), ([2, 3, 4], [0, 1])]


def test_a_query_reads_and_leaves_the_database_as_it_was(tmp_path: Path) -> None:
    path = Path(as_sqlite(tmp_path).partition("::")[0])
    before = path.read_bytes()
    query = ReadOptions(sql="SELECT Headline AS title, upper(Body) AS text FROM news WHERE id = 'y';")
    assert [document.text for document in read_corpus(path, query).documents] == ["SECOND TEXT"]
    with pytest.raises(Unreadable, match="may only read"):
        read_corpus(path, ReadOptions(sql="DELETE FROM news"))
    assert path.read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["news.db"]


def test_missing_components_name_the_command_that_installs_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    for source in (write(tmp_path / "a.parquet", b""), write(tmp_path / "a.h5", b""), write(tmp_path / "a.png", b"")):
        with pytest.raises(MissingExtra, match=r"pip install 'visavis\[tables\]'"):
            read_corpus(source)


def test_a_reader_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    path = as_parquet(tmp_path)
    with pytest.raises(Unreadable, match=r"news\.parquet: could not be read as Parquet in 0\.01 s"):
        read_corpus(path, ReadOptions(limits=Limits(seconds=0.01)))


@pytest.mark.parametrize("source", [7, None, frozenset(), ["a", {}], [1, 2]], ids=repr)
def test_what_holds_no_documents_is_refused(source: object) -> None:
    with pytest.raises(InvalidParameter, match=r"paths?,"):
        read_corpus(source)


def test_options_are_checked() -> None:
    with pytest.raises(InvalidParameter, match="date_order"):
        read_corpus(["a text"], ReadOptions(date_order="ymd"))
    with pytest.raises(UnknownName, match=r"unknown role 'titel'.*did you mean 'title'"):
        read_corpus(["a text"], ReadOptions(columns={"titel": "x"}))
    with pytest.raises(Unreadable, match="is empty"):
        read_corpus([])


def test_importing_the_reader_imports_nothing_heavy() -> None:
    code = "import sys, visavis.corpus; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"sklearn", "pandas", "pyarrow", "h5py", "PIL", "narwhals", "python_calamine", "sqlite3", "scipy"}
    assert not heavy & set(done.stdout.split())


def test_real_dirt_is_counted_and_kept(data_folder: Path) -> None:
    corpus = read_corpus(data_folder / "news" / "articles_lead.jsonl.gz")
    assert len(corpus.documents) == 37_554
    assert corpus.notes == (
        "4,407 documents have no date",
        "2 dates could not be read, e.g. '0001-11-30' (line 4408)",
    )
    assert corpus.columns["url"] == "url"


@pytest.mark.parametrize(
    "texts", [["tests", "no such folder"], ["", "a text"], ["and/or", "1/2 cup?"], ["a\nb.csv", "x"]]
)
def test_texts_that_only_resemble_paths_stay_texts(texts: list[str]) -> None:
    found = [document.text for document in read_corpus(texts).documents]
    assert found == [text for text in texts if text]


@pytest.mark.parametrize(
    "named", ["missing.csv", "missing.csv.gz", "some/where/*.txt", Path("missing"), "missing.db::news"]
)
def test_names_that_look_like_files_are_looked_for(named: str | Path) -> None:
    with pytest.raises(Unreadable, match=r"no such file|no file matches"):
        read_corpus([named, "another text"])
