from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from unit.corpus.malformed import MALFORMED, Malformed
from visavis.cli.documents import ROLES
from visavis.cli.main import main
from visavis.corpus.readers.base import Limits
from visavis.datasets import sample_path

pytestmark = pytest.mark.usefixtures("brief_assessment", "forked_parsers")

SAMPLE = str(sample_path())
CASES = [
    case
    for case in MALFORMED
    if case.options.limits == Limits()
    and set(case.options.columns) <= set(ROLES)
    and "unknown encoding" not in case.name
]  # limits and unknown roles have no option of the command; an unknown encoding is said before any file is read

APART = CASES[:: max(1, len(CASES) // 12)][:12]


def words_of(case: Malformed, folder: Path) -> tuple[list[str], str]:
    """The command for a malformed file, and the name its message must hold."""
    source = case.make(folder)
    files = [source] if isinstance(source, str) else list(source)
    words = ["compare", *files, "--by", "source"]
    words += [word for role, column in case.options.columns.items() for word in (f"--{role}", column)]
    words += ["--sql", case.options.sql] if case.options.sql is not None else []
    words += ["--strict"] if case.options.strict else []
    words += ["--encoding", case.options.encoding] if case.options.encoding else []
    words += ["--date-order", case.options.date_order] if case.options.date_order else []
    return words, Path(files[0].partition("::")[0]).name


def refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as done:
        main(words)
    found = capsys.readouterr()
    assert done.value.code == 2
    assert found.out == ""
    assert found.err.endswith("\n")
    line = found.err[:-1]
    assert line.isprintable(), "more than one line, or control characters"
    assert line.startswith("visavis: ")
    assert "Traceback" not in line
    return line


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "report.html"
    path.write_text("old")
    return path


def untouched(old: Path) -> bool:
    return old.read_text() == "old" and not list(old.parent.glob(".*"))


def test_there_are_enough_malformed_files() -> None:
    assert len(CASES) >= 100
    assert len(APART) == 12


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_malformed_file_is_exit_2_and_one_line_that_names_it(
    case: Malformed, tmp_path: Path, old: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in").mkdir()
    words, name = words_of(case, tmp_path / "in")
    assert name in refused([*words, "-o", str(old)], capsys)
    assert untouched(old)


APART_EACH = """
import json, os, runpy, sys
import visavis.cli.compare, visavis.comparing
for number, words in enumerate(json.load(sys.stdin)):
    child = os.fork()
    if not child:
        os.chdir(sys.argv[1])
        for descriptor, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(f"{number}.{name}", os.O_WRONLY | os.O_CREAT), descriptor)
        sys.argv[1:] = words
        runpy.run_module("visavis", run_name="__main__")
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_so_it_is_in_processes_of_their_own(tmp_path: Path, old: Path) -> None:
    """Each is a fork of one process that has imported the command: importing it twelve times would take longest."""
    (tmp_path / "said").mkdir()
    commands, names = [], []
    for number, case in enumerate(APART):
        (tmp_path / f"in{number}").mkdir()
        words, name = words_of(case, tmp_path / f"in{number}")
        commands.append([*words, "-o", str(old)])
        names.append(name)
    done = subprocess.run(
        [sys.executable, "-u", "-c", APART_EACH, str(tmp_path / "said")],
        input=json.dumps(commands), capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert (done.stdout.split(), done.stderr) == (["2"] * len(APART), "")
    for number, name in enumerate(names):
        said = (tmp_path / "said" / f"{number}.err").read_text()
        assert said.count("\n") == 1, APART[number].name
        assert name in said
        assert (tmp_path / "said" / f"{number}.out").read_text() == ""
    assert untouched(old)


# --- outputs ----------------------------------------------------------------------------------------------------------
def copy_of_the_sample(path: Path) -> Path:
    path.write_bytes(sample_path().read_bytes())
    return path


def test_an_output_that_is_an_input_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "id,title,text,outlet\n1,One,first text,A\n2,Two,second text,B\n"
    table, link = tmp_path / "news.csv", tmp_path / "link.csv"
    table.write_text(rows)
    link.symlink_to(table)
    for given, output in ((table, table), (link, table), (table, link), (tmp_path / "n*.csv", table)):
        line = refused(["compare", str(given), "--by", "outlet", "-o", str(output)], capsys)
        assert "is also an input" in line
    assert table.read_text() == rows


def test_a_report_does_not_become_one_of_the_texts_of_an_input_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.md").write_text("one text")
    for name in ("a.md", "report.md"):
        words = ["compare", str(tmp_path / "texts"), "--by", "folder", "-o", str(tmp_path / "texts" / name)]
        assert "is also an input" in refused(words, capsys)
    assert (tmp_path / "texts" / "a.md").read_text() == "one text"


@pytest.mark.parametrize(
    ("output", "told"),
    [
        ("report.docx", "no known format"),
        ("report", "no known format"),
        ("nowhere/report.html", "there is no folder"),
        ("folder.html", "is a folder"),
        ("file.txt/report.html", "there is no folder"),
    ],
)
def test_an_output_that_cannot_be_is_refused_before_the_work(
    output: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder.html").mkdir()
    (tmp_path / "file.txt").write_text("x")
    monkeypatch.setattr("visavis.comparing.compare", lambda *_, **__: pytest.fail("the work began"))
    path = tmp_path / output
    line = refused(["compare", SAMPLE, "--by", "outlet", "-o", str(path)], capsys)
    assert told in line
    assert str(path) in line


def test_a_folder_that_cannot_be_written_to_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # the superuser could write anywhere
    line = refused(["compare", SAMPLE, "--by", "outlet", "-o", str(tmp_path / "x.html")], capsys)
    assert "cannot be written to" in line


def test_a_folder_of_facets_that_is_a_file_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pages").write_text("old")
    words = ["compare", SAMPLE, "--by", "outlet", "--facet", "published:month", "--size", "1", "--lead", "0"]
    monkeypatch.setattr("visavis.comparing.compare_facets", None)  # refused before any work
    line = refused([*words, "--method", "random", "-o", str(tmp_path / "pages")], capsys)
    assert "must be a folder" in line
    line = refused([*words, "--method", "random", "-o", str(tmp_path / "pages" / "inside")], capsys)
    assert "is a file" in line
    assert (tmp_path / "pages").read_text() == "old"


def test_group_names_are_shown_and_never_obeyed(tmp_path: Path) -> None:
    names = ("../../escape", "<script>alert(1)</script>", "=1+1", "a\u202eb")
    rows = [
        {"id": f"{n}.{k}", "title": f"Title {k} of {n}", "text": f"river flood water {17 * k + n}", "name": name}
        for n, name in enumerate(names)
        for k in range(4)
    ]
    (tmp_path / "news.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "out").mkdir()
    outputs = [str(tmp_path / "out" / f"report.{suffix}") for suffix in ("html", "md", "csv", "json")]
    words = [word for path in outputs for word in ("-o", path)]
    with pytest.raises(SystemExit) as done:
        main(["compare", str(tmp_path / "news.jsonl"), "--by", "name", "--size", "1", "--keep-duplicates", *words])
    assert done.value.code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["news.jsonl", "out"]
    assert sorted(str(path) for path in (tmp_path / "out").iterdir()) == sorted(outputs)
    for name in ("report.html", "report.md"):
        text = (tmp_path / "out" / name).read_text()
        assert "<script>alert" not in text
        assert "\u202e" not in text
    assert "\n=1+1" not in (tmp_path / "out" / "report.csv").read_text()


# --- options ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--seeed", "1"], "--seeed"),
        (["--by"], "--by"),
        (["--by", "outlet", "--size", "few"], "'few'"),
        (["--by", "outlet", "--size", "A=x"], "'x'"),
        (["--by", "outlet", "--size", "A=2"], "'A'"),
        (["--by", "outlet", "--size", "-1"], "-1"),
        (["--by", "outlet", "--lead", "some"], "'some'"),
        (["--by", "outlet", "--gamma", "wide"], "'wide'"),
        (["--by", "outlet", "--gamma", "nan"], "gamma"),
        (["--by", "outlet", "--seed", "-1"], "seed"),
        (["--by", "outlet", "--seed", "1.5"], "1.5"),
        (["--by", "outlet", "--jobs", "0"], "jobs"),
        (["--by", "outlet", "--contrast", "2"], "contrast"),
        (["--by", "outlet", "--small", "keep"], "'keep'"),
        (["--by", "outlet", "--method", "mmd-dif-grad"], "did you mean 'mmd-diff-grad'"),
        (["--by", "outlet", "--embedder", "glov"], "did you mean 'glove'"),
        (["--by", "outlet", "--embedder", "nowhere.txt"], "nowhere.txt"),
        (["--by", "outlet", "--only", "Nobody"], "'Nobody'"),
        (["--by", "outlet", "--versus", "Nobody"], "'Nobody'"),
        (["--by", "outlet", "--filter", "outlet = 'x'"], "write =="),
        (["--by", "outlet", "--filter", "outlet == 'x'"], "matches none"),
        (["--by", "outlet", "--facet", "nothing"], "'nothing'"),
        (["--by", "outlet", "--pin", "nobody"], "'nobody'"),
        (["--by", "outlet", "--budget", "1"], "budget=1"),
        (["--by", "published:fortnight"], "'fortnight'"),
        (["--by", "published:spans=0"], "spans="),
        (["--by", "id"], "256 groups"),
        (["--group", "x"], "'x'"),
        (["--group", "x=@nowhere.txt"], "nowhere.txt"),
        ([], "say what to compare by"),
    ],
)
def test_an_option_that_cannot_be_is_exit_2_and_one_line(
    words: list[str], told: str, old: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told in refused(
        ["compare", SAMPLE, *words, *([] if words == ["--by"] or "--facet" in words else ["-o", str(old)])], capsys
    )
    assert untouched(old)


# --- interrupts -------------------------------------------------------------------------------------------------------
def interrupted(done: subprocess.Popen[str], old: Path) -> None:
    out, err = done.communicate(timeout=120)
    assert done.returncode == 130
    assert (out, err.strip()) == ("", "visavis: interrupted")  # a line break first, after the ^C of a terminal
    assert untouched(old)


def test_an_interrupt_while_reading_is_exit_130_and_leaves_the_old_report(old: Path) -> None:
    words = [sys.executable, "-m", "visavis", "compare", "-", "--by", "outlet", "-o", str(old)]
    pipe = subprocess.PIPE
    done = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    assert done.stdin is not None
    done.stdin.write(sample_path().read_text(encoding="utf-8") * 4)  # more than a pipe holds: now it is being read
    done.stdin.flush()
    done.send_signal(signal.SIGINT)
    interrupted(done, old)


@pytest.mark.parametrize("stage", ["visavis.comparing.run.describe", "visavis.shared.files.os.fsync"])
def test_an_interrupt_at_work_is_exit_130_and_leaves_the_old_report(stage: str, old: Path) -> None:
    module, _, name = stage.rpartition(".")
    module, _, inner = (module, "", "") if not module.endswith(".os") else module.rpartition(".")
    place = f"importlib.import_module({module!r})" + (f".{inner}" if inner else "")
    program = (
        "import importlib, os, signal, sys\n"
        f"place = {place}\n"
        f"real = place.{name}\n"
        "def interrupt(*given, **told):\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    return real(*given, **told)\n"
        f"place.{name} = interrupt\n"
        "from visavis.cli import main\n"
        "main(sys.argv[1:])\n"
    )
    words = ["compare", SAMPLE, "--by", "outlet", "--size", "1", "-o", str(old)]
    pipe = subprocess.PIPE
    done = subprocess.Popen([sys.executable, "-c", program, *words], stdout=pipe, stderr=pipe, text=True)
    interrupted(done, old)
