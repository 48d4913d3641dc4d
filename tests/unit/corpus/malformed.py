"""Files that must be refused with one clear line: (name, maker, options), and what the line must speak of."""

from __future__ import annotations

import gzip
import json
import os
import sqlite3
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from visavis.corpus import ReadOptions
from visavis.corpus.readers.base import Limits

STRICT = ReadOptions(strict=True)
UTF8 = ReadOptions(encoding="utf-8")
SMALL = ReadOptions(limits=Limits(text_bytes=200_000, field_chars=10_000, ratio_from=100_000, rows=20, values=1000))
RATIO = ReadOptions(limits=Limits(ratio_from=100_000))


class Malformed(NamedTuple):
    name: str
    make: Callable[[Path], Any]
    options: ReadOptions


MALFORMED: list[Malformed] = []
SPEAKS_OF: dict[str, str] = {}  # name → a piece of the message that names the row, the field or the fault


def add(name: str, make: Callable[[Path], Any], speaks_of: str, options: ReadOptions | None = None) -> None:
    MALFORMED.append(Malformed(name, make, options or ReadOptions()))
    SPEAKS_OF[name] = speaks_of


def file(name: str, content: bytes | str) -> Callable[[Path], str]:
    data = content.encode() if isinstance(content, str) else content

    def make(folder: Path) -> str:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return str(path)

    return make


def squeezed(name: str, content: bytes | str, cut: int = 0) -> Callable[[Path], str]:
    data = gzip.compress(content.encode() if isinstance(content, str) else content)
    return file(name, data[: len(data) - cut])


def columns(**roles: str) -> ReadOptions:
    return ReadOptions(columns=roles)


# --- delimited -------------------------------------------------------------------------------------------------------
for suffix, mark in ((".csv", ","), (".tsv", "\t")):
    name, head = f"bad{suffix}", mark.join(("title", "text", "date")) + "\n"
    good = mark.join(("a", "b", "2018-03-05")) + "\n"
    kind = suffix[1:]
    add(f"{kind} empty", file(name, ""), "is empty")
    add(f"{kind} only blank lines", file(name, "\n\n  \n"), "is empty")
    add(f"{kind} header only", file(name, head), "no rows under its header")
    add(f"{kind} header without end", file(name, head.strip()), "no rows under its header")
    add(f"{kind} not UTF-8", file(name, head.encode() + good.encode() + b"caf\xe9\n"), "byte 0xe9 at offset", UTF8)
    add(f"{kind} ends inside a character", file(name, head.encode() + b"a\xe2\x82"), "byte 0xe2 at offset")
    add(f"{kind} UTF-16 cut", file(name, (head + good).encode("utf-16")[:-1]), "is not UTF-16")
    add(f"{kind} NUL in a row", file(name, head + good + good.replace("b", "b\0")), "row 2")
    add(f"{kind} NUL in the header", file(name, head.replace("text", "te\0xt") + good), "header: column 2")
    add(f"{kind} too many cells", file(name, head + good + good.strip() + mark + "x\n"), "row 2", STRICT)
    add(f"{kind} too few cells", file(name, head + good + "a\n"), "row 2: row has 1 cells, header has 3", STRICT)
    add(f"{kind} all rows ragged", file(name, head + "a\n"), "row has 1 cells, header has 3")
    add(f"{kind} header twice", file(name, head.replace("date", "title") + good), "'title' stands twice")
    add(f"{kind} quote never closed", file(name, head + good + '"a' + mark + "b\n" + good * 3), "row 2: a quote")
    add(f"{kind} field too long", file(name, head + good + good.replace("b", "b" * 10_001)), "row 2", SMALL)
    add(f"{kind} line too long", file(name, head + "x" * 1_200_000), "holds more than 200,000 bytes", SMALL)
    add(f"{kind} no text column", file(name, mark.join(("x", "y")) + "\n" + mark.join("ab")), "columns are 'x', 'y'")
    add(f"{kind} no text in any row", file(name, head + mark * 2 + "2018\n"), "no text")
    add(f"{kind} no text, strict", file(name, head + good + mark * 2 + "2018\n"), "row 2: no text", STRICT)
    add(
        f"{kind} bad date",
        file(name, head + good + good.replace("2018-03-05", "soon")),
        "'date': the date 'soon'",
        STRICT,
    )
    add(f"{kind} named column missing", file(name, head + good), "did you mean 'title'", columns(title="titel"))
    add(f"{kind} unknown role", file(name, head + good), "unknown role 'headline'", columns(headline="title"))
    add(f"{kind} id twice", file(name, f"id{mark}text\n7{mark}a\n8{mark}b\n7{mark}c\n"), "row 3: the id '7'")
    add(f"{kind} bad weight", file(name, f"text{mark}weight\na{mark}-1\n"), "the weight '-1'", STRICT)
    add(f"{kind} sql on it", file(name, head + good), "sql is for SQLite", ReadOptions(sql="SELECT 1"))
    add(f"{kind} gzip cut off", squeezed(name + ".gz", head + good * 500, cut=12), "damaged or cut off")
    add(f"{kind} gzip of nothing", squeezed(name + ".gz", ""), "is empty")
    add(f"{kind} not gzip at all", file(name + ".gz", head + good), "damaged or cut off")
    add(f"{kind} gzip bomb", squeezed(name + ".gz", head + "a" * 20_000_000), "compressed more than 200 to 1", RATIO)
    add(f"{kind} gzip too much text", squeezed(name + ".gz", head + good * 50_000), "more than 200,000 bytes", SMALL)
add("csv carriage returns alone", file("bad.csv", "title,text\ra,b\rc,d\r"), "header: a line ends with")
add("csv a program", file("bad.csv", b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 20), "looks like no text")
add("csv a spreadsheet", file("bad.csv", b"PK\x03\x04" + b"\0" * 100), "not text but a spreadsheet or archive")
add("csv compressed", file("bad.csv", gzip.compress(b"title,text\na,b\n")), "its name should end in .gz")
add("csv in another encoding than told", file("bad.csv", b"text\ncaf\xe9\n"), "0xe9 at offset 8 is not SHIFT_JIS",
    ReadOptions(encoding="shift_jis"))  # fmt: skip
add("csv damaged UTF-8", file("bad.csv", "text\nté, né\n".encode() + b"caf\xe9\n"), "though the rest is")
add("csv unknown encoding", file("bad.csv", "text\na\n"), "did you mean 'cp1252'", ReadOptions(encoding="cp1525"))
add("csv mostly ragged", file("bad.csv", "title,text\na,b\n" + "c\n" * 39),
    "39 of 40 rows cannot be used (row has 1 cells, header has 2: row 2, 3, 4 and 36 more)")  # fmt: skip
add("jsonl mostly broken", file("bad.jsonl", '{"text": "a"}\n' + '{"text"\n' * 39), "39 of 40 lines cannot be used")
add("csv no known column", file("bad.csv", "name,story\na,b\n"), "name one with --text")
add(
    "csv bad UTF-8 late",
    file("bad.csv", b"text\n" + (b"x" * 999 + b"\n") * 1200 + b"\xff\n"),
    "line 1,202: byte 0xff at offset 1,200,005",
)
add("csv bad weight text", file("bad.csv", "text,weight\na,1\nb,many\n"), "row 2: column 'weight'", STRICT)
add("csv bad date order", file("bad.csv", "text,date\na,13/13/2018\n"), "row 1: column 'date'", STRICT)
add("csv date against the order", file("bad.csv", "text,date\na,3/25/2018\n"), "not day/month/year",
    ReadOptions(strict=True, date_order="dmy"))  # fmt: skip

# --- JSON ------------------------------------------------------------------------------------------------------------
DEEP = '{"text": ' + "[" * 60 + "]" * 60 + "}"
DEEPER = '{"text": ' + "[" * 100_000 + "]" * 100_000 + "}"
OBJECT = '{"title": "a", "text": "b"}'
for what, line, speaks_of in (
    ("NaN", '{"text": "b", "weight": NaN}', "holds NaN"),
    ("Infinity", '{"text": "b", "weight": -Infinity}', "holds -Infinity"),
    ("1e999", '{"text": "b", "weight": 1e999}', "'1e999' is too large"),
    ("nested deep", DEEP, "nested deeper than 50"),
    ("nested very deep", DEEPER, "nested deeper than 50"),
    ("NUL", '{"text": "b\\u0000"}', "column 'text' holds a NUL"),
    ("id twice", '{"id": 1, "text": "a"},\n{"id": 1, "text": "b"}', "the id '1'"),
    ("field too long", json.dumps({"text": "x" * 10_001}), "column 'text' is longer"),
):
    options = SMALL if "long" in what else ReadOptions()
    lines = line if "id twice" not in what else line.replace("},", "}")
    add(f"jsonl {what}", file("bad.jsonl", f"{OBJECT}\n{lines}\n"), "line 2" if "id" not in what else "line 3", options)
    add(f"json {what}", file("bad.json", f"[{OBJECT},\n{line}]"), speaks_of, options)
    add(f"jsonl.gz {what}", squeezed("bad.jsonl.gz", f"{OBJECT}\n{lines}\n"), speaks_of, options)
for what, line in (
    ("a number", "12"),
    ("a list", '["title"]'),
    ("broken", '{"title": "a", "text"}'),
    ("cut off", '{"title": "a", "te'),
    ("a very long number", '{"text": "b", "weight": ' + "1" * 5000 + "}"),
):
    add(f"jsonl line is {what}", file("bad.jsonl", f"{OBJECT}\n{line}\n{OBJECT}"), "line 2", STRICT)
    add(f"jsonl every line is {what}", file("bad.jsonl", f"{line}\n{line}\n"), "bad.jsonl:1: line is not a JSON object")
    add(f"json element is {what}", file("bad.json", f"[{OBJECT}, {line}]"), "element 2", STRICT)
add("jsonl empty", file("bad.jsonl", ""), "is empty")
add("jsonl blank", file("bad.jsonl", "\n\n"), "holds no lines")
add("jsonl last line cut", file("bad.jsonl", OBJECT + "\n" + OBJECT[:-4]), "line 2: last line", STRICT)
add("jsonl not UTF-8", file("bad.jsonl", b'{"text": "caf\xe9"}\n'), "byte 0xe9 at offset 13", UTF8)
add("jsonl lone surrogate", file("bad.jsonl", '{"text": "\\ud800"}\n'), "half a character", STRICT)
add("jsonl text is an object", file("bad.jsonl", '{"text": {"a": 1}}\n'), "column 'text' holds a list or an object")
add("jsonl no columns", file("bad.jsonl", "{}\n"), "no column holds a title or a text")
add("jsonl endless line", file("bad.jsonl", "[" * 150_000), "line 1 is longer", SMALL)
add("jsonl gzip bomb", squeezed("bad.jsonl.gz", " " * 20_000_000), "compressed more than", RATIO)
add("json empty", file("bad.json", ""), "is empty")
add("json blank", file("bad.json", " \n"), "is empty")
add("json empty array", file("bad.json", "[]"), "holds no elements")
add("json array cut off", file("bad.json", f"[{OBJECT}, {OBJECT}"), "element 2")
add("json array cut inside", file("bad.json", f"[{OBJECT}, {OBJECT[:-3]}"), "element 2: ")
add("json two arrays", file("bad.json", f"[{OBJECT}]\n[{OBJECT}]"), "line 2: something follows")
add("json one object", file("bad.json", '{\n"articles": 3\n}'), "not a JSON array")
add("json a string", file("bad.json", '"text"'), "not a JSON array")
add("json comma missing", file("bad.json", f"[{OBJECT} {OBJECT}]"), "element 1: is not followed by")
add("json comma at the end", file("bad.json", f"[{OBJECT},]"), "element 2: is not JSON")
add("json gzip cut off", squeezed("bad.json.gz", f"[{OBJECT}]", cut=9), "damaged or cut off")
add("json gzip bomb", squeezed("bad.json.gz", " " * 20_000_000), "compressed more than", RATIO)


# --- text and folders ------------------------------------------------------------------------------------------------
def folder_of(files: dict[str, bytes]) -> Callable[[Path], str]:
    def make(folder: Path) -> str:
        for name, data in files.items():
            file(f"bad/{name}", data)(folder)
        (folder / "bad").mkdir(exist_ok=True)
        return str(folder / "bad")

    return make


PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a49444154789c6360000000020001"
    "48afa4710000000049454e44ae426082"
)


def png(width: int, height: int) -> bytes:
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return PIXEL[:8] + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head)) + PIXEL[33:]


add("txt empty", file("bad.txt", ""), "is empty")
add("txt not UTF-8", file("bad.txt", b"\xff\xfa\x00"), "byte 0xff at offset 0")
add("txt NUL", file("bad.txt", "one\ntwo\nth\0ree"), "line 3: holds a NUL")
add("txt gzip cut off", squeezed("bad.txt.gz", "text " * 100, cut=8), "damaged or cut off")
add("txt gzip bomb", squeezed("bad.txt.gz", "a" * 20_000_000), "compressed more than", RATIO)
add("folder empty", folder_of({}), "the folder is empty")
add("folder with hidden files only", folder_of({".txt": b"x"}), "the folder is empty")
add("folder of other files", folder_of({"a.exe": b"x"}), "holds no texts or pictures")
add("folder of tables", folder_of({"a.csv": b"text\nx"}), "ask for")
add("folder of both", folder_of({"a.txt": b"x", "b.png": PIXEL}), "1 texts and 1 pictures")
add("folder with bad text", folder_of({"a.txt": b"x", "b.md": b"\0\xe9\xff"}), "b.md: line 1: byte 0xe9")
add("folder with NUL", folder_of({"a.txt": b"x\0"}), "a.txt: line 1: holds a NUL")
add("folder of empty texts", folder_of({"a.txt": b"", "b.txt": b" "}), "a.txt: no text")
add("folder of a bad picture", folder_of({"a.png": b"no"}), "a.png: the picture cannot be read")
add(
    "folder with a cut picture",
    folder_of({"a.png": PIXEL, "b.png": PIXEL[:40]}),
    "b.png: the picture cannot be read",
    STRICT,
)
add("folder with a huge picture", folder_of({"a.png": png(60_000, 60_000)}), "has 3,600,000,000 pixels")
add("picture empty", file("bad.jpg", b""), "the picture cannot be read")
add("picture is a program", file("bad.gif", b"MZ\x90\0"), "the picture cannot be read")
add("picture is PostScript", file("bad.png", b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n"), "cannot be read")
add("file missing", lambda folder: str(folder / "bad.csv"), "no such file")
add("file misspelled", lambda folder: file("bat.csv", "text\nx\n")(folder) and str(folder / "bad.csv"), "'bat.csv'?")
add("glob without match", lambda folder: str(folder / "bad*.csv"), "no file matches")
add("suffix unknown", file("bad.docx", b"PK"), "no reader for the suffix '.docx'")
add("no suffix", file("bad", b"text"), "no reader for the suffix ''")
add("gzip of a binary format", file("bad.parquet.gz", b"x"), "not '.parquet.gz'")
add("a pipe", lambda folder: os.mkfifo(folder / "bad.csv") or str(folder / "bad.csv"), "not an ordinary file")


# --- SQLite ----------------------------------------------------------------------------------------------------------
def database(*statements: str, part: str = "") -> Callable[[Path], str]:
    def make(folder: Path) -> str:
        connection = sqlite3.connect(folder / "bad.db")
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()
        return str(folder / "bad.db") + part

    return make


NEWS = ("CREATE TABLE news (title TEXT, text TEXT)", "INSERT INTO news VALUES ('a', 'b')")
MORE = "CREATE TABLE more (text TEXT)"


def sql(query: str, limits: Limits | None = None) -> ReadOptions:
    return ReadOptions(sql=query, limits=limits or Limits())


add("sqlite empty file", file("bad.db", b""), "holds no tables")
add("sqlite not a database", file("bad.db", b"x" * 5000), "cannot be read")
add("sqlite no tables", database(), "holds no tables")
add("sqlite two tables", database(*NEWS, MORE), "there are 'news', 'more'")
add("sqlite missing table", database(*NEWS, part="::new"), "did you mean 'news'")
add("sqlite empty table", database(NEWS[0]), "no rows")
add("sqlite no text column", database("CREATE TABLE t (x)", "INSERT INTO t VALUES (1)"), "the columns are 'x'")
add("sqlite NUL", database(NEWS[0], "INSERT INTO news VALUES ('a', 'b' || char(0))"), "row 1: column 'text'")
add("sqlite bytes", database(NEWS[0], "INSERT INTO news VALUES ('a', x'ff')"), "bytes that are not text")
add("sqlite text not UTF-8", database(NEWS[0], "INSERT INTO news VALUES ('a', CAST(x'ff' AS TEXT))"), "cannot be read")
add("sqlite too many rows", database(NEWS[0], *[NEWS[1]] * 21), "row 21: more than 20 rows", SMALL)
for statement in (
    "DELETE FROM news", "DROP TABLE news", "UPDATE news SET title = 'x'", "INSERT INTO news VALUES ('x', 'y')",
    "PRAGMA writable_schema = 1", "ATTACH DATABASE ':memory:' AS other", "CREATE TABLE x (y)", "VACUUM",
    "SELECT load_extension('x')", "SELECT * FROM nothing", "SELECT wrong syntax here FROM", "SELECT missing FROM news",
):  # fmt: skip
    add(f"sqlite {statement}", database(*NEWS), statement[:6], sql(statement))
add("sqlite two statements", database(*NEWS), "one SELECT", sql("SELECT * FROM news; DELETE FROM news"))
add("sqlite empty sql", database(*NEWS), "one SELECT", sql(""))
add("sqlite column twice", database(*NEWS), "'title' stands twice", sql("SELECT title, title FROM news"))
add("sqlite without end", database(*NEWS), "took longer than 0.2 s",
    sql("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT sum(x) FROM c",
        Limits(seconds=0.2)))  # fmt: skip


# --- Parquet ---------------------------------------------------------------------------------------------------------
def parquet(rows: dict[str, list[Any]], change: Callable[[bytes], bytes] = bytes) -> Callable[[Path], str]:
    def make(folder: Path) -> str:
        import pyarrow
        from pyarrow.parquet import write_table

        write_table(pyarrow.table(rows), folder / "bad.parquet")
        (folder / "bad.parquet").write_bytes(change((folder / "bad.parquet").read_bytes()))
        return str(folder / "bad.parquet")

    return make


TWO = {"title": ["a", "c"], "text": ["b", "d"]}
add("parquet empty", file("bad.parquet", b""), "cannot be read as Parquet")
add("parquet bad magic", file("bad.parquet", b"PAR2" * 10), "cannot be read as Parquet")
add("parquet cut off", parquet(TWO, lambda data: data[:-10]), "cannot be read as Parquet")
add("parquet footer overwritten", parquet(TWO, lambda data: data[:-60] + b"\xff" * 52 + data[-8:]), "as Parquet")
add("parquet pages overwritten", parquet(TWO, lambda data: data[:4] + b"\xff" * 60 + data[64:]), "as Parquet")
add("parquet no rows", parquet({"text": []}), "no rows under its header")
add("parquet no text column", parquet({"x": [1]}), "the columns are 'x'")
add("parquet NUL", parquet({"text": ["a", "b\0"]}), "row 2: column 'text' holds a NUL")
add("parquet too many rows", parquet({"text": ["a"] * 21}), "declares 21 rows", SMALL)
add("parquet too much text", parquet({"text": ["a" * 1000] * 500}), "bytes of text",
    ReadOptions(limits=Limits(text_bytes=200_000)))  # fmt: skip
add("parquet only nulls", parquet({"text": [None, None]}), "bad.parquet:1: no text")
add("parquet text in lists", parquet({"text": [["a"], ["b"]]}), "column 'text' holds a list")


# --- spreadsheets ----------------------------------------------------------------------------------------------------
def workbook(cells: dict[str, str], name: str = "bad.xlsx", sheet: str | None = None) -> Callable[[Path], str]:
    body = "".join(
        f'<row r="{"".join(filter(str.isdigit, at))}"><c r="{at}" t="inlineStr"><is><t>{value}</t></is></c></row>'
        for at, value in cells.items()
    )
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    package = "http://schemas.openxmlformats.org/package/2006"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="xml" '
        'ContentType="application/xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{kind}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{kind}"><sheets>'
        '<sheet name="News" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{kind}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": sheet or f'<worksheet xmlns="{main}"><sheetData>{body}</sheetData></worksheet>',
    }

    def make(folder: Path) -> str:
        path = name.partition("::")[0]
        with zipfile.ZipFile(folder / path, "w", zipfile.ZIP_DEFLATED) as archive:
            for place, text in parts.items():
                archive.writestr(place, '<?xml version="1.0" encoding="UTF-8"?>' + text)
        return str(folder / name)

    return make


for kind in ("xlsx", "xls", "ods"):
    add(f"{kind} empty", file(f"bad.{kind}", b""), "as a spreadsheet")
    add(f"{kind} not a spreadsheet", file(f"bad.{kind}", b"PK\x03\x04" + b"\0" * 100), "as a spreadsheet")
add("xlsx no cells", workbook({}), "the sheet is empty")
add("xlsx header only", workbook({"A1": "title"}), "no rows under its header")
add("xlsx no text column", workbook({"A1": "x", "A2": "y"}), "the columns are 'x'")
add("xlsx missing sheet", workbook({"A1": "text", "A2": "y"}, "bad.xlsx::Old"), "there are 'News'")
add("xlsx beyond the header", workbook({"A1": "text", "C2": "y"}), "row 1: row has 3 cells, header has 1", STRICT)
add("xlsx too many rows", workbook({f"A{n}": "text" for n in range(1, 30)}), "the limit is 20", SMALL)
add("xlsx broken XML", workbook({}, sheet="<worksheet><sheetData><row"), "bad.xlsx: ")
add("xlsx a cell at the far end", workbook({"A1": "text", "XFD1048576": "y"}), "as a spreadsheet",
    ReadOptions(limits=Limits(memory_mb=512, seconds=60)))  # fmt: skip


# --- HDF5 ------------------------------------------------------------------------------------------------------------
def hdf5(fill: Callable[[Any, Path], Any]) -> Callable[[Path], str]:
    def make(folder: Path) -> str:
        import h5py

        with h5py.File(folder / "bad.h5", "w") as book:
            fill(book, folder)
        return str(folder / "bad.h5")

    return make


def sets(**values: Any) -> Callable[[Path], str]:
    return hdf5(lambda book, _: [book.create_dataset(key, data=value) for key, value in values.items()])


def links(kind: str) -> Callable[[Path], str]:
    def fill(book: Any, _: Path) -> None:
        import h5py

        book["title"] = ["a", "b"]
        book["data"] = h5py.SoftLink("/title") if kind == "soft" else h5py.ExternalLink("other.h5", "/data")

    return hdf5(fill)


def elsewhere(book: Any, folder: Path) -> None:
    (folder / "raw.bin").write_bytes(b"\0" * 64)
    book.create_dataset("data", (4, 2), "f8", external=[(str(folder / "raw.bin"), 0, 64)])


def virtual(book: Any, folder: Path) -> None:
    import h5py

    layout = h5py.VirtualLayout((4, 2), "f8")
    layout[:] = h5py.VirtualSource(str(folder / "other.h5"), "data", (4, 2))
    book.create_virtual_dataset("data", layout)


SQUARE = [[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
add("hdf5 empty", file("bad.h5", b""), "cannot be read as HDF5")
add("hdf5 bad magic", file("bad.h5", b"\x89HDX" * 100), "cannot be read as HDF5")
add("hdf5 nothing inside", hdf5(lambda *_: None), "holds no arrays")
add("hdf5 cut off", lambda folder: [sets(data=SQUARE)(folder), os.truncate(folder / "bad.h5", 900)] and
    str(folder / "bad.h5"), "cannot be read as HDF5")  # fmt: skip
add("hdf5 external link", links("external"), "'data' is a link to another file")
add("hdf5 soft link", links("soft"), "'data' is a soft link")
add("hdf5 external storage", hdf5(elsewhere), "'data' keeps its values in another file")
add("hdf5 virtual", hdf5(virtual), "'data' keeps its values in another file")
add("hdf5 declares 1e12 values",
    hdf5(lambda book, _: book.create_dataset("data", (10**6, 10**6), "f4", chunks=(100, 100))),
    "'data' declares 1,000,000,000,000 values")  # fmt: skip
add("hdf5 declares wide text",
    hdf5(lambda book, _: book.create_dataset("title", (10**5,), "S1000000", chunks=(10,))),
    "'title' declares 100,000,000,000 bytes")  # fmt: skip
add("hdf5 data of text", sets(data=[[b"a"], [b"b"]]), "'data' holds")
add("hdf5 data in one dimension", sets(data=[1.0, 2.0]), "'data' has 1 dimensions")
add("hdf5 data without columns", sets(data=[[], []]), "'data' has no columns")
add("hdf5 data without rows", hdf5(lambda book, _: book.create_dataset("data", (0, 3), "f4")), "holds no rows")
add("hdf5 data not finite", sets(data=[[0.0], [float("nan")]]), "row 2: 'data'")
add("hdf5 titles too few", sets(data=SQUARE, title=["a", "b"]), "'title' has 2 rows but 'data' has 3")
add("hdf5 only splits", sets(train_idxs=[0], test_idxs=[1]), "holds only")
add("hdf5 split beyond the rows", sets(data=SQUARE, train_idxs=[0, 1], test_idxs=[3]), "'test_idxs' names row 3")
add("hdf5 negative split", sets(data=SQUARE, train_idxs=[-1, 1], test_idxs=[2]), "'train_idxs' names row")
add("hdf5 split of fractions", sets(data=SQUARE, train_idxs=[0.5], test_idxs=[2]), "'train_idxs' holds float64")
add("hdf5 test without training", sets(data=SQUARE, test_idxs=[2]), "must stand together")
add("hdf5 test rows in training", sets(data=SQUARE, train_idxs=[0, 1], test_idxs=[1]), "shares rows")
add("hdf5 splits of other counts", sets(data=SQUARE, train_idxs=[[0], [1]], test_idxs=[[2]]), "one split a row")
add("hdf5 no text and no vectors", sets(target=[1, 2]), "the columns are 'target'")
add("hdf5 titles not UTF-8", sets(title=[b"\xff", b"\xfe"]), "bad.h5:1: no text")
