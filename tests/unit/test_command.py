from __future__ import annotations

import json
import subprocess
import sys

import pytest

import visavis
from visavis.cli.main import main
from visavis.errors import InvalidParameter


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
    monkeypatch.setattr("visavis.cli.demo._fit_digits", lambda *_: 1 / 0)
    assert exit_status("demo") == 1
    assert "Traceback" not in capsys.readouterr().err
    assert exit_status("--debug", "demo") == 1
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_interrupt_is_exit_130(monkeypatch, capsys):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("visavis.cli.demo._fit_digits", interrupt)
    assert exit_status("demo") == 130
    assert "interrupted" in capsys.readouterr().err


def test_errors_users_can_mend_are_value_errors(monkeypatch, capsys):
    def refuse(*_):
        raise InvalidParameter("contrast must be below 1")

    monkeypatch.setattr("visavis.cli.demo._fit_digits", refuse)
    assert exit_status("demo") == 2
    assert capsys.readouterr().err == "visavis: contrast must be below 1\n"


def test_demo_as_json_names_every_pick(capsys):
    assert exit_status("demo", "digits", "--size", "2", "--method", "mmd-diff-greedy", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert [group["name"] for group in found["groups"]] == [str(digit) for digit in range(10)]
    assert all(len(set(group["picks"])) == 2 for group in found["groups"])
    assert 0.8 < found["accuracy"] < found["ceiling"]


def test_methods_lists_the_default(capsys):
    assert exit_status("methods") == 0
    assert capsys.readouterr().out.count("(default)") == 1


def test_public_names_all_resolve():
    assert all(getattr(visavis, name) is not None for name in visavis.__all__)
    with pytest.raises(AttributeError, match="nothing_here"):
        _ = visavis.nothing_here
