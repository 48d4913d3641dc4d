from __future__ import annotations

import re
import shlex
import subprocess
import sys

import pytest

from conftest import ROOT

PAGES = [ROOT / "README.md", ROOT / "docs" / "index.md"]


def code_blocks(language):
    for page in PAGES:
        for number, block in enumerate(re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.M | re.S)):
            yield pytest.param(block, id=f"{page.name}-{number}")


@pytest.mark.parametrize("block", list(code_blocks("python")))
def test_python_block_runs(block, capsys):
    exec(compile(block, "documentation", "exec"), {"__name__": "documentation"})
    assert capsys.readouterr().out.strip()


def visavis_lines():
    for case in code_blocks("sh"):
        for line in case.values[0].splitlines():
            if line.startswith("visavis "):
                yield pytest.param(line, id=line)


@pytest.mark.parametrize("line", list(visavis_lines()))
def test_documented_command_runs(line, tmp_path):
    words = shlex.split(line, comments=True)
    done = subprocess.run([sys.executable, "-m", "visavis", *words[1:]], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout
