from __future__ import annotations

import pytest

from visavis.errors import VisavisError
from visavis.evaluate.journal import NAME, open_journal

ABOUT = {"sizes": [2, 4], "seed": 0}
FIRST = {"split": 0, "method": "kmeans", "rows": [{"x": 0.1}]}
SECOND = {"split": 1, "method": "kmeans", "rows": []}


def write(folder, *records):
    with open_journal(folder, "key", ABOUT) as journal:
        for record in records:
            journal.append(record)


def done(folder):
    with open_journal(folder, "key", ABOUT) as journal:
        return journal.done


def test_what_was_written_is_there_again(tmp_path):
    write(tmp_path / "new" / "folder", FIRST, SECOND)
    assert done(tmp_path / "new" / "folder") == {(0, "kmeans"): FIRST, (1, "kmeans"): SECOND}


def test_a_journal_cut_anywhere_keeps_its_whole_lines_and_can_be_continued(tmp_path):
    write(tmp_path, FIRST, SECOND)
    content = (tmp_path / NAME).read_bytes()
    lengths = [len(line) for line in content.splitlines(keepends=True)]
    for cut in range(len(content) + 1):
        (tmp_path / NAME).write_bytes(content[:cut])
        whole = (cut >= sum(lengths[:2])) + (cut >= sum(lengths))
        assert len(done(tmp_path)) == whole
        write(tmp_path, *(FIRST, SECOND)[whole:])
        assert (tmp_path / NAME).read_bytes() == content


def test_rubbish_at_the_end_is_cut_off(tmp_path):
    write(tmp_path, FIRST)
    content = (tmp_path / NAME).read_bytes()
    for rubbish in (b"\0\0\0\0\n", b"\xff\n", b"[]\n", b'{"split": 1}\n'):
        (tmp_path / NAME).write_bytes(content + rubbish)
        assert done(tmp_path) == {(0, "kmeans"): FIRST}
        assert (tmp_path / NAME).read_bytes() == content


def test_another_plan_is_refused_and_the_difference_named(tmp_path):
    write(tmp_path, FIRST)
    with (
        pytest.raises(VisavisError, match=r"another evaluation \(it differs in sizes\)"),
        open_journal(tmp_path, "other", {"sizes": [2], "seed": 0}),
    ):
        pass
    with (
        pytest.raises(VisavisError, match="of other documents, groups or splits"),
        open_journal(tmp_path, "other", ABOUT),
    ):
        pass
    assert done(tmp_path) == {(0, "kmeans"): FIRST}


def test_two_processes_cannot_write_one_journal(tmp_path):
    pytest.importorskip("fcntl")
    with (
        open_journal(tmp_path, "key", ABOUT),
        pytest.raises(VisavisError, match="another evaluation is writing"),
        open_journal(tmp_path, "key", ABOUT),
    ):
        pass


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(VisavisError, match="cannot write"), open_journal(tmp_path / "file" / "x", "key", ABOUT):
        pass
