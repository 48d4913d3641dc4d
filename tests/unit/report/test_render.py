"""Writing reports: formats by suffix, whole files only."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from unit.report.summaries import news
from visavis.errors import UnknownName, VisavisError
from visavis.report import RENDERERS, facts, notebook_html, render, write
from visavis.shared.files import replace_file


@pytest.mark.parametrize("suffix", list(RENDERERS))
def test_every_format_is_the_same_each_time_and_is_written_as_rendered(tmp_path: Path, suffix: str) -> None:
    rendered = render(news(), suffix)
    assert rendered == render(news(), suffix)
    write(news(), tmp_path / f"report{suffix.upper()}")
    written = (tmp_path / f"report{suffix.upper()}").read_bytes()
    assert written == (rendered.encode() if isinstance(rendered, str) else rendered)
    assert [path.name for path in tmp_path.iterdir()] == [f"report{suffix.upper()}"]


@pytest.mark.parametrize("name", ["report.docx", "report", "report.htm"])
def test_an_unknown_suffix_lists_the_known_ones(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnknownName, match=r"\.html.*\.md.*\.json.*\.csv.*\.sqlite.*\.db"):
        write(news(), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "report.html").mkdir()
    with pytest.raises(VisavisError, match="it is a folder"):
        write(news(), tmp_path / "report.html")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(VisavisError, match=r"there is no folder .*nowhere"):
        write(news(), tmp_path / "nowhere" / "report.md")


def test_an_error_while_rendering_leaves_the_old_report(tmp_path: Path) -> None:
    target = tmp_path / "report.md"
    target.write_text("old")

    def fail() -> str:
        raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        replace_file(target, fail)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_full_disk_is_told_and_leaves_the_old_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "report.md"
    target.write_text("old")

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(VisavisError, match="No space left on device"):
        write(news(), target)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_killed_before_the_rename_the_old_report_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "report.md"
    target.write_text("old")
    program = (
        "import os, signal, sys\nfrom pathlib import Path\nfrom visavis.shared.files import replace_file\n"
        "os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)\n"
        f"replace_file(Path({str(target)!r}), lambda: 'new' * 100000)\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert target.read_text() == "old"


def test_a_replaced_file_keeps_its_permissions_and_a_link_its_target(tmp_path: Path) -> None:
    target, link = tmp_path / "report.md", tmp_path / "latest.md"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    write(news(), link)
    assert link.is_symlink()
    assert target.read_text().startswith("# Climate coverage")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_reporting_imports_no_terminal_and_no_template_engine_until_asked() -> None:
    program = "import sys, visavis.report; print([m for m in ('rich', 'jinja2', 'PIL', 'altair') if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert found.stdout.strip() == "[]"


def test_a_notebook_gets_a_fragment_without_script() -> None:
    fragment = notebook_html(news())
    assert "<script" not in fragment
    assert "<html" not in fragment
    for group in news().groups:
        assert facts.group_name(group) in fragment
        assert group.picks[0].document.url in fragment
