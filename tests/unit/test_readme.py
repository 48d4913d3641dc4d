from __future__ import annotations

import csv
import json
import re
import shlex

import click
import pytest

from conftest import ROOT
from visavis.cli.main import COMMANDS, command, main
from visavis.datasets import sample_path

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def code_blocks(language):
    for page in PAGES:
        blocks = re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
        for number, block in enumerate(blocks):
            yield pytest.param(block, id=f"{page.name}-{number}")


def visavis_lines():
    """Every documented line that calls visavis, once."""
    lines = [line for case in code_blocks("sh") for line in case.values[0].splitlines() if line.startswith("visavis ")]
    return list(dict.fromkeys(lines))


def documented_options(name):
    """What the page says of a command's options: how each is written → its description."""
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    section = re.search(rf"^## visavis {name}\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    if section is None:
        return {}
    items = re.findall(r"^- `([^`]+)`: (.*?)(?=^\S|^$|\Z)", section.group(1), re.M | re.S)
    return {written: " ".join(description.split()) for written, description in items}


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A working folder that holds articles.csv, the bundled sample."""
    rows = [json.loads(line) for line in sample_path().read_text(encoding="utf-8").splitlines()]
    with (tmp_path / "articles.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("block", list(code_blocks("python")))
def test_python_block_runs(block, desk):
    exec(compile(block, "documentation", "exec"), {"__name__": "documentation"})
    for name in re.findall(r'(?:to_\w+|write)\("([^"]+)"\)', block):
        assert (desk / name).stat().st_size > 0


@pytest.mark.parametrize("line", visavis_lines())
def test_documented_command_runs(line, desk, capsys):
    words = shlex.split(line, comments=True)
    with pytest.raises(SystemExit) as done:
        main(words[1:])
    told = capsys.readouterr()
    assert not done.value.code, told.err
    outputs = [words[place + 1] for place, word in enumerate(words) if word == "-o"]
    assert all((desk / name).exists() for name in outputs)
    assert told.out or outputs


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_documented_options_agree_with_the_help(name):
    context = click.Context(command, info_name="visavis", **command.context_settings)
    chosen = command.get_command(context, name)
    inner = click.Context(chosen, parent=context, info_name=name)
    records = [option.get_help_record(inner) for option in chosen.get_params(inner) if isinstance(option, click.Option)]
    helped = {written: " ".join(text.split()) for written, text in records if not written.endswith("--help")}
    documented = documented_options(name)
    documented.pop("-h, --help")
    assert documented.keys() == helped.keys()
    assert [written for written in helped if not documented[written].startswith(helped[written])] == []


def test_pages_link_to_files_that_exist():
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?:)([^)#\s]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
