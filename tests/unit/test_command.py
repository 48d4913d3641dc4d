from __future__ import annotations

import csv
import json
import subprocess
import sys
import tempfile

import pytest

import visavis
from visavis.cli.main import main
from visavis.errors import InvalidParameter

pytestmark = pytest.mark.usefixtures("brief_assessment")


def run(*words):
    return subprocess.run([sys.executable, "-m", "visavis", *words], capture_output=True, text=True, timeout=120)


def exit_status(*words):
    with pytest.raises(SystemExit) as done:
        main(list(words))
    return done.value.code or 0


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from visavis.cli.main import command; command.get_help(__import__('click').Context(command)); "
        "print([name for name in ('numpy', 'scipy', 'sklearn', 'rich') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_version_is_printed(capsys):
    assert exit_status("--version") == 0
    assert visavis.__version__ in capsys.readouterr().out


def test_unknown_command_is_exit_2_and_one_line():
    done = run("summarise")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "summarise" in done.stderr


def test_bad_method_is_exit_2_and_suggests(capsys):
    assert exit_status("demo", "digits", "--method", "mmd-dif-greedy") == 2
    message = capsys.readouterr().err
    assert "mmd-diff-greedy" in message
    assert message.count("\n") == 1


def test_bad_size_is_exit_2(capsys):
    assert exit_status("demo", "digits", "--size", "100000") == 2
    assert "lower it" in capsys.readouterr().err


def test_our_own_fault_is_exit_1_and_debug_shows_where(monkeypatch, capsys):
    monkeypatch.setattr("visavis.comparing.demos.fit_digits", lambda *_: 1 / 0)
    assert exit_status("demo", "digits") == 1
    assert "Traceback" not in capsys.readouterr().err
    assert exit_status("--debug", "demo", "digits") == 1
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_interrupt_is_exit_130(monkeypatch, capsys):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("visavis.comparing.demos.fit_digits", interrupt)
    assert exit_status("demo", "digits") == 130
    assert "interrupted" in capsys.readouterr().err


def test_errors_users_can_mend_are_value_errors(monkeypatch, capsys):
    def refuse(*_):
        raise InvalidParameter("contrast must be below 1")

    monkeypatch.setattr("visavis.comparing.demos.fit_digits", refuse)
    assert exit_status("demo", "digits") == 2
    assert capsys.readouterr().err == "visavis: contrast must be below 1\n"


def test_demo_compares_the_news_sample_and_ends_with_where_the_report_is(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert exit_status("demo", "--method", "mmd-diff-greedy", "--size", "2") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("256 documents compared in 4 groups by month")
    assert all(sum(line.startswith(f"{month} 2024: ") for line in lines) == 1 for month in ("Feb", "Mar", "Apr", "May"))
    page = tmp_path / "demo" / "report.html"
    assert lines[-1] == f"Report: {page}"
    assert "Four months of climate news" in page.read_text(encoding="utf-8")


def test_demo_writes_where_it_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert exit_status("demo", "--method", "mmd-diff-greedy", "--size", "1", "-o", "picks.csv") == 0
    assert capsys.readouterr().out.endswith(f"Report: {tmp_path / 'picks.csv'}\n")
    assert len((tmp_path / "picks.csv").read_text(encoding="utf-8").splitlines()) == 1 + 4
    assert not (tmp_path / "demo").exists()


def test_demo_as_json_is_one_object_and_writes_nothing_unasked(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert exit_status("demo", "--json", "--method", "mmd-diff-greedy", "--size", "1") == 0
    found = json.loads(capsys.readouterr().out)
    assert [group["name"] for group in found["groups"]] == ["2024-02", "2024-03", "2024-04", "2024-05"]
    assert not list(tmp_path.iterdir())


def test_demo_says_where_no_folder_can_be_made(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "demo").write_text("a file of this name")
    assert exit_status("demo", "--method", "mmd-diff-greedy", "--size", "1") == 2
    assert "-o" in capsys.readouterr().err


def test_demo_refuses_a_report_of_unknown_format(capsys):
    assert exit_status("demo", "-o", "report.pdf") == 2
    assert ".html" in capsys.readouterr().err


def test_demo_of_digits_as_json_names_every_pick(capsys):
    assert exit_status("demo", "digits", "--size", "2", "--method", "mmd-diff-greedy", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert [group["name"] for group in found["groups"]] == [str(digit) for digit in range(10)]
    assert all(len(set(group["picks"])) == 2 for group in found["groups"])
    assert 0.8 < found["accuracy"] < found["ceiling"]


def test_demo_of_digits_reports_the_picks_it_draws(tmp_path, capsys):
    target = tmp_path / "digits.csv"
    assert exit_status("demo", "digits", "--size", "2", "--method", "mmd-diff-greedy", "-o", str(target)) == 0
    told = capsys.readouterr().out
    with target.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for digit in range(10):
        picks = [str(int(row["title"])) for row in rows if row["group"] == str(digit)]
        assert f"digit {digit}: documents {', '.join(picks)}\n" in told
    assert told.endswith(f"Report: {target}\n")


def test_page_of_digits_shows_the_pictures(tmp_path, capsys):
    target = tmp_path / "digits.html"
    assert exit_status("demo", "digits", "--size", "1", "--method", "mmd-diff-greedy", "-o", str(target)) == 0
    page = target.read_text(encoding="utf-8")
    assert page.count('<img class="thumb" src="data:image/png;base64,') >= 10
    assert tempfile.gettempdir() not in page.replace(str(target), "")
    assert ".npy" not in page
    assert "digit 9" in capsys.readouterr().out


def test_methods_lists_the_default(capsys):
    assert exit_status("methods") == 0
    assert capsys.readouterr().out.count("(default)") == 1


def test_public_names_all_resolve():
    assert all(getattr(visavis, name) is not None for name in visavis.__all__)
    with pytest.raises(AttributeError, match="nothing_here"):
        _ = visavis.nothing_here
